// Tasks as clients ask for them: one, a page of them, the newest first; those to be canceled or deleted.
import { ApiError } from './api-error.ts'
import { showAccepted, showTask, type Task } from './tasks.ts'
import type { Answer, Call } from './world.ts'

export const taskFilters = ['uids', 'statuses', 'types', 'indexUids', 'canceledBy'] as const

const statuses = ['enqueued', 'processing', 'succeeded', 'failed', 'canceled']

export function getTask({ world, grant, id }: Call): Answer {
  const task = world.tasks.all()[Number(id)]
  if (!/^\d{1,10}$/.test(id)) throw new ApiError(400, 'invalid_task_uids', `Task uid \`${id}\` is invalid.`)
  if (!task || !isMine(task, grant)) throw new ApiError(404, 'task_not_found', `Task \`${id}\` not found.`)
  return { status: 200, body: showTask(task) }
}

export function listTasks({ world, grant, query }: Call): Answer {
  const limit = toNumber(query, 'limit', 20)
  const from = toNumber(query, 'from', undefined)
  const isReverse = query['reverse'] === 'true'
  const found = select(world.tasks.all(), query).filter((task) => isMine(task, grant))
  const ordered = isReverse ? found : found.toReversed()
  const begun = from === undefined ? ordered : ordered.filter(({ uid }) => (isReverse ? uid >= from : uid <= from))
  const shown = begun.slice(0, limit)
  return {
    status: 200,
    body: {
      results: shown.map(showTask),
      total: found.length,
      limit,
      from: shown[0]?.uid ?? null,
      next: begun[limit]?.uid ?? null,
    },
  }
}

export function cancelTasks({ world, query }: Call): Answer {
  const originalFilter = toOriginal(query)
  const found = select(world.tasks.all(), query).map(({ uid }) => uid)
  const matched = { matchedTasks: found.length, originalFilter }
  const task = world.tasks.add({
    type: 'taskCancelation',
    indexUid: null,
    details: { ...matched, canceledTasks: null },
    run: () => ({ ...matched, canceledTasks }),
  })
  // It goes before all other work.
  const canceledTasks = world.tasks.cancel(found, task.uid)
  return { status: 200, body: showAccepted(task) }
}

export function deleteTasks({ world, query }: Call): Answer {
  const originalFilter = toOriginal(query)
  const found = select(world.tasks.all(), query)
  const matched = { matchedTasks: found.length, deletedTasks: found.length, originalFilter }
  const task = world.tasks.add({ type: 'taskDeletion', indexUid: null, details: matched, run: () => matched })
  return { status: 200, body: showAccepted(task) }
}

function toOriginal(query: Call['query']): string {
  const given = Object.entries(query)
  if (given.length === 0) {
    throw new ApiError(400, 'missing_task_filters', 'Query parameters to filter the tasks to cancel are missing.')
  }
  return `?${new URLSearchParams(given).toString()}`
}

const isMine = (task: Task, grant: Call['grant']): boolean =>
  task.indexUid === null ? grant.may('tasks.get') : grant.may('tasks.get', task.indexUid)

function select(tasks: readonly Task[], query: Call['query']): Task[] {
  const named = (name: (typeof taskFilters)[number]): readonly string[] | undefined => {
    const value = query[name]
    return value === undefined || value === '*' ? undefined : value.split(',')
  }
  const [uids, states, types, indexes] = [named('uids'), named('statuses'), named('types'), named('indexUids')]
  for (const state of states ?? []) {
    if (statuses.includes(state)) continue
    throw new ApiError(400, 'invalid_task_statuses', `Invalid value in parameter \`statuses\`: \`${state}\`.`)
  }
  return tasks.filter(
    ({ uid, status, type, indexUid }) =>
      (uids?.includes(String(uid)) ?? true) &&
      (states?.includes(status) ?? true) &&
      (types?.includes(type) ?? true) &&
      (indexes?.includes(indexUid ?? '') ?? true),
  )
}

function toNumber<T extends number | undefined>(
  query: Call['query'],
  name: 'limit' | 'from',
  byDefault: T,
): number | T {
  const given = query[name]
  if (given === undefined) return byDefault
  if (/^\d{1,9}$/.test(given)) return Number(given)
  throw new ApiError(400, `invalid_task_${name}`, `Invalid value in parameter \`${name}\`: \`${given}\`.`)
}
