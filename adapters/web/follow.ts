// A conversation as Server-Sent Events: messages with their position as id, drafts without one, a comment every fifteen seconds.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { followOut, type FollowDeps } from '#queues/workers/follow-out.ts'
import { toApiMessage } from './api-message.ts'
import type { EventSink } from './event-sink.ts'

const pingEveryMs = 15_000

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
  try {
    await followOut(
      deps,
      {
        conversation,
        position: after,
        async onItem(item) {
          const message = toApiMessage(item)
          if (message) await sink.send({ event: 'message', id: message.id, data: message })
        },
        async onDraft(draft) {
          await sink.send({ event: 'draft', data: draft })
        },
        async onTick() {
          if (Date.now() - sink.writtenAtMs() >= pingEveryMs) await sink.comment('ping')
          return await mayGoOn()
        },
      },
      sink.signal,
    )
  } finally {
    sink.close()
  }
}
