// Pushes updates to the bot's webhook: with the secret header, again with the same update id until a 2xx comes.
import { STATUS_CODES } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkWebhook, type PendingUpdate, type UpdateQueue } from './updates.ts'

const maxRetryMs = 5_000

export type WebhookSettings = {
  readonly url: string
  readonly secret_token?: string | undefined
  readonly max_connections?: number | undefined
  readonly allowed_updates?: readonly string[] | undefined
  readonly drop_pending_updates?: boolean | undefined
}

/** One push and what came back; status 0 when there was no answer. */
export type WebhookPush = { readonly updateId: number; readonly at: number; readonly status: number }

export type Webhook = {
  set(settings: WebhookSettings): void
  /** Also ends running pushes. */
  remove(dropPending: boolean): void
  info(): object
}

export type WebhookDeps = {
  readonly queue: UpdateQueue
  /** First wait before a retry; doubles up to 5 s. */
  readonly retryMs: number
  /** How long a push may take. */
  readonly timeoutMs: number
  onPush(push: WebhookPush): void
}

export function createWebhook(deps: WebhookDeps): Webhook {
  const { queue } = deps
  let settings: WebhookSettings | undefined
  let life = new AbortController()
  let lastError: { readonly at: number; readonly message: string } | undefined
  const running = new Set<PendingUpdate>()

  const pump = () => {
    const { signal } = life
    if (settings === undefined || signal.aborted) return
    const limit = settings.max_connections ?? 40
    for (const one of queue.pending) {
      if (running.size >= limit) return
      if (running.has(one)) continue
      running.add(one)
      void deliver(one, settings, signal).finally(() => {
        running.delete(one)
        pump()
      })
    }
  }
  const deliver = async (one: PendingUpdate, to: WebhookSettings, signal: AbortSignal) => {
    for (let waitMs = deps.retryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      const status = await push(one, to, signal)
      if (signal.aborted) return
      deps.onPush({ updateId: one.update.update_id, at: Date.now(), status })
      if (status >= 200 && status < 300) {
        queue.confirm(one)
        return
      }
      const words = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
      const message = status === 0 ? 'Connection failed' : `Wrong response from the webhook: ${words}`
      lastError = { at: Math.floor(Date.now() / 1000), message }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const push = async (one: PendingUpdate, to: WebhookSettings, signal: AbortSignal): Promise<number> => {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (to.secret_token !== undefined) headers['x-telegram-bot-api-secret-token'] = to.secret_token
    try {
      const body = JSON.stringify(one.update)
      const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.timeoutMs)])
      const reply = await fetch(to.url, { method: 'POST', headers, body, signal: limit })
      await reply.arrayBuffer()
      return reply.status
    } catch {
      return 0
    }
  }

  const remove = (dropPending: boolean) => {
    life.abort()
    settings = undefined
    running.clear()
    if (dropPending) queue.dropPending()
    queue.setListener(undefined)
  }
  return {
    set: (next) => {
      checkWebhook(next.url, next.secret_token)
      remove(next.drop_pending_updates === true)
      settings = next
      life = new AbortController()
      queue.allow(next.allowed_updates)
      queue.setListener(pump)
    },
    remove,
    info: () => ({
      url: settings?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: queue.pending.length,
      max_connections: settings?.max_connections ?? 40,
      allowed_updates: queue.allowed.length > 0 ? queue.allowed : undefined,
      last_error_date: lastError?.at,
      last_error_message: lastError?.message,
    }),
  }
}
