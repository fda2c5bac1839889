// Documents: added, changed, deleted by id or by filter, and fetched. Additions make the index where the key may.
import { z } from 'zod'
import { ApiError, badRequest, indexNotFound } from './api-error.ts'
import { fitFilter } from './filter.ts'
import { pick, readFields } from './search.ts'
import type { Document } from './settings.ts'
import type { DocumentStore } from './document-store.ts'
import { showAccepted } from './tasks.ts'
import type { Answer, Call } from './world.ts'

const list = z.array(z.record(z.string(), z.unknown()))
const ids = z.array(z.union([z.string(), z.number()]).transform(String))

export const replaceDocuments = (call: Call): Answer => add(call, 'replace')
export const updateDocuments = (call: Call): Answer => add(call, 'update')

function add({ world, grant, uid, query, body }: Call, how: 'replace' | 'update'): Answer {
  const given = list.safeParse(Array.isArray(body) ? body : [body])
  if (!given.success) throw new ApiError(400, 'malformed_payload', 'The `json` payload provided is malformed.')
  const documents: readonly Document[] = given.data
  const mayCreate = grant.may('indexes.create', uid)
  const received = { receivedDocuments: documents.length }
  const open = (): DocumentStore => {
    const found = world.indexes.get(uid)
    if (found) return found
    if (!mayCreate) throw indexNotFound(uid)
    return world.create(uid, query['primaryKey'] ?? null)
  }
  const task = world.tasks.add({
    type: 'documentAdditionOrUpdate',
    indexUid: uid,
    joins: 'documents',
    customMetadata: query['customMetadata'],
    details: { ...received, indexedDocuments: null },
    failed: { ...received, indexedDocuments: 0 },
    check: () => {
      const index = world.indexes.get(uid)
      const identified = index && tryIdentify(index, documents)
      if (identified) index.check(identified)
    },
    run: () => {
      const index = open()
      index.put(documents.length === 0 ? [] : index.identify(documents), how)
      return { ...received, indexedDocuments: documents.length }
    },
  })
  return { status: 202, body: showAccepted(task) }
}

/** Undefined where an id is wrong: that fails its own task alone. */
function tryIdentify(index: DocumentStore, documents: readonly Document[]) {
  try {
    return documents.length === 0 ? [] : index.identify(documents)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

export function deleteBatch({ world, uid, query, body }: Call): Answer {
  const given = ids.safeParse(body)
  if (!given.success) throw badRequest('Invalid value type: expected an array of ids')
  const provided = { providedIds: given.data.length, originalFilter: null }
  const task = world.tasks.add({
    type: 'documentDeletion',
    indexUid: uid,
    joins: 'documents',
    customMetadata: query['customMetadata'],
    details: { ...provided, deletedDocuments: null },
    failed: { ...provided, deletedDocuments: 0 },
    run: () => ({ ...provided, deletedDocuments: world.find(uid).drop(given.data) }),
  })
  return { status: 202, body: showAccepted(task) }
}

const deletion = z.strictObject({ filter: z.unknown().optional() })

export function deleteByFilter({ world, uid, query, body }: Call): Answer {
  const { filter } = readFields(deletion, body, 'document')
  if (filter === undefined) throw new ApiError(400, 'missing_document_filter', 'Missing field `filter`')
  if (filter === null || filter === '') {
    throw new ApiError(400, 'invalid_document_filter', 'Sending an empty filter is forbidden.')
  }
  const provided = { providedIds: 0, originalFilter: JSON.stringify(filter) }
  const task = world.tasks.add({
    type: 'documentDeletion',
    indexUid: uid,
    joins: 'filter',
    customMetadata: query['customMetadata'],
    details: { ...provided, deletedDocuments: null },
    failed: { ...provided, deletedDocuments: 0 },
    run: () => {
      const index = world.find(uid)
      const fit = fitFilter(filter, index.facets(), 'invalid_document_filter') ?? index.facets().all()
      return { ...provided, deletedDocuments: index.drop([...fit].map(index.idAt)) }
    },
  })
  return { status: 202, body: showAccepted(task) }
}

export function getDocument({ world, uid, id }: Call): Answer {
  const index = world.find(uid)
  const at = index.placeOf(id)
  if (at === undefined) throw new ApiError(404, 'document_not_found', `Document \`${id}\` not found.`)
  return { status: 200, body: index.documentAt(at) }
}

const fetching = z.strictObject({
  ids: ids.nullish(),
  filter: z.unknown().optional(),
  fields: z.array(z.string()).nullish(),
  limit: z.number().int().nonnegative().optional(),
  offset: z.number().int().nonnegative().optional(),
  retrieveVectors: z.boolean().optional(),
})

/** The same by query parameters. */
export function listDocuments(call: Call): Answer {
  const { limit, offset, ids: asked, fields, ...others } = call.query
  const names = (text: string | undefined) => (text === undefined ? undefined : text.split(','))
  const count = (text: string | undefined) => (text === undefined ? undefined : Number(text))
  const body = { ...others, limit: count(limit), offset: count(offset), ids: names(asked), fields: names(fields) }
  return fetchDocuments({ ...call, body })
}

export function fetchDocuments({ world, uid, body }: Call): Answer {
  const {
    ids: asked,
    filter,
    fields,
    limit = 20,
    offset = 0,
    retrieveVectors,
  } = readFields(fetching, body ?? {}, 'document')
  const index = world.find(uid)
  const fit = fitFilter(filter, index.facets(), 'invalid_document_filter') ?? index.facets().all()
  const named = asked?.flatMap((id) => index.placeOf(id) ?? [])
  const found = named ? named.filter((at) => fit.has(at)) : [...fit].toSorted((one, other) => one - other)
  const results = found.slice(offset, offset + limit).map((at) => ({
    ...pick(index.documentAt(at), fields ?? ['*']),
    ...(retrieveVectors && { _vectors: index.vectorsAt(at) }),
  }))
  return { status: 200, body: { results, offset, limit, total: found.length } }
}
