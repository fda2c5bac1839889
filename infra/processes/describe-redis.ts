// The Redis of a process, as its operator is told of it.
import type { Settings } from '#infra/config/settings.ts'

/** Where it is, and nothing else of its address: user, password and query may be written in many ways. */
export function describeRedis({ redisUrl, dataFolder }: Pick<Settings, 'redisUrl' | 'dataFolder'>): string {
  if (redisUrl === undefined) return `embedded, of the data folder ${dataFolder}`
  const [, scheme = '', rest = ''] = /^([a-z]{1,20}:\/\/)([^?#]*)/i.exec(redisUrl) ?? []
  return scheme + rest.slice(rest.lastIndexOf('@') + 1)
}
