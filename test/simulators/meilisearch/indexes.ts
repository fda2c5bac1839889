// Indexes as a whole: made, shown, deleted, swapped, compacted; their settings and their counts.
import { z } from 'zod'
import { ApiError, indexNotFound } from './api-error.ts'
import { readFields } from './search.ts'
import { checkPatch } from './settings.ts'
import type { DocumentStore } from './document-store.ts'
import { showAccepted } from './tasks.ts'
import type { Answer, Call, World } from './world.ts'

const uidForm = /^[\w-]{1,400}$/
const creation = z.strictObject({ uid: z.unknown().optional(), primaryKey: z.string().nullish() })

export function createIndex({ world, grant, body }: Call): Answer {
  const { uid, primaryKey = null } = readFields(creation, body, 'index')
  if (typeof uid !== 'string' || !uidForm.test(uid)) {
    throw new ApiError(400, 'invalid_index_uid', `\`${String(uid)}\` is not a valid index uid.`)
  }
  grant.demand('indexes.create', uid)
  return accept(world, 'indexCreation', uid, { primaryKey }, () => {
    world.create(uid, primaryKey)
    return { primaryKey }
  })
}

export const getIndex = ({ world, uid }: Call): Answer => ({ status: 200, body: showIndex(world.find(uid)) })

export function deleteIndex({ world, uid }: Call): Answer {
  return accept(world, 'indexDeletion', uid, { deletedDocuments: null }, () => {
    const deletedDocuments = world.find(uid).size()
    world.indexes.delete(uid)
    return { deletedDocuments }
  })
}

export const getSettings = ({ world, uid }: Call): Answer => ({ status: 200, body: world.find(uid).settings() })

export function patchSettings({ world, grant, uid, body }: Call): Answer {
  const patch = checkPatch(body)
  const mayCreate = grant.may('indexes.create', uid)
  return accept(world, 'settingsUpdate', uid, patch, () => {
    const index = world.indexes.get(uid) ?? (mayCreate ? world.create(uid, null) : undefined)
    if (!index) throw indexNotFound(uid)
    index.change(patch)
    return patch
  })
}

export function compactIndex({ world, uid }: Call): Answer {
  world.find(uid)
  return accept(world, 'indexCompaction', uid, null, () => {
    world.find(uid).compact()
    return { preCompactionSize: '1.2 MiB', postCompactionSize: '1.1 MiB' }
  })
}

const swaps = z.array(z.strictObject({ indexes: z.tuple([z.string(), z.string()]), rename: z.boolean().optional() }))

export function swapIndexes({ world, grant, body }: Call): Answer {
  const pairs = readFields(swaps, body, 'swap').map(({ indexes }) => indexes)
  for (const uid of pairs.flat()) grant.demand('indexes.swap', uid)
  const shown = { swaps: pairs.map((indexes) => ({ indexes, rename: false })) }
  return accept(world, 'indexSwap', null, shown, () => {
    for (const uid of pairs.flat()) world.find(uid)
    for (const [one, other] of pairs) {
      const [first, second] = [world.find(one), world.find(other)]
      world.indexes.set(one, { ...second, uid: one })
      world.indexes.set(other, { ...first, uid: other })
    }
    return shown
  })
}

export const getIndexStats = ({ world, uid }: Call): Answer => ({ status: 200, body: toStats(world, world.find(uid)) })

export function getStats({ world, grant }: Call): Answer {
  const mine = [...world.indexes.values()].filter(({ uid }) => grant.may('stats.get', uid))
  return {
    status: 200,
    body: {
      databaseSize: 1_000_000,
      usedDatabaseSize: 500_000,
      lastUpdate:
        mine
          .map((index) => index.updatedAt().toISOString())
          .toSorted()
          .at(-1) ?? null,
      indexes: Object.fromEntries(mine.map((index) => [index.uid, toStats(world, index)])),
    },
  }
}

function accept(
  world: World,
  type: string,
  indexUid: string | null,
  ...[details, run]: [Readonly<Record<string, unknown>> | null, () => Readonly<Record<string, unknown>> | null]
): Answer {
  return { status: 202, body: showAccepted(world.tasks.add({ type, indexUid, details, run })) }
}

const showIndex = (index: DocumentStore) => ({
  uid: index.uid,
  createdAt: index.createdAt.toISOString(),
  updatedAt: index.updatedAt().toISOString(),
  primaryKey: index.primaryKey(),
})

function toStats(world: World, index: DocumentStore) {
  const all = [...index.facets().all()]
  const names = all.flatMap((at) => Object.keys(index.documentAt(at)))
  const vectors = all.flatMap((at) => Object.values(index.vectorsAt(at)).filter((one) => one !== null))
  return {
    numberOfDocuments: index.size(),
    rawDocumentDbSize: index.size() * 1000,
    avgDocumentSize: index.size() === 0 ? 0 : 1000,
    isIndexing: world.tasks.all().some(({ indexUid, status }) => indexUid === index.uid && status === 'processing'),
    numberOfEmbeddings: vectors.length,
    numberOfEmbeddedDocuments: vectors.length,
    fieldDistribution: Object.fromEntries(
      Object.entries(Object.groupBy(names, (name) => name)).map(([name, found = []]) => [name, found.length]),
    ),
  }
}
