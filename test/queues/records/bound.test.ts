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
  const list = await store.redis.hget(`${prefix}tr:${chat}`, message)
  return list?.split(' ') ?? []
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
  const taken = await store.redis.memory('USAGE', `${prefix}tr:${chat}`, 'SAMPLES', 0)
  expect(taken).toBeLessThan(20 * megabyte)
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
  expect(await store.redis.hget(hash, '>m3')).toBe('a3')
  expect(await checkInvariants(store.redis)).toEqual([])
  await end('edit', [], { records: [{ kind: 'edited', message: 'one' }] }, c)
  expect(await store.redis.exists(hash)).toBe(0)
  expect(await checkInvariants(store.redis)).toEqual([])
})
