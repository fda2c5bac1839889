// What all processes share of an app's account on a platform (Feishu): the token that they call it with, and how many calls were made in
// this month. The token is a secret with a life of two hours; whoever can read Redis can read every conversation anyway.
import { list, text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'

/** All throw BotError `store-unavailable`; all are safe to repeat, but a count made twice counts twice. */
export type AppAccount = {
  /** The token that was put last, and how long it may be used, ms; undefined when there is none. */
  find(): Promise<{ readonly token: string; readonly leftMs: number } | undefined>
  /** Whether this process is the one to get the next token; for so long nobody else is. */
  lead(owner: string, forMs: number): Promise<boolean>
  put(owner: string, token: string, forMs: number): Promise<void>
  /** Adds calls to a month such as `2026-11`; gives what it has come to. */
  count(month: string, calls: number): Promise<number>
  calls(month: string): Promise<number>
}

/** `name`: of all apps of all platforms, e.g. `app-feishu-cli_0123`. */
export function createAppAccount(call: CallUnit, name: string): AppAccount {
  const key = `fl:{${name}}`
  return {
    async find() {
      const [token, leftMs] = list(await call('app', key, ['find']))
      return text(token) === '' || Number(leftMs) <= 0 ? undefined : { token: text(token), leftMs: Number(leftMs) }
    },
    lead: async (owner, forMs) => (await call('app', key, ['lead', owner, forMs])) === 1,
    async put(owner, token, forMs) {
      await call('app', key, ['put', owner, token, forMs])
    },
    count: async (month, calls) => Number(await call('app', key, ['count', month, calls])),
    calls: async (month) => Number(await call('app', key, ['calls', month])),
  }
}

/** The month of a time in UTC, which is nearly that of Feishu's bill. */
export const toMonth = (atMs: number): string => new Date(atMs).toISOString().slice(0, 7)
