// The server API over HTTP: token, permission, body, faults, limits, route, answer. One call goes
// received → (delayed, gated) → admitted or refused → took effect → (gated) → answered, lost or reset.
import type { ServerResponse } from 'node:http'
import { sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { pause, type Gates } from '#test/simulators/signals.ts'
import { FeishuError, rateLimited, refusals, scopeMissing } from './api-error.ts'
import { isObject } from './card-json.ts'
import { readCallBody, type CallBody } from './call-body.ts'
import type { ChosenFeishuRule, Faults, FeishuFault } from './faults.ts'
import { newId } from './ids.ts'
import type { FeishuLedgerEntry, WritableFeishuLedger } from './ledger.ts'
import type { RouteDeps, RouteResult } from './route.ts'
import { findRoute, type FoundRoute } from './routes.ts'
import { scopesOfRoutes } from './scopes.ts'

export type ApiDeps = {
  readonly routes: RouteDeps
  readonly faults: Faults
  readonly gates: Gates
  readonly ledger: WritableFeishuLedger
  /** Until when each route answers 99991400. */
  readonly closedUntil: Map<string, number>
  /** Business errors come with HTTP 200, as some of the platform's methods have it. */
  readonly settings: { errorsIn200: boolean }
}

type RunningCall = FoundRoute & {
  readonly exchange: Exchange
  readonly call: CallBody
  readonly entry: FeishuLedgerEntry
  readonly rule: ChosenFeishuRule
  readonly gone: AbortSignal
}

/** Answers /open-apis/… and /callback/ws/endpoint; false for any other path. */
export async function handleApi(exchange: Exchange, deps: ApiDeps): Promise<boolean> {
  const { pathname } = exchange.url
  if (!pathname.startsWith('/open-apis/') && !pathname.startsWith('/callback/')) return false
  await runCall(exchange, deps)
  return true
}

async function runCall(exchange: Exchange, deps: ApiDeps): Promise<void> {
  const { req, res, url } = exchange
  const { ledger } = deps
  const client = new AbortController()
  let entry: FeishuLedgerEntry | undefined
  res.on('close', () => {
    if (res.writableFinished) return
    if (entry !== undefined) ledger.end(entry, 'aborted')
    client.abort()
  })
  const method = req.method ?? 'GET'
  const named = {
    call: `${method} ${url.pathname.replace('/open-apis', '')}`,
    query: Object.fromEntries(url.searchParams),
  }
  try {
    const call = await readCallBody(exchange)
    const found = findRoute(method, url.pathname)
    const files = call.files.map(({ name, bytes }) => ({ name, bytes: bytes.length }))
    entry = ledger.begin({ ...named, route: found.route.name, body: call.body, files })
    entry.message = found.path['message']
    entry.chat = chatOfCall(found, call, deps)
    checkToken(exchange, found, deps)
    const rule = deps.faults.choose({
      route: found.route.name,
      chat: entry.chat,
      message: entry.message,
      body: call.body,
    })
    await perform({ ...found, exchange, call, entry, rule, gone: client.signal }, deps)
  } catch (error) {
    const refusal =
      error instanceof FeishuError ? error : new FeishuError(500, 1_500, `internal error: ${String(error)}`)
    entry ??= ledger.begin({ ...named, route: 'unknown', body: undefined, files: [] })
    refuse(exchange, entry, { deps, refusal })
  }
}

function chatOfCall({ path }: FoundRoute, { body }: CallBody, { routes }: ApiDeps): string | undefined {
  const { messages, chats, entities } = routes.world
  const receiver = isObject(body) && typeof body['receive_id'] === 'string' ? body['receive_id'] : undefined
  if (receiver !== undefined && receiver.startsWith('ou_')) {
    const direct = [...chats.values()].find(
      ({ mode, members }) => mode === 'p2p' && [...members].some(({ openId }) => openId === receiver),
    )
    return direct?.id
  }
  const message = messages.get(path['message'] ?? '') ?? entities.get(path['card'] ?? '')?.message
  return message?.chat.id ?? path['chat'] ?? receiver
}

/** In the order of the platform's gateway: token, the app's state, its permission. */
function checkToken({ req }: Exchange, { route }: FoundRoute, { routes }: ApiDeps): void {
  if (route.isOpen) return
  const { app } = routes.world
  const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1]
  if (token === undefined) throw refusals.noToken()
  if (!routes.tokens.isValid(token)) throw refusals.badToken()
  if (!app.isEnabled) throw refusals.appOff()
  const scopes = scopesOfRoutes[route.name]
  if (scopes !== undefined && !scopes.some((scope) => app.scopes.has(scope))) throw scopeMissing(app.id, scopes)
}

async function perform(running: RunningCall, deps: ApiDeps): Promise<void> {
  const { exchange, call, entry, rule, route, path, gone } = running
  const { fault } = rule
  if (rule.delayMs !== undefined) await pause(rule.delayMs, new AbortController().signal)
  if (rule.gate?.at === 'before') {
    await deps.gates.pass(rule.gate.name, gone)
    if (gone.aborted) return
  }
  checkPace(running, deps)
  if (fault?.kind === 'chat-limit') throw refusals.tooOften()
  const isBroken = fault !== undefined && fault.kind !== 'rate-limit'
  if (isBroken && !fault.accepted) return breakOff(running, deps, { fault, result: {} })
  const result = route.run(deps.routes, { ...call, path, query: exchange.url.searchParams })
  entry.accepted = true
  entry.message = result.message ?? entry.message
  const shown = deps.routes.world.messages.get(entry.message ?? '')
  entry.chat ??= shown?.chat.id
  entry.text = shown?.texts.at(-1)
  deps.ledger.bell.ring()
  if (rule.gate?.at === 'after') await deps.gates.pass(rule.gate.name, gone)
  if (isBroken) return breakOff(running, deps, { fault, result })
  if (gone.aborted) return
  answer(exchange.res, result)
  deps.ledger.end(entry, 'ok', { status: 200, code: 0 })
}

/** Closes the route for a while when a rule says so, refuses what comes before the time is over, and counts what may pass. */
function checkPace({ entry, rule, route }: RunningCall, { closedUntil, routes }: ApiDeps): void {
  const now = routes.world.clock.now()
  const until = closedUntil.get(route.name) ?? 0
  if (until > now) {
    entry.isDuringWait = true
    throw rateLimited(Math.ceil((until - now) / 1000))
  }
  if (rule.fault?.kind === 'rate-limit') {
    const { resetS, status, hasHeader } = rule.fault
    closedUntil.set(route.name, now + resetS * 1000)
    const { code, message, headers } = rateLimited(resetS, status)
    throw new FeishuError(status, code, message, hasHeader ? { headers } : {})
  }
  routes.limits.countCall(route.name, route.isOpen)
}

function answer(res: ServerResponse, { data, top, bytes }: RouteResult): void {
  if (bytes === undefined)
    return sendJson(res, 200, toEnvelope({ data, ...(top === undefined ? {} : { top }) }), logged())
  res.writeHead(200, { 'content-type': bytes.type, 'content-length': bytes.content.length })
  res.end(bytes.content)
}

function toEnvelope({ data, top }: RouteResult) {
  return { code: 0, msg: 'success', ...top, ...(data === undefined ? {} : { data }) }
}

function logged(): Record<string, string> {
  return { 'x-tt-logid': newId.log() }
}

type BreakingFault = Exclude<FeishuFault, { kind: 'rate-limit' | 'chat-limit' }>

type Breaking = { readonly fault: BreakingFault; readonly result: RouteResult }

function breakOff({ exchange, entry }: RunningCall, { ledger }: ApiDeps, { fault, result }: Breaking): void {
  const { res } = exchange
  const outcome = fault.accepted ? 'lost' : 'dropped'
  const told = fault.accepted ? 'lost' : 'refused'
  switch (fault.kind) {
    case 'error': {
      const { status, code, message } = fault
      sendJson(res, status, { code, msg: message, error: { log_id: newId.log() } }, logged())
      return ledger.end(entry, told, { status, code, description: message })
    }
    case 'bad-gateway':
      res.writeHead(502, { 'content-type': 'text/html' })
      res.end('<html><head><title>502 Bad Gateway</title></head></html>')
      return ledger.end(entry, told, { status: 502 })
    case 'half': {
      const body = Buffer.from(JSON.stringify(toEnvelope(result)))
      res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      res.end(body.subarray(0, Math.floor(body.length / 2)))
      return ledger.end(entry, 'lost', { status: 200 })
    }
    case 'odd':
      res.writeHead(fault.status, { 'content-type': fault.type })
      res.end(fault.body)
      return ledger.end(entry, told, { status: fault.status })
    case 'no-answer':
      return ledger.end(entry, outcome)
    case 'reset':
      ledger.end(entry, outcome)
      res.socket?.resetAndDestroy()
  }
}

type Refusing = { readonly deps: ApiDeps; readonly refusal: FeishuError }

function refuse({ res }: Exchange, entry: FeishuLedgerEntry, { deps, refusal }: Refusing): void {
  const { code, message, details, headers } = refusal
  const status = refusal.status === 400 && deps.settings.errorsIn200 ? 200 : refusal.status
  const body = { code, msg: message, error: { log_id: newId.log(), ...details } }
  if (!res.destroyed) sendJson(res, status, body, { ...logged(), ...headers })
  const reset = headers['x-ogw-ratelimit-reset']
  const waitMs = reset === undefined ? undefined : Number(reset) * 1000
  deps.ledger.end(entry, 'refused', { status, code, description: message, waitMs })
}
