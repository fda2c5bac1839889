// Random walks over a conversation and two tasks of it, on the real Redis kernel against the in-memory twin, then the oracle over the keys left behind.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryBench, openRedisBench } from '#test/rig/kernel-bench.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { runs, seed } from '#test/rig/property-runs.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { createTaskWorld, type TaskAction } from './kernel-task-world.ts'

let server: PrivateRedis
beforeAll(async () => {
  server = await startRedis()
  // Hashes keep the order of writing: what ends at once ends in the order of the twin.
  await server.admin.config('SET', 'hash-max-listpack-value', '4096')
})
afterAll(() => server.stop())

const small = (most: number) => fc.integer({ min: 0, max: most })
const at = small(2)
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 9)
const often = fc.integer({ min: 0, max: 9 }).map((n) => n < 7)
const is = <T extends TaskAction['do']>(name: T) => fc.constant(name)

const shape = fc.record({
  consume: small(3),
  aside: rarely,
  rows: small(2),
  ask: fc.constantFrom('none' as const, 'none' as const, 'deadline' as const, 'topic' as const),
  timer: rarely,
  letter: rarely,
  tells: fc.array(fc.record({ at, begins: often, stops: rarely }), { maxLength: 3 }),
  drops: fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constantFrom([1], [2], [1, 2]) },
  ),
  keeps: fc.uniqueArray(small(3), { maxLength: 2 }),
  unkeeps: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.uniqueArray(small(3)) }),
  cancel: fc.constantFrom(
    'none' as const,
    'none' as const,
    'none' as const,
    'none' as const,
    'all' as const,
    'asker' as const,
    'topic' as const,
  ),
  folds: often,
  release: often,
  unlessStopped: fc.boolean(),
  about: small(3),
})
const arbitraries: readonly { weight: number; arbitrary: fc.Arbitrary<TaskAction> }[] = [
  {
    weight: 14,
    arbitrary: fc.record({
      do: is('work'),
      at,
      owner: small(1),
      shape,
      twice: rarely,
      lets: fc.constantFrom('go', 'go', 'go', 'keep'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: is('say'),
      message: small(3),
      who: small(1),
      stops: rarely,
      answers: fc.option(small(9), { nil: undefined }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: is('press'), pick: small(9), who: small(1), press: small(3), twice: rarely }),
  },
  { weight: 3, arbitrary: fc.record({ do: is('deliver'), outcome: fc.constantFrom(0, 0, 0, 0, 1, 2) }) },
  { weight: 1, arbitrary: fc.record({ do: is('forget'), message: small(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('park', 'unpark', 'unpark', 'replay'), at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('fire', 'fire', 'fire', 'carry') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('erase', 'fire', 'fire', 'fire') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('die', 'revive'), owner: small(1) }) },
  { weight: 3, arbitrary: fc.record({ do: is('advance'), steps: fc.constantFrom(1, 2, 3, 4, 20) }) },
]

it.each(['telegram:h', 'web:h'])(
  `a conversation %s and its tasks are as in the twin, and keep the invariants (seed ${seed})`,
  { timeout: 30 * 60_000 },
  async (home) => {
    const actions = fc.array(fc.oneof(...arbitraries), { minLength: 1, maxLength: 60, size: 'max' })
    const property = fc.asyncProperty(actions, async (sequence) => {
      await server.admin.flushall()
      const startsAtMs = Date.now()
      const real = await openRedisBench(server.url, startsAtMs)
      try {
        const world = createTaskWorld(real, openMemoryBench(startsAtMs), home)
        for (const action of sequence) {
          await world.run(action)
          await world.look()
        }
        expect(await checkInvariants(server.admin)).toEqual([])
      } finally {
        await real.close()
      }
    })
    await fc.assert(property, { ...runs(60), endOnFailure: false })
  },
)
