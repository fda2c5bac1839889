// The three search services to test against: SearXNG, Tavily and Brave, each by its own interface on one server, with a ledger and faults on
// demand. Strict where callers go wrong (keys, formats, methods); it knows nothing of the project.
import { z } from 'zod'
import { listen, parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'

export type Found = { readonly title: string; readonly url: string; readonly text: string }

/** What the next request meets instead of an answer. */
export type SearchFault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'page' }
  | { readonly kind: 'silence' }
  | { readonly kind: 'body'; readonly body: string | Buffer }
  | { readonly kind: 'engines-silent' }

export type SearchRequest = {
  readonly service: 'searxng' | 'tavily' | 'brave'
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type SearchSimulator = {
  /** Behind `searxng=`, what `FLOTILLA_SEARCH` takes; it has a path of its own. */
  readonly searxng: string
  /** Where Tavily and Brave are. */
  readonly root: string
  readonly requests: readonly SearchRequest[]
  find(results: readonly Found[]): void
  /** The next request, or so many of the next; in the place of what was to fail before. */
  fail(fault: SearchFault, times?: number): void
  close(): Promise<void>
}

type State = {
  results: readonly Found[]
  fault: SearchFault | undefined
  faultsLeft: number
  readonly requests: SearchRequest[]
}
type Asked = SearchRequest & { readonly refusal?: { readonly status: number; readonly body: unknown } }

const tavilyBody = z.strictObject({
  query: z.string().min(1).max(400),
  max_results: z.number().int().min(0).max(20),
  search_depth: z.enum(['basic', 'advanced', 'fast', 'ultra-fast']),
})

export async function startSearchSimulator(keys: { readonly apiKey: string }): Promise<SearchSimulator> {
  const state: State = { results: [], fault: undefined, faultsLeft: 0, requests: [] }
  const server = await listen(async (exchange) => {
    const asked = await read(exchange, keys.apiKey)
    if (!asked) return sendJson(exchange.res, 404, { detail: 'Not Found' })
    state.requests.push(asked)
    const fault = state.faultsLeft > 0 ? state.fault : undefined
    state.faultsLeft -= 1
    if (fault && fault.kind !== 'engines-silent') return stumble(exchange, fault)
    if (asked.refusal) return sendJson(exchange.res, asked.refusal.status, asked.refusal.body)
    sendJson(exchange.res, 200, toAnswer(asked, fault ? [] : state.results, fault !== undefined))
  }, 0)
  return {
    searxng: `${server.origin}/search-engine/`,
    root: server.origin,
    requests: state.requests,
    find: (results) => (state.results = results),
    fail: (fault, times = 1) => void Object.assign(state, { fault, faultsLeft: times }),
    close: () => server.close(),
  }
}

async function read({ req, url }: Exchange, apiKey: string): Promise<Asked | undefined> {
  const { headers, method } = req
  const query = url.searchParams.get('q') ?? ''
  if (url.pathname === '/search-engine/search' && method === 'GET') {
    const isJson = url.searchParams.get('format') === 'json'
    return { service: 'searxng', query, headers, ...(isJson ? {} : { refusal: { status: 403, body: 'Forbidden' } }) }
  }
  if (url.pathname === '/res/v1/web/search' && method === 'GET') {
    const isKnown = headers['x-subscription-token'] === apiKey
    const isFine = query !== '' && query.length <= 400 && Number(url.searchParams.get('count')) <= 20
    const status = isKnown ? (isFine ? 200 : 422) : 401
    const body = {
      type: 'ErrorResponse',
      error: { status, detail: `Token ${String(headers['x-subscription-token'])}` },
    }
    return { service: 'brave', query, headers, ...(status === 200 ? {} : { refusal: { status, body } }) }
  }
  if (url.pathname === '/search' && method === 'POST') {
    const body = tavilyBody.safeParse(parseJson(await readBody(req)))
    const isKnown = headers.authorization === `Bearer ${apiKey}`
    const status = isKnown ? (body.success ? 200 : 400) : 401
    const detail = { error: `Unauthorized: ${headers.authorization ?? ''}` }
    const asked = { service: 'tavily', query: body.data?.query ?? '', headers } as const
    return { ...asked, ...(status === 200 ? {} : { refusal: { status, body: { detail } } }) }
  }
  return undefined
}

function stumble({ res }: Exchange, fault: Exclude<SearchFault, { kind: 'engines-silent' }>): void {
  if (fault.kind === 'silence') return
  if (fault.kind === 'status') return sendJson(res, fault.status, { error: 'refused' }, fault.headers)
  if (fault.kind === 'page') {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    res.end('<html><body>Are you a robot?</body></html>')
    return
  }
  res.writeHead(200, { 'content-type': 'application/json' })
  res.end(fault.body)
}

function toAnswer({ service, query }: Asked, results: readonly Found[], isSilent: boolean): unknown {
  if (service === 'brave')
    return {
      type: 'search',
      query: { original: query },
      ...(results.length === 0
        ? {}
        : {
            web: {
              type: 'search',
              results: results.map(({ title, url, text }) => ({ title, url, description: text })),
            },
          }),
    }
  const listed = results.map(({ title, url, text }) => ({ title, url, content: text }))
  if (service === 'tavily') return { query, answer: null, images: [], results: listed, response_time: 0.1 }
  return {
    query,
    number_of_results: 0,
    results: listed.map((one) => ({ ...one, engine: 'first', parsed_url: [], category: 'general' })),
    answers: [],
    unresponsive_engines: isSilent ? [['first', 'timeout']] : [],
  }
}
