// A model endpoint to test against: OpenAI-compatible Chat Completions, streaming and whole, with every fault on demand and a
// ledger. Strict where callers go wrong (roles, tool results, stream options); it knows nothing of the project.
import { z } from 'zod'
import { listen, parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { createGates, pause, type Gates } from '#test/simulators/signals.ts'
import { toCompletion } from './completion.ts'
import { createEmbeddings, type Embeddings } from './embeddings.ts'
import { handleControl, type Controlled } from './control-endpoint.ts'
import { createModelLedger, type ModelLedger, type ModelOutcome, type WritableModelLedger } from './ledger.ts'
import { completionRequest, findRequestProblem, type CompletionRequest } from './request.ts'
import {
  createModelScript,
  type ChosenRule,
  type ModelAnswer,
  type ModelDecider,
  type ModelRule,
  type ModelScript,
} from './script.ts'
import type { Refuses } from '#test/simulators/model/dialects/refusals.ts'
import { sendStream, sendWhole } from './wire.ts'

export type ModelSimulatorOptions = {
  /** 0, the default, takes a free port. */
  readonly port?: number
  /** Before the first byte of every answer that no rule gives another latency; 0 by default. */
  readonly latencyMs?: number
  /** `counters` keeps no entries, for benchmarks. */
  readonly ledger?: 'full' | 'counters'
  /** The one key that is let in; without it any bearer token is. */
  readonly apiKey?: string
  /** The models there are; others answer 404. Without it every name is served. */
  readonly models?: readonly string[]
  /** What the list of models says of each besides its name: vLLM and llama.cpp name the window there. */
  readonly listed?: Readonly<Record<string, unknown>>
}

export type ModelSimulator = {
  /** Ends in `/v1`: what `OPENAI_BASE_URL` takes. */
  readonly url: string
  readonly ledger: ModelLedger
  /** What was asked of `/embeddings`, and how it answers. */
  readonly embeddings: Embeddings
  /** Adds a rule; see `script.ts`. */
  script(rule: ModelRule): void
  /** Decides about each request before any rule does. */
  decideBy(decider: ModelDecider): void
  clearScript(): void
  /** Refuses requests from now on as the server of a dialect does. */
  refuseBy(refuses: Refuses): void
  /** Lets pass what waits at the gate of this name, now and later. */
  open(gate: string): void
  close(): Promise<void>
}

type State = Controlled & {
  readonly options: ModelSimulatorOptions
  readonly script: ModelScript
  readonly ledger: WritableModelLedger
  readonly gates: Gates
  latencyMs: number
  served: number
  refuses: Refuses
}

export async function startModelSimulator(options: ModelSimulatorOptions = {}): Promise<ModelSimulator> {
  const state: State = {
    options,
    script: createModelScript(),
    ledger: createModelLedger(options.ledger ?? 'full'),
    gates: createGates(),
    latencyMs: options.latencyMs ?? 0,
    served: 0,
    refuses: () => undefined,
    setLatencyMs: (latencyMs) => {
      state.latencyMs = latencyMs
    },
  }
  const embeddings = createEmbeddings()
  const server = await listen((exchange) => route(exchange, state, embeddings), options.port ?? 0)
  return {
    url: `${server.origin}/v1`,
    ledger: state.ledger,
    embeddings,
    script: (rule) => state.script.add(rule),
    decideBy: (decider) => state.script.decideBy(decider),
    clearScript: () => state.script.clear(),
    refuseBy(refuses) {
      state.refuses = refuses
    },
    open: (gate) => state.gates.open(gate),
    close: () => server.close(),
  }
}

async function route(exchange: Exchange, state: State, embeddings: ReturnType<typeof createEmbeddings>): Promise<void> {
  const { req, res, url } = exchange
  if (req.method === 'POST' && url.pathname === '/v1/chat/completions') return complete(exchange, state)
  if (req.method === 'POST' && url.pathname === '/v1/embeddings') {
    if (isAuthorized(req.headers.authorization, state.options)) return embeddings.answer(exchange)
    return sendError(res, 401, 'Incorrect API key provided.')
  }
  if (req.method === 'GET' && url.pathname === '/v1/models') return listModels(exchange, state)
  if (await handleControl(exchange, state)) return
  sendError(res, 404, `Unknown request URL: ${req.method ?? ''} ${url.pathname}.`)
}

async function listModels({ req, res }: Exchange, { options }: State): Promise<void> {
  if (!isAuthorized(req.headers.authorization, options)) return sendError(res, 401, 'Incorrect API key provided.')
  const ids = options.models ?? ['simulated']
  const data = ids.map((id) => ({
    id,
    object: 'model',
    created: 1_700_000_000,
    owned_by: 'simulator',
    ...options.listed,
  }))
  sendJson(res, 200, { object: 'list', data })
}

async function complete({ req, res }: Exchange, state: State): Promise<void> {
  const parsed = completionRequest.safeParse(parseJson(await readBody(req)))
  if (!parsed.success) return sendError(res, 400, z.prettifyError(parsed.error))
  const request = parsed.data
  const open = state.ledger.begin(request, req.headers)
  const client = new AbortController()
  res.on('close', () => {
    if (!res.writableFinished) {
      client.abort()
      open.end('aborted', res.statusCode)
    }
  })
  const problem = findProblem(request, req.headers.authorization, state.options)
  if (problem !== undefined) {
    open.end('refused', problem.status)
    return sendError(res, problem.status, problem.message)
  }
  const refused = state.refuses(request)
  if (refused) {
    open.end('refused', refused[0])
    return sendJson(res, refused[0], refused[1])
  }
  const rule = state.script.choose(request)
  const outcome = await answer({ res, request, rule, gone: client.signal }, state)
  open.end(outcome, res.statusCode)
}

type Asked = {
  readonly res: Exchange['res']
  readonly request: CompletionRequest
  readonly rule: ChosenRule
  readonly gone: AbortSignal
}

async function answer({ res, request, rule, gone }: Asked, state: State): Promise<ModelOutcome> {
  const latencyMs = rule.latencyMs ?? state.latencyMs
  if (latencyMs > 0) await pause(latencyMs, gone)
  if (rule.gate !== undefined && rule.gate.afterChunks === undefined) await state.gates.pass(rule.gate.name, gone)
  if (gone.aborted) return 'aborted'
  const said: ModelAnswer = rule.answer ?? { kind: 'echo' }
  if (said.kind === 'error') {
    const headers = said.retryAfterS === undefined ? {} : { 'retry-after': String(said.retryAfterS) }
    const message = said.message ?? `Simulated error ${said.status}.`
    if (said.bare) sendJson(res, said.status, { error: message }, headers)
    else sendError(res, said.status, message, headers)
    return 'refused'
  }
  state.served += 1
  const completion = toCompletion(said, request, state.served)
  const createdS = Math.floor(Date.now() / 1000)
  const id = `chatcmpl-${state.served}`
  const sending = { res, request, completion, rule, gates: state.gates, id, createdS, gone }
  return request.stream === true ? sendStream(sending) : sendWhole(sending)
}

function findProblem(
  request: CompletionRequest,
  authorization: string | undefined,
  options: ModelSimulatorOptions,
): { readonly status: number; readonly message: string } | undefined {
  if (!isAuthorized(authorization, options)) return { status: 401, message: 'Incorrect API key provided.' }
  if (options.models !== undefined && !options.models.includes(request.model)) {
    return { status: 404, message: `The model \`${request.model}\` does not exist or you do not have access to it.` }
  }
  const problem = findRequestProblem(request)
  return problem === undefined ? undefined : { status: 400, message: problem }
}

function isAuthorized(authorization: string | undefined, { apiKey }: ModelSimulatorOptions): boolean {
  if (apiKey !== undefined) return authorization === `Bearer ${apiKey}`
  return authorization !== undefined && /^Bearer \S+$/.test(authorization)
}

const errorTypes: Readonly<Record<number, string>> = { 401: 'authentication_error', 429: 'rate_limit_error' }

function sendError(
  res: Exchange['res'],
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = errorTypes[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  sendJson(res, status, { error: { message, type, param: null, code: null } }, headers)
}
