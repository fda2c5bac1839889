// The tool by which the model finds again what was said earlier in this session, word for word, when only a summary of it is left in the prompt.
import type { Feature } from '#shared/feature/feature.ts'
import type { Said, Tool, ToolResult } from '#shared/model/tool.ts'
import { joinTaint } from '#shared/model/taint.ts'
import { findBest } from './find-best.ts'

const mostShown = 5
/** Of each exchange, and of a query. */
const mostChars = 900
const mostQueryChars = 200

const tool: Tool = {
  name: 'session_search',
  summary: {
    zh: '在本次会话里逐字查找以前说过的话。',
    en: 'Finds what was said earlier in this session, word for word.',
  },
  description:
    'Finds what was said earlier in this conversation session, word for word. Use it when the summary does not tell a detail (a name, a number, a date, a decision).',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'A few key words in the language that was spoken.' } },
    required: ['query'],
    additionalProperties: false,
  },
  effect: 'read',
  listing: 'rare',
  onCrash: 'rerun',
  run: async (input, { said }) => await search(toQuery(input), await said()),
}

export const sessionSearch: Feature = { name: 'session-search', tools: [tool] }

/** Throws where there is nothing to look for. */
function toQuery(input: unknown): string {
  const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : undefined
  if (typeof query !== 'string' || query.trim() === '') throw new Error('"query" is to be a text of a few words.')
  return query.slice(0, mostQueryChars)
}

async function search(query: string, said: readonly Said[]): Promise<ToolResult> {
  const found = await findBest(
    query,
    said.map(({ text }) => text),
    mostShown,
  )
  if (found.length === 0) return { text: 'Nothing of this session fits these words. Try others.', source: 'own' }
  // In the order in which it was said, so that what was said later stands last.
  const shown = found.toSorted((a, b) => a.at - b.at).map(({ at, line }) => excerpt(said[at]?.text ?? '', line))
  const read = found.flatMap(({ at }) => said[at] ?? [])
  // The bot's own words are among them: what stands in them is not taken for what others said.
  return {
    text: shown.join('\n---\n'),
    source: 'own',
    taint: joinTaint(...read.map(({ taint }) => taint)),
    about: [...new Set(read.flatMap(({ about }) => about))],
  }
}

/** What stands around the line that fits best. */
function excerpt(text: string, line: number): string {
  if (text.length <= mostChars) return text
  const from = Math.max(0, Math.min(line - Math.floor(mostChars / 3), text.length - mostChars))
  const cut = text.slice(from, from + mostChars).toWellFormed()
  return `${from > 0 ? '… ' : ''}${cut}${from + mostChars < text.length ? ' …' : ''}`
}
