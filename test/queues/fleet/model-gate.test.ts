// The gate to the model: reservations hold in every budget or in none, repeating a call changes nothing, and the whole fleet
// shares one number of permits.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBudgets } from '#queues/fleet/budgets.ts'
import { createModelGate, type ModelGate } from '#queues/fleet/model-gate.ts'
import { modelBudgets, modelRoles } from '#shared/model/model-port.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 1000 })))
beforeEach(async () => {
  await store.redis.flushall()
})
afterAll(() => store.stop())

const none = { tokens: 0, micros: 0 }
const noWork = { ...none, calls: 0 }
const ada = { conversation: 'web:a', principal: 'web:ada', day: '2026-11-21' }
const bob = { conversation: 'web:a', principal: 'web:bob', day: '2026-11-21' }

const holdMs = 300
const gates: ModelGate[] = []
afterEach(() => {
  for (const gate of gates.splice(0)) gate.close()
})

type Limits = { person?: number; chat?: number; total?: number; micros?: number; most?: number; holdMs?: number }
function create(limits: Limits): ModelGate {
  const of = (tokens = 0) => ({ tokens, micros: limits.micros ?? 0 })
  const gate = createModelGate(store.call, {
    limits: { person: of(limits.person), owner: of(undefined), chat: of(limits.chat), total: of(limits.total) },
    most: limits.most ?? 100,
    holdMs: limits.holdMs ?? holdMs,
  })
  gates.push(gate)
  return gate
}

test('counts a reservation in person, chat and total, and replaces it by what was spent', async () => {
  const budgets = create({ person: 100 })
  expect(await budgets.reserve(ada, 'r1', { tokens: 80, micros: 7 })).toEqual({ kind: 'OK' })
  const held = { tokens: 80, micros: 7 }
  expect(await budgets.spent(ada)).toEqual({ person: held, chat: held, total: held, work: noWork })
  await budgets.charge(ada, 'r1', { tokens: 30, micros: 3 })
  await budgets.charge(ada, 'r1', { tokens: 30, micros: 3 })
  const spent = { tokens: 30, micros: 3 }
  expect(await budgets.spent(ada)).toEqual({ person: spent, chat: spent, total: spent, work: noWork })
  expect(await budgets.spent(bob)).toEqual({ person: none, chat: spent, total: spent, work: noWork })
})

test('reserves nothing anywhere when one budget would be exceeded, and names it', async () => {
  const budgets = create({ person: 100, chat: 120 })
  await budgets.reserve(ada, 'r1', { tokens: 90, micros: 0 })
  expect(await budgets.reserve(bob, 'r2', { tokens: 40, micros: 0 })).toEqual({
    kind: 'OVER',
    scope: 'chat',
    spentTokens: 90,
  })
  expect((await budgets.spent(bob)).person).toEqual(none)
  expect((await budgets.spent(bob)).total.tokens).toBe(90)
})

test('grants a repeated reservation, also when the budget is full by now', async () => {
  const budgets = create({ total: 100 })
  await budgets.reserve(ada, 'r1', { tokens: 100, micros: 0 })
  expect(await budgets.reserve(ada, 'r1', { tokens: 100, micros: 0 })).toEqual({ kind: 'OK' })
  expect((await budgets.spent(ada)).total.tokens).toBe(100)
})

test('limits money where a limit is set, and forgets a day after three', async () => {
  const budgets = create({ micros: 10 })
  expect((await budgets.reserve(ada, 'r1', { tokens: 5, micros: 11 })).kind).toBe('OVER')
  await budgets.reserve(ada, 'r2', { tokens: 5, micros: 10 })
  const keys = (await store.redis.keys('*')).filter((key) => !key.endsWith(':places'))
  const ttls = await Promise.all(keys.map((key) => store.redis.ttl(key)))
  expect(keys).toHaveLength(1)
  expect(Math.min(...ttls)).toBeGreaterThan(3 * 86_400 - 60)
})

const within = (ms: number): AbortSignal => AbortSignal.timeout(ms)
const cheap = { tokens: 1, micros: 0 }

test('keeps the permit of a call that lasts longer than the holding time, and gives it back when it is charged', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'long call', cheap)
  await gate.enter({ role: 'main' }, 'long call', within(1000))
  await gate.reserve(bob, 'next', cheap)
  await expect(gate.enter({ role: 'main' }, 'next', within(holdMs * 3))).rejects.toThrow()
  await gate.charge(ada, 'long call', cheap)
  await gate.enter({ role: 'main' }, 'next', within(1000))
})

test('gives a permit back while a retry waits, and lets it in again', async () => {
  const gate = create({ most: 1 })
  await gate.enter({ role: 'main' }, 'retried', within(1000))
  await gate.leave('retried')
  await gate.enter({ role: 'main' }, 'other', within(1000))
  await expect(gate.enter({ role: 'main' }, 'retried', within(200))).rejects.toThrow()
  await gate.leave('other')
  await gate.enter({ role: 'main' }, 'retried', within(1000))
})

test('frees the permit of a reservation that never became a call', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'left', cheap)
  await expect(gate.enter({ role: 'main' }, 'next', within(holdMs * 10))).resolves.toBeUndefined()
})

test('does not take a permit that a reservation brought for granted once it is old', async () => {
  const gate = create({ most: 1 })
  await gate.reserve(ada, 'slow', cheap)
  await sleep(holdMs * 1.5)
  await create({ most: 1 }).enter({ role: 'main' }, 'quick', within(1000))
  await expect(gate.enter({ role: 'main' }, 'slow', within(200))).rejects.toThrow()
})

test('takes no permit along when the budget is used up', async () => {
  const gate = create({ most: 1, person: 10 })
  expect((await gate.reserve(ada, 'dear', { tokens: 11, micros: 0 })).kind).toBe('OVER')
  await gate.enter({ role: 'main' }, 'next', within(1000))
})

test('gives the permit of a dead worker away soon', async () => {
  // A dead worker keeps nothing: only what it wrote is left.
  await store.redis.zadd('fl:{model}:places', Date.now() + holdMs, 'killed')
  await expect(create({ most: 1 }).enter({ role: 'main' }, 'next', within(holdMs * 10))).resolves.toBeUndefined()
})

test('serves who waits in the order of coming, whichever process they wait in', async () => {
  const [one, other] = [create({ most: 1 }), create({ most: 1 })]
  await one.enter({ role: 'main' }, 'running', within(1000))
  const order: string[] = []
  const waits: Promise<void>[] = []
  for (const [n, gate] of [other, one, other, other, one, one].entries()) {
    const id = `call ${n}`
    waits.push(
      gate.enter({ role: 'main' }, id, within(20_000)).then(async () => {
        order.push(id)
        await gate.leave(id)
      }),
    )
    await sleep(60)
  }
  await one.leave('running')
  await Promise.all(waits)
  expect(order).toEqual(['call 0', 'call 1', 'call 2', 'call 3', 'call 4', 'call 5'])
})

test('asks Redis as often for a thousand waiting calls as for one', async () => {
  const countAsked = async (waiting: number): Promise<number> => {
    const gate = create({ most: 1 })
    await gate.enter({ role: 'main' }, 'running', within(1000))
    const gone = new AbortController()
    const waits = Array.from({ length: waiting }, (_, n) =>
      gate.enter({ role: 'main' }, `call ${n}`, gone.signal).catch(() => {}),
    )
    const before = await countScripts()
    await sleep(1000)
    const asked = (await countScripts()) - before
    gone.abort()
    await Promise.all(waits)
    await gate.leave('running')
    return asked
  }
  const alone = await countAsked(1)
  const crowd = await countAsked(1000)
  expect(alone).toBeGreaterThan(3)
  expect(crowd).toBeLessThan(alone * 3)
})

test('gives a permit that comes free to who waits in the same process at once', async () => {
  const gate = create({ most: 1 })
  const passes = 200
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: passes }, async (_, n) => {
      await gate.enter({ role: 'main' }, `call ${n}`, within(20_000))
      await gate.leave(`call ${n}`)
    }),
  )
  // Asked for each 50 ms instead, it would take ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(passes * 25)
})

test('lets others pass once a process that waited is gone', async () => {
  const gone = create({ most: 1 })
  await gone.enter({ role: 'main' }, 'running', within(1000))
  const waits = gone.enter({ role: 'main' }, 'never', AbortSignal.timeout(60_000))
  waits.catch(() => {})
  await expect.poll(async () => await store.redis.exists('fl:{model}:waiting')).toBe(1)
  gone.close()
  await store.redis.del('fl:{model}:places')
  await expect(create({ most: 1 }).enter({ role: 'main' }, 'next', within(10_000))).resolves.toBeUndefined()
})

test('gives no permit that comes with a reservation past those who wait', async () => {
  const [one, other] = [create({ most: 1 }), create({ most: 1 })]
  await one.enter({ role: 'main' }, 'running', within(1000))
  const waits = one.enter({ role: 'main' }, 'first', within(5000))
  await expect.poll(async () => await store.redis.exists('fl:{model}:waiting')).toBe(1)
  await store.redis.del('fl:{model}:places')
  await other.reserve(ada, 'late', cheap)
  await waits
  await expect(other.enter({ role: 'main' }, 'late', within(200))).rejects.toThrow()
})

test('leaves nothing in Redis once nobody waits and the last call is charged', async () => {
  const gate = create({ most: 1 })
  await gate.enter({ role: 'main' }, 'running', within(1000))
  await expect(gate.enter({ role: 'main' }, 'impatient', within(200))).rejects.toThrow()
  await gate.leave('running')
  await expect.poll(async () => await store.redis.keys('*')).toEqual([])
})

test('does not pause for one person, however often refused', async () => {
  const gate = create({})
  for (let n = 0; n < 8; n++) await gate.refused({ role: 'main' }, 'web:ada', 60_000)
  await gate.refused({ role: 'main' }, 'web:bob', 60_000)
  await expect(gate.enter({ role: 'main' }, 'next', within(1000))).resolves.toBeUndefined()
})

test('pauses the role, and no other, that refused three people, and does not end a long pause for a short one', async () => {
  const gate = create({})
  for (const forMs of [60_000, 10]) {
    for (const who of ['web:ada', 'web:bob', 'web:cleo']) await gate.refused({ role: 'main' }, who, forMs)
  }
  await gate.reserve(ada, 'eager', cheap)
  await expect(gate.enter({ role: 'main' }, 'eager', within(300))).rejects.toThrow()
  await expect(gate.enter({ role: 'fallback' }, 'other', within(1000))).resolves.toBeUndefined()
})

test('begins slowly after a pause', async () => {
  const gate = create({})
  for (const who of ['web:ada', 'web:bob', 'web:cleo']) await gate.refused({ role: 'main' }, who, 100)
  const untilMs = Number(await store.redis.hget('fl:{model}:pause:main', 'until'))
  const entered: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await gate.enter({ role: 'main' }, `call ${n}`, within(20_000))
      entered.push(Date.now() - untilMs)
    }),
  )
  expect(Math.min(...entered)).toBeGreaterThanOrEqual(0)
  // Four in the first second, twelve more in the next.
  expect(entered.filter((ms) => ms < 1000).length).toBeLessThanOrEqual(4)
  expect(entered.filter((ms) => ms < 2000).length).toBeLessThanOrEqual(16)
})

const main = { role: 'main' } as const
const compaction = { role: 'fast', budget: 'compaction' } as const

let calls = 0
/** Of `count` calls that come at once, those that get in soon. */
async function enterAll(gate: ModelGate, what: Parameters<ModelGate['enter']>[0], count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `call ${(calls += 1)}`)
  const entered = await Promise.allSettled(ids.map(async (id) => await gate.enter(what, id, within(400))))
  return ids.filter((_, n) => entered[n]?.status === 'fulfilled')
}

test.each([
  { most: 16, share: 2 },
  { most: 3, share: 1 },
])('gives work in the background an eighth of $most permits, over all processes: $share', async ({ most, share }) => {
  const [one, other] = [create({ most }), create({ most })]
  const ids = [...(await enterAll(one, compaction, 4)), ...(await enterAll(other, compaction, 4))]
  expect(ids).toHaveLength(share)
  // Another budget has its own, and the rest is there for people.
  expect(await enterAll(other, { role: 'fast', budget: 'curiosity' }, 4)).toHaveLength(share)
  expect(await enterAll(one, main, most)).toHaveLength(most - 2 * share)
})

test('gives each budget an eighth of its own, whatever models it asks', async () => {
  const gate = create({ most: 32 })
  const entered = await Promise.all(
    modelBudgets.flatMap((budget) => [
      enterAll(gate, { role: 'fast', budget }, 4),
      enterAll(gate, { role: 'main', budget }, 4),
    ]),
  )
  expect(entered.flat()).toHaveLength(3 * 4)
  expect(await enterAll(gate, { role: 'fallback' }, 32)).toHaveLength(32 - 3 * 4)
})

test.each(modelBudgets)('a 429 of %s pauses what is done under it, and nothing else', async (refused) => {
  const gate = create({})
  await gate.refused({ role: 'fast', budget: refused }, 'web:ada', 60_000)
  for (const role of modelRoles) await expect(gate.enter({ role, budget: refused }, role, within(60))).rejects.toThrow()
  const others = modelBudgets.filter((budget) => budget !== refused)
  for (const budget of others) expect(await enterAll(gate, { role: 'fast', budget }, 2)).toHaveLength(2)
  expect(await enterAll(gate, { role: 'fast' }, 10)).toHaveLength(10)
})

test('keeps the share of work that lasts longer than the holding time, and gives it on when that is done', async () => {
  const gate = create({ most: 8 })
  const payer = { ...ada, budget: 'compaction' } as const
  await gate.reserve(payer, 'long', cheap)
  await gate.enter(compaction, 'long', within(1000))
  await expect(create({ most: 8 }).enter(compaction, 'next', within(holdMs * 2))).rejects.toThrow()
  await gate.charge(payer, 'long', cheap)
  await gate.enter(compaction, 'next', within(1000))
  await gate.leave('next')
  await gate.enter(compaction, 'third', within(1000))
})

test('lets people pass before what is done in the background', async () => {
  const [one, other] = [create({ most: 1, holdMs: 20_000 }), create({ most: 1, holdMs: 20_000 })]
  await one.enter(main, 'running', within(1000))
  const order: string[] = []
  const work = other.enter(compaction, 'work', within(20_000)).then(() => order.push('work'))
  await sleep(150)
  const person = other.enter(main, 'person', within(20_000)).then(async () => {
    order.push('person')
    await sleep(150)
    await other.leave('person')
  })
  await expect.poll(() => store.redis.exists('fl:{model}:waiting')).toBe(1)
  await one.leave('running')
  await Promise.all([work, person])
  expect(order).toEqual(['person', 'work'])
})

test('pauses only the background when that is refused, at once, and with a role what is done by it in the background', async () => {
  const gate = create({})
  for (let n = 0; n < 5; n++) await gate.refused(compaction, `web:${n}`, 60_000)
  await expect(gate.enter(compaction, 'work', within(300))).rejects.toThrow()
  expect(await enterAll(gate, { role: 'fast' }, 10)).toHaveLength(10)
  expect(await enterAll(gate, { role: 'fast', budget: 'reflection' }, 2)).toHaveLength(2)
  await gate.reserve(ada, 'answer', cheap)
  await expect(gate.enter(main, 'answer', within(300))).resolves.toBeUndefined()
  expect(await enterAll(gate, main, 50)).toHaveLength(50)
  for (const who of ['web:ada', 'web:bob', 'web:cleo']) await gate.refused({ role: 'fast' }, who, 60_000)
  await expect(gate.enter({ role: 'fast', budget: 'curiosity' }, 'more', within(300))).rejects.toThrow()
})

test('counts work in the background for who pays, and under its own name', async () => {
  const gate = create({ person: 100 })
  const payer = { ...ada, budget: 'compaction' } as const
  expect(await gate.reserve(payer, 'w1', { tokens: 80, micros: 8 })).toEqual({ kind: 'OK' })
  expect((await gate.reserve(payer, 'w2', { tokens: 80, micros: 8 })).kind).toBe('OVER')
  await gate.charge(payer, 'w1', { tokens: 30, micros: 3 })
  await gate.reserve(ada, 'r1', { tokens: 5, micros: 0 })
  const spent = { tokens: 35, micros: 3 }
  const work = { tokens: 30, micros: 3, calls: 1 }
  expect(await gate.spent(payer)).toEqual({ person: spent, chat: spent, total: spent, work })
  expect((await gate.spent({ ...ada, budget: 'curiosity' })).work).toEqual(noWork)
  // Repeating a charge counts nothing, and a call that cost nothing is none.
  await gate.charge(payer, 'w1', { tokens: 30, micros: 3 })
  await gate.reserve(payer, 'w3', { tokens: 10, micros: 1 })
  await gate.charge(payer, 'w3', none)
  expect((await gate.spent(payer)).work).toEqual(work)
})

test('curiosity has a tenth of what all may spend, and 5,000 calls a day; nothing else is held back by that', async () => {
  const gate = create({ total: 1000 })
  const curious = { ...ada, budget: 'curiosity' } as const
  expect((await gate.reserve(curious, 'c1', { tokens: 90, micros: 0 })).kind).toBe('OK')
  expect(await gate.reserve(curious, 'c2', { tokens: 20, micros: 0 })).toMatchObject({ kind: 'OVER', scope: 'total' })
  // The same again is granted: it holds already.
  expect((await gate.reserve(curious, 'c1', { tokens: 90, micros: 0 })).kind).toBe('OK')
  expect((await gate.reserve({ ...ada, budget: 'reflection' }, 'f1', { tokens: 200, micros: 0 })).kind).toBe('OK')
  expect((await gate.reserve(ada, 'r1', { tokens: 200, micros: 0 })).kind).toBe('OK')
  await gate.charge(curious, 'c1', { tokens: 30, micros: 0 })
  expect((await gate.reserve(curious, 'c2', { tokens: 20, micros: 0 })).kind).toBe('OK')
  await gate.charge(curious, 'c2', { tokens: 5, micros: 0 })
  await store.server.admin.hset(`fl:{model}:${ada.day}`, 'calls:curiosity', 5000)
  expect((await gate.reserve(curious, 'c3', { tokens: 1, micros: 0 })).kind).toBe('OVER')
  const unlimited = create({})
  expect((await unlimited.reserve(curious, 'c4', { tokens: 1, micros: 0 })).kind).toBe('OVER')
})

async function countScripts(): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await store.redis.info('commandstats'))?.[1])
}

test('an owner has no budget of the person where the settings give none, and those of chat and day', async () => {
  const gate = create({ person: 100, chat: 1000 })
  expect(await gate.reserve(ada, 'a1', { tokens: 101, micros: 0 })).toMatchObject({ kind: 'OVER', scope: 'person' })
  const owner = { ...ada, isOwner: true }
  expect(await gate.reserve(owner, 'a2', { tokens: 900, micros: 0 })).toEqual({ kind: 'OK' })
  expect(await gate.reserve(owner, 'a3', { tokens: 200, micros: 0 })).toMatchObject({ kind: 'OVER', scope: 'chat' })
})

test('what an owner sets holds for every executor from its next call on, until it is reset', async () => {
  const [one, other] = [create({ person: 100 }), create({ person: 100 })]
  const budgets = createBudgets(store.redis)
  const ask = async (gate: ModelGate, id: string) => (await gate.reserve(ada, id, { tokens: 101, micros: 0 })).kind
  expect([await ask(one, 'a1'), await ask(other, 'a2')]).toEqual(['OVER', 'OVER'])
  await budgets.set('person', 'tokens', 300)
  expect([await ask(one, 'a3'), await ask(other, 'a4')]).toEqual(['OK', 'OK'])
  expect(await budgets.find()).toEqual({ person: { tokens: 300 }, chat: {}, total: {} })
  await budgets.set('person', 'tokens', 0)
  expect(await ask(other, 'a5')).toBe('OK')
  await budgets.reset()
  expect(await ask(other, 'a6')).toBe('OVER')
})

test('a person is told once a day, again by the same turn, and somebody else too', async () => {
  const budgets = createBudgets(store.redis)
  const told = (who: { readonly day: string; readonly principal: string }, turn: string) =>
    budgets.isFirstToTell(who, turn)
  expect([await told(ada, 't1'), await told(ada, 't1'), await told(ada, 't2'), await told(bob, 't2')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  expect(await told({ ...ada, day: '2026-11-22' }, 't3')).toBe(true)
})
