// The REST API over HTTP: token, body, faults, limits, route, answer. One call goes
// received → (delayed, gated) → admitted or 429 → took effect → (gated) → answered, lost or reset.
import { sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { pause, type Gates } from '#test/simulators/signals.ts'
import { DiscordError, refusals } from './api-error.ts'
import type { ChosenDiscordRule, DiscordFault, Faults } from './faults.ts'
import { readCallBody, type CallBody } from './form-body.ts'
import type { DiscordLedgerEntry, WritableDiscordLedger } from './ledger.ts'
import { toTooMany, type Limited, type Limits, type TooMany } from './limits.ts'
import { findRoute, type FoundRoute } from './routes.ts'
import type { RouteDeps } from './route.ts'

export type ApiDeps = {
  readonly token: string
  readonly routes: RouteDeps
  readonly faults: Faults
  readonly limits: Limits
  readonly gates: Gates
  readonly ledger: WritableDiscordLedger
}

type RunningCall = FoundRoute & {
  readonly exchange: Exchange
  readonly call: CallBody
  readonly entry: DiscordLedgerEntry
  readonly rule: ChosenDiscordRule
  readonly gone: AbortSignal
}

const prefix = '/api/v10/'

/** Answers /api/v10/… and /attachments/…; false for any other path. */
export async function handleApi(exchange: Exchange, deps: ApiDeps): Promise<boolean> {
  const { pathname } = exchange.url
  if (pathname.startsWith('/attachments/')) {
    sendFile(exchange, deps)
    return true
  }
  if (!pathname.startsWith(prefix)) return false
  await runCall(exchange, deps, pathname.slice(prefix.length).split('/').map(decodeURIComponent))
  return true
}

async function runCall(exchange: Exchange, deps: ApiDeps, segments: readonly string[]): Promise<void> {
  const { req, res } = exchange
  const { ledger } = deps
  const client = new AbortController()
  let entry: DiscordLedgerEntry | undefined
  res.on('close', () => {
    if (res.writableFinished) return
    if (entry !== undefined) ledger.end(entry, 'aborted')
    client.abort()
  })
  const method = req.method ?? 'GET'
  const named = {
    call: `${method} /${segments.join('/')}`,
    channel: segments[0] === 'channels' ? segments[1] : undefined,
  }
  try {
    const call = await readCallBody(exchange)
    const found = findRoute(method, segments)
    const files = [...call.files.values()].map(({ name, bytes }) => ({ name, bytes: bytes.length }))
    entry = ledger.begin({ ...named, route: found.route.name, body: call.body, files })
    if (!found.route.isOpen && req.headers.authorization !== `Bot ${deps.token}`) throw refusals.unauthorized()
    const rule = deps.faults.choose({ route: found.route.name, channel: named.channel, body: call.body })
    await perform({ ...found, exchange, call, entry, rule, gone: client.signal }, deps)
  } catch (error) {
    const refusal = error instanceof DiscordError ? error : new DiscordError(500, 0, `500: ${String(error)}`)
    entry ??= ledger.begin({ ...named, route: 'unknown', body: undefined, files: [] })
    refuse(exchange, entry, { deps, refusal })
  }
}

async function perform(running: RunningCall, deps: ApiDeps): Promise<void> {
  const { exchange, call, entry, rule, route, path, gone } = running
  const { fault } = rule
  if (rule.delayMs !== undefined) await pause(rule.delayMs, new AbortController().signal)
  if (rule.gate?.at === 'before') {
    await deps.gates.pass(rule.gate.name, gone)
    if (gone.aborted) return
  }
  const limited: Limited = { route: route.name, major: majorOf(path), countsGlobally: !route.isOpen }
  const admission = deps.limits.admit(limited)
  if (admission.kind === 'banned') return ban(exchange, entry, deps)
  if (admission.kind === 'wait') return slowDown(running, deps, admission)
  if (fault?.kind === 'rate-limit') {
    return slowDown(running, deps, deps.limits.close(limited, fault.retryAfterS * 1000, fault.scope))
  }
  if (fault !== undefined && !fault.accepted) return breakOff(running, deps, fault)
  for (const [name, value] of Object.entries(admission.headers)) exchange.res.setHeader(name, value)
  const result = route.run(deps.routes, { ...call, path, query: exchange.url.searchParams })
  entry.accepted = true
  entry.message = result.message
  deps.ledger.bell.ring()
  if (rule.gate?.at === 'after') await deps.gates.pass(rule.gate.name, gone)
  if (fault !== undefined) return breakOff(running, deps, fault)
  if (gone.aborted) return
  answer(exchange, result.status, result.body)
  deps.ledger.end(entry, 'ok', { status: result.status })
}

/** A 204 carries no content type: the real SDK would try to read JSON from it. */
function answer({ res }: Exchange, status: number, body: unknown): void {
  if (status === 204) {
    res.writeHead(204)
    res.end()
  } else sendJson(res, status, body)
}

/** What buckets of a route are kept apart by: channel, guild, or webhook with its token. */
function majorOf(path: Readonly<Record<string, string>>): string {
  return path['channel'] ?? path['token'] ?? path['guild'] ?? ''
}

function slowDown({ exchange, entry, route }: RunningCall, deps: ApiDeps, wait: TooMany): void {
  const { headers, body } = toTooMany(wait, route.name)
  entry.isDuringWait = wait.isDuringWait
  if (wait.scope !== 'shared') noteInvalid(deps)
  sendJson(exchange.res, 429, body, headers)
  deps.ledger.end(entry, 'refused', { status: 429, description: `retry after ${wait.waitMs} ms` })
}

/** What Cloudflare answers to an address with too many invalid requests. */
function ban({ res }: Exchange, entry: DiscordLedgerEntry, { ledger }: ApiDeps): void {
  res.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '600' })
  res.end('error code: 1015')
  ledger.end(entry, 'refused', { status: 429, description: 'banned for too many invalid requests' })
}

function noteInvalid({ ledger, limits }: ApiDeps): void {
  ledger.noteInvalid()
  limits.noteInvalid()
}

type BreakingFault = Exclude<DiscordFault, { kind: 'rate-limit' }>

function breakOff({ exchange, entry }: RunningCall, { ledger }: ApiDeps, fault: BreakingFault): void {
  const { res } = exchange
  const outcome = fault.accepted ? 'lost' : 'dropped'
  const told = fault.accepted ? 'lost' : 'refused'
  switch (fault.kind) {
    case 'error': {
      const { status, code, message } = fault
      sendJson(res, status, { message, code })
      return ledger.end(entry, told, { status, code, description: message })
    }
    case 'bad-gateway':
      res.writeHead(502, { 'content-type': 'text/html' })
      res.end('<html><head><title>502 Bad Gateway</title></head></html>')
      return ledger.end(entry, told, { status: 502 })
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

type Refusing = { readonly deps: ApiDeps; readonly refusal: DiscordError }

function refuse({ res }: Exchange, entry: DiscordLedgerEntry, { deps, refusal }: Refusing): void {
  const { status, code, message, errors } = refusal
  if (status === 401 || status === 403) noteInvalid(deps)
  if (!res.destroyed) sendJson(res, status, { message, code, ...(errors === undefined ? {} : { errors }) })
  deps.ledger.end(entry, 'refused', { status, code, description: message })
}

function sendFile({ res, url }: Exchange, { routes }: ApiDeps): void {
  const file = routes.world.files.get(url.pathname.split('/')[3] ?? '')
  if (file === undefined) return sendJson(res, 404, { message: '404: Not Found', code: 0 })
  const type = file.type === '' ? 'application/octet-stream' : file.type
  res.writeHead(200, { 'content-type': type, 'content-length': file.bytes.length })
  res.end(file.bytes)
}
