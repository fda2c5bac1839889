// The kernel on Redis: turns calls into Lua units and their answers into types. A conversation found corrupt is parked, the others go on.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError, isNewer } from '#shared/errors.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, randomId, toPartition, toQuestionId } from '#queues/partition.ts'
import { isCorrupt, orWhenCorrupt } from './when-corrupt.ts'
import { dropTitle } from '#queues/shown/kept-titles.ts'
import type { BeginResult, ClaimResult, Inbox, Kernel, PromoteResult, Sender } from './kernel.ts'
import { toEndRow, toFirstRow } from '#shared/run/out-row.ts'
import { showAgainKind } from '#shared/run/question.ts'
import type { AppendResult } from '#shared/run/step.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import { parseDraft, parseEvent } from '#queues/stored.ts'
import { createRedisArtifacts } from '#queues/artifacts/redis-artifacts.ts'
import { createRedisLetters } from '#queues/letters/redis-letters.ts'
import { blankEdited, blankRecords, createRedisRecords } from '#queues/records/redis-records.ts'
import { createRedisQuestions } from '#queues/questions/redis-questions.ts'
import { toRuled } from '#queues/questions/ruled.ts'
import { toStoredQuestion } from '#queues/questions/stored-question.ts'
import { toAppendArgs } from './append-args.ts'
import { orHeldBy, takeFromGone, type FindOwner } from '#queues/fleet/take-from-gone.ts'
import type { CallUnit, UnitName } from '#queues/units.ts'
import { toBegin, toClaim, toEvents, toOutItem, toStops, toSwept } from './unit-answers.ts'

/** Half-written text is of no use for long. */
const beginningExpiresInMs = 30_000
/** A row that only a newer release can read is tried again after that, by whoever sends then. */
const leftForMs = 1000

/** A lease whose owner's process is gone is free. */
export function createRedisKernel(
  redis: RedisClient,
  call: CallUnit,
  findOwner: FindOwner = async () => ({ kind: 'lives' }),
): Kernel {
  const prefix = (conversation: ConversationId): string => partitionPrefix(toPartition(conversation))

  /** Returns the reason, which the unit makes more exact where it can. */
  const park = async (conversation: ConversationId, reason: string): Promise<string> =>
    text(await call('park', prefix(conversation), [conversation, reason || 'no reason given']))

  /** Calls a unit and reads its answer. Corruption, found by either, parks the conversation before it is thrown. */
  async function unit<T>(
    name: UnitName,
    conversation: ConversationId,
    args: readonly (string | number)[],
    read: (answer: readonly unknown[]) => T,
  ): Promise<T> {
    try {
      return read(list(await call(name, prefix(conversation), [conversation, ...args])))
    } catch (error) {
      if (!isCorrupt(error)) throw error
      throw new BotError('store-corrupt', await park(conversation, error.message), { cause: error })
    }
  }

  const leave: Kernel['leave'] = async (work, conversation, hold) => {
    const held = hold ? [hold.owner, String(hold.epoch)] : []
    await unit('leave', conversation, [work, ...held], () => undefined)
  }

  /** Of what is broken, as far as it goes. */
  const disown = (conversation: ConversationId, owner: string): Promise<unknown> =>
    call('disown', prefix(conversation), [conversation, owner]).catch(() => {})

  const senderArgs = (sender: Sender, op: string): (string | number)[] => [
    sender.owner,
    sender.ttlMs,
    sender.sendTimeoutMs,
    sender.idempotentForMs,
    sender.leave ? 'leave' : '',
    op,
    `notice-${randomId()}`,
    toQuestionId(sender.conversation, randomId()),
    showAgainKind,
  ]

  /** Calls a unit that answers with a row. One that only a newer release can read goes back to where it was, and the sender's lease with it. */
  async function outbox<T>(
    name: UnitName,
    sender: Sender,
    args: readonly (string | number)[],
    read: (answer: readonly unknown[]) => T,
  ): Promise<T | BeginResult> {
    let row = ''
    try {
      return await unit(name, sender.conversation, args, (answer) => {
        row = text(answer[1])
        return read(answer)
      })
    } catch (error) {
      if (isCorrupt(error)) {
        await disown(sender.conversation, sender.owner)
        return { kind: 'EMPTY' }
      }
      if (!isNewer(error)) throw error
      const left = senderArgs({ ...sender, leave: true }, randomId())
      await unit('settle', sender.conversation, [...left, row, 'left', error.message, '', leftForMs], () => undefined)
      return { kind: 'WAIT', forMs: leftForMs }
    }
  }

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
      unit(
        'inbox',
        conversation,
        [limit, lostAfterMs, allOrNone ? '1' : '0'],
        ([routed, reply, looks, cards, ...flat]): Inbox => ({
          routedSeq: integer(routed),
          events: groups(flat, 2).map(([seq, event]) => ({ seq: integer(seq), event: parseEvent(text(event)) })),
          ...(text(reply) ? { previousReply: text(reply) } : {}),
          ...(integer(looks) > 0 ? { looks: integer(looks) } : {}),
          ...(integer(looks) < 0 ? { more: true } : {}),
          ...(integer(cards) > 0 ? { asks: true } : {}),
        }),
      ).catch(orWhenCorrupt((): Inbox => ({ routedSeq: 0, events: [] }))),

    // Frees memory, so that Redis does it also when it takes nothing more in.
    async forgetLooks(conversation) {
      await fromStore(redis.hdel(`${prefix(conversation)}c:${conversation}`, 'looked'))
    },

    route(conversation, expectedRoutedSeq, decisions, ids) {
      const args = decisions.flatMap((ruling, i) => [...toRuled(ruling), ids?.[i] ?? ''])
      return unit('route', conversation, [expectedRoutedSeq, ...args], ([kind, work, wakes]) =>
        kind === 'OK' ? { kind, work: work === 1, ...(wakes === 1 ? { wakes: true } : {}) } : { kind: 'BEHIND' },
      )
    },

    async claim(conversation, owner, ttlMs) {
      let epoch = 0
      const read = orHeldBy((answer): ClaimResult => {
        if (answer[0] === 'CLAIMED') epoch = integer(answer[1])
        return toClaim(answer)
      })
      try {
        return await takeFromGone(findOwner, (gone) => unit('claim', conversation, [owner, ttlMs, ...gone], read))
      } catch (error) {
        if (isCorrupt(error)) {
          await disown(conversation, owner)
          return { kind: 'PARKED', reason: error.message }
        }
        if (!isNewer(error)) throw error
        await leave('run', conversation, { owner, epoch })
        return { kind: 'NEWER', reason: error.message }
      }
    },

    renew: (conversation, owner, ttlMs) =>
      unit('renew', conversation, [owner, ttlMs], ([kind, stopped]) =>
        kind === 'OK' ? { kind, stops: toStops(stopped) } : { kind: 'LOST' },
      ),

    pending: (conversation, afterSeq) =>
      unit('pending', conversation, [afterSeq], ([routed, stopped, waiting, congested]) => ({
        routedSeq: integer(routed),
        isCongested: integer(congested) === 1,
        stops: toStops(stopped),
        events: toEvents(list(waiting)).events,
      })),

    async findEvent(conversation, seq) {
      const stored = await fromStore(redis.hget(`${prefix(conversation)}in:${conversation}`, String(seq)))
      return stored ? parseEvent(stored) : undefined
    },

    async append(conversation, epoch, step) {
      await blankEdited(unit, conversation, step)
      return await unit(
        'append',
        conversation,
        [String(epoch), ...toAppendArgs(conversation, step)],
        ([kind, routed, released, seq]): AppendResult => {
          if (kind === 'FENCED' || kind === 'STOPPED') return { kind }
          return {
            kind: kind === 'DUP' ? 'DUP' : 'OK',
            routedSeq: integer(routed),
            released: integer(released) === 1,
            journalSeq: integer(seq),
          }
        },
      )
    },

    disown: async (conversation, owner) => {
      await call('disown', prefix(conversation), [conversation, owner])
    },

    async release(conversation, owner, epoch, force) {
      const kind = text(
        await call('release', prefix(conversation), [conversation, owner, String(epoch), force ? '1' : '0']),
      )
      return kind === 'RELEASED' || kind === 'MORE' ? kind : 'FENCED'
    },

    excuse: (conversation, epoch, why) =>
      unit('excuse', conversation, [String(epoch), why === 'lost' ? '1' : '0'], () => undefined),
    async putOff(conversation, owner, epoch, forMs) {
      await unit('excuse', conversation, [String(epoch), '0', owner, forMs], () => undefined)
    },

    leave,

    saveDraft: (conversation, draft) =>
      unit('draft', conversation, [JSON.stringify(draft)], (heard) => integer(heard) > 0),

    async findDraft(conversation) {
      const stored = await fromStore(redis.get(`${prefix(conversation)}draft:${conversation}`))
      return stored ? parseDraft(stored) : undefined
    },

    begin: (sender, op) =>
      takeFromGone(findOwner, (gone) =>
        outbox('begin', sender, [...senderArgs(sender, op), ...gone], orHeldBy(toBegin)),
      ),

    promote(sender, { turn, body, question }, op) {
      const rows = [toFirstRow(turn), toEndRow(turn), JSON.stringify(body), beginningExpiresInMs]
      const asked = question ? [question.id, ...toStoredQuestion(question)] : []
      return outbox('promote', sender, [...senderArgs(sender, op), ...rows, ...asked], (answer): PromoteResult =>
        answer[0] === 'SHOWN' ? { kind: 'SHOWN', receipt: text(answer[1]) } : toBegin(answer),
      )
    },

    settle(sender, row, outcome, op) {
      const reason = 'reason' in outcome ? outcome.reason : ''
      const receipt = outcome.kind === 'sent' ? outcome.receipt : ''
      const retryMs = 'afterMs' in outcome ? Math.ceil(outcome.afterMs ?? 0) : 0
      const bodies = outcome.kind === 'split' ? outcome.bodies.map((body) => JSON.stringify(body)) : []
      const closed = 'closed' in outcome ? ['closed'] : []
      const args = [...senderArgs(sender, op), row, outcome.kind, reason, receipt, retryMs, ...closed, ...bodies]
      return outbox('settle', sender, args, toBegin)
    },

    ...createRedisQuestions(call, unit, park),
    ...createRedisLetters(call, unit),
    ...createRedisRecords(redis, call),
    ...createRedisArtifacts(unit),
    replay: (conversation) => unit('replay', conversation, [], ([count]) => integer(count)),
    due: async (partition, graceMs, gone = []) =>
      toSwept(list(await call('due', partitionPrefix(partition), ['', graceMs, '0', ...gone]))).due,
    sweep: async (partition, graceMs, gone = []) =>
      toSwept(list(await call('due', partitionPrefix(partition), ['', graceMs, '1', ...gone]))),

    async archive(partition, idleMs, most) {
      return integer(await call('archive', partitionPrefix(partition), ['', idleMs, most]))
    },

    readOut: (conversation, after, limit) =>
      unit('readOut', conversation, [integer(after), limit, 'after'], ([, ...flat]) => groups(flat, 2).map(toOutItem)),

    readOutBefore: (conversation, before, limit) =>
      unit('readOut', conversation, [integer(before), limit, 'before'], ([, ...flat]) =>
        groups(flat, 2).map(toOutItem),
      ),

    async erase(conversation, atMs) {
      // One that is given again may find the conversation begun anew.
      if (atMs === undefined) await blankRecords(unit, conversation, 'all')
      return await unit('erase', conversation, [atMs ?? ''], ([at]) => integer(at))
    },

    async forget(event, positions) {
      const { conversation, messageId } = event
      const args = [messageId, JSON.stringify(event), ...positions]
      const isKnown = await unit('forget', conversation, args, ([, left]) => left === 1)
      // It may be what the page's list calls the conversation by.
      await dropTitle(redis, conversation)
      if (isKnown) await blankRecords(unit, conversation, { message: messageId, why: 'forgotten' })
    },

    async park(conversation, reason) {
      await park(conversation, reason)
    },
    unpark: (conversation) => unit('park', conversation, [''], () => undefined),
  }
}
