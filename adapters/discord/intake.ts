// A shard's events on their way into the mailboxes: in order within a channel, some channels at a time, each kept until it is stored.
// How far everything is stored is told afterwards, so that a crash makes Discord send the rest again.
//
// pushed -> waiting -batch-> being taken -stored-> told;  store away: the batch is tried again, in order, until it is back.
import type { GatewayStore, Seen } from '#queues/fleet/gateway-session.ts'
import type { BackOff } from '#queues/fleet/back-off.ts'
import { BotError } from '#shared/errors.ts'

/** Where an event stands: its number in its session. */
export type Position = { readonly sessionId: string; readonly sequence: number }

export type Work = {
  /** Items of one lane are taken one after the other; an item without one is taken alone. */
  readonly lane: string | undefined
  /** Stores it. Throws BotError when it must be tried again. Returns what has been seen by it, by channel. */
  take(): Promise<Seen | undefined>
}

type Item = Position & Work

export type Intake = {
  /** Begins an event that is new here. False when it is full: the event must come again. */
  push(position: Position, begin: () => Work): boolean
  /** Takes what is pushed until `signal` aborts; then the batch at hand is finished. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when there is room again. */
  hasRoom(signal: AbortSignal): Promise<void>
}

export type IntakeDeps = {
  readonly store: Pick<GatewayStore, 'advance'>
  readonly backOff: BackOff
  readonly say: (text: string) => void
  readonly count: (reason: string) => void
  /** Tells how far a session is stored. */
  readonly onStored: (sessionId: string, sequence: number) => void
}

const maxWaiting = 10_000
const batchSize = 64

export function createIntake(deps: IntakeDeps): Intake {
  const waiting: Item[] = []
  const progress = createProgress(deps.store)
  let last: Position | undefined
  let bell = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()
  return {
    push(position, begin) {
      // A resumed session repeats what waits here already.
      if (last?.sessionId === position.sessionId && position.sequence <= last.sequence) return true
      if (waiting.length >= maxWaiting) return false
      last = position
      waiting.push({ ...position, ...begin() })
      bell.resolve()
      return true
    },
    async hasRoom(signal) {
      signal.addEventListener('abort', () => room.resolve(), { once: true })
      while (waiting.length >= maxWaiting / 2 && !signal.aborted) await room.promise
    },
    async run(signal) {
      signal.addEventListener('abort', () => bell.resolve(), { once: true })
      while (!signal.aborted) {
        const batch = nextBatch(waiting)
        const end = batch.at(-1)
        if (!end) {
          bell = Promise.withResolvers()
          await bell.promise
          continue
        }
        const seen = await takeBatch(deps, batch, signal)
        if (!seen) break
        waiting.splice(0, batch.length)
        room.resolve()
        room = Promise.withResolvers()
        deps.onStored(end.sessionId, end.sequence)
        progress.reached(end, seen)
      }
      await progress.saved()
    },
  }
}

/** Items up to one that must be taken alone. */
function nextBatch(waiting: readonly Item[]): readonly Item[] {
  const first = waiting.slice(0, batchSize)
  const sessionId = first[0]?.sessionId
  const alone = first.findIndex((item) => item.lane === undefined || item.sessionId !== sessionId)
  return first.slice(0, alone < 0 ? undefined : Math.max(alone, 1))
}

/** What was seen; undefined when the signal aborted before everything was stored. */
async function takeBatch(
  deps: IntakeDeps,
  batch: readonly Item[],
  signal: AbortSignal,
): Promise<Map<string, string> | undefined> {
  const seen = new Map<string, string>()
  const lanes = Map.groupBy(batch, (item) => item.lane)
  const done = await Promise.all(
    [...lanes.values()].map(async (items) => {
      for (const item of items) if (!(await takeItem(deps, { item, seen }, signal))) return false
      return true
    }),
  )
  return done.every(Boolean) ? seen : undefined
}

async function takeItem(
  deps: IntakeDeps,
  { item, seen }: { readonly item: Item; readonly seen: Map<string, string> },
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    try {
      for (const [channel, word] of (await item.take()) ?? []) seen.set(channel, word)
      deps.backOff.reset()
      return true
    } catch (error) {
      const passing = error instanceof BotError && error.retry !== 'never'
      if (!passing) {
        // One broken conversation must not keep the whole channel waiting for ever.
        const why = error instanceof Error ? error.message : 'an unexpected error'
        deps.count('refused')
        deps.say(`An event of Discord could not be stored and was left out: ${why}`)
        return true
      }
      if (signal.aborted) return false
      await deps.backOff.wait(`Events of Discord wait, since they cannot be stored: ${error.message}`, signal)
      if (signal.aborted) return false
    }
  }
}

type Reached = Position & { readonly seen: Map<string, string> }

/** Saves how far it got, one save at a time; what is reached meanwhile goes with the next. */
function createProgress(store: IntakeDeps['store']): {
  reached(position: Position, seen: Map<string, string>): void
  saved(): Promise<void>
} {
  let unsaved: Reached | undefined
  let saving: Promise<void> | undefined
  async function save(): Promise<void> {
    for (let reached = unsaved; reached; reached = unsaved) {
      unsaved = undefined
      try {
        await store.advance(reached.sessionId, reached.sequence, reached.seen)
      } catch {
        // It costs a replay at worst; the next save tells it again.
        const { seen, ...rest } = unsaved ?? reached
        unsaved = { ...rest, seen: new Map([...reached.seen, ...seen]) }
        break
      }
    }
    saving = undefined
  }
  return {
    reached({ sessionId, sequence }, seen) {
      unsaved = { sessionId, sequence, seen: new Map([...(unsaved?.seen ?? []), ...seen]) }
      saving ??= save()
    },
    async saved() {
      await saving
    },
  }
}
