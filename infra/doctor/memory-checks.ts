// Checks memory: doctor says whether all machines look into one index, and counts the entities that the fast model found.
import type { Finding } from '#infra/checks/finding.ts'
import { checkMemoryHosts } from '#infra/checks/memory-hosts.ts'
import type { Settings } from '#infra/config/settings.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { ProcessFacts } from '#queues/fleet/process-key.ts'
import { createRedisGraph } from '#queues/memory/redis-graph.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { CallUnit } from '#queues/units.ts'
import type { GraphCount } from '#shared/memory/graph.ts'

type Looked = { readonly living: readonly ProcessFacts[]; readonly settings: Pick<Settings, 'meilisearch'> }

export const checkMemory = async (
  redis: RedisClient,
  call: CallUnit,
  { living, settings }: Looked,
): Promise<readonly Finding[]> => [
  ...checkMemoryHosts(living, settings),
  ...checkGraph(await createRedisGraph(redis, call, comparing).readCounts()),
]

/** Nothing before the model was asked. */
function checkGraph(counts: ReadonlyMap<GraphCount, number>): Finding[] {
  const asked = counts.get('asked') ?? 0
  if (asked === 0) return []
  const others = [...counts].flatMap(([what, count]) => (what === 'asked' || count === 0 ? [] : [`${count} ${what}`]))
  return [{ level: 'ok', about: 'entities', found: [`the model was asked ${asked} times`, ...others].join(', ') }]
}
