// The token that every call carries: one for all processes, got anew by one of them before it ends. Without Redis each process gets its
// own: Feishu gives them all the same one. https://open.feishu.cn/document/server-docs/authentication-management/access-token/tenant_access_token_internal
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AppAccount } from '#queues/fleet/app-account.ts'
import { maxContentLength, toFailed, toResult, type CallResult } from './answers.ts'
import { defaultHttpInstance } from './sdk.ts'

export type AppSettings = {
  readonly appId: string
  readonly appSecret: string
  /** Without a path, e.g. `https://open.feishu.cn`. */
  readonly domain: string
}

/** A failure is never `unclear`: without a token nothing was asked for. */
export type AppToken = {
  find(signal: AbortSignal): Promise<CallResult<string>>
  /** Another one than this, which Feishu no longer takes. `not-sent` when Feishu gives the same one. */
  renew(refused: string, signal: AbortSignal): Promise<CallResult<string>>
}

export type AppTokenDeps = {
  readonly account: Pick<AppAccount, 'find' | 'lead' | 'put'>
  /** One more call was made. */
  readonly count: () => void
}

const shape = z.object({ tenant_access_token: z.string().min(1), expire: z.number().positive() })
/** Feishu makes a new one when less than half an hour of the old one is left; both are good until then. */
const renewBeforeMs = 600_000
/** What is nearly over may end on its way. */
const leastLeftMs = 30_000
/** So often each process tries, while the old one is used. */
const aheadEveryMs = 60_000
const leadMs = 5000
const lookEveryMs = 100
/** A token that Feishu refuses and gives again is not asked about for so long. */
const hopelessForMs = 5000

/** Nothing was asked for under it. */
export const refusesItsOwn = { kind: 'not-sent', reason: 'Feishu refuses the token that it gave' } as const

type Known = { readonly token: string; readonly untilMs: number }
const leftMs = (one: Known | undefined): number => (one ? one.untilMs - performance.now() : 0)

export function createAppToken(settings: AppSettings, deps: AppTokenDeps): AppToken {
  const shared = createSharedToken(settings, deps)
  let known: Known | undefined
  let finding: Promise<CallResult<string>> | undefined
  let aheadAgainMs = -Infinity
  let hopeless: Known | undefined

  function take(got: CallResult<Known>): CallResult<string> {
    if (got.kind !== 'ok') return got
    known = got.value
    if (leftMs(known) <= renewBeforeMs) renewAhead().catch(() => {})
    return { kind: 'ok', value: known.token }
  }

  /** Gets the next one while this one is used: nobody waits for it, and whatever becomes of it, this one is good. */
  async function renewAhead(): Promise<void> {
    if (performance.now() < aheadAgainMs) return
    aheadAgainMs = performance.now() + aheadEveryMs
    const found = await shared.look('')
    if (found && leftMs(found) > renewBeforeMs) known = found
    else if (await shared.lead()) take(await shared.obtain(AbortSignal.timeout(leadMs)))
  }

  /** Asked for by many at once, it is got once. */
  async function getOnce(refused: string, signal: AbortSignal): Promise<CallResult<string>> {
    finding ??= shared
      .get(refused, AbortSignal.timeout(leadMs))
      .then(take)
      .finally(() => (finding = undefined))
    const late = Promise.withResolvers<CallResult<string>>()
    const stop = (): void => late.resolve({ kind: 'not-sent', reason: 'no token in time' })
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    return await Promise.race([finding, late.promise]).finally(() => signal.removeEventListener('abort', stop))
  }

  return {
    find: async (signal) =>
      known && leftMs(known) > leastLeftMs ? take({ kind: 'ok', value: known }) : await getOnce('', signal),
    async renew(refused, signal) {
      if (hopeless?.token === refused && leftMs(hopeless) > 0) return refusesItsOwn
      if (known && known.token !== refused) return { kind: 'ok', value: known.token }
      known = undefined
      const next = await getOnce(refused, signal)
      if (next.kind !== 'ok' || next.value !== refused) return next
      hopeless = { token: refused, untilMs: performance.now() + hopelessForMs }
      return refusesItsOwn
    },
  }
}

type SharedToken = {
  /** The one that is there, unless it is the refused one or nearly over. */
  look(refused: string): Promise<Known | undefined>
  /** Whether this process is the one that gets the next. Without Redis each is. */
  lead(): Promise<boolean>
  obtain(signal: AbortSignal): Promise<CallResult<Known>>
  /** Waits for it where another process gets it. */
  get(refused: string, signal: AbortSignal): Promise<CallResult<Known>>
}

/** The one for all processes. */
function createSharedToken(settings: AppSettings, { account, count }: AppTokenDeps): SharedToken {
  const owner = randomUUID()
  const shared: SharedToken = {
    async look(refused) {
      const found = await account.find().catch(() => undefined)
      if (!found || found.token === refused || found.leftMs < leastLeftMs) return undefined
      return { token: found.token, untilMs: performance.now() + found.leftMs }
    },
    lead: async () => await account.lead(owner, leadMs).catch(() => true),
    async obtain(signal) {
      const made = await make(settings, count, signal)
      if (made.kind !== 'ok')
        return made.kind === 'unclear' ? { kind: 'not-sent', reason: `no token: ${made.reason}` } : made
      const { tenant_access_token: token, expire } = made.value
      await account.put(owner, token, expire * 1000).catch(() => {})
      return { kind: 'ok', value: { token, untilMs: performance.now() + expire * 1000 } }
    },
    async get(refused, signal) {
      for (;;) {
        const found = await shared.look(refused)
        if (found) return { kind: 'ok', value: found }
        if (await shared.lead()) {
          // The leader before may have put it there meanwhile.
          const put = await shared.look(refused)
          return put ? { kind: 'ok', value: put } : await shared.obtain(signal)
        }
        // Somebody is getting it.
        if (signal.aborted) return { kind: 'not-sent', reason: 'no token in time' }
        await sleep(lookEveryMs, undefined, { signal }).catch(() => {})
      }
    },
  }
  return shared
}

async function make(
  { appId, appSecret, domain }: AppSettings,
  count: () => void,
  signal: AbortSignal,
): Promise<CallResult<z.infer<typeof shape>>> {
  count()
  try {
    const url = `${domain}/open-apis/auth/v3/tenant_access_token/internal`
    const how = {
      signal,
      maxRedirects: 0,
      maxContentLength,
      validateStatus: (status: number) => status < 500,
      $return_headers: true,
    }
    const answer: unknown = await defaultHttpInstance.request({
      ...how,
      method: 'POST',
      url,
      data: { app_id: appId, app_secret: appSecret },
    })
    return toResult({ shape, isFlat: true }, answer)
  } catch (error) {
    return toFailed(error, signal.aborted)
  }
}
