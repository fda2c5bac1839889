// The bot's queue of updates. Long polling: an offset deletes everything below it, one poll is held at a time, a newer poll
// ends the older with 409. Also makes what networks do: duplicates, replays, held-back and reordered updates.
//
// An update goes pushed → (held) → pending → confirmed by an offset, or delivered by the webhook. A replayed one is handed out
// once more, whatever the offset.
import { ApiError, badRequest } from './api-error.ts'
import type { TgUpdate } from './types.ts'

const maxBatch = 100
const quietKinds: ReadonlySet<string> = new Set([
  'chat_member',
  'message_reaction',
  'message_reaction_count',
  'stopped_message_generation',
])

export type PendingUpdate = { readonly update: TgUpdate; readonly isReplay: boolean }

export type PollRequest = {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly allowed_updates?: readonly string[] | undefined
}

export type UpdateQueue = {
  readonly pending: readonly PendingUpdate[]
  /** Every update that ever was, for replays. */
  readonly history: readonly TgUpdate[]
  readonly allowed: readonly string[]
  /** Queues an update of this kind under the next id; undefined when the bot did not ask for this kind. */
  push(kind: string, payload: unknown): TgUpdate | undefined
  /** Queues an update just as it is. */
  inject(update: TgUpdate): void
  /** Hands out an earlier update once more. */
  replay(updateId: number): void
  /** Keeps what comes from now on until `release`. */
  hold(): void
  release(order: 'as-sent' | 'reversed'): void
  /** Answers a getUpdates; `gone` aborts when the client leaves. */
  poll(request: PollRequest, gone: AbortSignal): Promise<readonly TgUpdate[]>
  /** An empty list means Telegram's default, undefined leaves it as it was. */
  allow(kinds: readonly string[] | undefined): void
  confirm(pending: PendingUpdate): void
  dropPending(): void
  /** While set, updates go to the listener and polls are refused. */
  setListener(listener: (() => void) | undefined): void
}

type HeldPoll = { answer(): void; refuse(error: ApiError): void }

export function createUpdateQueue(firstId: number): UpdateQueue {
  const pending: PendingUpdate[] = []
  const history: TgUpdate[] = []
  let heldBack: PendingUpdate[] | undefined
  let allowed: readonly string[] = []
  let nextId = firstId
  let held: HeldPoll | undefined
  let listener: (() => void) | undefined

  const announce = () => {
    if (listener !== undefined) listener()
    else if (pending.length > 0) held?.answer()
  }
  const enqueue = (one: PendingUpdate) => {
    if (heldBack !== undefined) {
      heldBack.push(one)
      return
    }
    pending.push(one)
    announce()
  }
  const dropWhere = (matches: (one: PendingUpdate) => boolean) => {
    for (let at = pending.length - 1; at >= 0; at -= 1) {
      const one = pending[at]
      if (one !== undefined && matches(one)) pending.splice(at, 1)
    }
  }
  const take = (limit: number): TgUpdate[] => {
    const batch = pending.slice(0, limit)
    dropWhere((one) => one.isReplay && batch.includes(one))
    return batch.map((one) => one.update)
  }
  const inject = (update: TgUpdate) => {
    nextId = Math.max(nextId, update.update_id + 1)
    history.push(update)
    enqueue({ update, isReplay: false })
  }

  return {
    pending,
    history,
    get allowed() {
      return allowed
    },
    push: (kind, payload) => {
      if (allowed.length === 0 ? quietKinds.has(kind) : !allowed.includes(kind)) return undefined
      const update = { update_id: nextId, [kind]: payload }
      inject(update)
      return update
    },
    inject,
    replay: (updateId) => {
      const update = history.find((one) => one.update_id === updateId)
      if (update === undefined) throw new Error(`There was no update ${updateId} to replay`)
      enqueue({ update, isReplay: true })
    },
    hold: () => {
      heldBack ??= []
    },
    release: (order) => {
      const kept = heldBack ?? []
      heldBack = undefined
      pending.push(...(order === 'reversed' ? kept.toReversed() : kept))
      announce()
    },
    poll: (request, gone) => {
      held?.refuse(conflict('terminated by other getUpdates request; make sure that only one bot instance is running'))
      if (listener !== undefined) {
        const why = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
        throw conflict(why)
      }
      const { offset = 0, timeout = 0 } = request
      const limit = Math.min(Math.max(request.limit ?? maxBatch, 1), maxBatch)
      allowed = request.allowed_updates ?? allowed
      const from = offset < 0 ? (pending.at(offset)?.update.update_id ?? 0) : offset
      dropWhere((one) => !one.isReplay && one.update.update_id < from)
      if (pending.length > 0 || timeout <= 0 || gone.aborted) return Promise.resolve(take(limit))
      return new Promise((resolve, reject) => {
        const finish = (end: () => void) => {
          clearTimeout(timer)
          gone.removeEventListener('abort', leave)
          if (held === poll) held = undefined
          end()
        }
        const poll: HeldPoll = {
          answer: () => finish(() => resolve(take(limit))),
          refuse: (error) => finish(() => reject(error)),
        }
        const leave = () => finish(() => resolve([]))
        const timer = setTimeout(leave, timeout * 1000)
        gone.addEventListener('abort', leave)
        held = poll
      })
    },
    allow: (kinds) => {
      allowed = kinds ?? allowed
    },
    confirm: (one) => dropWhere((other) => other === one),
    dropPending: () => {
      pending.length = 0
    },
    setListener: (next) => {
      if (next !== undefined) held?.refuse(conflict('terminated by setWebhook request'))
      listener = next
      announce()
    },
  }
}

function conflict(why: string): ApiError {
  return new ApiError(409, `Conflict: ${why}`)
}

/** Refuses a secret that setWebhook refuses. */
export function checkWebhook(url: string, secret: string | undefined): void {
  const target = URL.parse(url)
  if (target === null) throw badRequest('bad webhook: Failed to resolve host')
  // Real Telegram takes HTTPS only; a simulator on this machine pushes to this machine.
  const isLocal = ['127.0.0.1', 'localhost'].includes(target.hostname)
  if (target.protocol !== 'https:' && !isLocal) {
    throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
  }
  if (secret !== undefined && !/^[A-Za-z0-9_-]{1,256}$/.test(secret)) {
    throw badRequest('secret token contains unallowed characters')
  }
}
