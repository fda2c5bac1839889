// The way to tools for which a prompt has no room: `tool_search` finds them by words, `tool_call` calls one. Calls are unwrapped before anybody
// judges them (shared/model/wrapped-call.ts), so `tool_call` itself is only run where there is nothing to unwrap.
import { z } from 'zod'
import type { Feature } from '#shared/feature/feature.ts'
import type { Tool } from '#shared/model/tool.ts'
import { wrapperName } from '#shared/model/wrapped-call.ts'

type Found = Pick<Tool, 'name' | 'description' | 'parameters'>

const mostFound = 3
const mostWords = 20
/** Of the parameters of one tool, as JSON. */
const mostParameterChars = 1500
const mostNames = 60
const asked = z.object({ query: z.string() })

/** `tools` are those of all other features, as they are now. */
export function createToolSearch(tools: () => readonly Found[]): Feature & { readonly tools: readonly Tool[] } {
  return { name: 'tool-search', tools: [createSearch(tools), caller] }
}

function createSearch(tools: () => readonly Found[]): Tool {
  return {
    name: 'tool_search',
    summary: { zh: '查找更多工具。', en: 'Finds more tools.' },
    description: `Finds more tools, to be called by ${wrapperName}: reminders, the web and more.`,
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    effect: 'read',
    onCrash: 'rerun',
    listing: 'search',
    run: async (input) => ({ text: toText(tools(), asked.parse(input).query.slice(0, 500)), source: 'own' }),
  }
}

const caller: Tool = {
  name: wrapperName,
  summary: { zh: '使用找到的工具。', en: 'Uses a tool that was found.' },
  description: 'Calls a tool that tool_search found.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string' }, arguments: { type: 'object' } },
    required: ['name', 'arguments'],
  },
  effect: 'read',
  onCrash: 'rerun',
  listing: 'search',
  run: async () => {
    throw new Error(
      'it takes {"name": the name of one tool, "arguments": an object}, and calls neither itself nor nothing.',
    )
  },
}

/** The best matches with all that is needed to call them; where nothing matches, what there is. */
function toText(tools: readonly Found[], query: string): string {
  const words = query.toLowerCase().match(/[a-z0-9]{2,}/g) ?? []
  const wanted = [...new Set(words)].slice(0, mostWords)
  const found = tools
    .map((tool) => ({ tool, score: wanted.reduce((sum, word) => sum + toScore(tool, word), 0) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostFound)
  if (found.length > 0) return found.map(({ tool }) => toLines(tool)).join('\n')
  const all = tools.slice(0, mostNames).map((tool) => `${tool.name}: ${firstSentence(tool)}`)
  return ['No tool matches these words. There are:', ...all].join('\n')
}

/** A name says most. The plural of a word finds its singular. */
function toScore({ name, description }: Found, word: string): number {
  const stem = word.length > 3 ? word.replace(/s$/, '') : word
  return (name.toLowerCase().includes(stem) ? 3 : 0) + (description.toLowerCase().includes(stem) ? 1 : 0)
}

function toLines({ name, description, parameters }: Found): string {
  const json = JSON.stringify(parameters['properties'] ?? parameters)
  const shown = json.length <= mostParameterChars ? json : `${json.slice(0, mostParameterChars)}…`
  return `${name}: ${description}\n  arguments: ${shown.toWellFormed()}`
}

const firstSentence = ({ description }: Found): string => (description.split(/(?<=\.)\s/, 1)[0] ?? '').slice(0, 200)
