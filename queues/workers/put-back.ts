// Puts the hint of work that this process cannot do back, for another process to take. The sweeper does so too, later.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { Work } from '#queues/jobs/queue-names.ts'

export type PutBack = (work: Work, conversation: ConversationId) => void

/** Any of the processes that wait for hints may get it, so a few tries come before the one that can use it. */
const afterMs = 200
/** So many wait to be put back at a time. */
const mostWaiting = 10
/** What nobody took on for so long is left to the sweeper, which tries ever more seldom: it may be that nobody ever can. */
const quickForMs = 20_000
const anewAfterMs = 600_000
const mostKnown = 1000

/** `now`: ms, from any beginning. */
export function createPutBack(
  hints: Pick<Hints, 'sweep' | 'queueOf'>,
  now: () => number = () => performance.now(),
): PutBack {
  let waiting = 0
  /** When each was left here first, the earliest first. */
  const leftAt = new Map<ConversationId, number>()
  return (work, conversation) => {
    const atMs = now()
    for (const [known, sinceMs] of leftAt) {
      if (atMs - sinceMs < anewAfterMs) break
      leftAt.delete(known)
    }
    if (!leftAt.has(conversation) && leftAt.size < mostKnown) leftAt.set(conversation, atMs)
    const sinceMs = leftAt.get(conversation) ?? -Infinity
    if (waiting >= mostWaiting || atMs - sinceMs > quickForMs) return
    waiting += 1
    const timer = setTimeout(() => {
      waiting -= 1
      hints.sweep(hints.queueOf(work, conversation), conversation, 0).catch(() => {})
    }, afterMs)
    timer.unref()
  }
}
