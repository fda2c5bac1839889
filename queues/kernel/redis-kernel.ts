// The kernel on Redis: turns calls into Lua units and their answers into types. A conversation found corrupt is parked, the others go on.
import { randomBytes } from 'node:crypto'
import { toChat, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, toPartition } from './keys.ts'
import type {
  AppendResult,
  BeginResult,
  ClaimResult,
  Due,
  Kernel,
  QueuedEvent,
  ResolveResult,
  Sender,
  Stops,
} from './kernel.ts'
import {
  groups,
  integer,
  list,
  parseBody,
  parseDecision,
  parseEntry,
  parseEvent,
  parseQuestion,
  text,
} from './stored.ts'
import type { CallUnit, UnitName } from './units.ts'

/** Random part of question and notice ids: 22 characters of 5 bits, 110 bits. */
export function randomId(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  return Array.from(randomBytes(22), (byte) => alphabet[byte % 32]).join('')
}

/** A question id of this conversation's partition. */
export function toQuestionId(conversation: ConversationId, random: string): string {
  return `p${String(toPartition(conversation)).padStart(2, '0')}-${random}`
}

export function createRedisKernel(redis: RedisClient, call: CallUnit): Kernel {
  const prefix = (conversation: ConversationId): string => partitionPrefix(toPartition(conversation))

  async function unit(
    name: UnitName,
    conversation: ConversationId,
    args: readonly (string | number)[],
  ): Promise<readonly unknown[]> {
    return list(await call(name, prefix(conversation), [conversation, ...args]))
  }

  const park = async (conversation: ConversationId, reason: string): Promise<void> => {
    await unit('park', conversation, [reason || 'no reason given'])
  }

  /** Runs a read or claim; corruption parks the conversation and answers `otherwise(reason)`. */
  async function guarded<T>(
    conversation: ConversationId,
    work: () => Promise<T>,
    otherwise: (reason: string) => T,
  ): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof BotError) || error.code !== 'store-corrupt') throw error
      await park(conversation, error.message)
      return otherwise(error.message)
    }
  }

  const senderArgs = (sender: Sender, op: string): (string | number)[] => [
    sender.owner,
    sender.ttlMs,
    sender.sendTimeoutMs,
    sender.idempotent ? '1' : '0',
    sender.leave ? 'leave' : sender.keep ? '1' : '0',
    op,
    `notice-${randomId()}`,
    toQuestionId(sender.conversation, randomId()),
  ]

  return {
    async ingest({ event, dedupeKey, stop, echo }) {
      const args = [dedupeKey, JSON.stringify(event), stop, event.principal, echo ? '1' : '0']
      const [kind, seq] = await unit('ingest', event.conversation, args)
      return { kind: kind === 'DUP' ? 'DUP' : 'NEW', seq: integer(seq) }
    },

    inbox: (conversation, limit) =>
      guarded(
        conversation,
        async () => {
          const [routed, reply, ...flat] = await unit('inbox', conversation, [limit])
          const events = groups(flat, 2).map(([seq, event]) => ({ seq: integer(seq), event: parseEvent(text(event)) }))
          return { routedSeq: integer(routed), events, ...(text(reply) ? { previousReply: text(reply) } : {}) }
        },
        () => ({ routedSeq: 0, events: [] }),
      ),

    async route(conversation, expectedRoutedSeq, decisions) {
      const args = decisions.flatMap((decision) => [JSON.stringify(decision), decision.act === 'ignore' ? '1' : '0'])
      const [kind, work] = await unit('route', conversation, [expectedRoutedSeq, ...args])
      return kind === 'OK' ? { kind, work: integer(work) === 1 } : { kind: 'BEHIND' }
    },

    claim: (conversation, owner, ttlMs) =>
      guarded(
        conversation,
        async (): Promise<ClaimResult> => {
          const answer = await unit('claim', conversation, [owner, ttlMs])
          if (answer[0] === 'HELD') return { kind: 'HELD' }
          if (answer[0] === 'PARKED') return { kind: 'PARKED', reason: text(answer[1]) }
          const [, epoch, snapshot, attempts, routed, stopped, tail, waiting] = answer
          return {
            kind: 'CLAIMED',
            epoch: integer(epoch),
            ...(text(snapshot) ? { snapshot: text(snapshot) } : {}),
            attempts: integer(attempts),
            routedSeq: integer(routed),
            stops: toStops(stopped),
            tail: groups(list(tail), 2).map(([seq, entry]) => ({ seq: integer(seq), entry: parseEntry(text(entry)) })),
            pending: toEvents(list(waiting)),
          }
        },
        (reason) => ({ kind: 'PARKED', reason }),
      ),

    async renew(conversation, owner, ttlMs) {
      const [kind, stopped] = await unit('renew', conversation, [owner, ttlMs])
      return kind === 'OK' ? { kind, stops: toStops(stopped) } : { kind: 'LOST' }
    },

    async pending(conversation, afterSeq) {
      const [routed, stopped, waiting] = await unit('pending', conversation, [afterSeq])
      return { routedSeq: integer(routed), stops: toStops(stopped), events: toEvents(list(waiting)) }
    },

    async findEvent(conversation, seq) {
      const stored = await redis.hget(`${prefix(conversation)}in:${conversation}`, String(seq))
      return stored ? parseEvent(stored) : undefined
    },

    async append(conversation, epoch, step): Promise<AppendResult> {
      const stream = conversation.startsWith('web:') || conversation.startsWith('console:')
      const rows = (step.rows ?? []).flatMap((row) => [row.id, JSON.stringify(row.body), row.expiresInMs])
      const questions = (step.questions ?? []).flatMap((question) => [question.id, JSON.stringify(question)])
      const [kind, routed, released] = await unit('append', conversation, [
        String(epoch),
        step.key,
        step.entries.length,
        ...step.entries.map((entry) => JSON.stringify(entry)),
        step.unlessStopped?.principal ?? '',
        step.unlessStopped?.firstSeq ?? 0,
        (step.consume ?? []).join(','),
        (step.setAside ?? []).join(','),
        step.snapshot ?? '',
        (step.reply ?? '').slice(-2000),
        step.progress ? '1' : '0',
        step.release ? '1' : '0',
        stream ? '1' : '0',
        rows.length,
        ...rows,
        questions.length,
        ...questions,
      ])
      if (kind === 'FENCED' || kind === 'STOPPED') return { kind }
      return { kind: kind === 'DUP' ? 'DUP' : 'OK', routedSeq: integer(routed), released: integer(released) === 1 }
    },

    async release(conversation, owner, epoch, force) {
      const kind = text(
        await call('release', prefix(conversation), [conversation, owner, String(epoch), force ? '1' : '0']),
      )
      return kind === 'RELEASED' || kind === 'MORE' ? kind : 'FENCED'
    },

    async saveDraft(conversation, draft) {
      await unit('draft', conversation, [JSON.stringify(draft)])
    },

    async findDraft(conversation) {
      const stored = await redis.get(`${prefix(conversation)}draft:${conversation}`)
      return stored ? JSON.parse(stored) : undefined
    },

    begin: (sender, op) =>
      guarded(
        sender.conversation,
        async () => toBegin(await unit('begin', sender.conversation, senderArgs(sender, op))),
        (): BeginResult => ({ kind: 'EMPTY' }),
      ),

    settle: (sender, row, outcome, op) => {
      const reason = 'reason' in outcome ? outcome.reason : ''
      const receipt = outcome.kind === 'sent' ? outcome.receipt : ''
      const retryMs = outcome.kind === 'retry' ? outcome.afterMs : 0
      const bodies = outcome.kind === 'split' ? outcome.bodies.map((body) => JSON.stringify(body)) : []
      const args = [...senderArgs(sender, op), row, outcome.kind, reason, receipt, retryMs, ...bodies]
      return guarded(
        sender.conversation,
        async () => toBegin(await unit('settle', sender.conversation, args)),
        (): BeginResult => ({ kind: 'EMPTY' }),
      )
    },

    async prolong({ conversation, owner, ttlMs }, row) {
      const [kind] = await unit('prolong', conversation, [owner, ttlMs, row])
      return kind === 'OK' ? 'OK' : 'LOST'
    },

    async resolve({ question, actor, chat, choice, event }): Promise<ResolveResult> {
      const partition = Number(/^p(\d\d)-/.exec(question)?.[1] ?? '99')
      if (partition > 63) return { kind: 'UNKNOWN' }
      const args = ['', question, actor, toChat(chat), choice, JSON.stringify(event)]
      const [kind, first, second] = list(await call('resolve', partitionPrefix(partition), args))
      if (kind === 'WON') return { kind, question: parseQuestion(text(first)), conversation: text(second) }
      if (kind === 'ALREADY') return { kind, by: text(first), choice: text(second) }
      return { kind: kind === 'FORBIDDEN' ? 'FORBIDDEN' : 'UNKNOWN' }
    },

    async replay(conversation) {
      return integer(await call('replay', prefix(conversation), [conversation]))
    },

    async due(partition, graceMs) {
      const flat = list(await call('due', partitionPrefix(partition), ['', graceMs]))
      return groups(flat, 3).flatMap(([member, sinceMs, epoch]): Due[] => {
        const [what = '', ...rest] = text(member).split(':')
        if (what !== 'route' && what !== 'run' && what !== 'out') return []
        return [{ what, conversation: rest.join(':'), sinceMs: integer(sinceMs), epoch: integer(epoch) }]
      })
    },

    async readOut(conversation, after, limit) {
      const from = after === '0' ? '-' : `(${after}`
      const entries = await redis.xrange(`${prefix(conversation)}out:${conversation}`, from, '+', 'COUNT', limit)
      return entries.map(([id, [field, stored = '']]) =>
        field === 'e'
          ? { id, role: 'person' as const, event: parseEvent(stored) }
          : { id, role: 'bot' as const, body: parseBody(stored) },
      )
    },

    park,
    async unpark(conversation) {
      await unit('park', conversation, [''])
    },
  }
}

function toEvents(flat: readonly unknown[]): QueuedEvent[] {
  return groups(flat, 3).map(([seq, event, decision]) => ({
    seq: integer(seq),
    event: parseEvent(text(event)),
    decision: parseDecision(text(decision)),
  }))
}

function toStops(flat: unknown): Stops {
  return Object.fromEntries(groups(list(flat), 2).map(([principal, seq]) => [text(principal), integer(seq)]))
}

function toBegin(answer: readonly unknown[]): BeginResult {
  const [kind, second, body, attempts, receipt] = answer
  if (kind === 'ROW') {
    const replaced = text(receipt)
    const row = { id: text(second), body: parseBody(text(body)), attempts: integer(attempts) }
    return { kind, row: replaced ? { ...row, replacesReceipt: replaced } : row }
  }
  if (kind === 'WAIT') return { kind, forMs: integer(second) }
  return { kind: kind === 'HELD' ? 'HELD' : 'EMPTY' }
}
