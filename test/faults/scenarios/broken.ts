// Rows 44 and 48: a message that kills its worker every time, and state in Redis that nobody can read. One conversation is set aside or
// parked with a reason; the others go on.
import { once } from 'node:events'
import type { Asked } from '#test/faults/rig/transcripts.ts'
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'

const maxStarts = 6
/** From the fifth on it is alone, or its neighbour is. */
const startsInCompany = 4

const poisonBy = (name: string, how: Readonly<Record<string, string>>): Scenario => ({
  name,
  rows: [44],
  async run(note) {
    await using fleet = await startFleet()
    await fleet.start('router')
    let kills = 0
    const over = new AbortController()
    const supervise = (async () => {
      while (!over.signal.aborted) {
        const child = await fleet.start('executor', { CRASH_TEXT: 'echo: POISON', ...how })
        await Promise.race([child.ended, once(over.signal, 'abort')])
        if (over.signal.aborted) return
        kills += 1
      }
    })()
    const poisoned = await fleet.ask('p', 'POISON in this?')
    await fleet.pause(2500)
    const next = await fleet.ask('p', 'what is the weather after it?')
    const others = await Promise.all([1, 2, 3].map((n) => fleet.ask(`other-${n}`, `what is ${n}?`)))
    await fleet.answered(60_000, [poisoned, next, ...others])
    over.abort()
    await supervise
    const told = fleet.talk.answersTo(poisoned.id)
    assert(told.length === 1 && !told[0]?.text.includes('echo'), `the sender was told ${told.length} times`)
    assert(kills === maxStarts, `${kills} processes died of it, not ${maxStarts}`)
    const repeats = await countRepeats(fleet, others)
    assert(Math.max(...repeats) <= startsInCompany, `neighbours were begun ${repeats.join(', ')} times in vain`)
    const extraModelCalls = maxStarts + repeats.reduce((sum, count) => sum + count, 0)
    await expectInvariants(fleet, { extraModelCalls, otherTexts: true })
    // A worker that can bear it answers after the replay.
    for (const child of fleet.roles.filter((role) => role.name === 'executor')) await child.kill()
    await fleet.start('executor')
    assert((await fleet.kernel.replay(poisoned.conversation)) === 1, 'nothing to replay')
    await fleet.talk.until(() => fleet.talk.answersTo(poisoned.id).length === 2 || undefined, 'the replay', 15_000)
    assert(fleet.talk.answersTo(poisoned.id)[1]?.text.includes('echo: POISON') ?? false, 'the replay was not answered')
    note(
      `${kills} processes died, then it was set aside, its sender told once; the next message answered; its neighbours were begun ${repeats.join(', ')} times in vain; replayed`,
    )
  },
})

export const poison = poisonBy('poison-message', {})
/** A worker that an exception ends says as little as one that was killed: what it did counts in the same way. */
export const poisonThrown = poisonBy('poison-exception', { CRASH_BY: 'exception' })

/** How often more than once the model was asked for each. */
async function countRepeats(fleet: Fleet, asked: readonly Asked[]): Promise<readonly number[]> {
  const { entries } = await fleet.model.asked()
  const prompts = entries.map(({ messages }) => JSON.stringify(messages))
  return asked.map(({ text }) => prompts.filter((prompt) => prompt.includes(text)).length - 1)
}

type Break = {
  readonly name: string
  readonly when: 'idle' | 'open'
  /** It is no break: a newer release may have stored it. */
  readonly isNewer?: true
  act(fleet: Fleet, at: Keys): Promise<unknown>
}
type Keys = (kind: string) => string

const breaks: readonly Break[] = [
  { name: 'event-json', when: 'open', act: ({ redis }, key) => redis.cli('HSET', key('in'), '1', '{"v":1,') },
  { name: 'event-gone', when: 'open', act: ({ redis }, key) => redis.cli('HDEL', key('in'), '1') },
  {
    name: 'event-version',
    when: 'open',
    isNewer: true,
    act: ({ redis }, key) => redis.cli('HSET', key('in'), '1', '{"v":99,"kind":"hologram"}'),
  },
  { name: 'journal-type', when: 'open', act: ({ redis }, key) => retype(redis, key('j')) },
  {
    name: 'journal-version',
    when: 'open',
    isNewer: true,
    act: ({ redis }, key) => redis.cli('LSET', key('j'), '-1', '2 t1/req/0/1\n{"v":99,"t":"dream"}'),
  },
  {
    name: 'journal-json',
    when: 'open',
    act: ({ redis }, key) => redis.cli('LSET', key('j'), '-1', '2 t1/req/0/1\n{"v":1,'),
  },
  { name: 'journal-gap', when: 'open', act: ({ redis }, key) => redis.cli('LPOP', key('j')) },
  { name: 'index-gone', when: 'open', act: ({ redis }, key) => redis.cli('DEL', key('x')) },
  { name: 'snapshot-json', when: 'idle', act: ({ redis }, key) => redis.cli('HSET', key('r'), 'snap', '{"v":1,') },
  {
    name: 'snapshot-version',
    when: 'idle',
    isNewer: true,
    act: ({ redis }, key) => redis.cli('HSET', key('r'), 'snap', '{"v":99}'),
  },
  { name: 'stream-type', when: 'idle', act: ({ redis }, key) => retype(redis, key('out')) },
  { name: 'outbox-type', when: 'idle', act: ({ redis }, key) => redis.cli('SET', key('obq'), 'x') },
]

async function retype(redis: Fleet['redis'], key: string): Promise<void> {
  await redis.cli('DEL', key)
  await redis.cli('SET', key, 'not what it was')
}

export const corrupt: Scenario = {
  name: 'corrupt-state',
  rows: [48],
  async run(note) {
    await using fleet = await startFleet()
    const router = await fleet.start('router')
    const first = await fleet.start('executor')
    const idle = breaks.filter(({ when }) => when === 'idle')
    for (const { name } of idle) await fleet.ask(name, 'what is idle here?')
    await fleet.answered(15_000)
    await fleet.model.script({ gate: { name: 'open' } })
    const before = (await fleet.model.counters()).requests
    const open = breaks.filter(({ when }) => when === 'open')
    for (const { name } of open) await fleet.ask(name, 'what is open here?')
    const leased = await fleet.ask('lease-gone', 'what is without a lease?')
    await fleet.model.asked(before + open.length + 1)
    await fleet.pause(200)
    // The worker dies with all of them open; then the state breaks.
    await first.kill()
    for (const { name, act } of breaks) await act(fleet, keysOf(`web:${name}`))
    await fleet.redis.cli('DEL', keysOf('web:lease-gone')('lease'))
    await fleet.model.open('open')
    const second = await fleet.start('executor')
    for (const { name } of idle) await fleet.ask(name, 'what is it now?').catch(() => undefined)
    const healthy = await Promise.all([1, 2, 3].map((n) => fleet.ask(`healthy-${n}`, `what is ${n}?`)))
    await fleet.answered(20_000, [...healthy, leased])
    const unparked = await waitForParked(fleet)
    assert(unparked.length === 0, `not parked: ${unparked.join(', ')}\n${second.tail(6)}`)
    await expectLeft(fleet, second)
    const calls = (await fleet.model.counters()).requests
    await fleet.pause(3000)
    const later = (await fleet.model.counters()).requests
    assert(later === calls, `${later - calls} model calls for conversations that are parked`)
    assert(router.isRunning() && second.isRunning(), 'a process ended')
    const after: readonly Asked[] = await Promise.all(
      [1, 2, 3].map((n) => fleet.ask(`healthy-${n}`, `and what is ${n}?`)),
    )
    await fleet.answered(5000, after)
    note(
      `${breaks.length} ways to break a conversation: each parked with a reason, or left to a newer release; the others answered`,
    )
  },
}

const keysOf = (conversation: string): Keys => {
  const prefix = partitionPrefix(toPartition(conversation))
  return (kind) => `${prefix}${kind}:${conversation}`
}

/** What only a newer release can read is left to it, not taken out of service. */
async function expectLeft(fleet: Fleet, executor: Child): Promise<void> {
  for (const { name } of breaks.filter(({ isNewer }) => isNewer)) {
    assert(executor.tail(400).includes(`web:${name} is left to`), `${name} is not left:\n${executor.tail(6)}`)
    const prefix = partitionPrefix(toPartition(`web:${name}`))
    assert((await fleet.redis.admin.hexists(`${prefix}parked`, `web:${name}`)) === 0, `${name} is parked`)
  }
}

async function waitForParked(fleet: Fleet): Promise<string[]> {
  let missing: string[] = []
  for (let i = 0; i < 75; i++) {
    const found = await Promise.all(
      breaks
        .filter(({ isNewer }) => !isNewer)
        .map(async ({ name }) => {
          const prefix = partitionPrefix(toPartition(`web:${name}`))
          return { name, reason: await fleet.redis.admin.hget(`${prefix}parked`, `web:${name}`) }
        }),
    )
    missing = found.filter(({ reason }) => !reason).map(({ name }) => name)
    if (missing.length === 0) return []
    await fleet.pause(200)
  }
  return missing
}
