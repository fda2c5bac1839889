// GET …/stream: a conversation as Server-Sent Events, resumed from Last-Event-ID (or `?after=`, where a client cannot set headers).
import { ServerResponse } from 'node:http'
import type { Context, Hono } from 'hono'
import type { FollowDeps } from '#queues/workers/follow-out.ts'
import { isPosition } from '#queues/shown/out-position.ts'
import { refuse, refuseStore, within } from './answer.ts'
import { toWebConversation } from './conversation-routes.ts'
import { createEventSink, type EventSink } from './event-sink.ts'
import { follow } from './follow.ts'
import type { Guard } from './guard.ts'
import type { DraftRooms } from './draft-room.ts'
import type { BlockReader } from './open-block-reader.ts'

/** Streams of one process. Each costs a connection, and a subscription for each conversation. */
const maxStreams = 200
export const firstReadMs = 2800

export type OpenStreams = Set<EventSink>

type StreamDeps = {
  readonly guard: Guard
  readonly streams: OpenStreams
  readonly reader: BlockReader
  readonly rooms: DraftRooms
}

export function addStream(app: Hono, { guard, streams, reader, rooms, ...deps }: FollowDeps & StreamDeps): void {
  app.get('/api/conversations/:id/stream', async (context) => {
    const conversation = toWebConversation(context.req.param('id'))
    const after = context.req.header('last-event-id') || context.req.query('after') || '0'
    if (!isPosition(after)) {
      return refuse(context, 400, { code: 'bad-input', message: 'Last-Event-ID must be the id of a message, or 0.' })
    }
    if (!mayOpen(streams)) return refuseMany(context)
    // Subscribing waits for Redis to come back; this tells at once that it is away.
    if (!(await within(deps.kernel.readOut(conversation, '0', 1), firstReadMs))) return refuseStore(context)

    const sink = createEventSink(() => hangUp(context.env))
    streams.add(sink)
    // A client that has gone is the follower's matter.
    sink.comment('open').catch(() => {})
    follow(deps, {
      reader,
      rooms,
      conversation,
      after,
      sink,
      mayGoOn: async () => (await guard.identify(context)) !== 'nobody',
    })
      // Redis went away: the client comes back and is told so.
      .catch(() => {})
      .finally(() => {
        sink.close()
        streams.delete(sink)
      })
    return context.body(sink.body, 200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  })
}

export const mayOpen = (streams: OpenStreams): boolean => streams.size < maxStreams

export function refuseMany(context: Context): Response {
  const message = 'Too many streams are open. Try again later.'
  return refuse(context, 503, { code: 'busy', message, headers: { 'Retry-After': '5' } })
}

/** The server's adapter keeps Node's response among the bindings; closing the stream would wait for the client. */
export function hangUp(bindings: unknown): void {
  if (typeof bindings !== 'object' || bindings === null || !('outgoing' in bindings)) return
  if (bindings.outgoing instanceof ServerResponse) bindings.outgoing.destroy()
}
