// The table of routes, what each demands of a key, and which query parameters it knows. A path that is not here is 404, another method 405.
import { randomUUID } from 'node:crypto'
import { ApiError } from './api-error.ts'
import * as documents from './documents.ts'
import { fitFilter } from './filter.ts'
import * as indexes from './indexes.ts'
import { multiSearch, type OpenIndex } from './multi-search.ts'
import { answerSearch, readSearch } from './search.ts'
import * as tasks from './task-routes.ts'
import type { Answer, Call } from './world.ts'

export type Route = {
  readonly method: string
  readonly parts: readonly string[]
  /** Undefined: no key is needed. */
  readonly action: string | undefined
  readonly run: (call: Call) => Answer
  readonly query: readonly string[]
  readonly hasBody: boolean
}

type Line = readonly [
  method: string,
  pattern: string,
  action: string | undefined,
  run: Route['run'],
  query?: readonly string[],
]

const adding = ['primaryKey', 'csvDelimiter', 'customMetadata', 'skipCreation']
const docs = '/indexes/:uid/documents'

const lines: readonly Line[] = [
  ['GET', '/health', undefined, () => ({ status: 200, body: { status: 'available' } })],
  ['GET', '/version', 'version', () => ({ status: 200, body: version })],
  ['GET', '/stats', 'stats.get', indexes.getStats],
  ['POST', '/indexes', 'indexes.create', indexes.createIndex],
  ['GET', '/indexes/:uid', 'indexes.get', indexes.getIndex],
  ['DELETE', '/indexes/:uid', 'indexes.delete', indexes.deleteIndex],
  ['POST', '/indexes/:uid/compact', 'indexes.compact', indexes.compactIndex],
  ['GET', '/indexes/:uid/stats', 'stats.get', indexes.getIndexStats],
  ['GET', '/indexes/:uid/settings', 'settings.get', indexes.getSettings],
  ['PATCH', '/indexes/:uid/settings', 'settings.update', indexes.patchSettings],
  ['POST', '/swap-indexes', 'indexes.swap', indexes.swapIndexes],
  ['GET', docs, 'documents.get', documents.listDocuments, ['ids', 'filter', 'fields', 'limit', 'offset']],
  ['POST', docs, 'documents.add', documents.replaceDocuments, adding],
  ['PUT', docs, 'documents.add', documents.updateDocuments, adding],
  ['POST', `${docs}/delete-batch`, 'documents.delete', documents.deleteBatch, ['customMetadata']],
  ['POST', `${docs}/delete`, 'documents.delete', documents.deleteByFilter, ['customMetadata']],
  ['POST', `${docs}/fetch`, 'documents.get', documents.fetchDocuments],
  ['GET', `${docs}/:id`, 'documents.get', documents.getDocument],
  ['POST', '/indexes/:uid/search', 'search', searchOne],
  ['POST', '/multi-search', 'search', searchMany],
  ['GET', '/tasks', 'tasks.get', tasks.listTasks, [...tasks.taskFilters, 'limit', 'from', 'reverse']],
  ['GET', '/tasks/:id', 'tasks.get', tasks.getTask],
  ['POST', '/tasks/cancel', 'tasks.cancel', tasks.cancelTasks, tasks.taskFilters],
  ['DELETE', '/tasks', 'tasks.delete', tasks.deleteTasks, tasks.taskFilters],
  [
    'GET',
    '/keys',
    'keys.get',
    ({ world }) => ({ status: 200, body: listKeys(world.keys.list()) }),
    ['limit', 'offset'],
  ],
  ['POST', '/keys', 'keys.create', ({ world, body }) => ({ status: 201, body: world.keys.add(body) })],
  ['GET', '/keys/:id', 'keys.get', ({ world, id }) => ({ status: 200, body: world.keys.find(id) })],
  ['PATCH', '/keys/:id', 'keys.update', patchKey],
  ['DELETE', '/keys/:id', 'keys.delete', deleteKey],
]

/** A body is asked for here; elsewhere none is read. */
const bodiless = ['/indexes/:uid/compact', '/tasks/cancel']

const routes: readonly Route[] = lines.map(([method, pattern, action, run, query = []]) => ({
  method,
  action,
  run,
  query,
  parts: pattern.split('/').slice(1),
  hasBody: ['POST', 'PUT', 'PATCH'].includes(method) && !bodiless.includes(pattern),
}))

const version = { commitSha: '0'.repeat(40), commitDate: '2026-01-01T00:00:00Z', pkgVersion: '1.50.0' }

export type FoundRoute = { readonly route: Route; readonly uid: string; readonly id: string }

export function findRoute(method: string, pathname: string): FoundRoute | 'no such path' | 'another method' {
  const segments = pathname.split('/').slice(1)
  const there = routes.filter(
    ({ parts }) =>
      parts.length === segments.length && parts.every((part, at) => part.startsWith(':') || part === segments[at]),
  )
  if (there.length === 0) return 'no such path'
  // `/tasks/cancel` goes before `/tasks/:id`.
  const [route] = there
    .filter((one) => one.method === method)
    .toSorted((one, other) => countNames(one) - countNames(other))
  if (!route) return 'another method'
  const named = (name: string): string => decodeURIComponent(segments[route.parts.indexOf(name)] ?? '')
  return { route, uid: named(':uid'), id: named(':id') }
}

const countNames = ({ parts }: Route): number => parts.filter((part) => part.startsWith(':')).length

function openIndex({ world, grant }: Call, uid: string): OpenIndex {
  grant.demand('search', uid)
  const index = world.find(uid)
  return { index, rule: fitFilter(grant.rule(uid), index.facets()) }
}

function searchOne(call: Call): Answer {
  const search = readSearch(call.body)
  const { index, rule } = openIndex(call, call.uid)
  return { status: 200, body: answerSearch(index, search, rule) }
}

function searchMany(call: Call): Answer {
  return { status: 200, body: multiSearch(call.body, (uid) => openIndex(call, uid)) }
}

const listKeys = (results: readonly unknown[]) => ({ results, offset: 0, limit: 20, total: results.length })

function patchKey({ world, id, body }: Call): Answer {
  const key = world.keys.find(id)
  const [field] = Object.keys(body ?? {}).filter((name) => !['name', 'description'].includes(name))
  if (field !== undefined) {
    const message = `The \`${field}\` field cannot be modified for the given resource.`
    throw new ApiError(400, `immutable_api_key_${field}`, message)
  }
  return { status: 200, body: { ...key, ...(typeof body === 'object' && body), requestUid: randomUUID() } }
}

function deleteKey({ world, id }: Call): Answer {
  world.keys.remove(world.keys.find(id).uid)
  return { status: 204 }
}
