// The mailbox on Redis: events come in, the router looks at them and writes what it decided, and a turn at work sees what waits.
import type { RedisClient } from '#queues/connection.ts'
import { toRuled } from '#queues/questions/ruled.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import { parseEvent } from '#queues/stored.ts'
import { toPrefix, type ConversationUnits } from './conversation-units.ts'
import type { Inbox, Kernel } from './kernel.ts'
import { toEvents, toStops } from './unit-answers.ts'
import { orWhenCorrupt } from './when-corrupt.ts'

type Mailbox = Pick<Kernel, 'ingest' | 'halt' | 'inbox' | 'forgetLooks' | 'route' | 'pending' | 'findEvent' | 'replay'>

export function createRedisMailbox(redis: RedisClient, { unit }: ConversationUnits): Mailbox {
  return {
    ingest({ event, dedupeKey, stop, echo, agoMs = '' }) {
      const args = [dedupeKey, JSON.stringify(event), stop, event.principal, echo ? '1' : '0', agoMs]
      return unit('ingest', event.conversation, args, ([kind, seq, wakes]) => ({
        kind: kind === 'DUP' || kind === 'FULL' ? kind : 'NEW',
        seq: integer(seq),
        ...(integer(wakes) === 1 ? { wakes: true } : {}),
      }))
    },

    halt: (conversation, principal, spares = '') => unit('halt', conversation, [principal, spares], () => undefined),

    inbox: (conversation, limit, { lostAfterMs, allOrNone } = { lostAfterMs: -1 }) =>
      unit('inbox', conversation, [limit, lostAfterMs, allOrNone ? '1' : '0'], toInbox).catch(
        orWhenCorrupt((): Inbox => ({ routedSeq: 0, events: [] })),
      ),

    // Frees memory, so that Redis does it also when it takes nothing more in.
    async forgetLooks(conversation) {
      await fromStore(redis.hdel(`${toPrefix(conversation)}c:${conversation}`, 'looked'))
    },

    route(conversation, expectedRoutedSeq, decisions, ids) {
      const args = decisions.flatMap((ruling, i) => [...toRuled(ruling), ids?.[i] ?? ''])
      return unit('route', conversation, [expectedRoutedSeq, ...args], ([kind, work, wakes, ...tasks]) =>
        kind === 'OK'
          ? {
              kind,
              work: work === 1,
              ...(wakes === 1 ? { wakes: true } : {}),
              ...(tasks.length > 0 ? { tasks: tasks.map(text) } : {}),
            }
          : { kind: 'BEHIND' },
      )
    },

    pending: (conversation, afterSeq) =>
      unit('pending', conversation, [afterSeq], ([routed, stopped, waiting, congested]) => ({
        routedSeq: integer(routed),
        isCongested: integer(congested) === 1,
        stops: toStops(stopped),
        events: toEvents(list(waiting)).events,
      })),

    async findEvent(conversation, seq) {
      const stored = await fromStore(redis.hget(`${toPrefix(conversation)}in:${conversation}`, String(seq)))
      return stored ? parseEvent(stored) : undefined
    },

    replay: (conversation) => unit('replay', conversation, [], ([count]) => integer(count)),
  }
}

function toInbox([routed, reply, looks, cards, ...flat]: readonly unknown[]): Inbox {
  return {
    routedSeq: integer(routed),
    events: groups(flat, 2).map(([seq, event]) => ({ seq: integer(seq), event: parseEvent(text(event)) })),
    ...(text(reply) ? { previousReply: text(reply) } : {}),
    ...(integer(looks) > 0 ? { looks: integer(looks) } : {}),
    ...(integer(looks) < 0 ? { more: true } : {}),
    ...(integer(cards) > 0 ? { asks: true } : {}),
  }
}
