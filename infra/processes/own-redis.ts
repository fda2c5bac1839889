// The Redis of a folder's whole fleet: an embedded one, or the one that is configured. The folder is locked meanwhile.
import type { Settings } from '#infra/config/settings.ts'
import type { Log } from '#infra/log/log.ts'
import { openRedis } from '#infra/redis/embedded-redis.ts'
import { lockFolder } from '#infra/redis/fleet-file.ts'
import { readProcesses } from '#queues/fleet/process-key.ts'
import type { Start } from './lifecycle.ts'
import type { Runtime } from './runtime.ts'

type Deps = Pick<Start, 'signal' | 'defer'> & { readonly settings: Settings; readonly log: Log }

/** Its URL, which other processes of the folder find from now on. */
export async function openOwnRedis({ settings, log, signal, defer }: Deps): Promise<string> {
  const lock = lockFolder(settings)
  defer(() => lock.release())
  const { redisUrl, dataFolder } = settings
  const redis = await openRedis({ redisUrl, dataFolder, report: (line) => log.warn(line) }, signal)
  defer(() => redis.stop())
  lock.publish(redis.url)
  return redis.url
}

/** With the embedded Redis the other processes of its folder lose theirs. */
export async function tellOfOthers({
  settings,
  redis,
  log,
}: Pick<Runtime, 'settings' | 'redis' | 'log'>): Promise<void> {
  if (settings.redisUrl !== undefined) return
  const { living } = await readProcesses(redis).catch(() => ({ living: [] }))
  const others = living.filter(({ pid }) => pid !== process.pid).map(({ role, pid }) => `${role} (pid ${pid})`)
  if (others.length > 0)
    log.warn(`Other processes of this folder wait until "npm start" runs here again: ${others.join(', ')}.`)
}
