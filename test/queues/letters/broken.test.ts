// Broken keys of letters: who writes or reads there is told, and what others write is carried.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { carryLetters } from '#queues/workers/carry-letters.ts'
import type { Letter } from '#shared/run/step.ts'
import { freshConversation, mustClaim, step } from '#test/contracts/kernel-fixtures.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { openBenchStore, type BenchStore } from '#test/rig/store.ts'

let store: BenchStore
let told: string[] = []
let hinted: string[] = []
beforeAll(async () => void (store = await openBenchStore()))
beforeEach(async () => {
  told = []
  hinted = []
  await store.server.admin.flushall()
})
afterAll(() => store.stop())

const letter = (from: string, to: string, name: string): Letter => ({
  event: {
    v: 1,
    kind: 'letter',
    id: `${from}/${name}`,
    conversation: to,
    principal: 'telegram:1',
    from,
    letter: 'a.b',
    payload: '',
  },
})
async function write(from: string, to: string, ...names: string[]): Promise<unknown> {
  const { epoch } = await mustClaim(store.kernel, from)
  const letters = names.map((name) => letter(from, to, name))
  return await store.kernel.append(from, epoch, step(names.join(), { letters }))
}
const carry = (from: string): Promise<void> =>
  carryLetters(
    {
      kernel: store.kernel,
      hints: { inbound: async (conversation) => void hinted.push(conversation) },
      onTrouble: (what) => void told.push(what),
    },
    toPartition(from),
  )
const came = async (to: string): Promise<string[]> =>
  (await store.kernel.inbox(to, 100)).events.map(({ event }) => event.id.replace(/^.*\//, ''))
const key = (of: string, kind: string): string => `${partitionPrefix(toPartition(of))}${kind}`
/** Another conversation of the same partition. */
const neighbour = (of: string): string =>
  Array.from({ length: 2000 }, (_, i) => `${of}n${i}`).find((name) => toPartition(name) === toPartition(of)) ?? ''

test('a mailbox of a wrong type parks its conversation, and the letter waits until it is repaired', async () => {
  const [from, bad, good] = [freshConversation(), freshConversation(), freshConversation()]
  await write(from, bad, 'bad')
  await write(from, good, 'good')
  await store.server.admin.set(key(bad, `in:${bad}`), 'no hash')
  await carry(from)
  expect(hinted).toEqual([good])
  expect(told).toEqual(['Letters cannot be received by their conversation. See flotilla doctor.'])
  expect(await store.kernel.claim(bad, 'w', 8000)).toMatchObject({
    kind: 'PARKED',
    reason: expect.stringContaining('in:'),
  })
  await carry(from)
  expect(told).toHaveLength(1)
  await store.server.admin.del(key(bad, `in:${bad}`))
  await store.kernel.unpark(bad)
  await store.advance(61_000)
  await carry(from)
  expect(await came(bad)).toEqual(['bad'])
  expect(await checkInvariants(store.server.admin)).toEqual([])
})

test('a list that cannot be read is told of and looked at again, and the others are carried', async () => {
  const [from, bad, good] = [freshConversation(), freshConversation(), freshConversation()]
  await write(from, bad, 'bad')
  await write(from, good, 'good')
  await store.server.admin.set(key(from, `to:${bad}`), 'no list')
  await carry(from)
  expect([await came(good), told]).toEqual([
    ['good'],
    ['Letters to 1 conversations cannot be read. See flotilla doctor.'],
  ])
  // Who writes there is parked, before anything of its step is stored.
  await expect(write(from, bad, 'more')).rejects.toThrow(/to:/)
  expect(await store.kernel.claim(from, 'w', 8000)).toMatchObject({ kind: 'PARKED' })
})

test('what a broken key or a strange item hid is no letter any more; those behind it are carried', async () => {
  const from = freshConversation()
  const [other, to] = [neighbour(from), freshConversation()]
  await write(from, to, 'a')
  await write(other, to, 'b')
  await write(from, to, 'c')
  await write(other, to, 'd')
  await store.server.admin.del(key(from, `l:${from}`))
  await store.server.admin.set(key(from, `l:${from}`), 'no hash')
  await store.server.admin.lpush(key(from, `to:${to}`), 'nonsense')
  await carry(from)
  expect(await came(to)).toEqual(['b', 'd'])
  expect(await store.server.admin.exists(key(from, `to:${to}`), key(from, 'letters'))).toBe(0)
})

test('a partition whose letters cannot be read is told of; its timers fire all the same', async () => {
  const from = freshConversation()
  await write(from, from, 'a')
  await store.server.admin.del(key(from, 'letters'))
  await store.server.admin.set(key(from, 'letters'), 'no set')
  expect(await store.kernel.fire(toPartition(from))).toMatchObject({ due: 0, letters: true })
  await carry(from)
  expect(told).toEqual(['Letters of a partition cannot be carried. See flotilla doctor.'])
})

test.each(['letters', 'lettered', 'l:'])(
  'a wrong type of %s refuses the step and leaves nothing of it',
  async (kind) => {
    const [from, to] = [freshConversation(), freshConversation()]
    const name = key(from, kind === 'l:' ? `l:${from}` : kind)
    await store.server.admin.hset(name, 'a', 'b')
    if (kind === 'l:') await store.server.admin.del(name).then(() => store.server.admin.set(name, 'x'))
    await expect(write(from, to, 'a')).rejects.toThrow(/CORRUPT|is a/)
    expect(await store.server.admin.exists(key(from, `to:${to}`), key(from, `j:${from}`))).toBe(0)
  },
)

test('numbers rise when the last one is lost, by the time', async () => {
  const [from, to] = [freshConversation(), freshConversation()]
  await write(from, to, 'a', 'b')
  await carry(from)
  await store.server.admin.del(key(from, 'lettered'))
  await store.advance(1000)
  await write(from, to, 'c')
  await carry(from)
  expect(await came(to)).toEqual(['a', 'b', 'c'])
})
