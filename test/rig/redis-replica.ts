// A replica of a private Redis, and the planned failover to it after which the old primary lives on as its replica.
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis, type PrivateRedis } from './redis.ts'

export type Replica = AsyncDisposable & {
  readonly redis: PrivateRedis
  /** The two change places; what the old primary had accepted is on the new one. Connections to the old one stand and refuse writes. */
  failOver(): Promise<void>
}

/** Resolves once it has everything the primary has. */
export async function startReplica(primary: PrivateRedis): Promise<Replica> {
  const redis = await startRedis({ aof: true })
  // Else it waits five seconds for further replicas.
  for (const one of [primary, redis]) await one.cli('CONFIG', 'SET', 'repl-diskless-sync-delay', 0)
  await redis.cli('REPLICAOF', '127.0.0.1', primary.port)
  await untilInfo(redis, 'master_link_status:up')
  // The primary learns a moment later that its replica is ready to take over.
  await untilInfo(primary, 'state=online')
  return {
    redis,
    async failOver() {
      await primary.cli('FAILOVER', 'TO', '127.0.0.1', redis.port, 'TIMEOUT', 10_000)
      await untilInfo(redis, 'role:master')
      await untilInfo(primary, 'master_link_status:up')
    },
    [Symbol.asyncDispose]: () => redis.stop(),
  }
}

async function untilInfo(redis: PrivateRedis, line: string): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(20)) {
    if (String(await redis.cli('INFO', 'replication')).includes(line)) return
  }
  throw new Error(`Redis on port ${redis.port} never said ${line}.`)
}
