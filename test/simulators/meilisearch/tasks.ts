// The queue of tasks: accepted at once, done later, in order. What waits for one index is done in one batch: additions and deletions by id together.
// A deletion by filter never joins what waits before it. A bad vector fails every task of its batch. A full disk makes tasks wait without end.
//   enqueued → processing → succeeded | failed; enqueued, processing → canceled
import { ApiError, type ErrorBody } from './api-error.ts'

export type Status = 'enqueued' | 'processing' | 'succeeded' | 'failed' | 'canceled'

export type Task = {
  readonly uid: number
  readonly indexUid: string | null
  readonly type: string
  enqueuedAt: string
  readonly customMetadata?: string | undefined
  batchUid: number | null
  status: Status
  canceledBy: number | null
  details: Readonly<Record<string, unknown>> | null
  error: ErrorBody | null
  startedAt: string | null
  finishedAt: string | null
}

export type Work = {
  readonly type: string
  readonly indexUid: string | null
  readonly details: Readonly<Record<string, unknown>> | null
  readonly customMetadata?: string | undefined
  /** Work of one joining kind is done in one batch. */
  readonly joins?: 'documents' | 'filter'
  /** What is looked at before anything of the batch is done. Throws what fails the whole batch. */
  check?(): void
  /** Gives the details in the end. Throws what fails this task alone. */
  run(): Readonly<Record<string, unknown>> | null
  /** The details where it failed. */
  readonly failed?: Readonly<Record<string, unknown>>
}

type Entry = { readonly task: Task; readonly work: Work }

export type Tasks = ReturnType<typeof createTasks>

const open: readonly Status[] = ['enqueued', 'processing']

/** `batchMs`: how long a batch takes at least. */
export function createTasks(batchMs: number) {
  const entries: Entry[] = []
  /** Those that are open. */
  let live: Entry[] = []
  let nextBatch = 0
  let timer: NodeJS.Timeout | undefined
  let isStuck = false
  let isClosed = false
  let waiting: (() => void)[] = []

  const prune = (): void => void (live = live.filter(({ task }) => open.includes(task.status)))
  const tellIdle = (): void => {
    if (live.length > 0) return
    const told = waiting
    waiting = []
    for (const tell of told) tell()
  }
  const take = (): void => {
    if (timer !== undefined || isClosed) return
    const batch = findBatch(live)
    if (batch.length === 0) return tellIdle()
    const batchUid = nextBatch++
    for (const { task } of batch) Object.assign(task, { status: 'processing', batchUid, startedAt: stamp() })
    timer = setTimeout(() => finish(batch), batchMs)
  }
  const finish = (batch: readonly Entry[]): void => {
    timer = undefined
    // Tried again without end, as on a full disk.
    if (isStuck) return
    const left = batch.filter(({ task }) => task.status === 'processing')
    const poison = findPoison(left)
    for (const entry of left) complete(entry, poison)
    prune()
    take()
  }
  return {
    all: (): readonly Task[] => entries.map(({ task }) => task),
    add: (work: Work): Task => {
      const { type, indexUid, details, customMetadata } = work
      const task: Task = {
        uid: entries.length,
        batchUid: null,
        indexUid,
        status: 'enqueued',
        type,
        canceledBy: null,
        details,
        error: null,
        enqueuedAt: stamp(),
        startedAt: null,
        finishedAt: null,
        customMetadata,
      }
      entries.push({ task, work })
      live.push({ task, work })
      // Begun after the answer, so that tasks sent at once come together.
      setImmediate(() => !isStuck && take())
      return task
    },
    /** Ends tasks that are open. Returns how many. */
    cancel: (uids: readonly number[], by: number): number => {
      const found = entries.filter(({ task }) => uids.includes(task.uid) && open.includes(task.status))
      for (const { task } of found) Object.assign(task, { status: 'canceled', canceledBy: by, finishedAt: stamp() })
      prune()
      return found.length
    },
    stick: (): void => void (isStuck = true),
    unstick: (): void => {
      isStuck = false
      for (const { task } of live) if (task.status === 'processing') task.status = 'enqueued'
      take()
    },
    /** Tasks that are open came so much earlier. */
    age: (ms: number): void => {
      for (const { task } of live) {
        task.enqueuedAt = new Date(Date.parse(task.enqueuedAt) - ms).toISOString()
      }
    },
    /** Resolves once no task is open. */
    idle: (): Promise<void> =>
      new Promise((done) => {
        waiting.push(done)
        setImmediate(tellIdle)
      }),
    close: (): void => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

function findBatch(entries: readonly Entry[]): Entry[] {
  const waiting = entries.filter(({ task }) => task.status === 'enqueued')
  const [first] = waiting
  if (!first) return []
  if (first.work.joins === undefined) return [first]
  const mine = waiting.filter(({ task }) => task.indexUid === first.task.indexUid)
  const end = mine.findIndex(({ work }) => work.joins !== first.work.joins)
  return end === -1 ? mine : mine.slice(0, end)
}

function findPoison(batch: readonly Entry[]): ApiError | undefined {
  for (const { work } of batch) {
    try {
      work.check?.()
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    }
  }
  return undefined
}

function complete({ task, work }: Entry, poison: ApiError | undefined): void {
  try {
    if (poison) throw poison
    Object.assign(task, { details: work.run(), status: 'succeeded' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    Object.assign(task, { status: 'failed', error: error.toBody(), details: work.failed ?? task.details })
  }
  task.finishedAt = stamp()
}

const stamp = (): string => new Date().toISOString()

/** As a client sees it. */
export function showTask(task: Task): Readonly<Record<string, unknown>> {
  const { customMetadata, startedAt, finishedAt, ...rest } = task
  const ms = startedAt !== null && finishedAt !== null ? Date.parse(finishedAt) - Date.parse(startedAt) : undefined
  const duration = ms === undefined ? null : `PT${(ms / 1000).toFixed(3)}S`
  return { ...rest, duration, startedAt, finishedAt, ...(customMetadata !== undefined && { customMetadata }) }
}

export function showAccepted({ uid, indexUid, type, enqueuedAt, customMetadata }: Task) {
  const status = 'enqueued'
  return { taskUid: uid, indexUid, status, type, enqueuedAt, ...(customMetadata !== undefined && { customMetadata }) }
}
