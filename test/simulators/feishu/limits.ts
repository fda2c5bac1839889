// How often the bot may call: each method 50 times a second and 1000 a minute (99991400), each chat five messages a second (230020),
// each card and message five changes a second (230020), each card entity ten (99991400), and on free plans so many calls a month
// (99991403). It counts and throws; what calls there are is not its matter.
// https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/platform-overveiw/frequency-control
import { z } from 'zod'
import { rateLimited, refusals } from './api-error.ts'
import type { StoredMessage, World } from './world.ts'

export const feishuLimits = z.union([
  z.literal('off'),
  z.strictObject({
    messagesPerChatPerSecond: z.number().positive().default(5),
    changesPerMessagePerSecond: z.number().positive().default(5),
    changesPerCardPerSecond: z.number().positive().default(10),
    callsPerMethodPerSecond: z.number().positive().default(50),
    callsPerMethodPerMinute: z.number().positive().default(1000),
  }),
])
export type FeishuLimits = z.input<typeof feishuLimits>

export type Limits = {
  /** Throws 99991400 for a method that is called too often, and 99991403 when the month's calls are used up. */
  countCall(route: string, isFree: boolean): void
  countMessage(chat: string): void
  countPatch(message: string): void
  countCardChange(card: string): void
  set(limits: FeishuLimits): void
  /** Calls of this month that counted. */
  usedThisMonth(): number
  /** Messages by the `uuid` that they were sent with. */
  readonly sent: Map<string, { readonly message: StoredMessage; readonly at: number }>
}

export function createLimits(given: FeishuLimits, world: World): Limits {
  let limits = feishuLimits.parse(given)
  const log = new Map<string, number[]>()
  let month = ''
  let used = 0
  /** ms until another one fits; 0 when it does, and then it is counted. */
  const waitFor = (key: string, ...windows: readonly (readonly [count: number, windowMs: number])[]): number => {
    const now = world.clock.now()
    const longestMs = Math.max(...windows.map(([, windowMs]) => windowMs))
    const kept = (log.get(key) ?? []).filter((at) => at > now - longestMs)
    const waits = windows.map(([count, windowMs]) => {
      const recent = kept.filter((at) => at > now - windowMs)
      const first = recent.at(-count)
      return recent.length < count || first === undefined ? 0 : first + windowMs - now
    })
    const waitMs = Math.max(...waits)
    if (waitMs === 0) log.set(key, [...kept, now])
    return waitMs
  }
  return {
    sent: new Map(),
    countCall: (route, isFree) => {
      if (!isFree) countMonth()
      if (limits === 'off') return
      const waitMs = waitFor(
        `call ${route}`,
        [limits.callsPerMethodPerSecond, 1000],
        [limits.callsPerMethodPerMinute, 60_000],
      )
      if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000))
    },
    countMessage: (chat) => {
      if (limits !== 'off' && waitFor(`chat ${chat}`, [limits.messagesPerChatPerSecond, 1000]) > 0)
        throw refusals.tooOften()
    },
    countPatch: (message) => {
      if (limits === 'off') return
      if (waitFor(`message ${message}`, [limits.changesPerMessagePerSecond, 1000]) > 0) throw refusals.tooOften()
    },
    countCardChange: (card) => {
      if (limits === 'off') return
      const waitMs = waitFor(`card ${card}`, [limits.changesPerCardPerSecond, 1000])
      if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1000))
    },
    set: (next) => {
      limits = feishuLimits.parse(next)
      log.clear()
    },
    usedThisMonth: () => used,
  }

  function countMonth(): void {
    const now = new Date(world.clock.now()).toISOString().slice(0, 7)
    if (now !== month) used = 0
    month = now
    const { quotaPerMonth } = world.app
    if (quotaPerMonth !== undefined && used >= quotaPerMonth) throw refusals.quotaUsedUp()
    used += 1
  }
}
