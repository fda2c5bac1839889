// Runs what was hinted in this very process, past the queue: the shortest way when router and executor live together.
// Like a job it is only a wake-up: refused when the process is full or stopping (then the queue is used), lost with the process
// (then the sweeper finds the work), and claimed like any other, so that it never works beside another worker.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { HintHandler } from './hint-worker.ts'

export type LocalRunner = {
  /** Takes a conversation on, or answers false. One that runs already is run once more afterwards. */
  offer(conversation: ConversationId): boolean
  /** Takes nothing more, lets what runs finish for `graceMs`, then aborts it. */
  stop(graceMs: number): Promise<void>
}

export type LocalRunnerOptions = {
  readonly most: number
  readonly handler: HintHandler
  readonly onTrouble: (what: string, error: unknown) => void
}

export function createLocalRunner({ most, handler, onTrouble }: LocalRunnerOptions): LocalRunner {
  const running = new Map<ConversationId, { again: boolean; done: Promise<void> }>()
  const abort = new AbortController()
  let stopping = false

  async function run(conversation: ConversationId): Promise<void> {
    // The caller goes on first: what it is about to write is then there to be found.
    await Promise.resolve()
    try {
      for (;;) {
        await handler(conversation, abort.signal)
        const entry = running.get(conversation)
        if (!entry?.again || stopping) return
        entry.again = false
      }
    } catch (error) {
      onTrouble('A conversation was left; the sweeper tries again.', error)
    } finally {
      running.delete(conversation)
    }
  }

  return {
    offer(conversation) {
      const known = running.get(conversation)
      if (known) known.again = true
      if (known || stopping || running.size >= most) return known !== undefined && !stopping
      const entry = { again: false, done: Promise.resolve() }
      running.set(conversation, entry)
      entry.done = run(conversation)
      return true
    },
    async stop(graceMs) {
      stopping = true
      const timer = setTimeout(() => abort.abort(), graceMs)
      await Promise.all([...running.values()].map((entry) => entry.done))
      clearTimeout(timer)
    },
  }
}
