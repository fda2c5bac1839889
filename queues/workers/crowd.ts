// Conversations at work in this process, each once at a time, whether they were hinted by a job or past the queue: the shortest way when router and
// executor live together. Like a job, what is offered is only a wake-up: refused when there is no room (then the queue is used), lost with the
// process (then the sweeper finds the work), and claimed like any other, so that it never works beside another process.
import type { ConversationId } from '#shared/chat/conversation.ts'

export type HintHandler = (conversation: ConversationId, signal: AbortSignal) => Promise<void>

export type Crowd = {
  /** A way in for `most` conversations at once. */
  openEntrance(most: number): Entrance
  /** Takes nothing more, lets what is at work finish for `graceMs`, then aborts it. */
  stop(graceMs: number): Promise<void>
}

export type Entrance = {
  readonly most: number
  /** Takes a conversation on, or answers false. One that is at work already is looked at once more afterwards, and takes no place. */
  offer(conversation: ConversationId): boolean
  /** Waits until one finds room, and then a little for `wanted` to find it; or until it stops. Asked by one at a time. */
  room(wanted: number): Promise<void>
}

export type CrowdOptions = {
  readonly handler: HintHandler
  /** What was offered again and is not looked at any more: the work on it failed, others wait for its place, or all stops. */
  readonly onLeft: (conversation: ConversationId) => Promise<void>
  readonly onTrouble: (what: string, error: unknown) => void
}

const wantedWithinMs = 20

/** `mustLeave`: whether others wait for its place. */
type Entry = { again: boolean; done: Promise<void>; readonly mustLeave: () => boolean }
type Shared = CrowdOptions & {
  readonly atWork: Map<ConversationId, Entry>
  readonly stopping: AbortSignal
  readonly aborting: AbortSignal
}

export function createCrowd(options: CrowdOptions): Crowd {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const atWork = new Map<ConversationId, Entry>()
  const shared: Shared = { ...options, atWork, stopping: stopping.signal, aborting: aborting.signal }
  return {
    openEntrance: (most) => openEntrance(shared, most),
    async stop(graceMs) {
      stopping.abort()
      const timer = setTimeout(() => aborting.abort(), graceMs)
      await Promise.all([...atWork.values()].map(({ done }) => done))
      clearTimeout(timer)
    },
  }
}

function openEntrance(shared: Shared, most: number): Entrance {
  const { atWork, stopping } = shared
  let [inside, isWanted] = [0, false]
  let onNews = (): void => {}
  stopping.addEventListener('abort', () => onNews(), { once: true })
  const isOver = (): boolean => stopping.aborted
  const left = (): number => most - inside
  const news = (): Promise<void> => new Promise((resolve) => (onNews = resolve))
  async function begin(conversation: ConversationId, entry: Entry): Promise<void> {
    await run(shared, conversation, entry)
    inside -= 1
    onNews()
  }
  return {
    most,
    offer(conversation) {
      if (isOver()) return false
      const known = atWork.get(conversation)
      if (known) known.again = true
      if (known || left() <= 0) return known !== undefined
      inside += 1
      const entry = { again: false, done: Promise.resolve(), mustLeave: () => isWanted }
      atWork.set(conversation, entry)
      entry.done = begin(conversation, entry)
      return true
    },
    async room(wanted) {
      isWanted = left() <= 0
      while (left() <= 0 && !isOver()) await news()
      isWanted = false
      const untilMs = performance.now() + wantedWithinMs
      const timer = setTimeout(() => onNews(), wantedWithinMs + 1)
      while (left() < wanted && performance.now() < untilMs && !isOver()) await news()
      clearTimeout(timer)
    },
  }
}

async function run(
  { handler, onLeft, onTrouble, atWork, stopping, aborting }: Shared,
  conversation: ConversationId,
  entry: Entry,
): Promise<void> {
  // The caller goes on first: what it is about to write is then there to be found.
  await Promise.resolve()
  try {
    for (;;) {
      await handler(conversation, aborting)
      // Whoever talks on goes behind those who wait.
      if (!entry.again || stopping.aborted || entry.mustLeave()) break
      entry.again = false
    }
  } catch (error) {
    onTrouble('Work on a conversation failed; the sweeper tries again.', error)
  }
  atWork.delete(conversation)
  if (entry.again) await onLeft(conversation).catch(() => {})
}
