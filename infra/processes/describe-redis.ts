// The Redis of a process, as its operator is told of it.
import type { Settings } from '#infra/config/settings.ts'
import { createScrub } from '#infra/redaction.ts'

/** Without passwords. */
export function describeRedis({
  redisUrl,
  dataFolder,
  secrets,
}: Pick<Settings, 'redisUrl' | 'dataFolder' | 'secrets'>): string {
  return redisUrl === undefined ? `embedded, of the data folder ${dataFolder}` : createScrub(secrets)(redisUrl)
}
