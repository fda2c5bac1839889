// The connections of a process to Redis, with its clock, and kernel units on them.
import type { Settings } from '#infra/config/settings.ts'
import type { Log } from '#infra/log/log.ts'
import { connectKernel, connectProducer, connectWorker, type RedisClient } from '#queues/connection.ts'
import { createRedisClock, type RedisClock } from '#queues/redis-clock.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { watchConnection } from './connection-watch.ts'

const patienceMs = 30_000
const ingestPatienceMs = 2500

export type Connections = {
  readonly redisUrl: string
  readonly redis: RedisClient
  /** Kernel units, for what has no interface of its own. */
  readonly call: CallUnit
  /** Fails fast while Redis is away, so that a platform redelivers. */
  readonly ingestCall: CallUnit
  /** For what is put into queues. */
  readonly producer: RedisClient
  /** A connection for BullMQ workers. */
  workerConnection(): RedisClient
  /** Redis' time, for whatever is stored or judges what is stored. */
  readonly clock: RedisClock
}

export type ConnectOptions = {
  readonly settings: Settings
  readonly redisUrl: string
  readonly log: Log
  /** Wraps every kernel unit: fault tests crash a process before or after one. */
  readonly wrapUnits?: (call: CallUnit) => CallUnit
}

export async function openConnections({
  settings,
  redisUrl,
  log,
  wrapUnits = (call) => call,
}: ConnectOptions): Promise<Connections> {
  const redis = connectKernel(redisUrl)
  await watchConnection(redis, settings, log)
  const clock = await createRedisClock(redis)
  const worker = connectWorker(redisUrl)
  return {
    redisUrl,
    redis,
    clock,
    producer: connectProducer(redisUrl),
    workerConnection: () => worker,
    call: wrapUnits(createUnits(redis, { patienceMs })),
    ingestCall: wrapUnits(createUnits(redis, { patienceMs: ingestPatienceMs })),
  }
}

/** Nothing is told of a connection that ends now. */
export function endClock({ redis, clock }: Connections): void {
  redis.removeAllListeners('close')
  clock.close()
}

export function disconnect({ redis, producer, workerConnection }: Connections): void {
  for (const client of [redis, producer, workerConnection()]) client.disconnect()
}
