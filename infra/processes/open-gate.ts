// The gate before the model: how many calls the fleet makes at once, and who pays for them.
import type { DailyLimit, Settings } from '#infra/config/settings.ts'
import { createModelGate, type ModelGate, type Payer } from '#queues/fleet/model-gate.ts'
import { everySecond } from './every-second.ts'
import type { Connections } from './open-connections.ts'

/** A process that died keeps its permits under the cap for this long. */
const modelHoldMs = 9000

export type Gate = {
  readonly modelGate: ModelGate
  /** Who pays for a person's words in a conversation, today in the operator's time zone. */
  payer(who: Omit<Payer, 'day'>): Payer
}

export function openGate(
  { call, clock }: Connections,
  { daily, model, timeZone }: Pick<Settings, 'daily' | 'model' | 'timeZone'>,
): Gate {
  const { person, owner, chat, total } = daily
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone })
  const day = everySecond((atMs) => calendar.format(new Date(atMs)))
  const modelGate = createModelGate(call, {
    limits: { person: toLimit(person), owner: toLimit(owner), chat: toLimit(chat), total: toLimit(total) },
    most: model.concurrency,
    holdMs: modelHoldMs,
  })
  return { modelGate, payer: (who) => ({ ...who, day: day(clock.now()) }) }
}

const toLimit = ({ tokens, usd = 0 }: DailyLimit) => ({ tokens, micros: Math.round(usd * 1_000_000) })
