// What a newer release stored and this one cannot read: it is left where it is, nothing is parked, and what stands before it goes on.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  deliverMany,
  entry,
  freshConversation,
  messageEvent,
  mustClaim,
  row,
  sender,
  step,
  ttlMs,
  turnDecision,
} from '#test/contracts/kernel-fixtures.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 500 })))
afterAll(() => store.stop())

let c = ''
beforeEach(() => void (c = freshConversation()))
const sent = { kind: 'sent', receipt: 'p1' } as const
const key = (kind: string, of = c): string => `${partitionPrefix(toPartition(of))}${kind}:${of}`
/** What the field says, as the next release would have written it. */
async function change(name: string, field: string | number, more: object): Promise<void> {
  const stored: unknown = JSON.parse((await store.redis.hget(name, String(field))) ?? '{}')
  await store.redis.hset(name, String(field), JSON.stringify({ ...Object(stored), ...more }))
}
async function expectNotParked(): Promise<void> {
  expect(await store.redis.hgetall(`${partitionPrefix(toPartition(c))}parked`)).toEqual({})
}

test('an unrouted event of an unknown kind is no corruption, and routing goes on where it is known', async () => {
  await store.kernel.ingest({ event: answerEvent(c, 'p00-x', 'a'), dedupeKey: 'a', stop: 'none', echo: false })
  await change(key('in'), 1, { kind: 'poll' })
  await expect(store.kernel.inbox(c, 8, { lostAfterMs: 0 })).rejects.toMatchObject({ code: 'store-newer' })
  await store.kernel.leave('route', c)
  await expectNotParked()
  expect(await store.redis.hget(key('c'), 'looked')).toBeNull()
  await change(key('in'), 1, { kind: 'answer' })
  expect((await store.kernel.inbox(c, 8)).events).toHaveLength(1)
})

test('a claim gives what stands before the unknown, and then leaves the conversation with its lease', async () => {
  await deliverMany(store.kernel, c, 3)
  await change(key('in'), 2, { kind: 'poll' })
  const { epoch, pending } = await mustClaim(store.kernel, c)
  expect(pending.map(({ seq }) => seq)).toEqual([1])
  expect((await store.kernel.pending(c, 0)).events.map(({ seq }) => seq)).toEqual([1])
  await store.kernel.append(c, epoch, step('a', { consume: [1] }))
  expect(await store.kernel.release(c, 'w1', epoch, false)).toBe('MORE')
  expect(await store.kernel.claim(c, 'w1', ttlMs)).toMatchObject({ kind: 'NEWER' })
  expect(await store.redis.exists(key('lease'))).toBe(0)
  expect(await store.redis.hget(key('r'), 'starts')).toBe('')
  await expectNotParked()
  await change(key('in'), 2, { kind: 'message' })
  const next = await mustClaim(store.kernel, c, 'w2')
  expect(next.pending.map(({ seq }) => seq)).toEqual([2, 3])
  expect(next.attempts).toBe(1)
})

test.each(['decision', 'journal entry'])('a %s of a newer release leaves the conversation to it', async (what) => {
  await deliverMany(store.kernel, c, 1)
  const { epoch } = await mustClaim(store.kernel, c)
  await store.kernel.append(c, epoch, { key: 'a', entries: [entry('a')] })
  await store.kernel.release(c, 'w1', epoch, true)
  if (what === 'decision') await change(key('dec'), 1, { act: 'delegate' })
  else await store.redis.lset(key('j'), 0, '1 a\n{"v":2}')
  expect(await store.kernel.claim(c, 'w2', ttlMs)).toMatchObject({ kind: 'NEWER' })
  await expectNotParked()
})

test('a row of an unknown kind waits unsent for who can read it, and what is behind it keeps its place', async () => {
  await deliverMany(store.kernel, c, 1)
  const { epoch } = await mustClaim(store.kernel, c)
  await store.kernel.append(c, epoch, step('a', { rows: [row('r1'), row('r2'), row('r3')] }))
  await change(`${key('o')}:r2`, 'b', { kind: 'poll' })
  const begun = await store.kernel.begin(sender(c), 'op1')
  expect(begun).toMatchObject({ kind: 'ROW', row: { id: 'r1' } })
  expect(await store.kernel.settle(sender(c), 'r1', sent, 'op2')).toEqual({ kind: 'WAIT', forMs: 1000 })
  expect(await store.redis.hmget(`${key('o')}:r2`, 's', 'n')).toEqual(['queued', '0'])
  expect(await store.redis.exists(key('ol'))).toBe(0)
  await expectNotParked()
  await change(`${key('o')}:r2`, 'b', { kind: 'send' })
  const next = (): Promise<unknown> => store.kernel.begin(sender(c, { owner: 's2' }), 'op3')
  await expect.poll(next, { timeout: 3000 }).toMatchObject({ kind: 'ROW', row: { id: 'r2', attempts: 1 } })
})

test('what a page cannot show yet has its place there', async () => {
  const web = freshConversation('web')
  await deliverMany(store.kernel, web, 1)
  const { epoch } = await mustClaim(store.kernel, web)
  await store.kernel.append(web, epoch, step('a', { rows: [row('r1'), row('r2')] }))
  await store.redis.lset(key('out', web), 0, 'b1700000000000{"v":1,"kind":"poll","answers":[],"language":"en"}')
  const items = await store.kernel.readOut(web, '0', 10)
  expect(items.map((item) => item.role === 'bot' && 'text' in item.body && item.body.text)).toEqual([
    expect.stringContaining('once the update is done'),
    'text of r2',
  ])
})

test('a press on a question of a newer version changes nothing, and is to be made again', async () => {
  await deliverMany(store.kernel, c, 1)
  const { epoch } = await mustClaim(store.kernel, c)
  const question = askedQuestion(c)
  await store.kernel.append(c, epoch, step('a', { questions: [question] }))
  const name = `${partitionPrefix(toPartition(c))}q:${question.id}`
  await change(name, 'j', { v: 2 })
  const press = { question: question.id, actor: ann, chat: c, choice: 'yes', event: answerEvent(c, question.id, 'x') }
  await expect(store.kernel.resolve(press)).rejects.toMatchObject({ code: 'store-newer' })
  await expectNotParked()
  await change(name, 'j', { v: 1, color: 'red' })
  expect(await store.kernel.resolve(press)).toMatchObject({ kind: 'WON' })
})

test('of questions of a newer version only one that is replied to is left; one that is broken takes its conversation out of service', async () => {
  const web = freshConversation('web')
  await deliverMany(store.kernel, web, 1)
  const { epoch } = await mustClaim(store.kernel, web)
  const [known, newer] = ['r1', 'r2'].map(() => ({
    ...askedQuestion(web),
    asker: ann,
    deadlineMs: 1e8,
    labels: ['Yes', 'No'],
  }))
  if (!known || !newer) return expect.unreachable()
  const rows = [known, newer].map(({ id }, i) =>
    toRow(`r${i + 1}`, toBody('Which?', { buttons: [[{ id: `${id}.yes`, label: 'Yes' }]] })),
  )
  await store.kernel.append(web, epoch, step('a', { questions: [known, newer], rows }))
  const name = `${partitionPrefix(toPartition(web))}q:${newer.id}`
  await change(name, 'j', { v: 2 })
  const found = await store.kernel.findCards(web, ['r1'])
  expect(found).toMatchObject({ isAll: false, cards: [{ question: { id: known.id } }] })
  await expect(store.kernel.findCards(web, ['r2'])).rejects.toMatchObject({ code: 'store-newer' })
  // By words nothing changes either, whoever rules so.
  const answer = answerEvent(web, newer.id, `${web}:2`)
  await store.kernel.ingest({ event: messageEvent(web, 2), dedupeKey: 'm2', stop: 'none', echo: false })
  const ruling = { act: 'answer', rule: 'answer.reply', answer, asAdmin: false, otherwise: turnDecision } as const
  await store.kernel.route(web, 1, [ruling])
  expect(await store.redis.hget(name, 's')).toBe('asked')
  await store.redis.hset(name, 'j', 'broken')
  await expect(store.kernel.findCards(web, [])).rejects.toMatchObject({ code: 'store-corrupt' })
  expect(await store.redis.hget(`${partitionPrefix(toPartition(web))}parked`, web)).toContain('CORRUPT')
})
