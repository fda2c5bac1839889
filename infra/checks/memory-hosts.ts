// Whether processes on several machines look into one index of memory: doctor says so, and each process as it starts.
import type { Settings } from '#infra/config/settings.ts'
import type { ProcessFacts } from '#queues/fleet/process-key.ts'
import type { Finding } from './finding.ts'

/** The file of one machine is not that of another. */
export function checkMemoryHosts(
  living: readonly Pick<ProcessFacts, 'host'>[],
  { meilisearch }: Pick<Settings, 'meilisearch'>,
): Finding[] {
  const hosts = [...new Set(living.map(({ host }) => host))].toSorted()
  if (meilisearch !== undefined || hosts.length < 2) return []
  const found = `processes run on ${hosts.length} machines (${hosts.slice(0, 3).join(', ')}), and each has an index of its own`
  const fix = 'Set MEILISEARCH_URL and MEILISEARCH_KEYS as infra/docs/meilisearch.md says.'
  return [{ level: 'error', about: 'memory search', found, fix }]
}
