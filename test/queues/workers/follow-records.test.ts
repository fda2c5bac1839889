// Who reads the records of ended turns: each line in order and once for each reader, whatever fails, dies or is away meanwhile.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import type { RecordLine } from '#shared/run/record.ts'
import type { Letter } from '#shared/run/step.ts'
import { checkRecords } from '#infra/doctor/checks.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { followRecords, type FollowDeps, type RecordReader } from '#queues/workers/follow-records.ts'
import { inspectRecords } from '#queues/workers/inspect.ts'
import { createReadingRoom } from '#queues/workers/reading-room.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { recorded } from '#test/rig/records.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const [chat, other] = ['web:chat', 'web:other']
const partition = toPartition(chat)
let store: Store
let call: CallUnit
const troubles: string[] = []
const carried: number[] = []
beforeAll(async () => {
  store = await openStore()
  call = createUnits(store.redis, { patienceMs: 10_000 })
})
beforeEach(async () => {
  troubles.length = 0
  carried.length = 0
  await store.server.admin.flushall()
})
afterAll(() => store.stop())

async function end(conversation: string, ...turns: readonly string[]): Promise<void> {
  for (const turn of turns) {
    const { epoch } = await mustClaim(store.kernel, conversation)
    await store.kernel.append(conversation, epoch, step(turn, { records: [recorded(turn)] }))
  }
}
const toId = (line: RecordLine): string => ('id' in line ? line.id : line.kind)

type Following = { readonly taken: string[]; stop(): Promise<void> }

function follow(
  take: (id: string, line: RecordLine) => Promise<readonly Letter[]> | void = () => {},
  { name = 'notes.learn', ...deps }: Partial<FollowDeps> & { name?: string } = {},
): Following {
  const taken: string[] = []
  const room = createReadingRoom()
  const stopping = new AbortController()
  const reader: RecordReader = {
    name,
    async take(line) {
      taken.push(toId(line))
      return { letters: (await take(toId(line), line)) ?? [] }
    },
  }
  const given: FollowDeps = {
    kernel: store.kernel,
    call,
    liveness: createStillLiveness({ process: randomUUID() }),
    carry: (one) => void carried.push(one),
    room,
    onTrouble: (what) => troubles.push(what),
    everyMs: 20,
    ...deps,
  }
  const running = followRecords(given, reader, stopping.signal)
  return {
    taken,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 20_000; !(await holds()); await sleep(20))
    if (performance.now() > endMs) throw new Error('It never came to be.')
}
const cursor = (name = 'notes.learn') =>
  store.redis.hmget(`${partitionPrefix(partition)}readers`, name, `${name}/starts`)

test('lines come in order, from all partitions, also those from before the reader was there, and each once', async () => {
  await end(chat, 'a', 'b')
  const one = follow()
  await until(() => one.taken.length === 2)
  await end(other, 'x')
  await end(chat, 'c')
  await until(() => one.taken.length === 4)
  await one.stop()
  const next = follow()
  await end(chat, 'd')
  await until(() => next.taken.length === 1)
  await next.stop()
  expect(one.taken.filter((id) => id !== 'x')).toEqual(['a', 'b', 'c'])
  expect(next.taken).toEqual(['d'])
  expect(troubles).toEqual([])
})

test('more than a page comes whole', async () => {
  await end(chat, ...Array.from({ length: 250 }, (_, i) => `t${i}`))
  const one = follow()
  await until(() => one.taken.length === 250)
  await one.stop()
  expect(one.taken).toEqual(Array.from({ length: 250 }, (_, i) => `t${i}`))
})

test('each reader has its own place, and one that fails holds up no other', async () => {
  await end(chat, 'a', 'b')
  const failing = follow(
    () => {
      throw new Error('no')
    },
    { name: 'notes.bad' },
  )
  const fine = follow()
  await until(() => fine.taken.length === 2 && failing.taken.length > 0)
  await Promise.all([failing.stop(), fine.stop()])
  expect(fine.taken).toEqual(['a', 'b'])
  expect(new Set(failing.taken)).toEqual(new Set(['a']))
})

test('what failed three times is set aside and told, and the next one comes', async () => {
  await end(chat, 'a', 'bad', 'c')
  const one = follow((id) => {
    if (id === 'bad') throw new Error('no')
  })
  await until(() => one.taken.includes('c'))
  await one.stop()
  expect(one.taken).toEqual(['a', 'bad', 'bad', 'bad', 'c'])
  expect((await store.kernel.lookAtRecords(partition)).aside).toEqual({ 'notes.learn': 1 })
  expect(troubles.at(-1)).toMatch(/passes over the record .* of web:chat/)
}, 20_000)

test('a line that ends its process each time is begun three times, alone, whatever stands before it', async () => {
  await end(chat, 'a', 'bad', 'c')
  await end(other, 'x')
  const taken: string[][] = []
  for (let started = 1; started <= 3; started++) {
    // What is beside it when it dies for the first time has no end either.
    const isCut = (id: string): boolean => id === 'bad' || (id === 'x' && started === 1)
    const dying = follow((id) => (isCut(id) ? new Promise(() => {}) : undefined))
    await until(() => dying.taken.includes('bad') && (started > 1 || dying.taken.includes('x')))
    taken.push(dying.taken.filter((id) => id !== 'a').toSorted())
    // Its process is gone: nothing that it began comes to an end, and its lease runs out.
    void dying.stop()
    await store.redis.del('fl:{records-notes.learn}')
  }
  const last = follow()
  await until(() => last.taken.includes('c'))
  await last.stop()
  // What was only there when it died is taken in by the next one, or by the last.
  expect([...taken, last.taken].filter((round) => round.includes('x'))).toHaveLength(2)
  expect(taken.filter((round) => round.includes('bad'))).toHaveLength(3)
  expect(last.taken.filter((id) => id !== 'x')).toEqual(['c'])
  expect((await store.kernel.lookAtRecords(partition)).aside).toEqual({ 'notes.learn': 1 })
  expect((await store.kernel.lookAtRecords(toPartition(other))).aside).toEqual({})
}, 20_000)

test('a store that is away, a newer release’s line and a stop in the middle do not count as failures', async () => {
  await end(chat, 'a')
  let tries = 0
  const one = follow(() => {
    tries += 1
    throw new BotError('store-unavailable', 'away', { retry: { afterMs: 1 } })
  })
  await until(() => tries === 1)
  await until(async () => (await cursor())[1] === '0')
  await one.stop()
  const stopped = follow(() => sleep(50).then(() => Promise.reject(new Error('It was stopped.'))))
  await until(() => stopped.taken.length === 1)
  await stopped.stop()
  expect(await cursor()).toEqual(['0-0', '0'])
  await store.redis.xadd(`${partitionPrefix(partition)}records`, '9999999999999-0', 'l', `kept ${chat} z\n{}`)
  const older = follow()
  await until(() => older.taken.length === 1)
  await until(async () => (await cursor())[0] !== '0-0' && (await cursor())[1] === '0')
  await older.stop()
  expect(older.taken).toEqual(['a'])
})

/** Chats of the first partitions that a name leads to, each another one. */
function chatsApart(count: number): readonly string[] {
  const found = new Map<number, string>()
  for (let i = 0; found.size < count; i++)
    if (!found.has(toPartition(`web:p${i}`))) found.set(toPartition(`web:p${i}`), `web:p${i}`)
  return [...found.values()]
}

test('a load that stays in eight partitions keeps no ninth one from its turn', async () => {
  const chats = chatsApart(9)
  const [quiet = '', ...loud] = chats
  const many = (first: number): readonly string[] => Array.from({ length: 120 }, (_, i) => `t${first + i}`)
  await Promise.all(loud.map((c) => end(c, ...many(0))))
  let turns = 120
  const writing = new AbortController()
  // Whatever is taken in, as much comes behind it.
  const one = follow(async (_id, line) => {
    if (line.conversation === quiet) writing.abort()
    else if (!writing.signal.aborted) await end(line.conversation, `t${turns++}`)
    return []
  })
  await until(() => one.taken.length > 50)
  await end(quiet, 'at last')
  await until(() => one.taken.includes('at last'))
  await one.stop()
  expect(one.taken.length).toBeLessThan(8 * 3 * 100)
}, 40_000)

test('who must read alone waits for one line of a slow reader, and so does who comes behind it', async () => {
  const [slow = '', died = '', third = ''] = chatsApart(3)
  const room = createReadingRoom()
  await end(slow, ...Array.from({ length: 100 }, (_, i) => `s${i}`))
  const one = follow((_id, line) => (line.conversation === slow ? sleep(200).then(() => []) : undefined), {
    name: 'notes.slow',
    room,
  })
  await until(() => one.taken.includes('s1'))
  // Its process died with what comes next.
  await end(died, 'died-once')
  await store.kernel.startReading(toPartition(died), 'notes.quick', 'gone')
  await end(third, 'innocent')
  const two = follow(() => {}, { name: 'notes.quick', room })
  await until(() => two.taken.includes('died-once') && two.taken.includes('innocent'))
  expect(one.taken.length).toBeLessThan(20)
  await until(() => one.taken.length > 20)
  await Promise.all([one.stop(), two.stop()])
}, 30_000)

test('a store that is away in the middle of a line, again and again, has nothing set aside', async () => {
  await end(chat, 'a', 'b')
  let isAway = false
  const away = (): BotError => new BotError('store-unavailable', 'away', { retry: { afterMs: 1 } })
  const { kernel } = store
  const orAway =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isAway) throw away()
      return await work(...args)
    }
  const guarded: FollowDeps['kernel'] = {
    lastRecords: () => kernel.lastRecords(),
    readRecords: orAway(kernel.readRecords),
    findPlace: orAway(kernel.findPlace),
    startReading: orAway(kernel.startReading),
    passRecord: orAway(kernel.passRecord),
  }
  let outages = 0
  const one = follow(
    async (id) => {
      if (id !== 'a' || outages === 3) return []
      outages += 1
      isAway = true
      setTimeout(() => (isAway = false), 100)
      throw away()
    },
    { kernel: guarded },
  )
  await until(() => one.taken.includes('b'))
  await one.stop()
  expect(one.taken).toEqual(['a', 'a', 'a', 'a', 'b'])
  expect((await store.kernel.lookAtRecords(partition)).aside).toEqual({})
}, 40_000)

test('what only a newer release can read is told, and left to a process that can', async () => {
  const newer: FollowDeps['kernel'] = {
    ...store.kernel,
    readRecords: async (one, after) =>
      one === partition && after === '0-0'
        ? [{ name: '1700000000000-0', conversation: chat, kind: 'erased' }]
        : await store.kernel.readRecords(one, after, 1),
  }
  await store.redis.xadd(`${partitionPrefix(partition)}records`, '1700000000000-0', 'l', `summary ${chat} t1\n{"v":1}`)
  const older = follow()
  await until(() => troubles.length > 0)
  const young = follow(() => {}, { kernel: newer })
  await until(() => young.taken.length === 1)
  await Promise.all([older.stop(), young.stop()])
  expect(older.taken).toEqual([])
  expect(troubles).toEqual([
    expect.stringMatching(/notes\.learn stands in partition \d+ at a record of a newer release/),
  ])
  expect((await cursor())[0]).toBe('1700000000000-0')
}, 30_000)

test('two processes share the work: one at a time, and what both believe to do is done once', async () => {
  const [one, two] = [follow(), follow()]
  await end(chat, 'a', 'b', 'c')
  await until(() => one.taken.length + two.taken.length >= 3)
  await sleep(100)
  expect([...one.taken, ...two.taken]).toEqual(['a', 'b', 'c'])
  await Promise.all([one.stop(), two.stop()])
})

test('letters are written in the unit that passes their line, and carried', async () => {
  await end(chat, 'a')
  const whose = {
    v: 1,
    kind: 'letter',
    id: `${chat}/l`,
    conversation: other,
    principal: 'web:ann',
    from: chat,
  } as const
  const letter: Letter = { event: { ...whose, letter: 'notes.learned', payload: '' } }
  const one = follow(async () => [letter])
  await until(() => carried.length > 0)
  await one.stop()
  expect(carried).toEqual([partition])
  expect((await store.kernel.giveOut(partition)).letters.map(({ id }) => id)).toEqual([letter.event.id])
})

test('what is gone or can be nothing is passed', async () => {
  await end(chat, 'a', 'b', 'c')
  const key = `${partitionPrefix(partition)}tr:${chat}`
  await store.redis.hdel(key, 'a')
  await store.redis.hset(key, 'b', '{"v":1}')
  const one = follow()
  await until(() => one.taken.length === 1)
  await one.stop()
  expect(one.taken).toEqual(['c'])
})

test('a line that nobody can read is passed and told, and what comes after it is taken in', async () => {
  const log = `${partitionPrefix(partition)}records`
  await store.redis.xadd(log, '*', 'l', 'turn nowhere t1\n')
  await store.redis.xadd(log, '*', 'other', '')
  await end(chat, 'a')
  const one = follow()
  await until(() => one.taken.length === 1)
  await one.stop()
  expect(one.taken).toEqual(['a'])
  expect(troubles).toEqual([expect.stringContaining(`2 records of partition ${partition} cannot be read`)])
})

test('what a newer release says of messages waits for it', async () => {
  const log = `${partitionPrefix(partition)}records`
  await store.redis.xadd(log, '*', 'l', `forgotten ${chat} t1\n{"v":1,"messages":["m1"],"why":"edited"}`)
  await store.redis.xadd(log, '*', 'l', `erased ${chat} \n{"v":1}`)
  const said: RecordLine[] = []
  const one = follow((_id, line) => void said.push(line))
  await until(() => said.length === 2)
  for (const text of ['forgotten X t1\n{"v":2,"messages":["m1"],"why":"expired"}', 'erased X \n{"v":2}']) {
    await store.redis.del(log)
    await store.redis.xadd(log, '*', 'l', text.replace('X', chat))
    await expect(store.kernel.readRecords(partition, '0-0', 10)).rejects.toMatchObject({ code: 'store-newer' })
  }
  await one.stop()
  expect(said).toMatchObject([
    { kind: 'forgotten', ids: ['t1'], forgotten: { v: 1, messages: ['m1'], why: 'edited' } },
    { kind: 'erased' },
  ])
})

test('a partition whose log is no log holds up no other, and doctor names it', async () => {
  await end(chat, 'a')
  const broken = toPartition(other)
  expect(broken).not.toBe(partition)
  await store.redis.set(`${partitionPrefix(broken)}records`, 'of somebody else')
  const one = follow()
  await until(() => one.taken.length === 1)
  await one.stop()
  const found = await inspectRecords(store.kernel)
  expect(found).toMatchObject({ lines: 1, broken: [broken] })
  expect(checkRecords(found)).toMatchObject([
    { level: 'warning', found: expect.stringContaining(`partition ${broken} `) },
  ])
})
