// Discord's rate limits: a bucket per route and channel, told by headers on every answer, and one limit for the whole bot that
// interaction answers do not count towards. A bucket's window begins with its first request. It decides only; `api.ts` answers.
// https://discord.com/developers/docs/topics/rate-limits
import { createHash } from 'node:crypto'
import { z } from 'zod'

const quota = z.strictObject({ count: z.number().int().positive(), windowMs: z.number().positive() })
export type Quota = z.infer<typeof quota>

/** What a test changes of the limits; a route's quota by the route's name. `off` lets everything pass. */
export const discordLimits = z.union([
  z.literal('off'),
  z.strictObject({
    routes: z.record(z.string(), quota).optional(),
    global: quota.optional(),
    /** Invalid requests per 10 minutes before Discord bans the address. */
    invalidRequests: z.number().int().positive().optional(),
  }),
])
export type DiscordLimits = z.infer<typeof discordLimits>

/** Usual values; Discord documents that they must be read from the headers. */
const usual: Readonly<Record<string, Quota>> = {
  createMessage: { count: 5, windowMs: 5000 },
  editMessage: { count: 5, windowMs: 5000 },
  deleteMessage: { count: 5, windowMs: 1000 },
  triggerTyping: { count: 5, windowMs: 5000 },
  addReaction: { count: 1, windowMs: 250 },
  removeReaction: { count: 1, windowMs: 250 },
  createFollowUp: { count: 5, windowMs: 2000 },
  editAnswer: { count: 5, windowMs: 2000 },
}
const other: Quota = { count: 50, windowMs: 1000 }
const everyone: Quota = { count: 50, windowMs: 1000 }
/** Requests that left before the telling answer can have arrived are not held against the bot. */
const graceMs = 50
const banWindowMs = 600_000
const defaultInvalidRequests = 10_000

export type Limited = { readonly route: string; readonly major: string; readonly countsGlobally: boolean }

export type Scope = 'user' | 'global' | 'shared'
export type TooMany = {
  readonly kind: 'wait'
  readonly waitMs: number
  readonly scope: Scope
  readonly isDuringWait: boolean
  /** What the bucket takes in a window. */
  readonly count: number
}
export type Admission =
  | { readonly kind: 'pass'; readonly headers: Readonly<Record<string, string>> }
  | TooMany
  | { readonly kind: 'banned' }

export type Limits = {
  set(limits: DiscordLimits): void
  /** Counts the request, or tells how long it must wait. */
  admit(request: Limited): Admission
  /** Closes the request's bucket, or everything when the scope is global. */
  close(request: Limited, retryAfterMs: number, scope: Scope): TooMany
  noteInvalid(): void
}

type Bucket = {
  used: number
  resetAt: number
  closedUntil: number
  closedScope: Scope
  /** When an answer first told the bot to wait. */
  announcedAt: number | undefined
}

export function createLimits(limits: DiscordLimits): Limits {
  let current = limits
  const buckets = new Map<string, Bucket>()
  let invalid: number[] = []
  const bucketOf = (key: string): Bucket => {
    const fresh: Bucket = { used: 0, resetAt: 0, closedUntil: 0, closedScope: 'user', announcedAt: undefined }
    const found = buckets.get(key) ?? fresh
    buckets.set(key, found)
    return found
  }
  const keyOf = ({ route, major }: Limited) => `${route} ${major}`
  const quotaOf = (route: string): Quota =>
    (current === 'off' ? undefined : current.routes?.[route]) ?? usual[route] ?? other
  const renew = (bucket: Bucket, { windowMs }: Quota, now: number) => {
    if (bucket.resetAt > now) return
    bucket.used = 0
    bucket.resetAt = now + windowMs
    if (bucket.closedUntil <= now) bucket.announcedAt = undefined
  }
  const wait = (bucket: Bucket, waitMs: number, { scope, route }: { scope: Scope; route: string }): TooMany => {
    const now = Date.now()
    const isDuringWait = bucket.announcedAt !== undefined && now - bucket.announcedAt > graceMs
    bucket.announcedAt ??= now
    return { kind: 'wait', waitMs, scope, isDuringWait, count: quotaOf(route).count }
  }
  const global = () => bucketOf('global')
  return {
    set: (next) => {
      current = discordLimits.parse(next)
      buckets.clear()
    },
    noteInvalid: () => {
      const now = Date.now()
      invalid = [...invalid.filter((at) => at > now - banWindowMs), now]
    },
    close: (request, retryAfterMs, scope) => {
      const bucket = scope === 'global' ? global() : bucketOf(keyOf(request))
      bucket.closedUntil = Date.now() + retryAfterMs
      bucket.closedScope = scope
      return wait(bucket, retryAfterMs, { scope, route: request.route })
    },
    admit: (request) => {
      const { route } = request
      const now = Date.now()
      const most = (current === 'off' ? undefined : current.invalidRequests) ?? defaultInvalidRequests
      if (invalid.filter((at) => at > now - banWindowMs).length >= most) return { kind: 'banned' }
      const bucket = bucketOf(keyOf(request))
      for (const one of [bucket, global()]) {
        if (one.closedUntil > now) return wait(one, one.closedUntil - now, { scope: one.closedScope, route })
        if (one.closedUntil > 0) Object.assign(one, { closedUntil: 0, announcedAt: undefined })
      }
      if (current === 'off') return { kind: 'pass', headers: {} }
      const quotaNow = quotaOf(route)
      renew(bucket, quotaNow, now)
      if (bucket.used >= quotaNow.count) return wait(bucket, bucket.resetAt - now, { scope: 'user', route })
      if (request.countsGlobally) {
        const all = global()
        const allowed = current.global ?? everyone
        renew(all, allowed, now)
        if (all.used >= allowed.count) return wait(all, all.resetAt - now, { scope: 'global', route })
        all.used += 1
      }
      bucket.used += 1
      if (bucket.used >= quotaNow.count) bucket.announcedAt = now
      return { kind: 'pass', headers: toHeaders(route, bucket, quotaNow) }
    },
  }
}

function toHeaders(route: string, { used, resetAt }: Bucket, { count }: Quota): Record<string, string> {
  return {
    'x-ratelimit-limit': String(count),
    'x-ratelimit-remaining': String(Math.max(count - used, 0)),
    'x-ratelimit-reset': (resetAt / 1000).toFixed(3),
    'x-ratelimit-reset-after': (Math.max(resetAt - Date.now(), 0) / 1000).toFixed(3),
    'x-ratelimit-bucket': createHash('md5').update(route).digest('hex'),
  }
}

/** The headers and body of a 429; `retry-after` counts whole seconds. */
export function toTooMany(
  { waitMs, scope, count }: TooMany,
  route: string,
): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
} {
  const seconds = waitMs / 1000
  return {
    headers: {
      'retry-after': String(Math.ceil(seconds)),
      'x-ratelimit-scope': scope,
      'x-ratelimit-reset': ((Date.now() + waitMs) / 1000).toFixed(3),
      'x-ratelimit-reset-after': seconds.toFixed(3),
      ...(scope === 'global'
        ? { 'x-ratelimit-global': 'true' }
        : {
            'x-ratelimit-limit': String(count),
            'x-ratelimit-remaining': '0',
            'x-ratelimit-bucket': createHash('md5').update(route).digest('hex'),
          }),
    },
    body: {
      message: 'You are being rate limited.',
      retry_after: Number(seconds.toFixed(3)),
      global: scope === 'global',
      ...(scope === 'shared' ? { code: 20_028 } : {}),
    },
  }
}
