// Tasks on Redis, as they are looked at: what a task stored last, what its turn at work has journaled since, and the texts beside it. It only reads.
import { z } from 'zod'
import { toTask } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError, isNewer } from '#shared/errors.ts'
import { rework } from '#shared/feature/kept.ts'
import { parseJson, toList } from '#shared/json.ts'
import { findArtifact } from '#services/executor/run/find-artifact.ts'
import { lookAtTurn, type LookedTurn } from '#services/executor/ending/look-at-turn.ts'
import { homeSlice } from '#services/tasks/home/slice.ts'
import type { Listed } from '#services/tasks/view/listed.ts'
import { taskSlice, type TaskOwn } from '#services/tasks/run/own.ts'
import { toLogged } from '#services/tasks/run/step-log.ts'
import type { RunningTurn, StoredTask, TaskPlace, TaskReader } from '#services/tasks/view/task-reader.ts'
import type { Artifacts } from '#queues/artifacts/artifacts.ts'
import type { RedisClient } from '#queues/connection.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { fromStore } from '#queues/store-failure.ts'
import { parseEntry } from '#queues/stored.ts'

/** Where the feature `tasks` keeps its slice, of a conversation and of a task alike. */
const slicePart = 'f.tasks'
/** Of a journal, from its end: no turn has more. */
const mostEntries = 2000
const mostCalls = 60
const mostTexts = 100
const messages = z.array(z.string()).max(200)

type Deps = {
  readonly redis: RedisClient
  readonly kernel: Artifacts
}

export function createTaskReader({ redis, kernel }: Deps): TaskReader {
  const isThere = async ({ home, number }: TaskPlace): Promise<boolean> =>
    (await fromStore(redis.hexists(toKey(home)('tasks'), String(number)))) === 1
  return {
    async list(home) {
      const key = toKey(home)
      const [found, numbers] = await Promise.all([
        fromStore(redis.hget(key('r'), slicePart)),
        fromStore(redis.hkeys(key('tasks'))),
      ])
      const there = new Set(numbers.map(Number))
      return found === null ? [] : readHome(found).filter(({ number }) => there.has(number))
    },
    find: (place) => find(redis, place),
    async findText(place, name) {
      if (!(await isThere(place))) return undefined
      const store = { findArtifact: (wanted: string) => kernel.findArtifact(toTask(place.home, place.number), wanted) }
      return await findArtifact(store, place.principal, name)
    },
    async listTexts(place, prefix) {
      if (!(await isThere(place))) return []
      const heads = await kernel.listArtifacts(toTask(place.home, place.number))
      return heads.flatMap(({ name }) => (name.startsWith(prefix) ? [name] : [])).slice(-mostTexts)
    },
  }
}

const toKey =
  (home: ConversationId) =>
  (kind: string, of: string = home): string =>
    `${partitionPrefix(toPartition(home))}${kind}:${of}`

/** All of one moment, but for when its card ends. */
async function find(redis: RedisClient, { home, number }: TaskPlace): Promise<StoredTask | undefined> {
  const key = toKey(home)
  const address = toTask(home, number)
  const answers = await fromStore(
    redis
      .multi()
      .hget(key('tasks'), String(number))
      .hmget(key('r', address), slicePart, 'snapSeq')
      .lrange(key('j', address), -mostEntries, -1)
      .exec(),
  )
  const [of, run, journal] = (answers ?? []).map(([error, answer]) => {
    if (error) throw new BotError('store-corrupt', `CORRUPT ${address}: ${error.message}`, { cause: error })
    return answer
  })
  const [slice, folded] = toList(run)
  if (typeof of !== 'string' || typeof slice !== 'string') return undefined
  const looked = lookAtTurn(
    readTail(toList(journal).map(String), Number(folded ?? 0)),
    messages.safeParse(parseJson(of)).data ?? [],
  )
  const own = readOwn(slice)
  return {
    own,
    running: looked && rework(looked, toRunning),
    endsAt: own.waits === 'nothing' ? undefined : await findEnd(redis, { home, number }),
  }
}

/** What a newer release journaled is left out. */
function readTail(lines: readonly string[], folded: number): Parameters<typeof lookAtTurn>[0] {
  return lines.flatMap((line) => {
    if (Number.parseInt(line, 10) <= folded) return []
    try {
      return [{ entry: parseEntry(line.slice(line.indexOf('\n') + 1)) }]
    } catch (error) {
      if (isNewer(error)) return []
      throw error
    }
  })
}

function toRunning({ begunAt, at, tokens, calls }: LookedTurn): RunningTurn {
  const shown = calls.slice(-mostCalls).map(toLogged)
  return { begunAt, at, tokens, calls: shown, left: calls.length - shown.length }
}

/** Of the questions that the task waits with, on topics of its own, the one that ends last. Its progress card is none. */
async function findEnd(
  redis: RedisClient,
  { home, number }: Pick<TaskPlace, 'home' | 'number'>,
): Promise<number | undefined> {
  const topics = await fromStore(redis.hgetall(toKey(home)('asked')))
  const ids = Object.entries(topics).flatMap(([topic, id]) =>
    topic.startsWith(`#${number}.`) && topic !== `#${number}.card` ? [id] : [],
  )
  if (ids.length === 0) return undefined
  const timers = `${partitionPrefix(toPartition(home))}timers`
  const ends = await fromStore(redis.zmscore(timers, ...ids.map((id) => `${home} q.${id}`)))
  const known = ends.flatMap((end) => (end === null ? [] : [Number(end)]))
  return known.length === 0 ? undefined : Math.max(...known)
}

function readHome(text: string): readonly Listed[] {
  const read = homeSlice.schema.safeParse(parseJson(text))
  if (read.success) return read.data.tasks
  throw new BotError('store-corrupt', 'CORRUPT The tasks of a conversation have an unknown shape.', {
    cause: read.error,
  })
}

function readOwn(text: string): TaskOwn {
  const read = taskSlice.schema.safeParse(parseJson(text))
  if (read.success) return read.data
  throw new BotError('store-corrupt', 'CORRUPT What a task keeps of itself has an unknown shape.', {
    cause: read.error,
  })
}
