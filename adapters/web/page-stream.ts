// GET /api/stream: all conversations that a browser shows, as one stream of Server-Sent Events. Each event names its conversation (`in`). The
// address says where each goes on; a client that wants others opens another stream. A beat tells that the server can still be heard.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hono } from 'hono'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { FollowDeps } from '#queues/workers/follow-out.ts'
import { isPosition } from '#queues/shown/out-position.ts'
import { refuse, refuseStore, within } from './answer.ts'
import { toWebConversation } from './conversation-routes.ts'
import { createEventSink, type EventSink } from './event-sink.ts'
import type { DraftRooms } from './draft-room.ts'
import { follow } from './follow.ts'
import type { Guard } from './guard.ts'
import type { BlockReader } from './open-block-reader.ts'
import { firstReadMs, hangUp, mayOpen, refuseMany, type OpenStreams } from './stream-route.ts'

/** The page follows no more at once either. */
const mostFollowed = 40
/** A page that hears nothing for two seconds says that it is not connected. */
const beatEveryMs = 750

type StreamDeps = FollowDeps & {
  readonly guard: Pick<Guard, 'identify'>
  readonly streams: OpenStreams
  readonly reader: BlockReader
  readonly rooms: DraftRooms
}
type Wanted = { readonly id: string; readonly conversation: ConversationId; readonly after: string }

export function addPageStream(app: Hono, deps: StreamDeps): void {
  app.get('/api/stream', async (context) => {
    const wanted = toWanted(context.req.queries('follow') ?? [])
    if (!wanted) {
      const message = `follow names a conversation and the id of a message in it, or 0, as trip:0; at most ${mostFollowed} of them.`
      return refuse(context, 400, { code: 'bad-input', message })
    }
    const { streams } = deps
    if (!mayOpen(streams)) return refuseMany(context)
    // Subscribing waits for Redis to come back; this tells at once that it is away.
    const looked = wanted[0]?.conversation ?? 'web:main'
    if (!(await within(deps.kernel.readOut(looked, '0', 1).catch(orUnreadable), firstReadMs)))
      return refuseStore(context)

    const sink = createEventSink(() => hangUp(context.env))
    streams.add(sink)
    // A client that has gone is the follower's matter.
    sink.send(beatEvent).catch(() => {})
    const followed = wanted.map((one) => followOne(deps, sink, one))
    Promise.all([beat(sink, async () => (await deps.guard.identify(context)) !== 'nobody'), ...followed])
      // Redis went away: the client comes back and is told so.
      .catch(() => {})
      .finally(() => {
        sink.close()
        streams.delete(sink)
      })
    return context.body(sink.body, 200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  })
}

const beatEvent = { event: 'beat', json: '{}' }

/** Undefined where it is malformed. Each conversation once. */
function toWanted(given: readonly string[]): readonly Wanted[] | undefined {
  if (given.length > mostFollowed) return undefined
  const wanted = new Map<string, Wanted>()
  for (const one of given) {
    const [id = '', after = '', ...more] = one.split(':')
    if (!isPosition(after) || more.length > 0) return undefined
    wanted.set(id, { id, conversation: toWebConversation(id), after })
  }
  return [...wanted.values()]
}

/** Ends with the stream. What cannot be read of one conversation ends nothing of the others. */
async function followOne(deps: StreamDeps, sink: EventSink, { id, conversation, after }: Wanted): Promise<void> {
  const own: EventSink = {
    ...sink,
    send: async ({ event, json }) => await sink.send({ event, json: `{"in":${JSON.stringify(id)},"it":${json}}` }),
    comment: async () => true,
    close: () => {},
  }
  try {
    await follow(deps, {
      reader: deps.reader,
      rooms: deps.rooms,
      conversation,
      after,
      sink: own,
      mayGoOn: async () => true,
    })
  } catch (error) {
    orUnreadable(error)
  }
}

/** What this release cannot read is no reason to end a stream; everything else is. */
function orUnreadable(error: unknown): readonly [] {
  if (error instanceof BotError && (error.code === 'store-newer' || error.code === 'store-corrupt')) return []
  throw error
}

/** Until the stream ends or its client may not go on. */
async function beat(sink: EventSink, mayGoOn: () => Promise<boolean>): Promise<void> {
  while (!sink.signal.aborted && (await mayGoOn())) {
    await sleep(beatEveryMs, undefined, { signal: sink.signal }).catch(() => {})
    if (!sink.signal.aborted) await sink.send(beatEvent)
  }
  sink.close()
}
