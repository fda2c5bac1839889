// Counts the calls of this month, for all processes together: a tenant without a plan has ten thousand, and is then refused everything. What a
// process has not yet added when it is killed is not counted.
import { toMonth, type AppAccount } from '#queues/fleet/app-account.ts'

export type CallCount = { note(): void; flush(): Promise<void> }

export type CallCountDeps = {
  readonly account: Pick<AppAccount, 'count'>
  /** 0 when there is no limit. */
  readonly monthlyCalls: number
  /** ms since 1970 */
  readonly now: () => number
  readonly say: (text: string) => void
}

const flushEveryMs = 5000
/** From here on it is said, once a day. */
const warnFrom = 0.8
const dayMs = 86_400_000

export function createCallCount({ account, monthlyCalls, now, say }: CallCountDeps): CallCount {
  let unsaved = 0
  let timer: NodeJS.Timeout | undefined
  let saidAtMs = -Infinity
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const calls = unsaved
    if (calls === 0) return
    unsaved = 0
    try {
      const sum = await account.count(toMonth(now()), calls)
      if (!isNearlyUsedUp(sum, monthlyCalls) || performance.now() - saidAtMs < dayMs) return
      saidAtMs = performance.now()
      say(toWarning(sum, monthlyCalls))
    } catch {
      unsaved += calls
    }
  }
  return {
    note() {
      unsaved += 1
      timer ??= setTimeout(() => {
        // The next ones are counted with these.
        flush().catch(() => {})
      }, flushEveryMs).unref()
    },
    flush,
  }
}

/** Whether so few calls are left that people must know. */
export const isNearlyUsedUp = (calls: number, monthlyCalls: number): boolean =>
  monthlyCalls > 0 && calls >= monthlyCalls * warnFrom

/** Where there is a limit. */
export function describeCalls(calls: number, monthlyCalls: number): { readonly found: string; readonly fix: string } {
  const part = Math.round((calls / monthlyCalls) * 100)
  return {
    found: `${calls} of ${monthlyCalls} calls of Feishu are used this month (${part} %).`,
    fix: 'When they are used up, Feishu takes no more until the next month: in FEISHU_CALLS set fewer changes of an answer, or the calls that your plan has.',
  }
}

function toWarning(calls: number, monthlyCalls: number): string {
  const { found, fix } = describeCalls(calls, monthlyCalls)
  return `${found} ${fix}`
}
