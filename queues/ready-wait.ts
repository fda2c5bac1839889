// Waiting for a connection that went away, once for everybody who waits.
import { setTimeout as sleep } from 'node:timers/promises'

/** Where known: `ready` when commands can be sent, and an event of that name when they can again. */
export type Connection = { readonly status?: string; once?(event: 'ready', listener: () => void): unknown }

/**
 * While the connection is down, all calls wait for it together: thousands that each try again every second would fill the memory
 * with errors (600 open turns: 200 MB in half a minute). Undefined when it is up, or will never be again.
 */
export function createReadyWait(redis: Connection): (forMs: number) => Promise<void> | undefined {
  let ready: Promise<void> | undefined
  const listen = (): Promise<void> =>
    new Promise((resolve) => {
      redis.once?.('ready', () => {
        ready = undefined
        resolve()
      })
    })
  return (forMs) => {
    if (!redis.once || redis.status === undefined || redis.status === 'ready' || redis.status === 'end')
      return undefined
    ready ??= listen()
    const over = new AbortController()
    return Promise.race([ready, sleep(forMs, undefined, { signal: over.signal }).catch(() => {})]).finally(() =>
      over.abort(),
    )
  }
}
