// Redis at `maxmemory`: a unit is refused whole, the caller is told to come back, and all drains once there is room.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { openRedisKernel } from '#test/rig/kernel-bench.ts'
import { answerAll, createLedger, deliverAll, driveEvent, routeAll } from '#test/rig/kernel-drive.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
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

let server: PrivateRedis
let kernel: Kernel
let close: () => void
beforeAll(async () => {
  server = await startRedis()
  ;({ kernel, close } = await openRedisKernel(server.url, { patienceMs: 100 }))
})
afterAll(async () => {
  close()
  await server.stop()
})

const limit = (bytes: number) => server.admin.config('SET', 'maxmemory', String(bytes))

/** Everything in Redis but times to live. */
async function dump(): Promise<ReadonlyMap<string, string>> {
  const keys = (await server.admin.keys('*')).toSorted()
  const values = await Promise.all(keys.map((key) => server.admin.dumpBuffer(key)))
  return new Map(keys.map((key, i) => [key, values[i]?.toString('base64') ?? '']))
}

it('refuses every writing unit whole while there is no memory', async () => {
  const c = freshConversation()
  await deliverMany(kernel, c, 3)
  const question = askedQuestion(c)
  const { epoch } = await mustClaim(kernel, c)
  await kernel.append(
    c,
    epoch,
    step('a', { questions: [question], rows: [row('r1'), row('r2')], consume: [1], setAside: [1] }),
  )
  await mustBegin(kernel, sender(c), 'op1')
  const more = messageEvent(c, 'more')
  const press = {
    question: question.id,
    actor: more.principal,
    chat: c,
    choice: 'yes',
    event: answerEvent(c, question.id, 'p'),
  }
  const units: Record<string, () => Promise<unknown>> = {
    ingest: () => kernel.ingest({ event: more, dedupeKey: 'more', stop: 'own', echo: true }),
    route: () => kernel.route(c, 3, []),
    claim: () => kernel.claim(c, 'w1', 8000),
    append: () => kernel.append(c, epoch, step('b', { rows: [row('r3')], snapshot: 's', consume: [2], release: true })),
    'append without entries': () => kernel.append(c, epoch, { key: 'c', entries: [], consume: [2], snapshot: 's' }),
    begin: () => kernel.begin(sender(c), 'op2'),
    'settle sent': () => kernel.settle(sender(c), 'r1', { kind: 'sent', receipt: '1' }, 'op3'),
    'settle unknown': () => kernel.settle(sender(c), 'r1', { kind: 'unknown', reason: 'x' }, 'op4'),
    'settle retry': () => kernel.settle(sender(c), 'r1', { kind: 'retry', afterMs: 0, reason: 'x' }, 'op5'),
    'settle split': () => kernel.settle(sender(c), 'r1', { kind: 'split', bodies: [row('x').body] }, 'op6'),
    resolve: () => kernel.resolve(press),
    replay: () => kernel.replay(c),
    draft: () => kernel.saveDraft(c, { turn: 't', text: 'x' }),
    park: () => kernel.park(c, 'x'),
  }
  const before = await dump()
  await limit(1)
  try {
    for (const [name, call] of Object.entries(units)) {
      await expect(call(), name).rejects.toMatchObject({ code: 'store-unavailable' })
      expect(await dump(), name).toEqual(before)
    }
  } finally {
    await limit(0)
  }
  expect(await checkInvariants(server.admin)).toEqual([])
  for (const [name, call] of Object.entries(units)) {
    if (name !== 'park') await expect(call(), name).resolves.not.toThrow()
  }
  expect(await checkInvariants(server.admin)).toEqual([])
})

it('refuses to route whole, also when all is ignored', async () => {
  const c = freshConversation()
  await kernel.ingest({ event: messageEvent(c, 1), dedupeKey: '1', stop: 'none', echo: false })
  await kernel.ingest({ event: messageEvent(c, 2), dedupeKey: '2', stop: 'none', echo: false })
  const before = await dump()
  await limit(1)
  for (const decisions of [
    [ignoreDecision, ignoreDecision],
    [ignoreDecision, turnDecision],
  ]) {
    await expect(kernel.route(c, 0, decisions)).rejects.toMatchObject({ code: 'store-unavailable' })
  }
  await limit(0)
  expect(await dump()).toEqual(before)
})

it('loses nothing of a load that ran into the limit, and drains it after', { timeout: 60_000 }, async () => {
  await server.admin.flushall()
  const { kernel: hasty, close: closeHasty } = await openRedisKernel(server.url, { patienceMs: 1 })
  const drive = { kernel: hasty, ledger: createLedger() }
  const conversations = Array.from({ length: 20 }, (_, i) => `telegram:full${i}`)
  const used = Number(/used_memory:(\d+)/.exec(await server.admin.info('memory'))?.[1])
  await limit(used + 50_000)
  const events = 12
  const accepted = new Map<string, number>()
  let refused = 0
  for (let n = 1; n <= events; n++) {
    const results = await Promise.allSettled(conversations.map((conversation) => driveEvent(drive, conversation, n)))
    refused += results.filter(({ status }) => status === 'rejected').length
    if (n % 3 === 0) expect(await checkInvariants(server.admin)).toEqual([])
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
    const leases = await Promise.all(['lease', 'ol'].map((kind) => server.admin.keys(`*:${kind}:${conversation}`)))
    await server.admin.del('none', ...leases.flat())
    await routeAll(hasty, conversation)
    await answerAll(drive, conversation)
    await deliverAll(drive, conversation)
    accepted.set(conversation, new Set(drive.ledger.sent.get(conversation)).size)
  }
  expect([...accepted.values()].every((count) => count === events)).toBe(true)
  expect(await checkInvariants(server.admin)).toEqual([])
  closeHasty()
})
