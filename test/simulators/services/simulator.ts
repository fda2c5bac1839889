// A small service to change things at, by HTTP: a list of entries, a ledger of what took effect, and faults on demand. What is sent twice under one
// Idempotency-Key has its effect once and the same answer; without a key, or with `ignoresKeys`, each request counts. It knows nothing of the project.
import { listen, parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'

export type Effect = {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  /** As JSON where it was, else the text. */
  readonly body: unknown
}

export type ServiceRequest = Effect & { readonly headers: Readonly<Record<string, string | string[] | undefined>> }

/**
 * What the next request meets. `fail-before`: refused with nothing done. `fail-after`: done, and then answered 500. `drop-before`, `drop-after`: the
 * same, but the connection breaks. `hang`: heard, and never answered. `hang-after`: done, and never answered. `slow`: done and answered late.
 */
export type ServiceFault =
  | { readonly kind: 'fail-before' | 'fail-after'; readonly status?: number }
  | { readonly kind: 'drop-before' | 'drop-after' | 'hang' | 'hang-after' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** Instead of all that, as it stands here. */
  | { readonly kind: 'answer'; answer(exchange: Exchange): void }

export type ServiceSimulator = {
  readonly origin: string
  readonly port: number
  /** Each effect once, in order: requests other than GET that were carried out. */
  readonly effects: readonly Effect[]
  readonly requests: readonly ServiceRequest[]
  /** Faults meet one request each, in order. */
  fail(...faults: readonly ServiceFault[]): void
  /** Resolves when the next request was heard, whatever becomes of it. */
  heard(): Promise<ServiceRequest>
  close(): Promise<void>
}

type Answer = { readonly status: number; readonly body: unknown }
type State = {
  readonly effects: Effect[]
  readonly requests: ServiceRequest[]
  readonly faults: ServiceFault[]
  readonly entries: Map<string, unknown>
  /** By method, path and key: what was answered. */
  readonly answers: Map<string, Answer>
  waiting: ((request: ServiceRequest) => void)[]
}

type Options = { readonly ignoresKeys?: boolean; readonly port?: number }

export async function startServiceSimulator({
  ignoresKeys = false,
  port = 0,
}: Options = {}): Promise<ServiceSimulator> {
  const state: State = {
    effects: [],
    requests: [],
    faults: [],
    entries: new Map(),
    answers: new Map(),
    waiting: [],
  }
  const server = await listen(async (exchange) => {
    const request = await read(exchange)
    state.requests.push(request)
    const { waiting } = state
    state.waiting = []
    for (const tell of waiting) tell(request)
    const fault = state.faults.shift()
    await serve(exchange, fault, () => carryOut(state, request, ignoresKeys))
  }, port)
  return {
    origin: server.origin,
    port: server.port,
    effects: state.effects,
    requests: state.requests,
    fail: (...faults) => void state.faults.push(...faults),
    heard: () => new Promise((tell) => state.waiting.push(tell)),
    close: () => server.close(),
  }
}

async function read({ req, url }: Exchange): Promise<ServiceRequest> {
  const bytes = await readBody(req)
  const body = bytes.length === 0 ? undefined : (parseJson(bytes) ?? bytes.toString('utf8'))
  const key = req.headers['idempotency-key']
  return {
    method: req.method ?? '',
    path: `${url.pathname}${url.search}`,
    key: typeof key === 'string' ? key : undefined,
    body,
    headers: req.headers,
  }
}

async function serve({ req, res, url }: Exchange, fault: ServiceFault | undefined, act: () => Answer): Promise<void> {
  if (fault?.kind === 'answer') return fault.answer({ req, res, url })
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'drop-before') return void req.socket.destroy()
  if (fault?.kind === 'fail-before') return sendJson(res, fault.status ?? 500, { error: 'Nothing was done.' })
  const { status, body } = act()
  if (fault?.kind === 'hang-after') return
  if (fault?.kind === 'drop-after') return void req.socket.destroy()
  if (fault?.kind === 'fail-after') return sendJson(res, fault.status ?? 500, { error: 'It broke.' })
  if (fault?.kind === 'slow') await new Promise((done) => setTimeout(done, fault.ms))
  sendJson(res, status, body)
}

function carryOut(state: State, { method, path, key, body }: ServiceRequest, ignoresKeys: boolean): Answer {
  const { entries, effects, answers } = state
  if (method === 'GET')
    return entries.has(path)
      ? { status: 200, body: entries.get(path) }
      : { status: 404, body: { error: 'There is nothing here.' } }
  const named = key === undefined || ignoresKeys ? undefined : `${method} ${path} ${key}`
  const before = named === undefined ? undefined : answers.get(named)
  if (before) return before
  effects.push({ method, path, key, body })
  const isThere = entries.has(path)
  if (method === 'DELETE') entries.delete(path)
  else entries.set(path, body ?? null)
  const answer =
    method === 'DELETE'
      ? { status: isThere ? 200 : 404, body: { deleted: isThere } }
      : { status: method === 'POST' ? 201 : 200, body: { done: effects.length } }
  if (named !== undefined) answers.set(named, answer)
  return answer
}
