// What an operator should know of the Redis that a process works on, told as it starts; doctor tells all of it.
import { checkServer } from '#infra/checks/server-checks.ts'
import { inspectServer } from '#queues/workers/inspect.ts'
import type { Runtime } from './runtime.ts'

/** Those that lose or misjudge things in silence. */
const told: readonly string[] = ['Redis version', 'eviction', 'clock']

/** Says nothing where Redis does not tell. */
export async function warnOfServer({ redis, log }: Pick<Runtime, 'redis' | 'log'>): Promise<void> {
  const facts = await inspectServer(redis).catch(() => undefined)
  if (!facts) return
  for (const { level, about, found, fix } of checkServer(facts)) {
    if (level === 'error' && told.includes(about)) log.warn(`${about}: ${found}. ${fix}`)
  }
}
