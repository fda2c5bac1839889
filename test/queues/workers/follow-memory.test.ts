// The index of memory follows what is written: also past what cannot be read, behind a process that was frozen, and while it is told to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { behind } from '#queues/memory/changes.ts'
import { indexMemory, type IndexDeps } from '#queues/workers/follow-memory.ts'
import { BotError } from '#shared/errors.ts'
import type { Entry } from '#shared/memory/entry.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { remembered } from '#test/rig/remembered.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { until } from '#test/rig/fleet.ts'

const scope = 'user:web:ann'
const toRecord = (number: number, at = scope): MemoryRecord => ({
  ...remembered(`boat ${number}`, { conversation: 'web:home', message: `m${number}` }),
  v: 1,
  scope: at,
  number,
  uses: 0,
})

function createIndex() {
  const held = new Set<string>()
  return {
    held,
    put: async (entries: readonly Entry[]) => {
      for (const one of entries) held.add(`${one.scope} ${one.id}`)
    },
    drop: async (entries: readonly Pick<Entry, 'scope' | 'id'>[]) => {
      for (const one of entries) held.delete(`${one.scope} ${one.id}`)
    },
  }
}

const changesOf = (more: Partial<IndexDeps['changes']>): IndexDeps['changes'] => ({
  newest: async () => '1-1',
  last: async () => ['1-1'],
  read: async () => ({ changes: [{ scope, number: 1 }], last: '1-1' }),
  findPlace: async () => '0-0',
  pass: async () => {},
  scopes: async () => [],
  async *readScope() {},
  find: async () => [],
  ...more,
})

function follow(changes: IndexDeps['changes'], index: IndexDeps['index']) {
  const stopping = new AbortController()
  const deps = { call: async () => 1, liveness: createStillLiveness(), everyMs: 10, onTrouble: () => {} }
  const running = indexMemory({ ...deps, changes, index, identify: async () => 'one' }, stopping.signal)
  const stop = async (): Promise<void> => {
    stopping.abort()
    await running
  }
  return { stop, [Symbol.asyncDispose]: stop }
}

test('a record that cannot be read holds up its own partition alone', async () => {
  const index = createIndex()
  const changes = changesOf({
    last: async () => ['1-1', '1-1', '1-1'],
    read: async (partition) => ({ changes: [{ scope: `user:web:p${partition}`, number: 1 }], last: '1-1' }),
    async find(at) {
      if (at.endsWith('p1')) throw new BotError('store-corrupt', 'It cannot be read.')
      return [toRecord(1, at)]
    },
  })
  await using _ = follow(changes, index)
  await until(async () => index.held.size === 2)
  expect([...index.held]).toEqual(['user:web:p0 1', 'user:web:p2 1'])
})

test('what was forgotten while a frozen process wrote it does not stay', async () => {
  const index = createIndex()
  let there = [toRecord(1)]
  // Another process has dropped it meanwhile, and passed that change.
  const put = async (entries: readonly Entry[]): Promise<void> => {
    there = []
    await index.put(entries)
  }
  const passed = Promise.withResolvers<void>()
  const changes = changesOf({ find: async () => there, pass: async () => passed.resolve() })
  await using _ = follow(changes, { ...index, put })
  await passed.promise
  expect([...index.held]).toEqual([])
})

test('it stops between two scopes, and does not say that it had read them all', async () => {
  const index = createIndex()
  const passed: string[] = []
  let read = 0
  const changes = changesOf({
    findPlace: async () => undefined,
    pass: async (_partition, _index, place) => void passed.push(place),
    scopes: async () => Array.from({ length: 1000 }, (_, n) => `user:web:p${n}`),
    async *readScope() {
      read += 1
      await sleep(5)
      yield []
    },
  })
  const following = follow(changes, index)
  await until(async () => read > 3)
  await following.stop()
  expect(read).toBeLessThan(900)
  expect(passed).toEqual([])
})

test('what Redis lost with its last seconds goes from the index, and what it has again comes back', async () => {
  const index = createIndex()
  const places = { last: '1-1', passed: '0-0' }
  let there = [toRecord(1)]
  let changed: Awaited<ReturnType<IndexDeps['changes']['read']>> = { changes: [{ scope, number: 1 }], last: '1-1' }
  const changes = changesOf({
    last: async () => [places.last],
    findPlace: async () => places.passed,
    pass: async (_partition, _index, place) => void (places.passed = place),
    read: async (_partition, after) => (after === changed?.last ? { changes: [], last: after } : changed),
    find: async (_scope, numbers) => there.filter(({ number }) => numbers.includes(number)),
  })
  await using _ = follow(changes, index)
  await until(async () => index.held.has(`${scope} 1`))
  // Number 1 is forgotten and number 2 is said.
  there = [toRecord(2)]
  changed = { changes: [1, 2].map((number) => ({ scope, number })), last: '2-1' }
  places.last = '2-1'
  await until(async () => index.held.has(`${scope} 2`) && !index.held.has(`${scope} 1`) && places.passed === '2-1')
  // Redis is back where it was before that.
  there = [toRecord(1)]
  changed = { changes: [{ scope, number: 1 }], last: '1-1' }
  Object.assign(places, { last: '1-1', passed: '1-1' })
  await until(async () => index.held.has(`${scope} 1`) && !index.held.has(`${scope} 2`))
  expect(places.passed).toBe('1-1')
})

test('what was taken in goes, too, where Redis was lost before it was passed', { timeout: 30_000 }, async () => {
  const index = createIndex()
  const places = { last: '1-1', passed: '0-0' }
  let [there, changed] = [[toRecord(1)], [1]]
  const changes = changesOf({
    last: async () => [places.last],
    findPlace: async () => places.passed,
    async pass(_partition, _index, place) {
      if (place !== '1-1') throw new BotError('store-unavailable', 'Redis is gone.')
      places.passed = place
    },
    read: async (_partition, after) =>
      after === places.last
        ? { changes: [], last: after }
        : { changes: changed.map((number) => ({ scope, number })), last: places.last },
    async find(_scope, numbers) {
      if (index.held.has(`${scope} 2`) && places.last === '2-1')
        throw new BotError('store-unavailable', 'Redis is gone.')
      return there.filter(({ number }) => numbers.includes(number))
    },
  })
  await using _ = follow(changes, index)
  await until(async () => index.held.has(`${scope} 1`) && places.passed === '1-1')
  ;[there, changed] = [[toRecord(1), toRecord(2)], [2]]
  places.last = '2-1'
  await until(async () => index.held.has(`${scope} 2`))
  // Redis is back where it was before that.
  ;[there, changed] = [[toRecord(1)], [1]]
  places.last = '1-1'
  await until(async () => !index.held.has(`${scope} 2`))
  expect([...index.held]).toEqual([`${scope} 1`])
})

test('an index that is kept behind another reads no further than that one has passed', async () => {
  const read: unknown[] = []
  const passed: string[] = []
  const changes = behind(
    changesOf({
      last: async () => ['9-9'],
      findPlace: async (partition, index) => (partition === 0 && index === 'words' ? passed[0] : undefined),
      async read(...asked) {
        read.push(asked)
        return { changes: [], last: '1-1' }
      },
    }),
    async () => 'words',
  )
  expect((await changes.last()).every((one) => one === undefined)).toBe(true)
  passed.push('5-0')
  expect((await changes.last())[0]).toBe('5-0')
  await changes.read(0, '1-0', 500)
  expect(read).toEqual([[0, '1-0', 500, '5-0']])
})
