// Puts the hint of work that this process cannot do back, for another process to take. The sweeper does so too, later.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import { toQueue, type Work } from '#queues/jobs/queue-names.ts'

export type PutBack = (work: Work, conversation: ConversationId) => void

/** Any of the processes that wait for hints may get it, so a few tries come before the one that can use it. */
const afterMs = 200
/** So many wait to be put back at a time: where nobody can do the work, it costs next to nothing. */
const mostWaiting = 10

export function createPutBack(hints: Pick<Hints, 'sweep'>): PutBack {
  let waiting = 0
  return (work, conversation) => {
    if (waiting >= mostWaiting) return
    waiting += 1
    const timer = setTimeout(() => {
      waiting -= 1
      hints.sweep(toQueue(work, conversation), conversation, 0).catch(() => {})
    }, afterMs)
    timer.unref()
  }
}
