// Runs on Redis: who works on a conversation, by a lease with an epoch, the steps that are written under it, and the draft of its reply.
import { homeOf } from '#shared/chat/address.ts'
import { isNewer } from '#shared/errors.ts'
import type { AppendResult } from '#shared/run/step.ts'
import type { RedisClient } from '#queues/connection.ts'
import { orHeldBy, takeFromGone, type FindOwner } from '#queues/fleet/take-from-gone.ts'
import { blankEdited } from '#queues/records/blank-records.ts'
import { integer, text } from '#queues/reply.ts'
import { fromStore } from '#queues/store-failure.ts'
import { parseDraft } from '#queues/stored.ts'
import { toAppendArgs } from './append-args.ts'
import { toPrefix, type ConversationUnits } from './conversation-units.ts'
import type { ClaimResult, Kernel } from './kernel.ts'
import { toClaim, toStops } from './unit-answers.ts'
import { isCorrupt } from './when-corrupt.ts'

type Runs = Pick<
  Kernel,
  'claim' | 'renew' | 'append' | 'disown' | 'release' | 'excuse' | 'putOff' | 'leave' | 'saveDraft' | 'findDraft'
>

export function createRedisRuns(redis: RedisClient, units: ConversationUnits, findOwner: FindOwner): Runs {
  const { call, unit } = units
  return {
    claim: (conversation, owner, ttlMs) => claim(units, findOwner, { conversation, owner, ttlMs }),

    renew: (conversation, owner, ttlMs) =>
      unit('renew', conversation, [owner, ttlMs], ([kind, stopped]) =>
        kind === 'OK' ? { kind, stops: toStops(stopped) } : { kind: 'LOST' },
      ),

    async append(conversation, epoch, step) {
      await blankEdited(units, homeOf(conversation), step)
      return await unit('append', conversation, [String(epoch), ...toAppendArgs(conversation, step)], toAppended)
    },

    disown: async (conversation, owner) => {
      await call('disown', toPrefix(conversation), [conversation, owner])
    },

    async release(conversation, owner, epoch, force) {
      const kind = text(
        await call('release', toPrefix(conversation), [conversation, owner, String(epoch), force ? '1' : '0']),
      )
      return kind === 'RELEASED' || kind === 'MORE' ? kind : 'FENCED'
    },

    excuse: (conversation, epoch, why) =>
      unit('excuse', conversation, [String(epoch), why === 'lost' ? '1' : '0'], () => undefined),
    async putOff(conversation, owner, epoch, forMs) {
      await unit('excuse', conversation, [String(epoch), '0', owner, forMs], () => undefined)
    },

    leave: (work, conversation, hold) => leave(units, conversation, { work, hold }),

    saveDraft: (conversation, draft) =>
      unit('draft', conversation, [JSON.stringify(draft)], (heard) => integer(heard) > 0),

    async findDraft(conversation) {
      const stored = await fromStore(redis.get(`${toPrefix(conversation)}draft:${conversation}`))
      return stored ? parseDraft(stored) : undefined
    },
  }
}

type Claiming = { readonly conversation: string; readonly owner: string; readonly ttlMs: number }

async function claim(
  units: ConversationUnits,
  findOwner: FindOwner,
  { conversation, owner, ttlMs }: Claiming,
): Promise<ClaimResult> {
  let epoch = 0
  const read = orHeldBy((answer): ClaimResult => {
    if (answer[0] === 'CLAIMED') epoch = integer(answer[1])
    return toClaim(answer)
  })
  try {
    return await takeFromGone(findOwner, (gone) => units.unit('claim', conversation, [owner, ttlMs, ...gone], read))
  } catch (error) {
    if (isCorrupt(error)) {
      await units.disownBroken(conversation, owner)
      return { kind: 'PARKED', reason: error.message }
    }
    if (!isNewer(error)) throw error
    await leave(units, conversation, { work: 'run', hold: { owner, epoch } })
    return { kind: 'NEWER', reason: error.message }
  }
}

type Leaving = {
  readonly work: 'route' | 'run'
  readonly hold?: { readonly owner: string; readonly epoch: number } | undefined
}

async function leave({ unit }: ConversationUnits, conversation: string, { work, hold }: Leaving): Promise<void> {
  const held = hold ? [hold.owner, String(hold.epoch)] : []
  await unit('leave', conversation, [work, ...held], () => undefined)
}

function toAppended([kind, routed, released, seq]: readonly unknown[]): AppendResult {
  if (kind === 'FENCED' || kind === 'STOPPED') return { kind }
  return {
    kind: kind === 'DUP' ? 'DUP' : 'OK',
    routedSeq: integer(routed),
    released: integer(released) === 1,
    journalSeq: integer(seq),
  }
}
