// Says once when Redis goes away and once when it is back, so that an outage is two lines in the log.
import type { Log } from '#infra/log/log.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Settings } from '#infra/config/settings.ts'
import { explainTrouble, listenForTrouble } from '#infra/redis/redis-trouble.ts'
import { describeRedis } from './describe-redis.ts'

const firstPatienceMs = 2000

/** Resolves when Redis answers for the first time; until then it says what it waits for. */
export async function watchConnection(
  redis: RedisClient,
  settings: Pick<Settings, 'redisUrl' | 'dataFolder'>,
  log: Log,
): Promise<void> {
  const trouble = listenForTrouble(redis)
  const explain = (): string => {
    if (settings.redisUrl === undefined) return ' It runs as long as "npm start" does for that folder.'
    const { reason, fix } = explainTrouble(trouble.last()) ?? {}
    return reason === undefined ? ' Check that it runs and that REDIS_URL is right.' : ` Reason: ${reason}. ${fix}`
  }
  let away = false
  const say = (): void => {
    if (!away)
      log.error(
        `Redis does not answer (${describeRedis(settings)}). Trying again until it does; nothing accepted so far is lost.${explain()}`,
      )
    away = true
  }
  redis.on('close', say)
  redis.on('ready', () => {
    if (away) log.info('Redis answers again.')
    away = false
  })
  if (redis.status === 'ready') return
  const timer = setTimeout(say, firstPatienceMs)
  await new Promise<void>((resolve) => redis.once('ready', () => resolve()))
  clearTimeout(timer)
}
