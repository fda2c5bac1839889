// What an adapter does with what people do: events go into the mailbox, presses are resolved at once. Both wake the router. What Redis
// loses of its last seconds is given to it again.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { IngestResult, Kernel } from '#queues/kernel/kernel.ts'
import { prepareEvent, storeEvent, type IngestDeps as EventDeps, type StorableEvent } from './ingest-event.ts'
import type { LastSeconds } from './last-seconds.ts'
import { startWatch } from '#queues/fleet/watch.ts'

export type Ingest = {
  /** See `storeEvent`. Throws BotError `store-unavailable` when it could not be stored: then the platform must redeliver. */
  take(event: ChatEvent, how: { readonly dedupeKey: string; readonly echo?: boolean }): Promise<IngestResult>
  /** Who won, told at once. Throws BotError `store-unavailable` when nobody knows yet: press again under the same event id. */
  press: Kernel['resolve']
  /**
   * Removes all that is kept of a conversation, and does `then`, which must change nothing where the conversation has been begun anew. Throws
   * BotError `store-unavailable` when it may not have been removed.
   */
  erase(conversation: ConversationId, then: () => Promise<void>): Promise<void>
  /**
   * To be awaited before the platform is told that it need not send again what was taken: resolves when that is on Redis' disk, or this
   * cannot be told, or takes above a second. Throws BotError `store-unavailable` when Redis went away meanwhile.
   */
  synced(): Promise<void>
}

export type IngestDeps = EventDeps & {
  readonly kernel: Pick<Kernel, 'resolve' | 'erase'>
  readonly lastSeconds?: LastSeconds
  /** Learns from an event who can be reached where. What fails is learned from the next one. */
  readonly learn?: (event: ChatEvent) => Promise<void>
  /** Nothing is waited for without it. */
  readonly synced?: () => Promise<void>
}

export function createIngest(deps: IngestDeps): Ingest {
  const { lastSeconds } = deps
  const store = async (storable: StorableEvent, ageMs = startWatch()): Promise<IngestResult> => {
    const result = await storeEvent(deps, storable)
    // Its conversation may be erased before it is given again, by another process too.
    if (result.kind !== 'FULL') lastSeconds?.remember(() => store({ ...storable, agoMs: ageMs() }, ageMs))
    // Also of what is brought again: whoever stored it may have died before it was learned.
    if (result.kind !== 'FULL') deps.learn?.(storable.event).catch(() => {})
    return result
  }
  const press: Ingest['press'] = async (input) => {
    const result = await deps.kernel.resolve(input)
    if (result.kind === 'WON' || result.kind === 'STALE') {
      lastSeconds?.remember(() => press(input))
      // What it came to is safe; without its hint the sweeper finds it.
      deps.hints.inbound(result.task ?? result.conversation).catch(() => {})
    }
    return result
  }
  const erase = async (...[conversation, then, atMs]: [...Parameters<Ingest['erase']>, number?]): Promise<void> => {
    const erasedAtMs = await deps.kernel.erase(conversation, atMs)
    lastSeconds?.remember(() => erase(conversation, then, erasedAtMs))
    await then()
  }
  return {
    async take(event, how) {
      const storable = await prepareEvent(deps, event, how)
      await lastSeconds?.drained()
      return await store(storable)
    },
    async press(input) {
      await lastSeconds?.drained()
      return await press(input)
    },
    async erase(conversation, then) {
      await lastSeconds?.drained()
      await erase(conversation, then)
    },
    synced: async () => await deps.synced?.(),
  }
}
