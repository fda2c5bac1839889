// Random sequences of calls on the real Redis kernel against the in-memory twin, then the oracle over the keys left behind.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryBench, openRedisBench } from '#test/rig/kernel-bench.ts'
import { checkInvariants, checkSendOrder } from '#test/rig/oracle.ts'
import { runs, seed } from '#test/rig/property-runs.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { conversations, createWorld, type Action } from './kernel-world.ts'

let server: PrivateRedis
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())

const small = (most: number) => fc.integer({ min: 0, max: most })
const c = small(conversations.length - 1)
const yes = fc.boolean()
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 9)
const is = <T extends Action['do']>(name: T) => fc.constant(name)

const record = fc.record({
  about: fc.array(small(2), { maxLength: 3 }),
  later: fc.constantFrom('nothing', 'on a turn', 'on a message', 'on a message', 'edited'),
})
const shape = fc.record({
  entries: small(2),
  consume: fc.uniqueArray(small(4), { maxLength: 3 }),
  aside: rarely,
  rows: fc.array(fc.constantFrom('long' as const, 'short' as const, 'replaces' as const), { maxLength: 2 }),
  ask: rarely,
  snapshot: yes,
  folds: yes,
  parts: fc.subarray(['past', 'f.menu']),
  progress: yes,
  release: yes,
  unlessStopped: yes,
  timer: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  cancels: rarely,
  letters: fc.array(c, { maxLength: 3 }),
  record: fc.option(record, { nil: undefined }),
  keeps: fc.option(fc.record({ name: small(3), about: small(2), session: small(2) }), { nil: undefined }),
})
const stop = fc.constantFrom('none' as const, 'none' as const, 'none' as const, 'own' as const, 'all' as const)
const said = fc.record({
  pick: small(9),
  who: small(1),
  choice: fc.constantFrom('yes', 'no', 'maybe', ''),
  asAdmin: yes,
})
const carrying = fc.constantFrom('read', 'received', 'one', 'all', 'late', 'put off')
const arbitraries: readonly { weight: number; arbitrary: fc.Arbitrary<Action> }[] = [
  { weight: 6, arbitrary: fc.record({ do: is('ingest'), c, key: small(12), who: small(1), stop, twice: rarely }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: is('route'),
      c,
      ignore: fc.array(rarely, { minLength: 1, maxLength: 3 }),
      behind: rarely,
      twice: rarely,
      says: fc.option(said, { nil: undefined }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: is('claim'), c, owner: small(1), twice: rarely }) },
  { weight: 1, arbitrary: fc.record({ do: is('renew'), c, owner: small(1) }) },
  { weight: 1, arbitrary: fc.record({ do: is('disown'), c, owner: small(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('die', 'revive'), process: small(1) }) },
  { weight: 8, arbitrary: fc.record({ do: is('append'), c, owner: small(1), shape, twice: rarely }) },
  { weight: 1, arbitrary: fc.record({ do: is('again'), c, owner: small(1), back: small(5) }) },
  { weight: 2, arbitrary: fc.record({ do: is('release'), c, owner: small(1), force: yes, twice: rarely }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: is('begin'), c, from: small(1), idempotent: rarely, twice: rarely }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: is('settle'),
      c,
      from: small(1),
      outcome: small(7),
      idempotent: rarely,
      leave: rarely,
      twice: rarely,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: is('press'), c, pick: small(9), who: small(1), press: small(3), twice: rarely }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('replay', 'park', 'unpark', 'unpark', 'draft', 'sweep'), c }),
  },
  { weight: 3, arbitrary: fc.record({ do: is('fire'), c }) },
  { weight: 3, arbitrary: fc.record({ do: is('look'), c }) },
  { weight: 4, arbitrary: fc.record({ do: is('carry'), c, how: carrying }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is('read'),
      c,
      how: fc.record({ reader: small(1), pass: small(6), late: rarely, aside: rarely }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: is('turn'), c, record, reacts: yes }) },
  { weight: 1, arbitrary: fc.record({ do: is('forget'), c, message: small(2) }) },
  { weight: 1, arbitrary: fc.record({ do: is('giveUp'), c, steps: small(6) }) },
  { weight: 3, arbitrary: fc.record({ do: is('advance'), steps: fc.constantFrom(1, 2, 3, 4, 20, 195) }) },
]

it(`answers as its twin does and keeps the invariants (seed ${seed})`, { timeout: 30 * 60_000 }, async () => {
  const actions = fc.array(fc.oneof(...arbitraries), { minLength: 1, maxLength: 80, size: 'max' })
  const property = fc.asyncProperty(actions, async (sequence) => {
    await server.admin.flushall()
    const startsAtMs = Date.now()
    const real = await openRedisBench(server.url, startsAtMs)
    try {
      const world = createWorld(real, openMemoryBench(startsAtMs))
      for (const action of sequence) await world.run(action)
      for (let i = 0; i < conversations.length; i++) await world.run({ do: 'look', c: i })
      expect(await checkInvariants(server.admin)).toEqual([])
      await world.finish()
      expect(await checkInvariants(server.admin)).toEqual([])
      for (const [id, queued] of world.queued) {
        expect(checkSendOrder(queued, world.begun.get(id) ?? [])).toEqual([])
      }
    } finally {
      await real.close()
    }
  })
  await fc.assert(property, { ...runs(120), endOnFailure: false })
})
