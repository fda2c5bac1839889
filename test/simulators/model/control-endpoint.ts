// Lets another process steer the simulator and read its ledger: `POST /__control`, `GET /__ledger`. Refuses unknown fields.
import { z } from 'zod'
import { parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import type { Gates } from '#test/simulators/signals.ts'
import type { WritableModelLedger } from './ledger.ts'
import { postedModelRule, type ModelScript } from './script.ts'

/** Applied in the order of the fields: clear, script, open, latency. */
const controlCommand = z.strictObject({
  clearScript: z.literal(true).optional(),
  clearLedger: z.literal(true).optional(),
  script: z.array(postedModelRule).optional(),
  /** Names of gates to open. */
  open: z.array(z.string()).optional(),
  latencyMs: z.number().nonnegative().optional(),
})

export type Controlled = {
  readonly script: ModelScript
  readonly ledger: WritableModelLedger
  readonly gates: Gates
  setLatencyMs(latencyMs: number): void
}

/** Answers a control request; false when the path is not a control path. */
export async function handleControl({ req, res, url }: Exchange, on: Controlled): Promise<boolean> {
  if (url.pathname === '/__ledger') {
    await sendLedger({ req, res, url }, on.ledger)
    return true
  }
  if (url.pathname !== '/__control') return false
  const command = controlCommand.safeParse(parseJson(await readBody(req)))
  if (!command.success) {
    sendJson(res, 400, { error: z.prettifyError(command.error) })
    return true
  }
  if (command.data.clearScript) on.script.clear()
  if (command.data.clearLedger) on.ledger.clear()
  for (const rule of command.data.script ?? []) on.script.add(rule)
  for (const gate of command.data.open ?? []) on.gates.open(gate)
  if (command.data.latencyMs !== undefined) on.setLatencyMs(command.data.latencyMs)
  sendJson(res, 200, { ok: true })
  return true
}

/** `?after=n` leaves out entries up to n; `?requests=k&waitMs=t` answers once k requests have come, at the latest after t ms. */
async function sendLedger({ res, url }: Exchange, ledger: WritableModelLedger): Promise<void> {
  const after = Number(url.searchParams.get('after') ?? 0)
  const requests = Number(url.searchParams.get('requests') ?? 0)
  const waitMs = Number(url.searchParams.get('waitMs') ?? 0)
  if (requests > ledger.counters.requests) {
    await ledger.waitForCounters((counters) => counters.requests >= requests, waitMs).catch(() => undefined)
  }
  const { counters, byModel, entries } = ledger
  sendJson(res, 200, { counters, byModel, entries: entries.filter((entry) => entry.n > after) })
}
