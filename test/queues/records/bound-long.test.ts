// A partition full of records: the oldest go, and with them all that names them, whatever they share.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DeleteEvent } from '#shared/chat/event.ts'
import type { Append } from '#shared/run/step.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { ann, mustBegin, mustClaim, row, sender, step } from '#test/contracts/kernel-fixtures.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { recorded } from '#test/rig/records.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const chat = 'web:chat'
const partition = toPartition(chat)
const prefix = partitionPrefix(partition)
const megabyte = 1_048_576
let store: Store
beforeAll(async () => {
  store = await openStore()
})
beforeEach(() => store.server.admin.flushall())
afterAll(() => store.stop())

const answer = 'b'.repeat(7000)

async function end(turn: string, about: readonly string[], more: Partial<Append> = {}, c = chat): Promise<void> {
  const { epoch } = await mustClaim(store.kernel, c)
  await store.kernel.append(c, epoch, step(turn, { records: [recorded(turn, about, { answer })], ...more }))
}

async function idsOf(message: string): Promise<readonly string[]> {
  const links = await store.redis.zrangebylex(`${prefix}tm:${chat}`, `[${message}\n`, `(${message}\v`)
  return links.map((link) => link.split('\n')[2] ?? '')
}

const deletion = (messageId: string): DeleteEvent => ({
  v: 1,
  kind: 'delete',
  id: `${chat}/del-${messageId}`,
  conversation: chat,
  principal: ann,
  at: 1,
  messageId,
})

test('a message that each turn is about names only the records that are kept, and they take no more than their bound', async () => {
  const turns = 3000
  for (let i = 0; i < turns; i++)
    await end(`t${i}`, ['same', String(i)], { folds: true, snapshot: 's', rest: '', release: true })
  const { lines, bytes, lost } = await store.kernel.lookAtRecords(partition)
  expect(lost).toBeGreaterThan(500)
  expect(lines + lost).toBe(turns)
  expect(bytes).toBeLessThanOrEqual(16 * megabyte)
  expect(await idsOf('@same')).toEqual(Array.from({ length: lines }, (_, i) => `t${lost + i}`))
  const [texts, links] = await Promise.all(
    ['tr', 'tm'].map((kind) => store.redis.memory('USAGE', `${prefix}${kind}:${chat}`, 'SAMPLES', 0)),
  )
  expect(Number(texts) + Number(links)).toBeLessThan(20 * megabyte)
  expect(await checkInvariants(store.redis)).toEqual([])
}, 60_000)

test('the count of bytes agrees after all that is taken away, also where something else is written in its place', async () => {
  for (let i = 0; i < 20; i++) await end(`a${i}`, ['one', i % 2 === 0 ? 'even' : 'odd'])
  await store.kernel.forget(deletion('even'), [])
  expect(await checkInvariants(store.redis)).toEqual([])
  await end('edit', ['one'], { records: [{ kind: 'edited', message: 'odd' }, recorded('edit', ['one'])] })
  expect(await idsOf('@one')).toEqual(['edit'])
  expect(await checkInvariants(store.redis)).toEqual([])
  await store.kernel.erase(chat)
  expect(await store.redis.exists(`${prefix}tr:${chat}`)).toBe(0)
  expect(await checkInvariants(store.redis)).toEqual([])
})

test('the messages that answered count, and go with their records', async () => {
  const c = 'telegram:7'
  const hash = `${partitionPrefix(toPartition(c))}tr:${c}`
  for (let i = 0; i < 5; i++) {
    await end(`a${i}`, ['one'], { rows: [row(`a${i}-end`)] }, c)
    const { id } = await mustBegin(store.kernel, sender(c), `begin-${i}`)
    await store.kernel.settle(sender(c), id, { kind: 'sent', receipt: `m${i}` }, `settle-${i}`)
  }
  expect((await store.redis.hget(hash, 'a3/'))?.split('\n').slice(1)).toEqual(['@one', '>m3'])
  expect(await checkInvariants(store.redis)).toEqual([])
  await end('edit', [], { records: [{ kind: 'edited', message: 'one' }] }, c)
  expect(await store.redis.exists(hash)).toBe(0)
  expect(await checkInvariants(store.redis)).toEqual([])
})

/** How many units of this kind ran meanwhile, among others. */
async function countCalls(work: () => Promise<unknown>): Promise<number> {
  const ran = async (): Promise<number> =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await store.redis.info('commandstats'))?.[1] ?? 0)
  const before = await ran()
  await work()
  return (await ran()) - before
}

test('what very many records are to lose is taken away in portions, so that nobody waits for it', async () => {
  const turns = Array.from({ length: 650 }, (_, i) => `t${i}`)
  for (const turn of turns) await end(turn, ['same'], { records: [recorded(turn, ['same'])] })
  const edit: Partial<Append> = { records: [{ kind: 'edited', message: 'same' }, recorded('after', ['same'])] }
  expect(await countCalls(() => end('edit', [], edit))).toBeGreaterThan(3)
  const told = (await store.kernel.readRecords(partition, '0-0', 1000)).flatMap((line) =>
    line.kind === 'forgotten' ? [line] : [],
  )
  expect(told.map(({ ids }) => ids.length)).toEqual([200, 200, 200, 50])
  expect(told.flatMap(({ ids }) => ids)).toEqual(turns)
  expect(await idsOf('@same')).toEqual(['after'])
  for (const turn of turns) await end(`2${turn}`, [], { records: [recorded(`2${turn}`)] })
  expect(await countCalls(() => store.kernel.erase(chat))).toBeGreaterThan(4)
  expect(await checkInvariants(store.redis)).toEqual([])
})

test('records that many messages lead to are taken away a few at a time', async () => {
  const messages = Array.from({ length: 200 }, (_, i) => `m${i}`)
  for (let i = 0; i < 40; i++) await end(`t${i}`, [...messages, `own${i}`])
  const first = await store.kernel.giveUpRecords(partition, -1000)
  expect(first).toBeGreaterThan(1)
  expect(first).toBeLessThan(12)
  await store.kernel.forget(deletion('m7'), [])
  const told = (await store.kernel.readRecords(partition, '0-0', 1000)).flatMap((line) =>
    line.kind === 'forgotten' ? [line.ids.length] : [],
  )
  expect(Math.max(...told)).toBeLessThan(12)
  expect(told.reduce((sum, one) => sum + one, 0)).toBe(40 - first)
  expect(await checkInvariants(store.redis)).toEqual([])
  while ((await store.kernel.giveUpRecords(partition, -1000)) > 0);
  expect(await checkInvariants(store.redis)).toEqual([])
})

test('one more turn about a message writes as little to disk as the first one did', async () => {
  await using disk = await openStore({ aof: true })
  // Then it writes to the file before each answer, and no write waits for the disk.
  await disk.redis.config('SET', 'appendfsync', 'no')
  const { epoch } = await mustClaim(disk.kernel, chat)
  const write = (turn: string) => disk.kernel.append(chat, epoch, step(turn, { records: [recorded(turn, ['same'])] }))
  const written = async (): Promise<number> =>
    Number(/aof_current_size:(\d+)/.exec(await disk.redis.info('persistence'))?.[1] ?? 0)
  const cost = async (turn: string): Promise<number> => {
    const before = await written()
    await write(turn)
    return (await written()) - before
  }
  const first = await cost('t1000')
  expect(first).toBeGreaterThan(500)
  for (let i = 1; i < 2000; i++) await write(`t${1000 + i}`)
  expect(await cost('t9999')).toBeLessThan(first + 500)
}, 30_000)
