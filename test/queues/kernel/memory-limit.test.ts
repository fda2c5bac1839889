// Redis at `maxmemory`: nothing more is taken in, the caller is told to come back, and all that waits goes on to its end.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toPartition } from '#queues/partition.ts'
import { answerAll, createLedger, deliverAll, driveEvent, routeAll } from '#test/rig/kernel-drive.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import {
  answerEvent,
  askedQuestion,
  deliverMany,
  freshConversation,
  ignoreDecision,
  messageEvent,
  mustBegin,
  mustClaim,
  row,
  sender,
  step,
  turnDecision,
} from '#test/contracts/kernel-fixtures.ts'
import { openRedisKernel, openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 100 })))
afterAll(() => store.stop())

const limit = (bytes: number) => store.server.admin.config('SET', 'maxmemory', String(bytes))

/** Everything in Redis but times to live. */
async function dump(): Promise<ReadonlyMap<string, string>> {
  const keys = (await store.server.admin.keys('*')).toSorted()
  const values = await Promise.all(keys.map((key) => store.server.admin.dumpBuffer(key)))
  return new Map(keys.map((key, i) => [key, values[i]?.toString('base64') ?? '']))
}

it('takes nothing more in while there is no memory, and refuses it whole', async () => {
  const c = freshConversation()
  await deliverMany(store.kernel, c, 1)
  const event = messageEvent(c, 'more')
  const take = () => store.kernel.ingest({ event, dedupeKey: 'more', stop: 'own', echo: true })
  const before = await dump()
  await limit(1)
  try {
    await expect(take()).rejects.toMatchObject({ code: 'store-unavailable' })
    expect(await dump()).toEqual(before)
  } finally {
    await limit(0)
  }
  expect(await take()).toMatchObject({ kind: 'NEW', seq: 2 })
  expect(await checkInvariants(store.server.admin)).toEqual([])
})

it('does all that makes room while there is no memory', async () => {
  const c = freshConversation()
  for (const n of [1, 2, 3, 4]) {
    const event = messageEvent(c, n)
    await store.kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
  }
  const question = askedQuestion(c)
  const event = answerEvent(c, question.id, 'p')
  const press = { question: question.id, actor: event.principal, chat: c, choice: 'yes', event }
  await limit(1)
  try {
    expect(await store.kernel.route(c, 0, [turnDecision, ignoreDecision, turnDecision, ignoreDecision])).toEqual({
      kind: 'OK',
      work: true,
      wakes: true,
    })
    const { epoch, pending } = await mustClaim(store.kernel, c)
    expect(pending.map(({ seq }) => seq)).toEqual([1, 3])
    await store.kernel.saveDraft(c, { turn: 't', text: 'x' })
    const rows = [row('r1'), row('r2'), row('r3'), row('r4')]
    await store.kernel.append(c, epoch, step('a', { rows, questions: [question], consume: [1], setAside: [1] }))
    await mustBegin(store.kernel, sender(c), 'op1')
    await store.kernel.settle(sender(c), 'r1', { kind: 'sent', receipt: '1' }, 'op2')
    await store.kernel.settle(sender(c), 'r2', { kind: 'unknown', reason: 'x' }, 'op3')
    await store.kernel.settle(sender(c), 'r3', { kind: 'retry', afterMs: 0, reason: 'x' }, 'op4')
    await store.kernel.settle(sender(c), 'r3', { kind: 'split', bodies: [row('x').body, row('x').body] }, 'op5')
    expect(await store.kernel.resolve(press)).toMatchObject({ kind: 'WON' })
    expect(await store.kernel.replay(c)).toBe(1)
    await store.kernel.append(
      c,
      epoch,
      step('b', { entries: [], folds: true, snapshot: '{}', consume: [3], release: true }),
    )
    await store.kernel.park(c, 'x')
    await store.kernel.unpark(c)
    await store.kernel.sweep(toPartition(c), 0)
    await store.kernel.archive(toPartition(c), 0, 10)
  } finally {
    await limit(0)
  }
  expect(await checkInvariants(store.server.admin)).toEqual([])
})

it.each(['take', 'renew', 'release'])('lets go on who polls or sweeps: %s', async (what) => {
  await store.call('lease', 'fl:{lease}', ['take', 'me', 60_000])
  await limit(1)
  try {
    expect(await store.call('lease', 'fl:{lease}', [what, 'me', 60_000])).toBe(1)
  } finally {
    await limit(0)
  }
})

it('loses nothing of a load that ran into the limit, and drains it after', { timeout: 60_000 }, async () => {
  await store.server.admin.flushall()
  const { kernel: hasty, close: closeHasty } = await openRedisKernel(store.server.url, { patienceMs: 1 })
  const drive = { kernel: hasty, ledger: createLedger() }
  const conversations = Array.from({ length: 20 }, (_, i) => `telegram:full${i}`)
  const events = 12
  const accepted = new Map<string, number>()
  let refused = 0
  for (let n = 1; n <= events; n++) {
    // Some are at work just then.
    if (n === 4) void limit(1)
    const results = await Promise.allSettled(conversations.map((conversation) => driveEvent(drive, conversation, n)))
    refused += results.filter(({ status }) => status === 'rejected').length
    if (n % 3 === 0) expect(await checkInvariants(store.server.admin)).toEqual([])
  }
  expect(refused).toBeGreaterThan(10)
  await limit(0)
  for (const conversation of conversations) {
    // What was refused comes again, as a platform redelivers.
    for (let n = 1; n <= events; n++) {
      const event = messageEvent(conversation, n)
      await hasty.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
    }
    // Workers that gave up left their leases behind; here nobody waits for those to end.
    const leases = await Promise.all(
      ['lease', 'ol'].map((kind) => store.server.admin.keys(`*:${kind}:${conversation}`)),
    )
    await store.server.admin.del('none', ...leases.flat())
    await routeAll(hasty, conversation)
    await answerAll(drive, conversation)
    await deliverAll(drive, conversation)
    accepted.set(conversation, new Set(drive.ledger.sent.get(conversation)).size)
  }
  expect([...accepted.values()].every((count) => count === events)).toBe(true)
  expect(await checkInvariants(store.server.admin)).toEqual([])
  closeHasty()
})
