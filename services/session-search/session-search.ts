// The tool by which the model finds again what was said earlier in this session, word for word, when only a summary of it is left in the prompt.
import type { Feature } from '#shared/feature/feature.ts'
import { peek, retell, type Kept } from '#shared/feature/kept.ts'
import type { Tool, ToolContext, ToolResult } from '#shared/model/tool.ts'
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
  run: async (input, context) => await search(toQuery(input), await context.said(), context),
}

export const sessionSearch: Feature = { name: 'session-search', tools: [tool] }

/** Throws where there is nothing to look for. */
function toQuery(input: unknown): string {
  const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : undefined
  if (typeof query !== 'string' || query.trim() === '') throw new Error('"query" is to be a text of a few words.')
  return query.slice(0, mostQueryChars)
}

async function search(query: string, said: readonly Kept[], context: ToolContext): Promise<ToolResult> {
  const found = await peek(said, (texts) => findBest(query, texts, mostShown))
  if (found.length === 0) return { text: 'Nothing of this session fits these words. Try others.', source: 'own' }
  // In the order in which it was said, so that what was said later stands last.
  const inOrder = found.toSorted((a, b) => a.at - b.at)
  const read = inOrder.flatMap(({ at }) => said[at] ?? [])
  const compose = (texts: readonly string[]): string =>
    texts.map((text, nth) => excerpt(text, inOrder[nth]?.line ?? 0)).join('\n---\n')
  return { text: retell(read, context, compose) }
}

/** What stands around the line that fits best. */
function excerpt(text: string, line: number): string {
  if (text.length <= mostChars) return text
  const from = Math.max(0, Math.min(line - Math.floor(mostChars / 3), text.length - mostChars))
  const cut = text.slice(from, from + mostChars).toWellFormed()
  return `${from > 0 ? '… ' : ''}${cut}${from + mostChars < text.length ? ' …' : ''}`
}
