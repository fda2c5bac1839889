// What an adapter does with what people do: events go into the mailbox, presses are resolved at once. Both wake the router.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { IngestResult, Kernel } from '#queues/kernel/kernel.ts'
import { ingestEvent, type IngestDeps as EventDeps } from './ingest-event.ts'

export type Ingest = {
  /** See `ingestEvent`. Throws BotError `store-unavailable` when it could not be stored: then the platform must redeliver. */
  take(event: ChatEvent, how: { readonly dedupeKey: string; readonly echo?: boolean }): Promise<IngestResult>
  /** Who won, told at once. Throws BotError `store-unavailable` when nobody knows yet: press again under the same event id. */
  press: Kernel['resolve']
}

export type IngestDeps = EventDeps & { readonly kernel: Pick<Kernel, 'resolve'> }

export function createIngest(deps: IngestDeps): Ingest {
  return {
    take: (event, how) => ingestEvent(deps, event, how),
    async press(press) {
      const result = await deps.kernel.resolve(press)
      // The answer is safe; without its hint the sweeper finds it.
      if (result.kind === 'WON') deps.hints.inbound(result.conversation).catch(() => {})
      return result
    },
  }
}
