// Broken keys: the conversation that has them is parked with a reason, its neighbours in the same partition go on.
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toTask } from '#shared/chat/address.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
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
  signalTo,
  step,
  turnDecision,
} from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 500 })))
afterAll(() => store.stop())

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
    await deliverMany(store.kernel, c, 3)
    const { epoch } = await mustClaim(store.kernel, c)
    await store.kernel.append(c, epoch, { key: 'a', entries: [entry('a', 1), entry('a', 2), entry('a', 3)] })
    await store.kernel.append(c, epoch, step('b', { rows: [row('r1'), row('r2')], consume: [1], setAside: [1] }))
    if (c === broken) await store.kernel.append(c, epoch, step('q', { questions: [asked] }))
    await store.kernel.release(c, 'w1', epoch, true)
  }
})

/** The neighbour is claimed, delivered, routed and found due as if nothing had happened. */
async function expectHealthy(): Promise<void> {
  const due = await store.kernel.due(toPartition(healthy), 0)
  expect(due.filter(({ conversation }) => conversation === healthy).map(({ what }) => what)).toEqual(
    expect.arrayContaining(['run', 'out']),
  )
  expect((await mustClaim(store.kernel, healthy)).pending.map(({ seq }) => seq)).toEqual([2, 3])
  expect((await mustBegin(store.kernel, sender(healthy), 'op1')).id).toBe('r1')
  const event = messageEvent(healthy, 9)
  expect(await store.kernel.ingest({ event, dedupeKey: '9', stop: 'none', echo: false })).toMatchObject({
    kind: 'NEW',
    seq: 4,
  })
  expect(await store.kernel.route(healthy, 3, [turnDecision])).toEqual({ kind: 'OK', work: true })
}

async function expectParked(reason: RegExp): Promise<void> {
  const claimed = await store.kernel.claim(broken, 'w2', 8000)
  expect(claimed).toEqual({ kind: 'PARKED', reason: expect.stringMatching(reason) })
  const due = await store.kernel.due(toPartition(broken), 0)
  expect(due.filter(({ conversation }) => conversation === broken)).toEqual([])
}

describe('a key of the wrong type', () => {
  for (const kind of ['c', 'in', 'dec', 'r', 'j', 'x', 'stop', 'aside', 'obq', 'out', 'lease']) {
    it(`parks its conversation when a worker claims it (${kind})`, async () => {
      await store.server.admin.del(key(kind))
      if (kind === 'lease') await store.server.admin.rpush(key(kind), 'nonsense')
      else await store.server.admin.set(key(kind), 'nonsense')
      await expectParked(new RegExp(`CORRUPT .*}:${kind}:.* is a (string|list), not a`))
      await expectHealthy()
    })
  }

  it('parks its conversation when an event comes in, and the caller is told', async () => {
    await store.server.admin.del(key('dd'))
    await store.server.admin.set(key('dd'), 'nonsense')
    const event = messageEvent(broken, 8)
    const refused = store.kernel.ingest({ event, dedupeKey: '8', stop: 'none', echo: false })
    await expect(refused).rejects.toMatchObject({ code: 'store-corrupt', retry: 'never' })
    await expectParked(/}:dd:/)
    await expectHealthy()
  })

  for (const kind of ['obq', 'ol', 'o']) {
    it(`parks its conversation when a sender comes (${kind})`, async () => {
      const name = kind === 'o' ? `${key('o')}:r1` : key(kind)
      await store.server.admin.del(name)
      await store.server.admin.rpush(name, 'nonsense')
      if (kind === 'obq') await store.server.admin.set(name, 'nonsense')
      expect(await store.kernel.begin(sender(broken), 'op1')).toEqual({ kind: 'EMPTY' })
      await expectParked(kind === 'o' ? /WRONGTYPE/ : new RegExp(`CORRUPT .*}:${kind}:`))
      await expectHealthy()
    })
  }

  it('does not hide the partition’s other work from the sweeper', async () => {
    await store.server.admin.set(key('r'), 'nonsense')
    await expectHealthy()
  })
})

const breakages: readonly { readonly what: string; readonly reason: RegExp; readonly break: () => Promise<unknown> }[] =
  [
    { what: 'a gap in the journal', reason: /has a gap at 2/, break: () => removeFromJournal(1) },
    { what: 'a journal cut at its end', reason: /ends at|has a gap/, break: () => store.server.admin.rpop(key('j')) },
    { what: 'no journal', reason: /ends at 0, not 5/, break: () => store.server.admin.del(key('j')) },
    { what: 'no step index', reason: /}:x:.* is missing/, break: () => store.server.admin.del(key('x')) },
    {
      what: 'an event missing from the mailbox',
      reason: /has no event 2/,
      break: () => store.server.admin.hdel(key('in'), '2'),
    },
    { what: 'a decision missing', reason: /has no decision 3/, break: () => store.server.admin.hdel(key('dec'), '3') },
    {
      what: 'an event of an unknown shape',
      reason: /stored event has an unknown shape/,
      break: () => store.server.admin.hset(key('in'), '2', JSON.stringify({ ...messageEvent(broken, 2), at: 'noon' })),
    },
    {
      what: 'a decision that is not JSON',
      reason: /stored decision is not JSON/,
      break: () => store.server.admin.hset(key('dec'), '2', '{"v":1,"act"'),
    },
    {
      what: 'a journal entry of an unknown shape',
      reason: /stored journal entry has an unknown shape/,
      break: () => store.server.admin.lset(key('j'), 1, `2 a\n${JSON.stringify({ ...entry('a'), v: 0 })}`),
    },
    {
      what: 'a counter that is no number',
      reason: /}:c:.* has no number in routed/,
      break: () => store.server.admin.hset(key('c'), 'routed', 'many'),
    },
  ]

async function removeFromJournal(index: number): Promise<void> {
  await store.server.admin.lset(key('j'), index, 'gone')
  await store.server.admin.lrem(key('j'), 1, 'gone')
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
    await store.server.admin.del(key('x'))
    await expectParked(/is missing/)
    await store.kernel.unpark(broken)
    await expectParked(/is missing/)
  })
})

describe('what a router or a sender finds broken', () => {
  it('parks the conversation: an unrouted event that is not JSON', async () => {
    const event = messageEvent(broken, 4)
    await store.kernel.ingest({ event, dedupeKey: '4', stop: 'none', echo: false })
    await store.server.admin.hset(key('in'), '4', 'nonsense')
    expect(await store.kernel.inbox(broken, 10)).toEqual({ routedSeq: 0, events: [] })
    await expectParked(/stored event is not JSON/)
    await expectHealthy()
  })

  it('parks the conversation: a queued row that is missing', async () => {
    await store.server.admin.del(`${key('o')}:r1`)
    expect(await store.kernel.begin(sender(broken), 'op1')).toEqual({ kind: 'EMPTY' })
    await expectParked(/r1 is queued but missing/)
    await expectHealthy()
  })

  it('parks the conversation: a row that lost its body while it was sent', async () => {
    const name = `${key('o')}:r1`
    await store.server.admin.hset(name, 's', 'sending', 'n', '1', 't', '1', 'ow', 'gone')
    await store.server.admin.hdel(name, 'b')
    expect(await store.kernel.begin(sender(broken), 'op1')).toEqual({ kind: 'EMPTY' })
    await expectParked(/r1 is queued but missing or incomplete/)
    await expectHealthy()
  })

  it('parks the conversation: a row of an unknown shape', async () => {
    await store.server.admin.hset(`${key('o')}:r1`, 'b', JSON.stringify({ ...row('r1').body, text: 7 }))
    expect(await store.kernel.begin(sender(broken), 'op1')).toEqual({ kind: 'EMPTY' })
    await expectParked(/stored outbox row has an unknown shape/)
    await expectHealthy()
  })

  it('parks the home of a question that nobody can read', async () => {
    const name = `${partitionPrefix(toPartition(broken))}q:${asked.id}`
    for (const json of ['nonsense', JSON.stringify({ ...asked, v: '2 of 3' }), '[]', '7']) {
      await store.server.admin.hset(name, 'j', json)
      const event = answerEvent(broken, asked.id, 'p')
      const press = { question: asked.id, actor: ann, chat: broken, choice: 'yes', event }
      expect(await store.kernel.resolve(press), json).toEqual({ kind: 'UNKNOWN' })
      await expectParked(/is not a question of version 1/)
      await store.kernel.unpark(broken)
    }
    await expectHealthy()
  })
})

it('is seen by the oracle, each breakage by name', async () => {
  const before = await checkInvariants(store.server.admin)
  await store.server.admin.hdel(key('in'), '2')
  await removeFromJournal(1)
  await store.server.admin.del(key('x'))
  await store.server.admin.lrem(key('obq'), 1, 'r2')
  await store.server.admin.zrem(`${partitionPrefix(toPartition(broken))}wake`, `run:${broken}`)
  const found = (await checkInvariants(store.server.admin)).filter((breach) => !before.includes(breach)).join('\n')
  expect(found).toContain('mailbox lacks 2')
  expect(found).toMatch(/journal (lacks 1 entries|entry \d stands where)/)
  expect(found).toContain('its index says nothing')
  expect(found).toContain('row r2 is "queued" and in no queue')
  expect(found).toContain('"run" has work and no wake-up')
})

it('keeps people’s texts out of its errors', async () => {
  await store.server.admin.set(key('dd'), 'nonsense')
  const event = { ...messageEvent(broken, 8), text: 'my secret' }
  const error: unknown = await store.kernel
    .ingest({ event, dedupeKey: '8', stop: 'none', echo: false })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'store-corrupt' })
  expect(inspect(error, { depth: 10 })).not.toContain('my secret')
})

it.each(['abc', '1.5', '1e3', ' 5', '0x10', 'inf', 'nan'])(
  'a timer stays armed where the events are counted as %j, and fires once that is repaired',
  async (bad) => {
    const { kernel, redis } = store
    const { epoch } = await mustClaim(kernel, broken)
    const event = {
      v: 1,
      kind: 'timer',
      id: 'x',
      conversation: broken,
      principal: ann,
      timer: 'notes.due',
      payload: '',
    } as const
    await kernel.append(broken, epoch, step('t', { timers: [{ name: 'notes.due', inMs: 0, event }] }))
    const seq = (await redis.hget(key('c'), 'seq')) ?? ''
    await redis.hset(key('c'), 'seq', bad)
    const partition = toPartition(broken)
    await kernel.fire(partition)
    expect(await redis.hkeys(key('t'))).toEqual(['notes.due'])
    expect(await redis.hget(`${partitionPrefix(partition)}parked`, broken)).toContain('no number in seq')
    await redis.hset(key('c'), 'seq', seq)
    await redis.zadd(`${partitionPrefix(partition)}timers`, 0, `${broken} notes.due`)
    await kernel.unpark(broken)
    await kernel.fire(partition)
    expect((await kernel.inbox(broken, 10)).events.at(-1)?.event.kind).toBe('timer')
    expect(await redis.exists(key('t'))).toBe(0)
  },
)

describe('a task whose keys are broken', () => {
  const task = () => toTask(broken, 1)
  const due = { deadlineMs: 1, asker: ann } as const
  async function ask(): Promise<string> {
    const { kernel, redis } = store
    const raised = { ...askedQuestion(broken), ...due }
    const begin = await mustClaim(kernel, broken)
    await kernel.append(
      broken,
      begin.epoch,
      step('begin-task', { signals: [signalTo(broken, task(), 'b', { begins: [] })] }),
    )
    const { epoch } = await mustClaim(kernel, task())
    const body = { ...row('card').body, buttons: [[{ id: `${raised.id}.yes`, label: 'Yes' }]] }
    await kernel.append(task(), epoch, step('q', { questions: [raised], rows: [{ ...row('card'), body }] }))
    await redis.set(`${partitionPrefix(toPartition(broken))}in:${task()}`, 'nonsense')
    return raised.id
  }
  const parked = async (): Promise<unknown> =>
    await store.redis.hgetall(`${partitionPrefix(toPartition(broken))}parked`)

  it('is parked where somebody answers it, and its conversation goes on', async () => {
    const id = await ask()
    const event = answerEvent(broken, id, 'p')
    const press = { question: id, actor: ann, chat: broken, choice: 'yes', event }
    expect(await store.kernel.resolve(press)).toEqual({ kind: 'UNKNOWN' })
    expect(await parked()).toMatchObject({ [task()]: expect.stringContaining(`:in:${task()} is a string`) })
    expect(await parked()).not.toHaveProperty([broken])
  })

  it('is parked where its question ends, which ends once it is mended', async () => {
    const { kernel, redis } = store
    const id = await ask()
    const timers = `${partitionPrefix(toPartition(broken))}timers`
    await redis.zadd(timers, 0, `${broken} q.${id}`)
    await kernel.fire(toPartition(broken))
    expect(await parked()).toMatchObject({ [task()]: expect.stringContaining(`:in:${task()}`) })
    expect(await parked()).not.toHaveProperty([broken])
    await redis.del(`${partitionPrefix(toPartition(broken))}in:${task()}`)
    await kernel.unpark(task())
    await redis.zadd(timers, 0, `${broken} q.${id}`)
    expect((await kernel.fire(toPartition(broken))).conversations).toEqual([task()])
  })

  it('keeps nobody from closing, answering in or erasing its conversation', async () => {
    const { kernel } = store
    await ask()
    const from = sender(broken)
    const first = await mustBegin(kernel, from, 'op1')
    await kernel.settle(from, first.id, { kind: 'failed', reason: 'blocked', closed: true }, 'op2')
    expect(await parked()).not.toHaveProperty([broken])
    await kernel.erase(broken)
    expect(await kernel.claim(task(), 'w1', 1000)).toEqual({ kind: 'GONE' })
    expect((await store.redis.keys('*')).filter((name) => name.includes(task()))).toEqual([])
  })
})
