// What the fleet's own state tells of a channel: who owns the bot, which chats are let in, which of its processes run. And the steps
// that are the same on every platform: starting, and becoming the owner.
import { queueNames, toOutQueue } from '#queues/jobs/queue-names.ts'
import { readAccess, type StoredAccess } from '#queues/fleet/access.ts'
import { listChats, type ChatStanding } from '#queues/fleet/chat-book.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { isLeaseHeld } from '#queues/fleet/lease.ts'
import { countWorkers } from '#queues/workers/inspect.ts'
import { ok, unseen, waits, wrong, type Verdict } from './steps.ts'

export type ConnectedChannel = 'telegram' | 'discord' | 'feishu'

export type Store =
  | { readonly kind: 'open'; readonly redis: RedisClient }
  /** No fleet runs in this folder, and no REDIS_URL names another one. */
  | { readonly kind: 'none' }
  | { readonly kind: 'away'; readonly reason: string }

export type FleetFacts =
  | {
      readonly kind: 'known'
      readonly access: StoredAccess
      readonly chats: readonly ChatStanding[]
      /** Roles of which no process runs. */
      readonly missing: readonly string[]
      /** False when Redis does not tell who is connected. */
      readonly isTold: boolean
      /** Somebody fetches what people write. */
      readonly isReceiving: boolean
      /** Lately somebody outside the fleet took it. */
      readonly hasRival: boolean
    }
  | Exclude<Store, { kind: 'open' }>

/** What the process leaves that fetches: the lease it holds, and the sign that somebody else fetches too. */
export type FetchingSigns = { readonly lease?: string; readonly conflict?: string }

/** Without signs when the bot is not known. Never throws. */
export async function readFleet(
  store: Store,
  channel: ConnectedChannel,
  { lease, conflict }: FetchingSigns = {},
): Promise<FleetFacts> {
  if (store.kind !== 'open') return store
  const { redis } = store
  const roles = [
    ['router', queueNames.router],
    ['executor', queueNames.executor],
    [channel, toOutQueue(channel)],
  ] as const
  try {
    const [access, chats, workers, isReceiving, hasRival] = await Promise.all([
      readAccess(redis, channel),
      listChats(redis, channel),
      countWorkers(
        redis,
        roles.map(([, queue]) => queue),
      ),
      lease !== undefined && isLeaseHeld(redis, lease),
      conflict !== undefined && isLeaseHeld(redis, conflict),
    ])
    const missing = roles.filter(([, queue]) => workers.get(queue) === 0).map(([role]) => role)
    return {
      kind: 'known',
      access,
      chats,
      missing,
      isTold: roles.every(([, queue]) => workers.get(queue) !== undefined),
      isReceiving,
      hasRival,
    }
  } catch (error) {
    return { kind: 'away', reason: error instanceof Error ? error.message : String(error) }
  }
}

/** Whether the processes run; undefined when they do. */
export function judgeProcesses(
  fleet: FleetFacts,
  channel: ConnectedChannel,
): Exclude<Verdict<never>, { kind: 'ok' | 'waits' }> | undefined {
  if (fleet.kind === 'none') return wrong('no fleet runs in this folder', 'Run "npm start" and leave it running.')
  if (fleet.kind === 'away') return unseen(fleet.reason)
  const { missing } = fleet
  if (missing.length === 0) return undefined
  if (missing.length === 1 && missing[0] === channel) {
    const fix = `Stop Flotilla with Ctrl-C and run "npm start" again, with the token in .env; or start the role: "npm run flotilla -- ${channel}".`
    return wrong(`the fleet runs without a ${channel} process`, fix)
  }
  const fix = `Run "npm start"; or start each missing role by itself, such as "npm run flotilla -- ${missing[0]}".`
  return wrong(`no process runs as ${missing.join(', ')}`, fix)
}

export type OwnerFacts = {
  readonly fleet: FleetFacts
  readonly channel: ConnectedChannel
  /** By FLOTILLA_OWNERS. */
  readonly owners: readonly PrincipalId[]
  readonly everyone: boolean
}

export function judgeOwner({ fleet, channel, owners, everyone }: OwnerFacts): Verdict<'start'> {
  if (fleet.kind !== 'known') return waits('start')
  const known = new Set([...fleet.access.owners, ...owners.filter((one) => one.startsWith(`${channel}:`))])
  if (known.size > 0) return ok([...known].join(', '))
  if (everyone) return ok('nobody, but FLOTILLA_ALLOW=* lets everybody talk to the bot')
  if (!fleet.access.isCodeUsed) {
    return wrong(
      'nobody yet',
      'Send the bot "/start <code>" as a direct message, with the code that "npm start" shows.',
    )
  }
  const fix = `Send the bot /start as a direct message: it answers with your id. Set FLOTILLA_OWNERS=${channel}:<your id> and start again.`
  return wrong('nobody here: the one-time code was used on another channel', fix)
}
