// A process that binds or unbinds a chat may die between any two steps, or be slow while another one does something else: what was done last holds, nothing
// is lost, and nothing stands twice or where nobody reads it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjects } from '#queues/memory/projects.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { BoundChat, Projects } from '#shared/memory/projects.ts'
import type { CallUnit } from '#queues/units.ts'
import { createDyingCall, createSlowCall, isKilled } from '#test/rig/interrupted-calls.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const one: BoundChat = { chat: 'telegram:-1', project: 'apollo' }
const other: BoundChat = { chat: 'discord:2', project: 'apollo' }

let redis: Store
beforeAll(async () => void (redis = await openStore()))
afterAll(() => redis.stop())

const create = (call: CallUnit): Projects => createProjects({ redis: redis.redis, call, comparing })

type Deed = (projects: Projects) => Promise<unknown>
const bindOne: Deed = async (projects) => await projects.bind(one, 'p1')
const bindOther: Deed = async (projects) => await projects.bind(other, 'p2')
const bindElsewhere: Deed = async (projects) => await projects.bind({ ...one, project: 'gemini' }, 'p3')
const unbindOne: Deed = async (projects) => await projects.unbind(one.chat)

const ones = ['Postgres it is', 'Tea is at four', 'The demo is on Friday', 'The venue is booked']
const others = ['My desk is green', 'Tea is at four']
const all = [...new Set([...ones, ...others])].toSorted()

/** Two chats, the second one bound. */
async function open() {
  await redis.redis.flushall()
  const memory = createRedisMemory(redis.redis, redis.call, comparing)
  for (const [{ chat }, texts] of [
    [one, ones],
    [other, others],
  ] as const)
    for (const [nth, text] of texts.entries())
      await memory.write(`chat:${chat}`, remembered(text, { conversation: chat, message: `${chat}-${nth}` }))
  await bindOther(create(redis.call))
  const read = async ({ chat }: BoundChat) => {
    const found = await memory.read(`chat:${chat}`)
    return (found === 'same' ? [] : found.records).map(({ text }) => text).toSorted()
  }
  return async () => [await read(one), await read(other)]
}

/** As the clock does after a minute. */
async function finish(projects: Projects): Promise<void> {
  for (const field of await redis.redis.hkeys('fl:{projects}:moving'))
    await redis.redis.hset('fl:{projects}:moving', field, 0)
  await projects.finish()
}

/** Each scope of a project, with what stands there. */
const countShared = async (): Promise<number> => {
  const keys = await redis.redis.keys('*mr:chat:project:*')
  return (await Promise.all(keys.map((key) => redis.redis.hlen(key)))).reduce((sum, count) => sum + count, 0)
}

test('binding and unbinding go on after a death at any step', { timeout: 60_000 }, async () => {
  for (const [deed, begin, wanted] of [
    [bindOne, [], [all, all]],
    [unbindOne, [bindOne], [ones, others]],
    [bindElsewhere, [bindOne], [ones, others]],
  ] as const) {
    let steps = 0
    for (let died = true; died; steps++) {
      const texts = await open()
      for (const first of begin) await first(create(redis.call))
      died = await isKilled(deed(create(createDyingCall(redis.call, steps))))
      const projects = create(redis.call)
      // The clock goes on with it, or the turn is run again.
      await (steps % 2 === 0 && died ? finish(projects) : deed(projects))
      await deed(projects)
      expect(await texts(), `${deed.name}, after ${steps}`).toEqual(wanted)
      expect(await redis.redis.exists('fl:{projects}:moving')).toBe(0)
    }
    expect(steps).toBeGreaterThan(15)
  }
})

test('something else in the middle is not undone, and loses nothing', { timeout: 60_000 }, async () => {
  for (const [begin, work, between] of [
    [[], bindOne, [bindOne, unbindOne]],
    [[], bindOne, [bindElsewhere]],
    [[bindOne], unbindOne, [unbindOne, bindOne]],
    [[bindOne], unbindOne, [async (projects) => await projects.unbind(other.chat)]],
    [[bindOne], bindElsewhere, [unbindOne, bindOne]],
  ] as readonly (readonly [readonly Deed[], Deed, readonly Deed[]])[]) {
    let steps = 0
    for (; ; steps++) {
      const texts = await open()
      for (const first of begin) await first(create(redis.call))
      const slow = createSlowCall(redis.call, steps, async () => {
        for (const next of between) await next(create(redis.call))
      })
      await work(create(slow.call))
      if (!slow.isDone()) break
      const projects = create(redis.call)
      const [bound, boundOther] = [await projects.find(one.chat), await projects.find(other.chat)]
      const areTogether = bound !== undefined && bound.name === boundOther?.name
      expect(await texts(), `at ${steps}`).toEqual(areTogether ? [all, all] : [ones, others])
      if (!bound && !boundOther) expect(await countShared()).toBe(0)
    }
    expect(steps).toBeGreaterThan(5)
  }
})

test('what another chat says while a chat leaves is not taken along', { timeout: 60_000 }, async () => {
  for (let steps = 0; ; steps++) {
    const texts = await open()
    await bindOne(create(redis.call))
    const memory = createRedisMemory(redis.redis, redis.call, comparing)
    const again = remembered('The demo is on Friday', { conversation: other.chat, message: 'again' })
    const slow = createSlowCall(redis.call, steps, async () => await memory.write(`chat:${other.chat}`, again))
    await unbindOne(create(slow.call))
    if (!slow.isDone()) return
    expect(await texts(), `at ${steps}`).toEqual([ones, [...others, again.text].toSorted()])
    // It goes with the message that said it there.
    await memory.forget(other.chat, ['again'])
    expect(await texts(), `at ${steps}`).toEqual([ones, others])
  }
})
