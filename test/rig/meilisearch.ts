// A Meilisearch to test with: the real one that MEILISEARCH_URL and MEILISEARCH_MASTER_KEY name, whose index `memory` is deleted first, or else a simulator.
// Keys are made as infra/docs/meilisearch.md says.
import { Meilisearch } from 'meilisearch'
import { z } from 'zod'
import { readerUid, type MeilisearchSettings } from '#infra/search/meilisearch-client.ts'
import { startMeilisearch, type MeiliSimulator } from '#test/simulators/meilisearch/simulator.ts'

export type MeiliRig = {
  readonly settings: MeilisearchSettings & { readonly keys: { readonly operator: string } }
  /** Undefined where a real server stands in its place. */
  readonly simulator: MeiliSimulator | undefined
  close(): Promise<void>
}

export const meiliRights = {
  reader: { uid: readerUid, actions: ['search'], indexes: ['memory'] },
  writer: { actions: ['documents.add', 'documents.delete', 'tasks.get', 'indexes.compact'], indexes: ['memory'] },
  operator: {
    actions: ['indexes.*', 'settings.*', 'documents.*', 'tasks.*', 'stats.get', 'version'],
    indexes: ['memory*'],
  },
} as const

const uids = { writer: '6d656d6f-7279-4000-8000-777269746572', operator: '6d656d6f-7279-4000-8000-6f7065726174' }

/** For tests that break the server: a simulator always. */
export async function startSimulated(options: Parameters<typeof startMeilisearch>[0] = {}) {
  const simulator = await startMeilisearch(options)
  const settings = { url: simulator.url, keys: await makeKeys(simulator.url, simulator.masterKey) }
  return { settings, simulator, close: () => simulator.close() }
}

export async function openMeilisearch(): Promise<MeiliRig> {
  const { MEILISEARCH_URL: url, MEILISEARCH_MASTER_KEY: masterKey } = process.env
  if (url === undefined || masterKey === undefined) return await startSimulated()
  const keys = await makeKeys(url, masterKey)
  await new Meilisearch({ host: url, apiKey: masterKey }).deleteIndex('memory').waitTask({ timeout: 60_000 })
  return { settings: { url, keys }, simulator: undefined, close: async () => {} }
}

const created = z.object({ key: z.string() })

async function makeKeys(url: string, masterKey: string) {
  const make = async (role: keyof typeof meiliRights): Promise<string> => {
    const { uid = role === 'reader' ? readerUid : uids[role], ...rights } = { uid: undefined, ...meiliRights[role] }
    const call = async (method: string, path: string, body?: unknown) =>
      await fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const made = await call('POST', '/keys', { uid, name: role, expiresAt: null, ...rights })
    return created.parse(await (made.status === 409 ? await call('GET', `/keys/${uid}`) : made).json()).key
  }
  return { reader: await make('reader'), writer: await make('writer'), operator: await make('operator') }
}
