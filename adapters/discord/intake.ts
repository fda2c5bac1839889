// A shard's events on their way into the mailboxes: in order within a channel, many channels at a time, each kept until it is stored.
// How far everything is stored is told afterwards, so that a crash makes Discord send the rest again.
//
// pushed -> waiting -its lanes are free-> being taken -> stored -all before it too-> told;
// being taken -store away, or Discord asks to wait-> resting -> being taken.
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayStore, Seen } from '#queues/fleet/gateway-session.ts'
import type { BackOff } from '#queues/fleet/back-off.ts'
import { BotError } from '#shared/errors.ts'

/** Where an event stands: its number in its session. */
export type Position = { readonly sessionId: string; readonly sequence: number }

export type Work = {
  /** Items of one lane are taken one after the other; one without a lane waits for all before it, and all wait for it. */
  readonly lane: string | undefined
  /** Another lane, whose items, as far as they came before this one, are taken before it. */
  readonly behind?: string | undefined
  /** Stores it. Throws BotError when it must be tried again. Returns what has been seen by it, by channel. */
  take(): Promise<Seen | undefined>
}

type Item = Position & Work & { seen?: Seen; isStored: boolean; before?: Promise<void> | undefined }
/** `done`: all its items are stored, or the signal aborted. */
type Lane = { readonly items: Item[]; done: Promise<void> }

export type Intake = {
  /** Begins an event that is new here. False when it is full: the event must come again. */
  push(position: Position, begin: () => Work): boolean
  /** Takes what is pushed until `signal` aborts; then what is being taken is finished. */
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
/** Lanes at work at a time, without those that rest. */
const mostAtWork = 64

export function createIntake(deps: IntakeDeps): Intake {
  /** In the order they came. The first `begun` are in lanes or stored. */
  const items: Item[] = []
  let begun = 0
  const lanes = new Map<string, Lane>()
  let resting = 0
  let away: Promise<void> | undefined
  const progress = createProgress(deps.store)
  let last: Position | undefined
  let bell = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()

  function begin(signal: AbortSignal): void {
    for (let item = items[begun]; item; item = items[begun]) {
      const first = items[0] ?? item
      const isAlone = item.lane === undefined || first.lane === undefined || item.sessionId !== first.sessionId
      if ((begun > 0 && isAlone) || lanes.size - resting >= mostAtWork) return
      begun += 1
      if (item.behind !== undefined) item.before = lanes.get(item.behind)?.done
      const name = item.lane ?? ''
      const lane = lanes.get(name)
      if (lane) lane.items.push(item)
      else {
        const opened: Lane = { items: [item], done: Promise.resolve() }
        lanes.set(name, opened)
        opened.done = work(name, opened.items, signal)
      }
    }
  }

  async function work(name: string, waiting: Item[], signal: AbortSignal): Promise<void> {
    for (let item = waiting[0]; item && !signal.aborted; item = waiting[0]) {
      if (item.before) await rest(item.before)
      if (signal.aborted || !(await takeItem(taking, item, signal))) return
      item.isStored = true
      waiting.shift()
      bell.resolve()
    }
    lanes.delete(name)
    bell.resolve()
  }

  /** A lane that rests leaves its permit to work to another. */
  async function rest(over: Promise<void>): Promise<void> {
    resting += 1
    bell.resolve()
    await over
    resting -= 1
  }

  /** One outage that many lanes meet is one failure. */
  async function pause(text: string, signal: AbortSignal): Promise<void> {
    away ??= deps.backOff.wait(text, signal).finally(() => {
      away = undefined
    })
    await away
  }

  const taking: TakingDeps = { ...deps, rest, pause }

  /** Lets go of what is stored, up to the first that is not. */
  function letGo(): void {
    const open = items.findIndex(({ isStored }) => !isStored)
    const stored = items.splice(0, open < 0 ? items.length : open)
    const end = stored.at(-1)
    if (!end) return
    begun -= stored.length
    room.resolve()
    room = Promise.withResolvers()
    deps.onStored(end.sessionId, end.sequence)
    progress.reached(end, new Map(stored.flatMap(({ seen }) => [...(seen ?? [])])))
  }

  return {
    push(position, beginWork) {
      // A resumed session repeats what waits here already.
      if (last?.sessionId === position.sessionId && position.sequence <= last.sequence) return true
      if (items.length >= maxWaiting) return false
      last = position
      items.push({ ...position, ...beginWork(), isStored: false })
      bell.resolve()
      return true
    },
    async hasRoom(signal) {
      signal.addEventListener('abort', () => room.resolve(), { once: true })
      while (items.length >= maxWaiting / 2 && !signal.aborted) await room.promise
    },
    async run(signal) {
      signal.addEventListener('abort', () => bell.resolve(), { once: true })
      while (!signal.aborted) {
        bell = Promise.withResolvers()
        letGo()
        begin(signal)
        await bell.promise
      }
      await Promise.all([...lanes.values()].map(({ done }) => done))
      letGo()
      await progress.saved()
    },
  }
}

type TakingDeps = IntakeDeps & {
  rest(over: Promise<void>): Promise<void>
  pause(text: string, signal: AbortSignal): Promise<void>
}

/** False when the signal aborted before it was stored. */
async function takeItem(deps: TakingDeps, item: Item, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    try {
      const seen = await item.take()
      if (seen) item.seen = seen
      deps.backOff.reset()
      return true
    } catch (error) {
      if (!(error instanceof BotError) || error.retry === 'never') {
        // One broken conversation must not keep the whole channel waiting for ever.
        const why = error instanceof Error ? error.message : 'an unexpected error'
        deps.count('refused')
        deps.say(`An event of Discord could not be stored and was left out: ${why}`)
        return true
      }
      if (signal.aborted) return false
      // Where Discord asks for patience it is with one channel; a store that is away is so for all.
      const isForLane = error.code === 'platform' && item.lane !== undefined
      const waitMs = Math.max(error.retry.afterMs, toGrowing(tries))
      if (isForLane) await deps.rest(sleep(waitMs, undefined, { signal }).catch(() => {}))
      else await deps.pause(`Events of Discord wait, since they cannot be stored: ${error.message}`, signal)
      if (signal.aborted) return false
    }
  }
}

/** From half a second to half a minute. */
const toGrowing = (tries: number): number => Math.min(500 * 2 ** tries, 30_000)

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
