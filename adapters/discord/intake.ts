// A shard's events on their way into the mailboxes: in order within a channel, many channels at a time, each kept until it is stored.
// How far everything is stored is told afterwards, so that a crash makes Discord send the rest again.
//
// pushed -> waiting -its lanes are free-> being taken -> stored -all before it too-> told;
// being taken -store away, or Discord asks to wait-> resting -> being taken.
import type { GatewayStore } from '#queues/fleet/gateway-session.ts'
import { createLanes } from './lanes.ts'
import { createProgress } from './progress.ts'
import type { Item, Position, TakeItemDeps, Work } from './take-item.ts'

export type Intake = {
  /** Begins an event that is new here. False when it is full: the event must come again. */
  push(position: Position, begin: () => Work): boolean
  /** Takes what is pushed until `signal` aborts; then what is being taken is finished. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when there is room again. */
  hasRoom(signal: AbortSignal): Promise<void>
}

export type IntakeDeps = TakeItemDeps & {
  readonly store: Pick<GatewayStore, 'advance'>
  /** Tells how far a session is stored. */
  readonly onStored: (sessionId: string, sequence: number) => void
}

const maxWaiting = 10_000
export function createIntake(deps: IntakeDeps): Intake {
  /** In the order they came. The first `begun` are in lanes or stored. */
  const items: Item[] = []
  let begun = 0
  const lanes = createLanes(deps, () => bell.resolve())
  const progress = createProgress(deps.store)
  let last: Position | undefined
  let bell = Promise.withResolvers<void>()
  let room = Promise.withResolvers<void>()

  function begin(signal: AbortSignal): void {
    for (let item = items[begun]; item; item = items[begun]) {
      if ((begun > 0 && isAlone(item, items[0] ?? item)) || lanes.isFull()) return
      begun += 1
      lanes.put(item, signal)
    }
  }

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
      await lanes.ended()
      letGo()
      await progress.saved()
    },
  }
}

/** Nothing is begun while the first is not stored. */
const isAlone = (item: Item, first: Item): boolean =>
  item.lane === undefined || first.lane === undefined || item.sessionId !== first.sessionId
