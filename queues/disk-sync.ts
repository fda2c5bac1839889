// Whether what was written is on the server's disk. With `everysec` Redis answers before that, and a machine that crashes loses about a
// second. Redis 7.2 and Valkey can be asked (WAITAOF); where that cannot be answered, only what must not be made twice waits.
// https://redis.io/docs/latest/commands/waitaof/
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { BotError } from '#shared/errors.ts'
import { connectKernel } from './connection.ts'
import { createReadyWait } from './ready-wait.ts'

/**
 * Resolves when all that Redis answered before the call is on its disk, or `waitMs` passed, or it cannot be told. Throws BotError
 * `store-unavailable` when the connection was lost meanwhile: then it may be gone, and the platform must send it again.
 */
export type DiskSync = {
  synced(): Promise<void>
  /** The same; where it cannot be told, it resolves when more time has passed than a crash may lose. */
  settled(): Promise<void>
  close(): void
}

/** `everysec` writes to disk every second: with less than that most waits would end without an answer. */
const waitMs = 1200
/** `everysec` loses about a second. */
export const unseenMs = 1500
/** Above what one wait takes, during which the connection is silent. */
const silenceMs = 5000
/** WAITAOF waits for what its own connection wrote, and so for all before it. */
const key = 'fl:{synced}'
/** A server that is about to go or to come. Any other refusal says that it cannot tell: an older one, a hosted one, a user who may not ask. */
const passing = /^(READONLY|LOADING|MASTERDOWN|UNBLOCKED|BUSY|MISCONF|OOM|TRYAGAIN|CLUSTERDOWN)/

/**
 * Asks on a connection of its own, since WAITAOF holds up whatever comes after it on the same one. It is opened by the first question.
 * Those who ask while a wait is under way share the next. The nodes of a cluster have a disk each, so that one answer says nothing:
 * there nothing is waited for.
 */
export function createDiskSync(url: string): DiskSync {
  let redis: Asking | undefined
  let tells = true
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function waitOnce(): Promise<void> {
    // The server may be a newer one when it comes back.
    redis ??= open(url, () => (tells = true))
    if (!redis) {
      tells = false
      return
    }
    await redis.waitForReady(waitMs)
    try {
      const { client } = redis
      await Promise.all([client.set(key, '1'), client.call('WAITAOF', '1', '0', String(waitMs))])
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      if (error instanceof Error && error.name === 'ReplyError' && !passing.test(text)) tells = false
      else
        throw new BotError('store-unavailable', `Redis went away before all was on its disk: ${text}`, {
          retry: { afterMs: 200 },
        })
    }
  }

  async function waitAfter(before: Promise<void>): Promise<void> {
    await before.catch(() => {})
    next = undefined
    current = waitOnce()
    await current
  }

  async function synced(): Promise<void> {
    if (!tells) return
    next ??= waitAfter(current)
    const over = new AbortController()
    const passed = sleep(waitMs, undefined, { signal: over.signal }).catch(() => {})
    await Promise.race([next, passed]).finally(() => over.abort())
  }

  return {
    synced,
    async settled() {
      const sinceMs = performance.now()
      await synced()
      if (!tells) await sleep(Math.max(0, unseenMs - (performance.now() - sinceMs)))
    },
    close: () => redis?.client.disconnect(),
  }
}

type Asking = { readonly client: Redis; waitForReady(forMs: number): Promise<void> | undefined }

/** Undefined on a cluster. */
function open(url: string, onClose: () => void): Asking | undefined {
  const client = connectKernel(url, silenceMs)
  if (!(client instanceof Redis)) {
    client.disconnect()
    return undefined
  }
  client.on('close', onClose)
  return { client, waitForReady: createReadyWait(client) }
}
