// Conversations and tasks at work in this process, each once at a time, whether they were hinted by a job or past the queue: the shortest way when router and
// executor live together. Like a job, what is offered is only a wake-up: refused when there is no room (then the queue is used), lost with the
// process (then the sweeper finds the work), and claimed like any other, so that it never works beside another process.
import type { Address } from '#shared/chat/address.ts'
import { createPlaces, type Side } from './places.ts'

/** `mustLeave`: whether others wait for its place. */
export type HintHandler = (address: Address, signal: AbortSignal, mustLeave: () => boolean) => Promise<void>

export type Crowd = {
  /** A way in for `few` conversations at once. */
  openEntrance(few: number): Entrance
  /** A way in for tasks; all of these together have a share of the places. */
  openTaskEntrance(): Entrance
  /** Takes nothing more, lets what is at work finish for `graceMs`, then aborts it. */
  stop(graceMs: number): Promise<void>
}

export type Entrance = {
  readonly most: number
  /** Takes a conversation or a task on, or answers false. One that is at work already is looked at once more afterwards, and takes no place. */
  offer(address: Address): boolean
  /** Waits until one finds room, and then a little for `wanted` to find it; or until it stops. Asked by one at a time. */
  room(wanted: number): Promise<void>
}

export type CrowdOptions = {
  /** Of conversations and tasks together; no bound but that of each entrance unless given. */
  readonly most?: number
  readonly handler: HintHandler
  /** What was offered again and is not looked at any more: the work on it failed, others wait for its place, or all stops. */
  readonly onLeft: (address: Address) => Promise<void>
  readonly onTrouble: (what: string, error: unknown) => void
}

const wantedWithinMs = 20

type Entry = { again: boolean; done: Promise<void>; readonly mustLeave: () => boolean }
type Shared = CrowdOptions & {
  readonly atWork: Map<Address, Entry>
  readonly stopping: AbortSignal
  readonly aborting: AbortSignal
}

export function createCrowd(options: CrowdOptions): Crowd {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const atWork = new Map<Address, Entry>()
  const shared: Shared = { ...options, atWork, stopping: stopping.signal, aborting: aborting.signal }
  const places = createPlaces(options.most)
  return {
    openEntrance: (few) => openEntrance(shared, places.openConversations(few)),
    openTaskEntrance: () => openEntrance(shared, places.openTasks()),
    async stop(graceMs) {
      stopping.abort()
      const timer = setTimeout(() => aborting.abort(), graceMs)
      await Promise.all([...atWork.values()].map(({ done }) => done))
      clearTimeout(timer)
    },
  }
}

function openEntrance(shared: Shared, side: Side): Entrance {
  const { atWork, stopping } = shared
  const { most, left } = side
  let onNews = (): void => {}
  side.onNews(() => onNews())
  stopping.addEventListener('abort', () => onNews(), { once: true })
  const isOver = (): boolean => stopping.aborted
  const news = (): Promise<void> => new Promise((resolve) => (onNews = resolve))
  async function begin(address: Address, entry: Entry): Promise<void> {
    await run(shared, address, entry)
    side.giveBack()
  }
  return {
    most,
    offer(address) {
      if (isOver()) return false
      const known = atWork.get(address)
      if (known) known.again = true
      if (known || left() <= 0) return known !== undefined
      side.take()
      const entry = { again: false, done: Promise.resolve(), mustLeave: side.mustLeave }
      atWork.set(address, entry)
      entry.done = begin(address, entry)
      return true
    },
    async room(wanted) {
      side.setWaiting(left() <= 0)
      while (left() <= 0 && !isOver()) await news()
      side.setWaiting(false)
      const untilMs = performance.now() + wantedWithinMs
      const timer = setTimeout(() => onNews(), wantedWithinMs + 1)
      while (left() < wanted && performance.now() < untilMs && !isOver()) await news()
      clearTimeout(timer)
    },
  }
}

async function run(
  { handler, onLeft, onTrouble, atWork, stopping, aborting }: Shared,
  address: Address,
  entry: Entry,
): Promise<void> {
  // The caller goes on first: what it is about to write is then there to be found.
  await Promise.resolve()
  try {
    for (;;) {
      await handler(address, aborting, entry.mustLeave)
      // Whoever talks on goes behind those who wait.
      if (!entry.again || stopping.aborted || entry.mustLeave()) break
      entry.again = false
    }
  } catch (error) {
    onTrouble('Work on a conversation failed; the sweeper tries again.', error)
  }
  atWork.delete(address)
  if (entry.again) await onLeft(address).catch(() => {})
}
