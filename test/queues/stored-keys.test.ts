// A day of traffic and a month of silence in compressed time: whatever key is in Redis stands in infra/docs/redis-keys.md, and keeps within
// its bound.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMemoryIndex } from '#infra/processes/follow-memory.ts'
import { startReaders } from '#infra/processes/readers.ts'
import { toTask } from '#shared/chat/address.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { createConversationList } from '#adapters/web/conversation-list.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { createChatBook } from '#queues/fleet/chat-book.ts'
import { partitionPrefix, partitions, toPartition } from '#queues/partition.ts'
import { carryLetters } from '#queues/workers/carry-letters.ts'
import { keepFileApart } from '#queues/workers/shown-files.ts'
import type { Append } from '#shared/run/step.ts'
import { createDesks } from '#queues/fleet/desks.ts'
import { createReadingCounts } from '#queues/fleet/reading-counts.ts'
import { createLinkCodes } from '#queues/fleet/link-codes.ts'
import { createProjects } from '#queues/memory/projects.ts'
import { createRedisGraph } from '#queues/memory/redis-graph.ts'
import { createRedisLog } from '#queues/memory/redis-log.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { readingCounts } from '#services/curiosity/reading/counts.ts'
import { comparing } from '#services/memory/comparing.ts'
import { createUnits } from '#queues/units.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/channel-rig.ts'
import { createLedger, deliverAll, driveEvent, routeAll } from '#test/rig/kernel-drive.ts'
import {
  artifact,
  askedQuestion,
  entry,
  ignoreDecision,
  messageEvent,
  mustClaim,
  row,
  rowWithFile,
  sender,
  signalTo,
} from '#test/contracts/kernel-fixtures.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { factOf, foundIn, relationOf } from '#test/rig/found-in.ts'
import { remembered, toLogEntry } from '#test/rig/remembered.ts'
import { findKeyBreaches, findRow, readKeyRows, scanKeys } from '#test/rig/stored-keys.ts'
import { type BenchStore, openBenchStore } from '#test/rig/store.ts'

const hourMs = 3_600_000
let jobs = 0
const slowReader: Feature = {
  name: 'notes',
  after: [
    {
      name: 'learn',
      take: async () => (jobs++ === 0 ? [{ kind: 'job' }] : []),
      async work() {
        await sleep(1000)
        return []
      },
      tick: { everyMs: 3_600_000, run: async () => [] },
    },
  ],
}
const rows = readKeyRows()
const met = new Set<string>()
let store: BenchStore
beforeAll(async () => void (store = await openBenchStore()))
afterAll(() => store.stop())

/** Notes which rows of the document are in use now. */
async function look(): Promise<void> {
  for (const name of await scanKeys(store.server.admin)) met.add(findRow(rows, name)?.name ?? `no row: ${name}`)
}

test('a fleet at work, with people on four channels, stores what the document says', { timeout: 90_000 }, async () => {
  await using places = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-keys-'))
  places.defer(() => rm(folder, { recursive: true, force: true }))
  await using discord = await startDiscord()
  await using telegram = await startTelegram()
  await using feishu = await startFeishu()
  const open = { owner: 'Olga', redisUrl: store.server.url, env: { FLOTILLA_ALLOW: '*', FLOTILLA_DATA: folder } }
  await using fleet = await startChatFleet([discord, telegram, feishu], open)
  const group = telegram.group({ by: 'Olga' })
  await fleet.runtime.access.admit('chat', group.conversation, 'test')
  await fleet.runtime.budgets.set('total', 'tokens', 1e9)
  const looking = new AbortController()
  const readers = startReaders(fleet.runtime, [slowReader], 'reflection')
  const index = startMemoryIndex(fleet.runtime)
  await fleet.runtime.memory.write('global', remembered('We close at five.', { conversation: 'web:one', message: 'm' }))
  const watching = (async () => {
    while (!looking.signal.aborted) await look().then(() => sleep(5))
  })()
  try {
    await group.until(() => group.said()[0])
    for (const place of ['one', 'two', 'three']) {
      for (const platform of [discord, telegram, feishu])
        await platform.direct('Ada').answerTo('Ada', `what is ${place}?`)
      await fleet.ask(`what is ${place}?`)
    }
    // A connection says that it is there a moment after its first event, and no platform tells of it.
    await until(async () => [...met].find((name) => name.startsWith('fl:{connected-feishu')))
    await until(async () => [...met].find((name) => name.startsWith('fl:{pNN}:held')))
    await until(async () => [...met].find((name) => name === 'fl:{mNN}:indexed'))
    expect(await findKeyBreaches(store.server.admin, rows, 'working')).toEqual([])
  } finally {
    looking.abort()
    await watching
    await until(async () =>
      (await scanKeys(store.server.admin)).some((name) => name.includes(':jobs:')) ? undefined : 'done',
    )
    await fleet.runtime.memory.forget('web:one', 'all')
    await readers.stop(0)
    await index.stop(0)
  }
})

test('a day of many chats leaves each key within its bound', { timeout: 120_000 }, async () => {
  const { kernel, advance } = store
  const drive = { kernel, ledger: createLedger() }
  const chats = createChatBook(createUnits(store.server.admin, { patienceMs: 5000 }))
  const exported: Append = { key: 'export', entries: [], rows: [rowWithFile('row', 'all that was said')] }
  const listed = createConversationList({ redis: store.server.admin, kernel, principal: 'web:owner', now: Date.now })
  for (let hour = 0; hour < 24; hour++) {
    const names = Array.from({ length: 6 }, (_, i) => `telegram:${(hour % 8) * 10 + i}`)
    for (const name of [...names, `web:h${hour}`]) await driveEvent(drive, name, hour + 1)
    await Promise.all(Array.from({ length: 20 }, (_, i) => overhear(kernel, `discord:overheard${i}`, hour)))
    await trouble(kernel, `telegram:trouble${hour % 5}`, hour)
    await workOnTask(kernel, 'telegram:tasks', hour)
    if (hour % 8 === 0) await congest(kernel, 'telegram:crowd', hour)
    await chats.close(`telegram:${hour}`, 'blocked')
    const { epoch } = await mustClaim(kernel, `web:h${hour}`)
    await kernel.append(`web:h${hour}`, epoch, toCard(`web:h${hour}`))
    await kernel.append(`web:h${hour}`, epoch, { ...keepFileApart(`web:h${hour}`, exported), release: true })
    await listed.touch(`h${hour}`, hour)
    await listed.load()
    await listed.rename(`h${hour}`, `hour ${hour}`)
    await look()
    expect(await findKeyBreaches(store.server.admin, rows, 'working')).toEqual([])
    await advance(hourMs)
  }
  await endTasks(kernel, 'telegram:tasks')
  // Notices of what failed are due by now.
  for (let minute = 0; minute < 5; minute++) {
    await advance(62_000)
    for (let i = 0; i < 5; i++) await deliverAll(drive, `telegram:trouble${i}`)
    await deliverAll(drive, 'telegram:crowd')
  }
  expect(await findKeyBreaches(store.server.admin, rows, 'rest')).toEqual([])
  expect((await scanKeys(store.server.admin)).filter((name) => name.includes('overheard'))).toEqual([])
})

test('what people have kept stays within its bound, and what is forgotten goes', async () => {
  const memory = createRedisMemory(store.server.admin, createUnits(store.server.admin, { patienceMs: 5000 }), comparing)
  const log = createRedisLog(createUnits(store.server.admin, { patienceMs: 5000 }))
  const graph = createRedisGraph(store.server.admin, createUnits(store.server.admin, { patienceMs: 5000 }), comparing)
  const saidAt = Number((await store.server.admin.time())[0]) * 1000
  for (let n = 0; n < 30; n++) {
    const at = { conversation: `telegram:${n % 3}`, message: `m${n}` }
    await memory.write(`user:telegram:${n % 3}`, remembered(`Fact ${n}`, at))
    await memory.write(
      `chat:telegram:-${n % 3}`,
      remembered(`Fact ${n}`, at, n % 3 === 0 ? { status: 'unconfirmed' } : {}),
    )
    await log.add(at.conversation, toLogEntry(n, at.message))
    const day = new Date(saidAt - n * 86_400_000).toISOString().slice(0, 10)
    await log.addDay(at.conversation, { v: 1, day, exchanges: 1, topics: ['tea'], tools: [], messages: [at.message] })
    const items = [factOf('Bob', `fact ${n}`, 'x', { saidAt }), relationOf('Bob', 'knows', `Friend ${n}`, { saidAt })]
    await graph.write(`user:telegram:${n % 3}`, foundIn({ ...at, messages: [at.message] }, items))
    await graph.note({ ...at, principal: 'telegram:1' }, `${n}-0`)
    await graph.count('written')
    if (n % 10 === 0) await memory.drop(`user:telegram:${n % 3}`, [1], 'for-good')
    if (n % 2 === 0) await memory.forget(at.conversation, [at.message])
  }
  const desks = createDesks(store.server.admin, createUnits(store.server.admin, { patienceMs: 5000 }))
  expect(await desks.write('telegram:1', '', '{}')).toBe(true)
  expect(await desks.write('telegram:1', '', '{}')).toBe(false)
  await desks.wait('telegram:1', saidAt)
  const linkCodes = createLinkCodes(store.server.admin)
  await linkCodes.make({ principal: 'telegram:1', conversation: 'telegram:1' })
  await linkCodes.use('ABCD-2345', { principal: 'discord:1', event: 'e' })
  const code = await linkCodes.make({ principal: 'telegram:2', conversation: 'telegram:2' })
  await linkCodes.use(code, { principal: 'discord:2', event: 'e' })
  const projects = createProjects({
    redis: store.server.admin,
    call: createUnits(store.server.admin, { patienceMs: 10_000 }),
    comparing,
  })
  await projects.bind({ chat: 'telegram:-1', project: 'apollo' }, 'telegram:-1 e')
  await createReadingCounts(store.server.admin).count(new Map(readingCounts.map((what) => [what, 1])))
  await look()
  expect(await findKeyBreaches(store.server.admin, rows, 'rest')).toEqual([])
  for (let n = 0; n < 3; n++) await memory.forget(`telegram:${n}`, 'all')
  const left = await scanKeys(store.server.admin)
  expect(left.filter((name) => /:(?:mr|mi|mf|lg|ld|scopes|g[iexcfa]|graphs)\b/.test(name))).toEqual([])
})

test('every row of the document was met', () => {
  // A limit that no call met, a conflict that nobody caused, and what is there for some milliseconds only.
  const rare =
    /memory-vectors|refused|pause|waiting|heard|conflict|identify|late|moving|parked|places|sweeper|<rest>|:events|note-discord-thread/
  expect(rows.filter(({ name }) => !met.has(name) && !rare.test(name)).map(({ name }) => name)).toEqual([])
  expect([...met].filter((name) => name.startsWith('no row'))).toEqual([])
})

test.each([
  ['of no row', ['SET', 'fl:{p07}:zz:telegram:1', '1'], /stands in no row/],
  ['that never goes away', ['ZADD', 'fl:{p07}:dd:telegram:1', '1', 'a'], /never goes away/],
  ['that lives too long', ['SET', 'fl:{p07}:lease:telegram:1', '1', 'EX', '3600'], /lives longer/],
  ['without work', ['RPUSH', 'fl:{p07}:obq:telegram:1', 'r1'], /without work/],
  ['that is too large', ['RPUSH', 'fl:{p07}:out:web:1', ...Array.from({ length: 1001 }, String)], /has 1001 parts/],
])('a key %s is noticed', async (_, [command = '', name = '', ...args], breach) => {
  await store.server.cli(command, name, ...args)
  expect((await findKeyBreaches(store.server.admin, rows, 'rest')).join()).toMatch(breach)
  await store.server.admin.del(name)
})

test('a month of silence leaves what people set, and what the page shows', { timeout: 60_000 }, async () => {
  const { kernel, advance } = store
  const { epoch } = await mustClaim(kernel, 'telegram:set')
  const rest = '{"v":1,"depth":"deep"}'
  await kernel.append('telegram:set', epoch, {
    key: 'set',
    entries: [],
    folds: true,
    snapshot: 'long',
    rest,
    release: true,
  })
  await advance(9 * hourMs)
  await endSessions(kernel)
  await advance(31 * 24 * hourMs)
  for (let partition = 0; partition < partitions; partition++) {
    while ((await kernel.giveUpRecords(partition, 7 * 24 * hourMs)) > 0);
    while ((await kernel.archive(partition, 30 * 24 * hourMs, 100)) === 100);
  }
  expect(await findKeyBreaches(store.server.admin, rows, 'silent')).toEqual([])
  const left = (await scanKeys(store.server.admin)).map((name) => findRow(rows, name)?.name ?? name)
  expect(left.filter((name) => name === 'fl:{pNN}:r:<conversation>')).toHaveLength(1)
  expect(left).toContain('fl:{pNN}:out:<conversation>')
  expect(await mustClaim(kernel, 'telegram:set')).toMatchObject({ snapshot: rest })
  expect(await store.server.admin.exists(`${partitionPrefix(0)}idle`)).toBe(0)
})

/** A question that waits for an answer for some hours. */
function toCard(conversation: string): Append {
  const question = { ...askedQuestion(conversation), asker: 'web:owner', deadlineMs: 8 * hourMs, labels: ['Yes', 'No'] }
  const buttons = [[{ id: `${question.id}.yes`, label: 'Yes' }]]
  return { key: 'card', entries: [], questions: [question], rows: [toRow('card', toBody('Keep it?', { buttons }))] }
}

/** Lets timers fire, and does with what they begin as an executor does where nothing is left to be taken off. */
async function endSessions(kernel: Kernel): Promise<void> {
  for (let partition = 0; partition < partitions; partition++)
    for (const conversation of (await kernel.fire(partition)).conversations) await ignoreAll(kernel, conversation)
}

/** Ten messages of a chat that nobody admitted. */
async function overhear(kernel: Kernel, conversation: string, hour: number): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const event = messageEvent(conversation, `${hour}-${n}`)
    const stop = n === 5 ? 'own' : 'none'
    await kernel.ingest({ event, dedupeKey: event.id, stop, echo: false })
  }
  await ignoreAll(kernel, conversation)
}

async function ignoreAll(kernel: Kernel, conversation: string): Promise<void> {
  const { routedSeq, events } = await kernel.inbox(conversation, 100)
  await kernel.route(
    conversation,
    routedSeq,
    events.map(() => ignoreDecision),
  )
}

/** What does not go well: a stop, a draft, a set-aside event, a question, a row that fails. */
async function trouble(kernel: Kernel, conversation: string, hour: number): Promise<void> {
  for (const stop of ['none', 'own', 'all'] as const) {
    const event = messageEvent(conversation, `${hour}-${stop}`)
    await kernel.ingest({ event, dedupeKey: event.id, stop, echo: false })
  }
  await routeAll(kernel, conversation)
  const { epoch, pending } = await mustClaim(kernel, conversation)
  const told = `telegram:told${hour % 5}`
  const letter = {
    v: 1,
    kind: 'letter',
    id: `${conversation}/${hour}`,
    conversation: told,
    principal: 'telegram:1',
    from: conversation,
    letter: 'a.b',
    payload: '',
  } as const
  await kernel.append(conversation, epoch, {
    key: `begun${hour}`,
    entries: [],
    letters: [{ event: letter }],
    artifacts: [artifact(`a${hour}`)],
  })
  await kernel.saveDraft(conversation, { turn: `t${hour}`, text: 'half' })
  await look()
  const onTrouble = (what: string): never => {
    throw new Error(what)
  }
  await carryLetters({ kernel, hints: { inbound: async () => {} }, onTrouble }, toPartition(conversation))
  await ignoreAll(kernel, told)
  const consume = pending.map(({ seq }) => seq)
  await kernel.append(conversation, epoch, {
    key: `end${hour}`,
    entries: [],
    consume,
    setAside: consume.slice(0, 1),
    rows: [row(`r${hour}`)],
    questions: [{ ...askedQuestion(conversation), topic: 'menu' }],
    folds: true,
    snapshot: 'state',
    rest: '',
    release: true,
  })
  const begun = await kernel.begin(sender(conversation), `begin${hour}`)
  if (begun.kind !== 'ROW') throw new Error(`The row of ${conversation} is ${begun.kind}.`)
  await kernel.settle(sender(conversation), begun.row.id, { kind: 'failed', reason: 'no' }, `settle${hour}`)
}

/** A task begins, of which a timer and much work is left; the one before says something and goes on. */
async function workOnTask(kernel: Kernel, home: string, hour: number): Promise<void> {
  const task = toTask(home, hour + 1)
  const { epoch } = await mustClaim(kernel, home)
  const begin = signalTo(home, task, `begin-${hour}`, { begins: ['m1'] })
  await kernel.append(home, epoch, { key: `begin${hour}`, entries: [], signals: [begin], folds: true, release: true })
  const works = Array.from({ length: 600 }, (_, n) => artifact(`w${n}`, { kind: 'work' }))
  for (const address of hour > 0 ? [task, toTask(home, hour)] : [task]) {
    const { epoch: own, pending } = await mustClaim(kernel, address)
    await kernel.append(address, own, {
      key: `step${hour}`,
      entries: [entry('t1')],
      consume: pending.map(({ seq }) => seq),
      artifacts: works,
      rows: [row(`task-${hour}-${address === task}`)],
      signals: [signalTo(home, address, `next-${hour}`)],
    })
    await look()
    await kernel.append(address, own, { key: `end${hour}`, entries: [], folds: true, snapshot: 'state' })
    await kernel.release(address, 'w1', own, true)
  }
  await deliverAll({ kernel, ledger: createLedger() }, home)
}

async function endTasks(kernel: Kernel, home: string): Promise<void> {
  const { epoch } = await mustClaim(kernel, home)
  const drops = Array.from({ length: 40 }, (_, n) => n + 1)
  await kernel.append(home, epoch, {
    key: 'over',
    entries: [],
    drops,
    folds: true,
    snapshot: 's',
    rest: '',
    release: true,
  })
}

/** More answers than the budget has permits for. */
async function congest(kernel: Kernel, conversation: string, hour: number): Promise<void> {
  const { epoch } = await mustClaim(kernel, conversation)
  const many = Array.from({ length: 15 }, (_, i) => row(`crowd${hour}-${i}`))
  await kernel.append(conversation, epoch, {
    key: `crowd${hour}`,
    entries: [],
    rows: many,
    folds: true,
    snapshot: 'state',
    rest: '',
    release: true,
  })
  let begun = await kernel.begin(sender(conversation), `crowd${hour}`)
  for (let i = 0; begun.kind === 'ROW'; i++)
    begun = await kernel.settle(sender(conversation), begun.row.id, { kind: 'later', afterMs: 60_000 }, `${hour} ${i}`)
}
