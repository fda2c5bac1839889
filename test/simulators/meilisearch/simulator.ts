// A Meilisearch 1.50 to test against, by HTTP on 127.0.0.1: the routes that memory search uses, strictly, with faults on demand and a ledger of
// requests. What was measured on a real server stands in its parts; what is not simulated is refused with 400. It knows nothing of the project.
import { listen, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { ApiError, badRequest } from './api-error.ts'
import { findRoute, type Route } from './routes.ts'
import { createWorld, type World } from './world.ts'

/**
 * What a request meets. `busy`: 503 with Retry-After. `page`: what a proxy says, as HTML. `drop`: the connection breaks; with `after` once the
 * request was carried out. `hang`: it is never answered. `slow`: it is answered late.
 */
export type MeiliFault =
  | { readonly kind: 'busy'; readonly retryAfterS?: number }
  | { readonly kind: 'page'; readonly status: number }
  | { readonly kind: 'drop'; readonly after?: boolean }
  | { readonly kind: 'hang' }
  | { readonly kind: 'slow'; readonly ms: number }

export type MeiliRequest = {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type MeiliSimulator = {
  readonly url: string
  readonly port: number
  readonly masterKey: string
  readonly requests: readonly MeiliRequest[]
  /** Faults meet one request each, in order. */
  fail(...faults: readonly MeiliFault[]): void
  /** From now on each request meets this, or none. */
  failAlways(fault: MeiliFault | undefined): void
  /** Tasks wait without end, as on a full disk, until `unstick`. */
  stick(): void
  unstick(): void
  /** Tasks that are open now came so much earlier. */
  age(ms: number): void
  /** Resolves once no task is open. */
  idle(): Promise<void>
  /** The index is gone, as when somebody deleted it. */
  lose(index: string): void
  /** How many documents an index has; undefined where there is none. */
  count(index: string): number | undefined
  /** What a data file has of an index: also what is gone from it, until it is compacted. */
  readFile(index: string): string
  close(): Promise<void>
}

type Options = {
  readonly port?: number
  /** Empty: the server is open to everyone, as one that was started for development. */
  readonly masterKey?: string
  /** How long a batch of tasks takes at least. */
  readonly batchMs?: number
  readonly mostPayloadBytes?: number
}

type State = {
  readonly world: World
  readonly requests: MeiliRequest[]
  readonly faults: MeiliFault[]
  readonly mostPayloadBytes: number
  always: MeiliFault | undefined
}

export async function startMeilisearch(options: Options = {}): Promise<MeiliSimulator> {
  const { port = 0, masterKey = 'a-master-key-for-tests', batchMs = 1, mostPayloadBytes = 104_857_600 } = options
  const world = createWorld({ masterKey: masterKey === '' ? undefined : masterKey, batchMs })
  const state: State = { world, requests: [], faults: [], mostPayloadBytes, always: undefined }
  const server = await listen((exchange) => serve(state, exchange), port)
  return {
    url: server.origin,
    port: server.port,
    masterKey,
    requests: state.requests,
    fail: (...faults) => void state.faults.push(...faults),
    failAlways: (fault) => void (state.always = fault),
    stick: world.tasks.stick,
    unstick: world.tasks.unstick,
    age: world.tasks.age,
    idle: world.tasks.idle,
    lose: (index) => void world.indexes.delete(index),
    count: (index) => world.indexes.get(index)?.size(),
    readFile: (index) => world.indexes.get(index)?.readFile() ?? '',
    close: async () => {
      world.tasks.close()
      await server.close()
    },
  }
}

async function serve(state: State, exchange: Exchange): Promise<void> {
  const { req, res, url } = exchange
  const bytes = Number(req.headers['content-length'] ?? 0) > state.mostPayloadBytes ? 'too many' : await readBody(req)
  const text = bytes === 'too many' ? '' : bytes.toString('utf8')
  const { headers, method = '' } = req
  state.requests.push({ method, path: `${url.pathname}${url.search}`, body: tryJson(text) ?? text, headers })
  const fault = state.faults.shift() ?? state.always
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'busy') return refuseBusy(exchange, fault.retryAfterS ?? 10)
  if (fault?.kind === 'page') return sendPage(exchange, fault.status)
  if (fault?.kind === 'drop' && fault.after !== true) return void req.socket.destroy()
  if (fault?.kind === 'slow') await new Promise((done) => setTimeout(done, fault.ms))
  const found = findRoute(method, url.pathname)
  if (typeof found === 'string') return void res.writeHead(found === 'no such path' ? 404 : 405).end()
  try {
    const { route, uid, id } = found
    const grant = authorise(state.world, route, { authorization: headers.authorization, uid })
    if (bytes === 'too many')
      throw new ApiError(413, 'payload_too_large', 'The provided payload reached the size limit.')
    const query = readQuery(route, url.searchParams)
    const body = route.hasBody ? readContent(route, { type: headers['content-type'], text }) : undefined
    const answer = route.run({ world: state.world, grant, uid, id, query, body })
    if (fault?.kind === 'drop') return void req.socket.destroy()
    if (answer.body === undefined) res.writeHead(answer.status).end()
    else sendJson(res, answer.status, answer.body)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    sendJson(res, error.status, error.toBody(), error.headers)
  }
}

function authorise(
  { keys }: World,
  { action, parts }: Route,
  { authorization, uid }: { readonly authorization: string | undefined; readonly uid: string },
) {
  const grant = keys.grant(authorization, action)
  if (action !== undefined) grant.demand(action, parts.includes(':uid') ? uid : undefined)
  return grant
}

function readQuery({ query: known }: Route, given: URLSearchParams): Record<string, string> {
  for (const name of given.keys()) {
    if (!known.includes(name)) throw badRequest(`Unknown parameter \`${name}\`: expected one of ${known.join(', ')}`)
  }
  return Object.fromEntries(given)
}

function readContent(
  { parts }: Route,
  { type, text }: { readonly type: string | undefined; readonly text: string },
): unknown {
  const isLines = parts.length === 3 && parts[2] === 'documents' && type === 'application/x-ndjson'
  if (type === undefined) {
    throw new ApiError(
      415,
      'missing_content_type',
      'A Content-Type header is missing. Accepted values: `application/json`',
    )
  }
  if (isLines) return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parse(line)]))
  if (type.split(';')[0]?.trim() === 'application/json') return parse(text)
  const message = `The Content-Type \`${type}\` is invalid. Accepted values for this route are: \`application/json\``
  throw new ApiError(415, 'invalid_content_type', message)
}

function parse(text: string): unknown {
  if (text === '') throw new ApiError(400, 'missing_payload', 'A json payload is missing.')
  const read = tryJson(text)
  // Half a pair of surrogates is no text there.
  if (read === undefined || !isWhole(read))
    throw new ApiError(400, 'malformed_payload', 'The json payload provided is malformed.')
  return read
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWhole(inner))
}

function refuseBusy({ res }: Exchange, retryAfterS: number): void {
  const message = `Too many search requests running at the same time. Retry after ${retryAfterS}s.`
  const error = new ApiError(503, 'too_many_search_requests', message)
  sendJson(res, error.status, error.toBody(), { 'retry-after': String(retryAfterS) })
}

function sendPage({ res }: Exchange, status: number): void {
  const page = '<html><body><h1>Bad Gateway</h1></body></html>'
  res.writeHead(status, { 'content-type': 'text/html', 'content-length': page.length }).end(page)
}
