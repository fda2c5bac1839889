// The search services that can be configured, each by its own interface. They differ in where the words go and where the results stand.
import { z } from 'zod'
import type { SearchHit, SearchWeb } from '#services/web-search/web-search.ts'
import { askService, type Within } from './ask-service.ts'

/** Which service is asked, and with what. The addresses of Tavily and Brave are theirs unless a test says another. */
export type SearchSettings =
  | { readonly kind: 'searxng'; readonly url: string }
  | { readonly kind: 'tavily'; readonly apiKey: string; readonly root?: string }
  | { readonly kind: 'brave'; readonly apiKey: string; readonly root?: string }

/** More than are shown: some have no address that can be shown, and some stand twice. */
const mostAsked = 10
const text = z.string().nullish()

const defaultTimeoutMs = 10_000

export function createSearch(settings: SearchSettings, timeoutMs: number = defaultTimeoutMs): SearchWeb {
  return async (query, signal) => {
    const within = { signal, timeoutMs }
    switch (settings.kind) {
      case 'searxng':
        return await searchSearxng(settings.url, query, within)
      case 'tavily':
        return await searchTavily(settings, query, within)
      case 'brave':
        return await searchBrave(settings, query, within)
      default:
        return settings satisfies never
    }
  }
}

const searxngAnswer = z.object({
  results: z.array(z.object({ url: text, title: text, content: text })),
  unresponsive_engines: z.array(z.unknown()).catch([]),
})

/** https://docs.searxng.org/dev/search_api.html: the instance has to allow the format `json`. */
async function searchSearxng(root: string, query: string, within: Within): Promise<readonly SearchHit[]> {
  const url = new URL(root)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/search`
  url.search = String(new URLSearchParams({ q: query, format: 'json' }))
  const request = { service: 'SearXNG', method: 'GET', url, headers: {} } as const
  const { results, unresponsive_engines: silent } = await askService(request, searxngAnswer, within)
  if (results.length === 0 && silent.length > 0)
    throw new Error('SearXNG got no answer from any of its search engines. Try again later.')
  return results.map(({ url: address, title, content }) => toHit(address, title, content))
}

const tavilyAnswer = z.object({ results: z.array(z.object({ url: text, title: text, content: text })) })

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
async function searchTavily(
  { apiKey, root = 'https://api.tavily.com' }: Extract<SearchSettings, { kind: 'tavily' }>,
  query: string,
  within: Within,
): Promise<readonly SearchHit[]> {
  const request = {
    service: 'Tavily',
    method: 'POST',
    url: new URL('/search', root),
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, max_results: mostAsked, search_depth: 'basic' }),
  } as const
  const { results } = await askService(request, tavilyAnswer, within)
  return results.map(({ url, title, content }) => toHit(url, title, content))
}

const braveAnswer = z.object({
  /** Not there when nothing was found. */
  web: z.object({ results: z.array(z.object({ url: text, title: text, description: text })) }).nullish(),
})

/** https://api-dashboard.search.brave.com/api-reference/web/search/get */
async function searchBrave(
  { apiKey, root = 'https://api.search.brave.com' }: Extract<SearchSettings, { kind: 'brave' }>,
  query: string,
  within: Within,
): Promise<readonly SearchHit[]> {
  const url = new URL('/res/v1/web/search', root)
  url.search = String(new URLSearchParams({ q: query, count: String(mostAsked), text_decorations: 'false' }))
  const request = { service: 'Brave', method: 'GET', url, headers: { 'x-subscription-token': apiKey } } as const
  const { web } = await askService(request, braveAnswer, within)
  return (web?.results ?? []).map(({ url: address, title, description }) => toHit(address, title, description))
}

type Text = z.infer<typeof text>
const toHit = (address: Text, title: Text, snippet: Text): SearchHit => ({
  address: address ?? '',
  title: title ?? '',
  snippet: snippet ?? '',
})
