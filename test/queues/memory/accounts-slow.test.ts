// A process that links or unlinks may stop between any two steps, while another one does something else, and go on then: what was done last holds, nothing is
// lost, and nothing stands where nobody reads it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSharedDesks } from '#queues/fleet/desks.ts'
import { createAccounts } from '#queues/memory/accounts.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { mergeBooks } from '#services/curiosity/desk/book.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { Account, Accounts } from '#shared/memory/accounts.ts'
import { ofPerson } from '#shared/memory/record.ts'
import type { CallUnit } from '#queues/units.ts'
import { createSlowCall } from '#test/rig/interrupted-calls.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const ann: Account = { principal: 'telegram:ann', conversation: 'telegram:ann' }
const annAtWork: Account = { principal: 'discord:ann', conversation: 'discord:7' }

let redis: Store
beforeAll(async () => void (redis = await openStore()))
afterAll(() => redis.stop())

const create = (call: CallUnit): Accounts =>
  createAccounts({ redis: redis.redis, call, comparing, desks: createSharedDesks(redis.redis, call, mergeBooks) })

type Other = (accounts: Accounts) => Promise<unknown>

/** A process during whose unit number `after` something else is done; it may be told that it did not come to that. */
function createSlow(after: number, other: Other) {
  const { call, isDone } = createSlowCall(redis.call, after, async () => await other(create(redis.call)))
  return { accounts: create(call), isDone }
}

async function open() {
  await redis.redis.flushall()
  const memory = createRedisMemory(redis.redis, redis.call, comparing)
  for (const [nth, text] of ['I like tea', 'My cat is called Mia', 'I live in Lyon'].entries())
    await memory.write(
      ofPerson(ann.principal),
      remembered(text, { conversation: ann.conversation, message: `${nth}` }, of(ann)),
    )
  await memory.write(
    ofPerson(annAtWork.principal),
    remembered('My desk is green', { conversation: annAtWork.conversation, message: '9' }, of(annAtWork)),
  )
  return async ({ principal }: Account) => {
    const read = await memory.read(ofPerson(principal))
    return (read === 'same' ? [] : read.records).map((one) => one.text).toSorted()
  }
}
const of = ({ principal }: Account) => ({ speaker: principal, confirmedBy: principal })

const anns = ['I like tea', 'I live in Lyon', 'My cat is called Mia']
const works = ['My desk is green']
const both = [...anns, ...works]

/** Does it with something else in between, at each step in turn; then looks. */
async function tryAll(
  begin: Other,
  [work, other]: readonly [Other, Other],
  look: (texts: (one: Account) => Promise<readonly string[]>, after: number) => Promise<void>,
): Promise<number> {
  for (let after = 0; ; after++) {
    const texts = await open()
    await begin(create(redis.call))
    const slow = createSlow(after, other)
    await work(slow.accounts)
    if (!slow.isDone()) return after
    await look(texts, after)
  }
}

test('an unlinking in the middle of a linking is not undone by the rest of it', { timeout: 60_000 }, async () => {
  const steps = await tryAll(
    async (accounts) => await accounts.link(ann, annAtWork, 'a1'),
    // Somebody goes on with the press that linked.
    [
      async (accounts) => await accounts.link(ann, annAtWork, 'a1'),
      async (accounts) => await accounts.unlink(ann.principal),
    ],
    async (texts, after) => {
      const linked = (await create(redis.call).find(ann.principal)).length > 0
      expect([await texts(ann), await texts(annAtWork)], `at ${after}`).toEqual(linked ? [both, both] : [anns, works])
    },
  )
  expect(steps).toBeGreaterThan(5)
})

test('a linking in the middle of an unlinking loses nothing', { timeout: 60_000 }, async () => {
  const steps = await tryAll(
    async (accounts) => await accounts.link(ann, annAtWork, 'a1'),
    [
      async (accounts) => await accounts.unlink(ann.principal),
      async (accounts) => await accounts.link(ann, annAtWork, 'a2'),
    ],
    async (texts, after) => {
      const linked = (await create(redis.call).find(ann.principal)).length > 0
      expect([await texts(ann), await texts(annAtWork)], `at ${after}`).toEqual(linked ? [both, both] : [anns, works])
    },
  )
  expect(steps).toBeGreaterThan(15)
})

test(
  'a first linking, with an unlinking and another linking in its middle, loses nothing',
  { timeout: 60_000 },
  async () => {
    const steps = await tryAll(
      async () => undefined,
      [
        async (accounts) => await accounts.link(ann, annAtWork, 'a1'),
        async (accounts) => {
          await accounts.link(ann, annAtWork, 'a1')
          await accounts.unlink(annAtWork.principal)
          await accounts.link(annAtWork, ann, 'a2')
          await accounts.unlink(ann.principal)
        },
      ],
      async (texts, after) => {
        const linked = (await create(redis.call).find(ann.principal)).length > 0
        expect([await texts(ann), await texts(annAtWork)], `at ${after}`).toEqual(linked ? [both, both] : [anns, works])
      },
    )
    expect(steps).toBeGreaterThan(20)
  },
)
