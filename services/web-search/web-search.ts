// The tool `search_web`: a numbered list of what a search service found. Which service that is, and how it is asked, is a port's affair. Every
// word of the list is somebody else's, and each address stands in the form that the gateway can read back.
import { z } from 'zod'
import { cleanText } from '#shared/chat/clean-text.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toAddress, toPlainAddress, withoutAddresses } from '#shared/model/addresses.ts'

/** As the service gave it: untrusted, of any length. */
export type SearchHit = { readonly title: string; readonly address: string; readonly snippet: string }

/** The best first; rejects with what the model is to read: what failed and whether to try again. */
export type SearchWeb = (query: string, signal: AbortSignal) => Promise<readonly SearchHit[]>

/** As much as may leave the house in one query (issue 14, D). */
const mostQueryChars = 200
const mostHits = 6
const mostTitleChars = 120
const mostSnippetChars = 300

const asked = z.object({ query: z.string() })

export const webSearchCapability: Capability<{ readonly tools: { readonly searchWeb: SearchWeb | undefined } }> = {
  needs: { tool: 'search_web', setting: 'FLOTILLA_SEARCH' },
  create: ({ tools }) => tools.searchWeb && createWebSearch(tools.searchWeb),
}

export function createWebSearch(search: SearchWeb): Feature {
  return {
    name: 'web-search',
    tools: [
      {
        name: 'search_web',
        summary: { zh: '搜索网页。', en: 'Searches the web.' },
        description: 'Searches the web. Gives titles, addresses, snippets.',
        parameters: {
          type: 'object',
          properties: { query: { type: 'string', maxLength: mostQueryChars } },
          required: ['query'],
        },
        effect: 'read',
        onCrash: 'rerun',
        sends: { what: 'query', argument: 'query' },
        smaller: (input) => toShorter(asked.parse(input).query),
        async run(input, _, signal) {
          const query = toQuery(asked.parse(input).query)
          if (query === '') throw new Error('the query is empty.')
          if (query.length > mostQueryChars)
            throw new Error(`the query is longer than ${mostQueryChars} characters. Use fewer words.`)
          return { text: toList(await search(query, signal)), source: 'others' }
        },
      },
    ],
  }
}

/** What is sent: one line. */
const toQuery = (typed: string): string => typed.toWellFormed().replaceAll(/\s+/g, ' ').trim()

/** Of a query that is too long its first words. */
function toShorter(typed: string): unknown {
  const query = toQuery(typed)
  if (query.length <= mostQueryChars) return undefined
  const first = query.slice(0, mostQueryChars)
  return { query: first.slice(0, Math.max(first.lastIndexOf(' '), mostQueryChars / 2)).trim() }
}

function toList(hits: readonly SearchHit[]): string {
  const known = new Set<string>()
  const items: string[] = []
  for (const hit of hits) {
    const address = toPlainAddress(hit.address.trim())
    if (address === undefined || known.has(address)) continue
    known.add(address)
    const title = toLine(hit.title, mostTitleChars) || 'Untitled'
    const snippet = toLine(hit.snippet, mostSnippetChars)
    items.push([`${items.length + 1}. ${title}`, toAddress(address), ...(snippet === '' ? [] : [snippet])].join('\n'))
    if (items.length === mostHits) break
  }
  return items.length === 0 ? 'Nothing was found. Other words may find more.' : items.join('\n\n')
}

/** One line of at most so many characters, in which nothing reads as an address. */
function toLine(written: string, mostChars: number): string {
  // The rest of a long text is not looked at.
  const line = withoutAddresses(cleanText(written.slice(0, mostChars * 4)).text).replaceAll(/\s+/g, ' ')
  return (line.length > mostChars ? `${line.slice(0, mostChars - 1)}…` : line).toWellFormed()
}
