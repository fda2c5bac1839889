// Fetches updates, one poller per bot in the whole fleet by a lease. The offset, which makes Telegram forget an update, moves only
// when all updates of a batch are in Redis; a poller that stops confirms nothing, and the next one gets the rest again.
//
// standby -lease-> polling -batch stored-> polling; -store away, 409, 401, network, an odd answer-> waiting -> polling;
// -nothing new, and at once-> resting -> polling; lease lost -> standby.
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { CallUnit } from '#queues/units.ts'
import { leaveSign, runUnderLease, type LeaseOptions } from '#queues/fleet/lease.ts'
import { BotError } from '#shared/errors.ts'
import type { BotIdentity } from './addressing.ts'
import { done, oddResponse, updateList } from './responses.ts'
import { createBackOff, type BackOff } from '#queues/fleet/back-off.ts'
import type { CallResult } from './bot-api.ts'
import { toLane } from './lanes.ts'
import { takeIncoming, type TakeDeps } from './take-update.ts'
import { toEvent, type Incoming } from './to-event.ts'
import { toTrouble } from './trouble.ts'
import { allowedUpdates, anyUpdate } from './updates.ts'

export type PollDeps = TakeDeps & {
  readonly call: CallUnit
  readonly liveness: LeaseOptions['liveness']
  /** How long Telegram may hold an empty poll, s. */
  readonly pollS: number
  readonly backOff: { readonly firstMs: number; readonly maxMs: number }
  /** Shortens the waits that Telegram or a wrong token ask for; tests only. */
  readonly leastWaitMs?: number | undefined
}

const batchSize = 100
/** A server that does not hold its polls, and has nothing new, is asked once in this time. */
const restMs = 1000
/** What a poll may take beyond its holding time. */
const slackMs = 10_000
/** Somebody else polls with this token, or set a webhook. It shows again at each try, of which none waits longer than this. */
const conflict = 409
const conflictKeptMs = 30_000

/** The lease's name. */
export const toPollLease = (botId: string): string => `poll-telegram-${botId}`

/** Stands while somebody else takes this bot's updates. */
export const toConflictSign = (botId: string): string => `conflict-telegram-${botId}`

/** Polls whenever this process has the lease, until `signal` aborts. */
export async function poll(deps: PollDeps, me: BotIdentity, signal: AbortSignal): Promise<void> {
  const backOff = createBackOff({ ...deps.backOff, say: deps.say })
  await runUnderLease(
    { call: deps.call, name: toPollLease(deps.bot.botId), liveness: deps.liveness },
    (held) => pollWhileHeld(deps, { me, backOff }, held),
    signal,
  )
}

type Polling = { readonly me: BotIdentity; readonly backOff: BackOff }

async function pollWhileHeld(deps: PollDeps, { me, backOff }: Polling, held: AbortSignal): Promise<void> {
  // A webhook of an earlier configuration would refuse every poll. What waits at Telegram is kept.
  await deps.bot.call(done, (api, stop) => api.deleteWebhook({ drop_pending_updates: false }, stop), {
    timeoutMs: slackMs,
    signal: held,
  })
  let offset: number | undefined
  while (!held.aborted) {
    const asked = { limit: batchSize, timeout: deps.pollS, allowed_updates: [...allowedUpdates] }
    const from = offset === undefined ? asked : { ...asked, offset }
    const askedAtMs = performance.now()
    const result = toUpdates(
      await deps.bot.call(updateList, (api, stop) => api.getUpdates(from, stop), {
        timeoutMs: deps.pollS * 1000 + slackMs,
        signal: held,
      }),
      deps.count,
    )
    if (held.aborted) return
    if (result.kind !== 'ok') {
      if (result.kind === 'refused' && result.code === conflict) {
        await leaveSign(deps.call, toConflictSign(deps.bot.botId), conflictKeptMs).catch(() => {})
      }
      const { text, leastMs } = toTrouble(result)
      await backOff.wait(text, held, Math.min(leastMs, deps.leastWaitMs ?? Infinity))
      continue
    }
    const stored = await onlySynced(deps, await store(deps, result.value, me))
    const isNew = result.value.some(({ update_id: id }) => offset === undefined || id >= offset)
    // With nothing left to confirm the offset is forgotten: after a quiet week Telegram may begin to count anywhere.
    if (result.value.length === 0) offset = undefined
    else if (stored.lastId !== undefined) offset = stored.lastId + 1
    if (stored.trouble !== undefined) await backOff.wait(stored.trouble, held)
    else {
      backOff.reset()
      const leftMs = Math.min(restMs, deps.pollS * 1000) - (performance.now() - askedAtMs)
      if (!isNew && leftMs > 0) await sleep(leftMs, undefined, { signal: held }).catch(() => {})
    }
  }
}

type Update = z.infer<typeof anyUpdate>

/** What has no number cannot be confirmed: beside others it is left out, alone it is no answer of Telegram's. */
function toUpdates(result: CallResult<readonly unknown[]>, count: PollDeps['count']): CallResult<readonly Update[]> {
  if (result.kind !== 'ok') return result
  const updates = result.value.flatMap((update) => anyUpdate.safeParse(update).data ?? [])
  if (updates.length === 0 && result.value.length > 0) return { kind: 'unclear', reason: oddResponse }
  for (let i = updates.length; i < result.value.length; i++) count('malformed')
  return { kind: 'ok', value: updates }
}

type Stored = { readonly lastId: number | undefined; readonly trouble?: string }
type Item = { readonly id: number; readonly incoming: Incoming }

/**
 * Stores a batch, some chats at a time and each chat's updates in the order of ids: one by one, everybody would wait for whoever
 * floods the bot. Up to the first update that cannot be stored now none need come again; later ones may, and are known by their ids.
 */
async function store(deps: PollDeps, updates: readonly Update[], me: BotIdentity): Promise<Stored> {
  const items = updates
    .map((update): Item => ({ id: update.update_id, incoming: toEvent(update, me) }))
    .toSorted((a, b) => a.id - b.id)
  let lastId: number | undefined
  for (let rest: readonly Item[] = items; rest.length > 0;) {
    const together = takeTogether(rest)
    rest = rest.slice(together.length)
    const lanes = [...Map.groupBy(together, ({ incoming }) => toLane(incoming)).values()]
    const stopped = (await Promise.all(lanes.map((lane) => storeInOrder(deps, lane)))).flatMap((one) => one ?? [])
    const [first] = stopped.toSorted((a, b) => a.id - b.id)
    const safe = first ? together.filter(({ id }) => id < first.id) : together
    lastId = safe.at(-1)?.id ?? lastId
    if (first) return { lastId, trouble: toWaiting(first.why) }
  }
  return { lastId }
}

/** Lets nothing be confirmed that Redis may still lose: it comes again, and is known by its id. */
async function onlySynced({ ingest }: PollDeps, stored: Stored): Promise<Stored> {
  if (stored.lastId === undefined) return stored
  try {
    await ingest.synced()
    return stored
  } catch (error) {
    return { lastId: undefined, trouble: toWaiting(error) }
  }
}

/** Items from the first on, up to one that tells where a chat is now, which is taken alone: it concerns another chat too. */
function takeTogether(items: readonly Item[]): readonly Item[] {
  const alone = items.findIndex(({ incoming }) => incoming.standing !== undefined)
  return items.slice(0, alone < 0 ? undefined : Math.max(alone, 1))
}

/** Undefined when all are stored, else the first that is not. */
async function storeInOrder(
  deps: PollDeps,
  items: readonly Item[],
): Promise<{ readonly id: number; readonly why: unknown } | undefined> {
  for (const { id, incoming } of items) {
    try {
      await takeIncoming(deps, incoming)
    } catch (error) {
      return { id, why: error }
    }
  }
  return undefined
}

function toWaiting(error: unknown): string {
  const why = error instanceof BotError ? error.message : 'an unexpected error'
  return `Updates of Telegram wait, since they cannot be stored: ${why}`
}
