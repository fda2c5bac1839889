// What an event of Feishu is answered with, however it came: nothing once it is stored, the toast of a press, or the refusal that makes
// Feishu bring it again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '#shared/chat/message.ts'
import type { Ingest } from '#queues/workers/ingest.ts'
import type { BotIdentity } from './addressing.ts'
import type { Intake } from './intake.ts'
import type { CardChanges } from './card-changes.ts'
import { anyEvent, message } from './payloads.ts'
import { takePress, troubleToast, type PressDeps, type Toast } from './press.ts'
import { takeEvent, toLane, type TakeDeps } from './take-event.ts'
import { isDirect, toIncoming } from './to-event.ts'

export type ReceiveDeps = TakeDeps &
  PressDeps & {
    readonly ingest: Ingest
    readonly bot: BotIdentity
    readonly intake: Intake
    readonly changes: Pick<CardChanges, 'press'>
    readonly language: Language
  }

/** Feishu waits three seconds. */
const respondWithinMs = 2500
const usualBytes = 2000

/** The body of a good answer. Throws when the event must come again. */
export async function receive(deps: ReceiveDeps, data: unknown): Promise<Toast | object> {
  const parsed = anyEvent.safeParse(data)
  if (!parsed.success) {
    deps.count('malformed')
    return {}
  }
  const bytes = learnMessage(deps, parsed.data.event)
  const incoming = toIncoming(parsed.data, deps.bot, deps.now())
  if (incoming.kind === 'ignored') {
    deps.count(incoming.reason)
    return {}
  }
  if (incoming.kind === 'press') {
    let toast: Toast | undefined
    const key = incoming.id
    const answered = deps.changes.press(incoming.press.context.open_message_id)
    const take = async (): Promise<void> => {
      const taken = await takePress(deps, incoming.press, key)
      toast = taken.toast
      await deps.ingest.synced()
    }
    await inTime(
      deps.intake.push({ key, lane: key, cause: `presses ${incoming.press.operator.open_id}`, bytes, take }),
    ).catch(() => {})
    // It makes a card's change again, as well as it can.
    answered().catch(() => {})
    // It may be resolved by then: pressed again, it is told so.
    return toast ?? troubleToast(deps.language)
  }
  const take = async (): Promise<void> => {
    await takeEvent(deps, incoming)
    await deps.ingest.synced()
  }
  const lane = toLane(incoming)
  const cause = incoming.inMessage === undefined ? lane : incoming.event.principal
  await inTime(deps.intake.push({ key: incoming.dedupeKey, lane, cause, bytes, take }))
  return {}
}

/**
 * Presses and reactions name a direct chat by an id that only a message connects with its person. Gives about how much memory the event
 * takes, bytes.
 */
function learnMessage({ lookups }: ReceiveDeps, event: unknown): number {
  const said = message.safeParse(event).data
  const person = said?.sender.sender_id?.open_id
  if (said && person !== undefined && isDirect(said.message.chat_type))
    lookups.learnDirect(said.message.chat_id, person)
  return usualBytes + 2 * (said?.message.content.length ?? 0)
}

async function inTime(stored: Promise<void>): Promise<void> {
  const over = new AbortController()
  const late = sleep(respondWithinMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('It could not be stored in time.')
  })
  late.catch(() => {})
  stored.catch(() => {})
  try {
    await Promise.race([stored, late])
  } finally {
    over.abort()
  }
}
