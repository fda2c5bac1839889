// Random histories of writing, repeating, confirming and forgetting: no record is surer than its weakest source, none crosses scopes, no number comes
// twice, and nothing goes by inference.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { isAsSure } from '#queues/memory/settle.ts'
import { comparing } from '#services/memory/comparing.ts'
import { createRecall } from '#services/memory/recall.ts'
import type { MemoryRecord, NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { runs } from '#test/rig/property-runs.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const conversation = 'web:home'
const scopes = ['user:web:ann', 'user:web:bob', 'chat:telegram:-1', 'global']
const texts = [
  'I live in Lyon',
  'i live in LYON!',
  'The person lives in Lille',
  'I moved to Lille',
  '我住在里昂',
  'I like green tea with a little honey',
  'I like green tea with little honey',
  'I do not like green tea with a little honey',
  'My birthday is 3 May',
  'My birthday is 4 May',
]

const write = fc.record({
  kind: fc.constant('write' as const),
  scope: fc.constantFrom(...scopes),
  text: fc.constantFrom(...texts),
  speaker: fc.constantFrom('web:ann', 'web:bob'),
  status: fc.constantFrom('confirmed' as const, 'unconfirmed' as const),
  origin: fc.constantFrom('said' as const, 'inferred' as const, 'tool' as const),
  isTainted: fc.boolean(),
  saidAt: fc.integer({ min: 1, max: 50 }),
})
const at = { scope: fc.constantFrom(...scopes), number: fc.integer({ min: 1, max: 12 }) }
const step = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('confirm' as const), ...at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), ...at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), nth: fc.integer({ min: 0, max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), nth: fc.integer({ min: 0, max: 30 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Source = { readonly scope: string; readonly record: NewRecord }

function toRecord(made: Extract<Step, { kind: 'write' }>, nth: number): NewRecord {
  const { text, speaker, status, origin, isTainted, saidAt } = made
  const { confirmedBy: _by, ...record } = remembered(text, { conversation, message: `m${nth}` })
  const more = { id: `write-${nth}`, speaker, status, origin, saidAt, ...(isTainted ? { taint: ['a page'] } : {}) }
  return { ...record, ...more, ...(status === 'confirmed' ? { confirmedBy: speaker } : {}) }
}

async function run(store: MemoryStore, steps: readonly Step[]): Promise<void> {
  const sources: Source[] = []
  const confirmed = new Set<string>()
  const last = new Map<string, number>()
  for (const one of steps) {
    const before = await countAll(store)
    if (one.kind === 'write') {
      const source = { scope: one.scope, record: toRecord(one, sources.length) }
      sources.push(source)
      await writeNew(store, source, last)
    } else if (one.kind === 'confirm') {
      const changed = await store.change(one.scope, one.number, (record) => ({
        ...record,
        status: 'confirmed',
        confirmedBy: record.speaker,
      }))
      if (changed) confirmed.add(`${one.scope} ${one.number}`)
    } else if (one.kind === 'drop') await store.drop(one.scope, [one.number])
    else if (one.kind === 'forget') await store.forget(conversation, [`m${one.nth}`])
    else {
      const source = sources[one.nth]
      if (source) await store.write(source.scope, source.record)
    }
    if (one.kind === 'write' || one.kind === 'confirm') expect(await countAll(store)).toBeGreaterThanOrEqual(before)
    await judge(store, sources, confirmed)
  }
}

async function writeNew(store: MemoryStore, { scope, record }: Source, last: Map<string, number>): Promise<void> {
  const written = await store.write(scope, record)
  if (written.kind !== 'new' && written.kind !== 'conflict') return
  const { number } = written.record
  expect(number).toBeGreaterThan(last.get(scope) ?? 0)
  last.set(scope, number)
}

async function readAll(store: MemoryStore, scope: string): Promise<readonly MemoryRecord[]> {
  const read = await store.read(scope)
  return read === 'same' ? [] : read.records
}

async function countAll(store: MemoryStore): Promise<number> {
  const all = await Promise.all(scopes.map((scope) => readAll(store, scope)))
  return all.flat().length
}

async function judge(store: MemoryStore, sources: readonly Source[], confirmed: ReadonlySet<string>): Promise<void> {
  for (const scope of scopes) {
    const records = await readAll(store, scope)
    for (const record of records) {
      expect(record.scope).toBe(scope)
      judgeSources(record, sources, confirmed.has(`${scope} ${record.number}`))
      judgePlace(record, records)
    }
  }
}

function judgeSources(record: MemoryRecord, sources: readonly Source[], isConfirmed: boolean): void {
  const own = record.from.flatMap(({ messages }) =>
    messages.flatMap((id) => sources.filter((source) => source.record.from[0]?.messages[0] === id)),
  )
  expect(own.length).toBeGreaterThan(0)
  expect(own.map((source) => source.record.text)).toContain(record.text)
  for (const source of own) {
    expect(source.scope).toBe(record.scope)
    expect(source.record.speaker).toBe(record.speaker)
    // A person who confirms a record vouches for it; what it was made of stays as it was.
    const status = isConfirmed ? 'confirmed' : source.record.status
    expect(isAsSure({ ...source.record, status }, record)).toBe(true)
  }
}

/** What took its place is there, is its speaker's own, and is no guess where it was none. */
function judgePlace(record: MemoryRecord, records: readonly MemoryRecord[]): void {
  if (record.supersededBy === undefined) return
  const newer = records.find(({ number }) => number === record.supersededBy)
  expect(newer?.speaker).toBe(record.speaker)
  if (record.status === 'confirmed') expect(newer?.status).toBe('confirmed')
}

/** How many in memory, and how many on Redis. */
export function describeRecordHistories(counts: Readonly<Record<'redis' | 'twin', number>>): void {
  let redis: Store
  beforeAll(async () => void (redis = await openStore()))
  afterAll(() => redis.stop())
  const stores = {
    async redis(): Promise<MemoryStore> {
      await redis.redis.flushall()
      return createRedisMemory(redis.redis, redis.call, comparing)
    },
    twin: async (): Promise<MemoryStore> => createMemoryStore(),
  }
  test.each(['redis', 'twin'] as const)(
    'no record outranks its weakest source, and none crosses scopes: %s',
    { timeout: 1_500_000 },
    async (name) => {
      const histories = fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
        const store = await stores[name]()
        await run(store, steps)
        await judgeFound(store)
      })
      await fc.assert(histories, runs(counts[name]))
    },
  )
}

/** What a turn finds is of the scopes that it may read. */
async function judgeFound(store: MemoryStore): Promise<void> {
  const recall = createRecall({ memory: store, memoryIndex: { find: async () => [] } })
  for (const scope of scopes) {
    const query = { scopes: [scope], limit: 20, nowMs: 0 }
    const { found } = await recall.find({ ...query, text: 'I live in Lyon or Lille and like green tea 我住在里昂' })
    const told = await recall.findTold({ scopes: [scope] }, new Set(['home self', 'birthday self']), 'web:ann')
    for (const record of [...found.map((one) => one.record), ...told]) {
      expect(record.scope).toBe(scope)
      expect(record.supersededBy).toBeUndefined()
    }
  }
}
