// Broken keys: the conversation that has them is parked with a reason, its neighbours in the same partition go on.
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { openRedisKernel } from '#test/rig/kernel-bench.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  deliverMany,
  entry,
  freshConversation,
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
  ;({ kernel, close } = await openRedisKernel(server.url, { patienceMs: 500 }))
})
afterAll(async () => {
  close()
  await server.stop()
})

let broken = ''
let healthy = ''
const question = () => askedQuestion(broken)
let asked = question()
const key = (kind: string): string => `${partitionPrefix(toPartition(broken))}${kind}:${broken}`

beforeEach(async () => {
  broken = freshConversation()
  const near = Array.from({ length: 2000 }, (_, i) => `${broken}n${i}`)
  healthy = near.find((name) => toPartition(name) === toPartition(broken)) ?? ''
  asked = question()
  for (const c of [broken, healthy]) {
    await deliverMany(kernel, c, 3)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, { key: 'a', entries: [entry('a', 1), entry('a', 2), entry('a', 3)] })
    await kernel.append(c, epoch, step('b', { rows: [row('r1'), row('r2')], consume: [1], setAside: [1] }))
    if (c === broken) await kernel.append(c, epoch, step('q', { questions: [asked] }))
    await kernel.release(c, 'w1', epoch, true)
  }
})

/** The neighbour is claimed, delivered, routed and found due as if nothing had happened. */
async function expectHealthy(): Promise<void> {
  const due = await kernel.due(toPartition(healthy), 0)
  expect(due.filter(({ conversation }) => conversation === healthy).map(({ what }) => what)).toEqual(
    expect.arrayContaining(['run', 'out']),
  )
  expect((await mustClaim(kernel, healthy)).pending.map(({ seq }) => seq)).toEqual([2, 3])
  expect((await mustBegin(kernel, sender(healthy), 'op1')).id).toBe('r1')
  const event = messageEvent(healthy, 9)
  expect(await kernel.ingest({ event, dedupeKey: '9', stop: 'none', echo: false })).toEqual({ kind: 'NEW', seq: 4 })
  expect(await kernel.route(healthy, 3, [turnDecision])).toEqual({ kind: 'OK', work: true })
}

async function expectParked(reason: RegExp): Promise<void> {
  const claimed = await kernel.claim(broken, 'w2', 8000)
  expect(claimed).toEqual({ kind: 'PARKED', reason: expect.stringMatching(reason) })
  const due = await kernel.due(toPartition(broken), 0)
  expect(due.filter(({ conversation }) => conversation === broken)).toEqual([])
}

describe('a key of the wrong type', () => {
  for (const kind of ['c', 'in', 'dec', 'r', 'j', 'x', 'stop', 'aside', 'obq', 'out', 'lease']) {
    it(`parks its conversation when a worker claims it (${kind})`, async () => {
      await server.admin.del(key(kind))
      if (kind === 'lease') await server.admin.rpush(key(kind), 'nonsense')
      else await server.admin.set(key(kind), 'nonsense')
      await expectParked(new RegExp(`CORRUPT .*}:${kind}:.* is a (string|list), not a`))
      await expectHealthy()
    })
  }

  it('parks its conversation when an event comes in, and the caller is told', async () => {
    await server.admin.del(key('dd'))
    await server.admin.set(key('dd'), 'nonsense')
    const event = messageEvent(broken, 8)
    const refused = kernel.ingest({ event, dedupeKey: '8', stop: 'none', echo: false })
    await expect(refused).rejects.toMatchObject({ code: 'store-corrupt', retry: 'never' })
    await expectParked(/}:dd:/)
    await expectHealthy()
  })

  for (const kind of ['obq', 'ol', 'o']) {
    it(`parks its conversation when a sender comes (${kind})`, async () => {
      const name = kind === 'o' ? `${key('o')}:r1` : key(kind)
      await server.admin.del(name)
      await server.admin.rpush(name, 'nonsense')
      if (kind === 'obq') await server.admin.set(name, 'nonsense')
      expect(await kernel.begin(sender(broken), 'op1')).toEqual({ kind: 'EMPTY' })
      await expectParked(kind === 'o' ? /WRONGTYPE/ : new RegExp(`CORRUPT .*}:${kind}:`))
      await expectHealthy()
    })
  }

  it('does not hide the partition’s other work from the sweeper', async () => {
    await server.admin.set(key('r'), 'nonsense')
    await expectHealthy()
  })
})

const breakages: readonly { readonly what: string; readonly reason: RegExp; readonly break: () => Promise<unknown> }[] =
  [
    { what: 'a gap in the journal', reason: /has a gap at 2/, break: () => removeFromJournal(1) },
    { what: 'a journal cut at its end', reason: /ends at|has a gap/, break: () => server.admin.rpop(key('j')) },
    { what: 'no journal', reason: /ends at 0, not 5/, break: () => server.admin.del(key('j')) },
    { what: 'no step index', reason: /}:x:.* is missing/, break: () => server.admin.del(key('x')) },
    {
      what: 'an event missing from the mailbox',
      reason: /has no event 2/,
      break: () => server.admin.hdel(key('in'), '2'),
    },
    { what: 'a decision missing', reason: /has no decision 3/, break: () => server.admin.hdel(key('dec'), '3') },
    {
      what: 'an event of an unknown version',
      reason: /stored event has an unknown shape or version/,
      break: () => server.admin.hset(key('in'), '2', JSON.stringify({ ...messageEvent(broken, 2), v: 2 })),
    },
    {
      what: 'a decision that is not JSON',
      reason: /stored decision is not JSON/,
      break: () => server.admin.hset(key('dec'), '2', '{"v":1,"act"'),
    },
    {
      what: 'a journal entry of an unknown version',
      reason: /stored journal entry has an unknown shape/,
      break: () => server.admin.lset(key('j'), 1, `2 a\n${JSON.stringify({ ...entry('a'), v: 7 })}`),
    },
    {
      what: 'a counter that is no number',
      reason: /}:c:.* has no number in routed/,
      break: () => server.admin.hset(key('c'), 'routed', 'many'),
    },
  ]

async function removeFromJournal(index: number): Promise<void> {
  await server.admin.lset(key('j'), index, 'gone')
  await server.admin.lrem(key('j'), 1, 'gone')
}

describe('what a worker finds broken', () => {
  for (const breakage of breakages) {
    it(`parks the conversation: ${breakage.what}`, async () => {
      await breakage.break()
      await expectParked(breakage.reason)
      await expectHealthy()
    })
  }

  it('parks the conversation once, and says so again when it is put back unmended', async () => {
    await server.admin.del(key('x'))
    await expectParked(/is missing/)
    await kernel.unpark(broken)
    await expectParked(/is missing/)
  })
})

describe('what a router or a sender finds broken', () => {
  it('parks the conversation: an unrouted event that is not JSON', async () => {
    const event = messageEvent(broken, 4)
    await kernel.ingest({ event, dedupeKey: '4', stop: 'none', echo: false })
    await server.admin.hset(key('in'), '4', 'nonsense')
    expect(await kernel.inbox(broken, 10)).toEqual({ routedSeq: 0, events: [] })
    await expectParked(/stored event is not JSON/)
    await expectHealthy()
  })

  it('parks the conversation: a queued row that is missing', async () => {
    await server.admin.del(`${key('o')}:r1`)
    expect(await kernel.begin(sender(broken), 'op1')).toEqual({ kind: 'EMPTY' })
    await expectParked(/r1 is queued but missing/)
    await expectHealthy()
  })

  it('parks the conversation: a row of an unknown version', async () => {
    await server.admin.hset(`${key('o')}:r1`, 'b', JSON.stringify({ ...row('r1').body, v: 2 }))
    expect(await kernel.begin(sender(broken), 'op1')).toEqual({ kind: 'EMPTY' })
    await expectParked(/stored outbox row has an unknown shape/)
    await expectHealthy()
  })

  it('parks the home of a question that nobody can read', async () => {
    const name = `${partitionPrefix(toPartition(broken))}q:${asked.id}`
    for (const json of ['nonsense', JSON.stringify({ ...asked, v: 2 }), '[]', '7']) {
      await server.admin.hset(name, 'j', json)
      const press = {
        question: asked.id,
        actor: ann,
        chat: broken,
        choice: 'yes',
        event: answerEvent(broken, asked.id, 'p'),
      }
      expect(await kernel.resolve(press), json).toEqual({ kind: 'UNKNOWN' })
      await expectParked(/is not a question of version 1/)
      await kernel.unpark(broken)
    }
    await expectHealthy()
  })
})

it('is seen by the oracle, each breakage by name', async () => {
  const before = await checkInvariants(server.admin)
  await server.admin.hdel(key('in'), '2')
  await removeFromJournal(1)
  await server.admin.del(key('x'))
  await server.admin.lrem(key('obq'), 1, 'r2')
  await server.admin.zrem(`${partitionPrefix(toPartition(broken))}wake`, `run:${broken}`)
  const found = (await checkInvariants(server.admin)).filter((breach) => !before.includes(breach)).join('\n')
  expect(found).toContain('mailbox lacks 2')
  expect(found).toMatch(/journal (lacks 1 entries|entry \d stands where)/)
  expect(found).toContain('its index says nothing')
  expect(found).toContain('row r2 is "queued" and in no queue')
  expect(found).toContain('"run" has work and no wake-up')
})

it('keeps people’s texts out of its errors', async () => {
  await server.admin.set(key('dd'), 'nonsense')
  const event = { ...messageEvent(broken, 8), text: 'my secret' }
  const error: unknown = await kernel
    .ingest({ event, dedupeKey: '8', stop: 'none', echo: false })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'store-corrupt' })
  expect(inspect(error, { depth: 10 })).not.toContain('my secret')
})
