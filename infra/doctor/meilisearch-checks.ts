// Checks the Meilisearch that keeps the index of memory. Its own word that it is available says nothing: it says so on a full disk too, and
// a server without a master key lets everybody in. So each right is tried, and one record goes there and back.
import type { Meilisearch } from 'meilisearch'
import { z } from 'zod'
import type { Finding } from '#infra/checks/finding.ts'
import {
  connectMeilisearch,
  isLost,
  memoryUid,
  toCause,
  type MeilisearchSettings,
} from '#infra/search/meilisearch-client.ts'
import { findDifferences } from '#infra/search/meilisearch-setup.ts'
import { checkRights } from './meilisearch-rights.ts'
import { tryRoundTrip } from './meilisearch-trip.ts'

const about = 'Meilisearch'
const requestMs = 5000
const staleTaskMs = 60_000
const dayMs = 86_400_000
const mostFailed = 100

/** Nothing is changed but one record of a scope of its own, which goes again. */
export async function checkMeilisearch(settings: MeilisearchSettings | undefined): Promise<Finding[]> {
  if (!settings) {
    const found = 'SQLite keeps its index, in a file of the data folder: enough for one machine'
    return [{ level: 'ok', about: 'memory search', found }]
  }
  const rights = await checkRights(settings).catch((error: unknown) => [toFinding(error)])
  if (rights.some(({ about: what }) => what === about)) return rights
  try {
    return [...rights, ...(await lookInside(settings))]
  } catch (error) {
    return [...rights, toFinding(error)]
  }
}

async function lookInside(settings: MeilisearchSettings): Promise<Finding[]> {
  const { operator } = settings.keys
  if (operator === undefined) return [unseen, ...(await tryRoundTrip(settings, { isIdle: false }))]
  const client = connectMeilisearch(settings.url, operator, requestMs)
  const version = checkVersion(await client.getVersion())
  const queue = await checkQueue(client)
  const index = await checkIndex(client)
  // A record would wait, too.
  const trip = index.isThere && !queue.isStuck ? await tryRoundTrip(settings, { isIdle: queue.isIdle }) : []
  return [version, ...queue.findings, ...index.findings, ...trip]
}

function toFinding(error: unknown): Finding {
  const found = `it cannot be used: ${toCause(error)}`
  const fix =
    'Look whether it runs, whether MEILISEARCH_URL is right, and whether MEILISEARCH_KEYS has the keys of infra/docs/meilisearch.md.'
  return { level: 'error', about, found, fix }
}

const unseen: Finding = {
  level: 'warning',
  about,
  found: 'its settings and its queue were not looked at',
  fix: 'Put the operator’s key into MEILISEARCH_KEYS where doctor runs.',
}

function checkVersion({ pkgVersion }: { readonly pkgVersion: string }): Finding {
  const isKnown = /^1\.5\d\./.test(pkgVersion)
  return {
    level: isKnown ? 'ok' : 'warning',
    about: `${about} version`,
    found: pkgVersion,
    ...(!isKnown && { fix: 'Flotilla is made for 1.50. Watch whether what was told to the bot is still found.' }),
  }
}

const page = z.object({
  results: z.array(
    z.object({
      uid: z.number(),
      enqueuedAt: z.string(),
      finishedAt: z.string().nullish(),
      error: z.object({ code: z.string() }).nullish(),
    }),
  ),
})

type Queue = { readonly isIdle: boolean; readonly isStuck: boolean; readonly findings: Finding[] }

async function checkQueue(client: Meilisearch): Promise<Queue> {
  const [open, failed] = await Promise.all([
    client.tasks.getTasks({ statuses: ['enqueued', 'processing'], reverse: true, limit: 1 }),
    client.tasks.getTasks({ statuses: ['failed'], limit: mostFailed }),
  ])
  const [oldest] = page.parse(open).results
  const ageMs = oldest ? Date.now() - Date.parse(oldest.enqueuedAt) : 0
  const isStuck = ageMs >= staleTaskMs
  const recent = page
    .parse(failed)
    .results.filter(({ finishedAt }) => Date.now() - Date.parse(finishedAt ?? '') < dayMs)
  const codes = Object.entries(Object.groupBy(recent, ({ error }) => error?.code ?? 'unknown'))
  const counts = codes.map(([code, all = []]) => `${all.length} ${code}`).join(', ')
  return {
    isIdle: oldest === undefined,
    isStuck,
    findings: [
      {
        level: isStuck ? 'error' : 'ok',
        about: `${about} queue`,
        found: oldest ? `task ${oldest.uid} waits for ${Math.round(ageMs / 1000)} s` : 'nothing waits',
        ...(isStuck && {
          fix: 'Look whether its disk is full: it tries again without end and says nothing. With room again it goes on by itself.',
        }),
      },
      ...(recent.length > 0
        ? [
            {
              level: 'warning',
              about: `${about} queue`,
              found: `tasks failed within a day: ${counts}`,
              fix: 'See what the log of the reflection process says of them, and run "npm run flotilla -- memory reindex".',
            } as const,
          ]
        : []),
    ],
  }
}

async function checkIndex(client: Meilisearch): Promise<{ readonly isThere: boolean; readonly findings: Finding[] }> {
  const index = client.index(memoryUid)
  const fix = 'Run "npm run flotilla -- memory reindex": it makes the index with its settings, and fills it.'
  try {
    const [settings, stats] = await Promise.all([index.getSettings(), index.getStats()])
    const differing = findDifferences(settings)
    const found = `${stats.numberOfDocuments} documents`
    if (differing.length === 0) return { isThere: true, findings: [{ level: 'ok', about: `${about} index`, found }] }
    const told = `${found}, with other settings than ours: ${differing.join(', ')}`
    return { isThere: true, findings: [{ level: 'error', about: `${about} index`, found: told, fix }] }
  } catch (error) {
    if (!isLost(error)) throw error
    return { isThere: false, findings: [{ level: 'error', about: `${about} index`, found: 'it is missing', fix }] }
  }
}
