// The Bot API over HTTP: token, parameters, faults, method, answer. One call goes
// received → (delayed, gated) → admitted or 429 → took effect → (gated) → answered, lost or reset.
import { sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { pause, type Gates } from '#test/simulators/signals.ts'
import { ApiError } from './api-error.ts'
import type { ChosenTelegramRule, Faults, TelegramFault } from './faults.ts'
import type { TelegramLedgerEntry, WritableTelegramLedger } from './ledger.ts'
import { unauthorized, type Method } from './methods.ts'
import { readParams, type CallParams } from './params.ts'
import type { World } from './world.ts'

export type ApiDeps = {
  readonly token: string
  readonly world: World
  readonly methods: Readonly<Record<string, Method>>
  readonly faults: Faults
  readonly gates: Gates
  readonly ledger: WritableTelegramLedger
}

type RunningCall = {
  readonly exchange: Exchange
  readonly params: CallParams
  readonly entry: TelegramLedgerEntry
  readonly rule: ChosenTelegramRule
  readonly gone: AbortSignal
}

/** Answers `/bot<token>/<method>` and `/file/bot<token>/<path>`; false for any other path. */
export async function handleApi(exchange: Exchange, deps: ApiDeps): Promise<boolean> {
  const path = decodeURIComponent(exchange.url.pathname)
  const file = /^\/file\/bot([^/]+)\/files\/(.+)$/.exec(path)
  if (file !== null) {
    sendFile(exchange, deps, { token: file[1] ?? '', id: file[2] ?? '' })
    return true
  }
  const call = /^\/bot([^/]+)\/(?:test\/)?(\w+)$/.exec(path)
  if (call === null) return false
  await runCall(exchange, deps, { token: call[1] ?? '', method: call[2] ?? '' })
  return true
}

async function runCall(
  exchange: Exchange,
  deps: ApiDeps,
  { token, method }: { readonly token: string; readonly method: string },
): Promise<void> {
  const { res } = exchange
  const { ledger } = deps
  const client = new AbortController()
  let entry: TelegramLedgerEntry | undefined
  res.on('close', () => {
    if (res.writableFinished) return
    if (entry !== undefined) ledger.end(entry, 'aborted')
    client.abort()
  })
  try {
    const params = await readParams(exchange)
    entry = ledger.begin(method, toLogged(params))
    if (token !== deps.token) throw unauthorized()
    const rule = deps.faults.choose({ method, fields: params.fields })
    await perform({ exchange, params, entry, rule, gone: client.signal }, deps)
  } catch (error) {
    const refusal = error instanceof ApiError ? error : new ApiError(500, `Internal Server Error: ${String(error)}`)
    entry ??= ledger.begin(method, {})
    refuse(exchange, refusal)
    ledger.end(entry, 'refused', { status: refusal.code, description: refusal.message })
  }
}

async function perform(call: RunningCall, deps: ApiDeps): Promise<void> {
  const { exchange, params, entry, rule, gone } = call
  const { ledger, faults } = deps
  const { fault } = rule
  if (rule.delayMs !== undefined) await pause(rule.delayMs, new AbortController().signal)
  if (rule.gate?.at === 'before') {
    await deps.gates.pass(rule.gate.name, gone)
    if (gone.aborted) return
  }
  const asked = { method: entry.method, fields: params.fields }
  entry.isDuringWait = faults.isDuringWait(asked)
  faults.admit(asked)
  if (fault?.kind === 'rate-limit') return faults.closeWindow(asked, fault)
  if (fault !== undefined && !fault.accepted) return breakOff(call, deps, fault)
  const method = deps.methods[entry.method]
  if (method === undefined) throw new ApiError(404, 'Not Found: method not found')
  const result = await method(params, gone)
  entry.accepted = true
  entry.message = messageOf(result, params)
  ledger.bell.ring()
  if (rule.gate?.at === 'after') await deps.gates.pass(rule.gate.name, gone)
  if (fault !== undefined) return breakOff(call, deps, fault)
  if (gone.aborted) return
  sendJson(exchange.res, 200, { ok: true, result })
  ledger.end(entry, 'ok', { status: 200 })
}

type BreakingFault = Exclude<TelegramFault, { kind: 'rate-limit' }>

function breakOff({ exchange, entry }: RunningCall, { ledger }: ApiDeps, fault: BreakingFault): void {
  const { res } = exchange
  const outcome = fault.accepted ? 'lost' : 'dropped'
  switch (fault.kind) {
    case 'error': {
      const { status, description } = fault
      sendJson(res, status, { ok: false, error_code: status, description })
      return ledger.end(entry, fault.accepted ? 'lost' : 'refused', { status, description })
    }
    case 'bad-gateway':
      res.writeHead(502, { 'content-type': 'text/html' })
      res.end('<html><head><title>502 Bad Gateway</title></head></html>')
      return ledger.end(entry, fault.accepted ? 'lost' : 'refused', { status: 502 })
    case 'odd':
      res.writeHead(fault.status, { 'content-type': fault.type })
      res.end(fault.body)
      return ledger.end(entry, fault.accepted ? 'lost' : 'refused', { status: fault.status })
    case 'no-answer':
      return ledger.end(entry, outcome)
    case 'reset':
      ledger.end(entry, outcome)
      res.socket?.resetAndDestroy()
  }
}

function refuse({ res }: Exchange, { code, message, parameters }: ApiError): void {
  if (res.destroyed) return
  const retryAfter = parameters?.retry_after
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  sendJson(res, code, { ok: false, error_code: code, description: message, parameters }, headers)
}

function sendFile(
  { res }: Exchange,
  { token, world }: ApiDeps,
  asked: { readonly token: string; readonly id: string },
): void {
  const file = asked.token === token ? world.files.get(asked.id) : undefined
  if (file === undefined) {
    sendJson(res, asked.token === token ? 404 : 401, { ok: false, error_code: 404, description: 'Not Found' })
    return
  }
  res.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.bytes.length })
  res.end(file.bytes)
}

function toLogged({ fields, files }: CallParams): Record<string, unknown> {
  const logged: Record<string, unknown> = { ...fields }
  for (const [field, { name, bytes }] of files) logged[field] = { name, bytes: bytes.length }
  return logged
}

function messageOf(result: unknown, { fields }: CallParams): number | undefined {
  if (typeof result === 'object' && result !== null && 'message_id' in result) {
    return typeof result.message_id === 'number' ? result.message_id : undefined
  }
  const named = fields['message_id']
  return typeof named === 'number' ? named : undefined
}
