// A kernel under test with a clock that stands until it is moved, so that a busy machine changes no result. On Redis that is done by
// replacing the one place where the units read the time and by shortening every TTL by as much, so that hours pass at once and real
// units still run.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { connectKernel, type RedisClient } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { toProcess } from '#queues/fleet/process-key.ts'
import { createUnits, type CallUnit, type ScriptClient } from '#queues/units.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'

export type KernelBench = {
  readonly kernel: Kernel
  /** Moves the clock of leases, deadlines and retries. */
  readonly advance: (ms: number) => Promise<void>
  /** Unix time by that clock. */
  readonly nowMs: () => number
  /** Processes that are gone. */
  readonly gone: Set<string>
  readonly close: () => Promise<void>
}

/** `call`: units by that clock. */
export type RedisBench = KernelBench & { readonly redis: RedisClient; readonly call: CallUnit }

/** `startsAtMs` is Unix time. */
export async function openRedisBench(url: string, startsAtMs = Date.now()): Promise<RedisBench> {
  const gone = new Set<string>()
  const redis = connectKernel(url)
  if (redis.status !== 'ready') await once(redis, 'ready')
  let nowMs = startsAtMs
  const units = createUnits(
    travelling(redis, () => nowMs),
    { patienceMs: 10_000 },
  )
  return {
    redis,
    call: units,
    kernel: createRedisKernel(redis, units, async (owner) => ({ kind: isAmong(gone)(owner) ? 'gone' : 'lives' })),
    gone,
    nowMs: () => nowMs,
    async advance(ms) {
      nowMs += ms
      const nodes = redis instanceof Redis ? [redis] : redis.nodes('master')
      for (const node of nodes) await shortenTtls(node, ms)
    },
    close: async () => redis.disconnect(),
  }
}

const isAmong =
  (gone: ReadonlySet<string>) =>
  (owner: string): boolean =>
    gone.has(toProcess(owner) ?? '')

export function openMemoryBench(startsAtMs = Date.now()): KernelBench {
  const gone = new Set<string>()
  let nowMs = startsAtMs
  return {
    kernel: createMemoryKernel(() => nowMs, isAmong(gone)),
    gone,
    nowMs: () => nowMs,
    advance: async (ms) => void (nowMs += ms),
    close: async () => {},
  }
}

const clockLine = 'return t[1] * 1000 + math.floor(t[2] / 1000)'

function travelling(redis: RedisClient, now: () => number): ScriptClient {
  const loaded = new Map<string, string>()
  const slot = (sha: string): string => `${sha}@${now()}`
  return {
    async evalsha(sha, keys, ...args) {
      const moved = loaded.get(slot(sha))
      if (!moved) throw new Error('NOSCRIPT not loaded at this time')
      return redis.evalsha(moved, keys, ...args)
    },
    async eval(script, keys, ...args) {
      if (script.includes("'TIME'") && !script.includes(clockLine))
        throw new Error('The units read the time elsewhere now: adapt kernel-bench.ts.')
      const moved = script.replace(clockLine, `return ${now()}`)
      loaded.set(slot(sha1(script)), sha1(moved))
      return redis.eval(moved, keys, ...args)
    },
  }
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')

async function shortenTtls(node: Redis, ms: number): Promise<void> {
  const keys = await node.keys('*')
  const left = await Promise.all(keys.map((key) => node.pttl(key)))
  await Promise.all(
    keys.map(async (key, i) => {
      const ttlMs = left[i] ?? -1
      if (ttlMs > ms) await node.pexpire(key, ttlMs - ms)
      else if (ttlMs >= 0) await node.del(key)
    }),
  )
}
