// Follows a conversation into an event sink from any position on, missing nothing: it listens first, then reads the stream,
// and reads again on news and every two seconds, since news may be lost. Drafts have no id: they are not part of what is resumed.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Draft, Kernel } from '#queues/kernel/kernel.ts'
import type { Live } from '#queues/workers/live.ts'
import { readFrom } from '#queues/workers/out-position.ts'
import { toApiMessage } from './api-message.ts'
import type { EventSink } from './event-sink.ts'

const readEveryMs = 2000
const pingEveryMs = 15_000
const pageItems = 50

export type FollowDeps = {
  readonly kernel: Pick<Kernel, 'readOut' | 'findDraft'>
  readonly live: Pick<Live, 'listen'>
}
type Following = {
  readonly conversation: ConversationId
  /** Position of the last item the client has. */
  readonly after: string
  readonly sink: EventSink
  /** Asked every two seconds; false ends the stream. */
  readonly mayGoOn: () => Promise<boolean>
}

/** Runs until the client has gone or may not go on. Ends the stream when Redis cannot be read: the client comes back. */
export async function follow(deps: FollowDeps, { conversation, after, sink, mayGoOn }: Following): Promise<void> {
  const bell = createBell()
  const reader = readFrom(deps.kernel, conversation, after)
  let newest: Draft | undefined
  const end = await deps.live.listen(conversation, (news) => {
    if (news.kind === 'draft') newest = { turn: news.turn, text: news.text }
    bell.ring()
  })
  sink.signal.addEventListener('abort', bell.ring, { once: true })

  async function sendNewest(): Promise<void> {
    const draft = newest
    newest = undefined
    if (draft) await sink.send({ event: 'draft', data: draft })
  }

  async function sendMessages(): Promise<void> {
    for (;;) {
      const items = await reader.next(pageItems)
      for (const item of items) {
        const message = toApiMessage(item)
        if (message && !(await sink.send({ event: 'message', id: message.id, data: message }))) return
      }
      if (items.length < pageItems) return
    }
  }

  try {
    await sendMessages()
    const found = await deps.kernel.findDraft(conversation)
    if (found) await sink.send({ event: 'draft', data: { ...found, resumed: true } })
    while (!sink.signal.aborted) {
      await bell.heard(readEveryMs)
      if (sink.signal.aborted || !(await mayGoOn())) return
      // A draft known before the reading is older than what the reading finds.
      await sendNewest()
      await sendMessages()
      if (Date.now() - sink.writtenAtMs() >= pingEveryMs) await sink.comment('ping')
    }
  } finally {
    end()
    sink.signal.removeEventListener('abort', bell.ring)
    sink.close()
  }
}

/** Rings are not counted: one heard, or the time limit, ends the waiting. */
function createBell(): { readonly ring: () => void; heard(timeoutMs: number): Promise<void> } {
  let rung = false
  let wake = (): void => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    async heard(timeoutMs) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, timeoutMs)
        await promise
        clearTimeout(timer)
      }
      rung = false
    },
  }
}
