// A conversation as Server-Sent Events: messages with their position as id, drafts without one, a comment every fifteen seconds.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { followOut, type FollowDeps } from '#queues/workers/follow-out.ts'
import { toApiMessage } from './api-message.ts'
import type { DraftRooms } from './draft-room.ts'
import type { EventSink } from './event-sink.ts'
import type { BlockReader } from './open-block-reader.ts'

const pingEveryMs = 15_000

type Following = {
  readonly reader: BlockReader
  readonly rooms: DraftRooms
  readonly conversation: ConversationId
  /** Position of the last item the client has. */
  readonly after: string
  readonly sink: EventSink
  /** Asked every two seconds; false ends the stream. */
  readonly mayGoOn: () => Promise<boolean>
}

/** Runs until the client has gone or may not go on. Ends the stream when Redis cannot be read: the client comes back. */
export async function follow(
  deps: FollowDeps,
  { reader, rooms, conversation, after, sink, mayGoOn }: Following,
): Promise<void> {
  const drafts = rooms.join(conversation, async (json) => await sink.send({ event: 'draft', json }))
  try {
    await followOut(
      deps,
      {
        conversation,
        position: after,
        async onItem(item) {
          // What it answers is no draft any more.
          if (item.role === 'bot') drafts.drop()
          const message = await toApiMessage(item, reader)
          if (message) await sink.send({ event: 'message', id: message.id, json: JSON.stringify(message) })
        },
        async onDraft(draft) {
          drafts.offer(draft)
        },
        async onTick() {
          if (performance.now() - sink.writtenAtMs() >= pingEveryMs) await sink.comment('ping')
          return await mayGoOn()
        },
      },
      sink.signal,
    )
  } finally {
    drafts.leave()
    sink.close()
  }
}
