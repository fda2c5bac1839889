// One update's way in, the same for polling and webhook: into the mailbox, or resolved as a press, or ignored and counted.
import { BotError } from '#shared/errors.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { ingestEvent } from '#queues/workers/ingest-event.ts'
import type { BotIdentity } from './addressing.ts'
import type { BotApi } from './bot-api.ts'
import { takePress } from './press.ts'
import { toEvent } from './to-event.ts'

export type TakeDeps = {
  readonly kernel: Pick<Kernel, 'ingest' | 'resolve'>
  readonly hints: Pick<Hints, 'inbound'>
  readonly bot: BotApi
  readonly now: () => number
  /** Tells the operator, in plain words without message text. */
  readonly say: (text: string) => void
  /** Counts what was ignored, by reason. */
  readonly count: (reason: string) => void
}

/** Resolves when the update is safe. Throws BotError when the store is away, so that Telegram must send it again. */
export async function takeUpdate(deps: TakeDeps, update: unknown, me: BotIdentity): Promise<void> {
  const incoming = toEvent(update, me)
  if (incoming.kind === 'ignored') return deps.count(incoming.reason)
  try {
    if (incoming.kind === 'press') await takePress(deps, incoming.press, incoming.id)
    else await ingestEvent(deps, incoming.event, { dedupeKey: incoming.event.id })
  } catch (error) {
    if (!(error instanceof BotError) || error.retry !== 'never') throw error
    // One broken conversation must not keep the whole channel waiting for ever.
    deps.count('refused')
    deps.say(`An update of Telegram could not be stored and was left out: ${error.message}`)
  }
}
