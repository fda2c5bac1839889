// Thousands of steps in one turn, and thousands of ranges of events done with: neither breaks a conversation or makes it slow.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Claimed } from '#shared/run/step.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import {
  deliverMany,
  freshConversation,
  ignoreDecision,
  ingestMany,
  mustClaim,
  row,
  step,
  turnDecision,
} from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

const keyOf = (kind: string, conversation: string): string =>
  `${partitionPrefix(toPartition(conversation))}${kind}:${conversation}`

/** As it would be after so many steps of one turn. */
async function noteSteps(conversation: string, count: number): Promise<void> {
  const steps = Array.from({ length: count }, (_, i) => [`e${i}`, '0'])
  await store.server.admin.hset(keyOf('x', conversation), Object.fromEntries(steps))
}

/** A turn of two steps, whose end has a snapshot. */
async function turn(conversation: string, claimed: Claimed, seq: number): Promise<unknown> {
  await store.kernel.append(conversation, claimed.epoch, step(`t${seq}`))
  const end = { consume: [seq], rows: [row(`t${seq}-end`)], folds: true, snapshot: `{"n":${seq}}` }
  return await store.kernel.append(conversation, claimed.epoch, step(`t${seq}-end`, end))
}

it('ends a turn after any number of steps', async () => {
  const c = freshConversation()
  await deliverMany(store.kernel, c, 2)
  const claimed = await mustClaim(store.kernel, c)
  await noteSteps(c, 9000)
  expect(await turn(c, claimed, 1)).toMatchObject({ kind: 'OK' })
  expect(await turn(c, claimed, 2)).toMatchObject({ kind: 'OK' })
  expect(await store.server.admin.hlen(keyOf('x', c))).toBeLessThan(10)
  expect(await mustClaim(store.kernel, c)).toMatchObject({ snapshot: '{"n":2}', tail: [], pending: [] })
  expect(await checkInvariants(store.server.admin)).toEqual([])
})

it('knows a step that only consumes again, though it leaves nothing behind', async () => {
  const c = freshConversation()
  await deliverMany(store.kernel, c, 5)
  const { epoch } = await mustClaim(store.kernel, c)
  await store.kernel.append(c, epoch, step('t1'))
  for (const seq of [3, 5]) {
    const answer = { key: `e${seq}`, entries: [], consume: [seq], rows: [row(`e${seq}-0`)] }
    expect(await store.kernel.append(c, epoch, answer)).toMatchObject({ kind: 'OK' })
    expect(await store.kernel.append(c, epoch, answer)).toMatchObject({ kind: 'DUP' })
  }
  expect(await store.server.admin.hkeys(keyOf('x', c))).toEqual(['t1'])
  expect(await store.server.admin.llen(keyOf('obq', c))).toBe(2)
  expect(await checkInvariants(store.server.admin)).toEqual([])
})

it('routes and consumes one more event without reading all the ranges that are done with', async () => {
  /** What Redis itself took for ten times a message that is ignored and one that is not, µs. */
  async function costOf(ranges: number): Promise<number> {
    const c = freshConversation()
    await deliverMany(store.kernel, c, 1)
    const { epoch } = await mustClaim(store.kernel, c)
    const routed = 1 + 2 * ranges
    const consumed = Array.from({ length: ranges }, (_, i) => 3 + 2 * i).join(',')
    await store.server.admin.hset(keyOf('c', c), { seq: routed, routed, consumed })
    await ingestMany(store.kernel, c, 21)
    await store.server.admin.config('RESETSTAT')
    for (let seq = routed; seq < routed + 20; seq += 2) {
      await store.kernel.route(c, seq, [ignoreDecision, turnDecision])
      await store.kernel.append(c, epoch, { key: `e${seq + 2}`, entries: [], consume: [seq + 2] })
    }
    expect(await store.server.admin.hget(keyOf('c', c), 'consumed')).toMatch(
      new RegExp(`(?:^|,)${routed}-${routed + 20}$`),
    )
    return Number(/cmdstat_evalsha:calls=\d+,usec=(\d+)/.exec(await store.server.admin.info('commandstats'))?.[1])
  }
  await costOf(1)
  const [few, many] = [await costOf(10), await costOf(20_000)]
  expect(many).toBeLessThan(few * 100)
})
