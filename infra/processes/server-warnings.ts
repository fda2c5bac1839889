// What an operator should know of the Redis that a process works on, told as it starts; doctor tells all of it.
import { checkServer } from '#infra/checks/server-checks.ts'
import { inspectServer } from '#queues/workers/inspect.ts'
import { checkMemoryHosts } from '#infra/checks/memory-hosts.ts'
import type { Settings } from '#infra/config/settings.ts'
import { readProcesses } from '#queues/fleet/process-key.ts'
import type { Runtime } from './runtime.ts'

/** Those that lose or misjudge things in silence. */
const told: readonly string[] = ['Redis version', 'eviction', 'clock']

/** Says nothing where Redis does not tell. */
export async function warnOfServer(
  { redis, log }: Pick<Runtime, 'redis' | 'log'>,
  settings: Pick<Settings, 'meilisearch'>,
): Promise<void> {
  const { living } = await readProcesses(redis).catch(() => ({ living: [] }))
  for (const { about, found, fix } of checkMemoryHosts(living, settings)) log.warn(`${about}: ${found}. ${fix}`)
  const facts = await inspectServer(redis).catch(() => undefined)
  if (!facts) return
  for (const { level, about, found, fix } of checkServer(facts)) {
    if (level === 'error' && told.includes(about)) log.warn(`${about}: ${found}. ${fix}`)
  }
}
