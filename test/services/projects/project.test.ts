// A step of /project may be done again behind a death at any place: then the chat is where its owner wanted it, and everything of it can be read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjects } from '#queues/memory/projects.ts'
import { createRedisMemory } from '#queues/memory/redis-memory.ts'
import type { CallUnit } from '#queues/units.ts'
import { comparing } from '#services/memory/comparing.ts'
import { answerBind, project, type ProjectDeps } from '#services/projects/project.ts'
import { message, wonPress } from '#test/rig/events.ts'
import { createDyingCall, isKilled } from '#test/rig/interrupted-calls.ts'
import { remembered } from '#test/rig/remembered.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const [chat, other] = ['telegram:-1', 'discord:2']

let redis: Store
beforeAll(async () => void (redis = await openStore()))
afterAll(() => redis.stop())

const toDeps = (call: CallUnit) => ({
  projects: createProjects({ redis: redis.redis, call, comparing }),
  memory: createRedisMemory(redis.redis, redis.call, comparing),
})

const say = async (deps: ProjectDeps, args: string, owner = true) =>
  await project(deps, {
    event: message({ conversation: chat, group: true, title: 'Rocket team' }),
    conversation: chat,
    language: 'en',
    owner,
    args,
  })

/** The press of a card that stands there. */
async function toPress(deps: ProjectDeps, args: string, id: string) {
  const [card] = await say(deps, args)
  const payload = card?.kind === 'ask' ? card.payload : ''
  const event = wonPress({ conversation: chat, id, choice: 'bind', payload })
  return async (pressed: ProjectDeps, owner = true) => await answerBind(pressed, { event, owner })
}

/** A chat that is bound to Apollo, as another one is. */
async function open() {
  await redis.redis.flushall()
  const deps = toDeps(redis.call)
  for (const [conversation, text] of [
    [chat, 'The venue is booked'],
    [other, 'My desk is green'],
  ] as const)
    await deps.memory.write(`chat:${conversation}`, remembered(text, { conversation, message: text }))
  await deps.projects.bind({ chat: other, project: 'Apollo' }, 'e0')
  const press = await toPress(deps, 'Apollo', 'e1')
  await press(deps)
  return deps
}

async function read(deps: ProjectDeps): Promise<readonly string[]> {
  const found = await deps.memory.read(`chat:${chat}`)
  return found === 'same' ? [] : found.records.map(({ text }) => text)
}
const toText = (effects: Awaited<ReturnType<typeof say>>): string =>
  effects.map((one) => (one.kind === 'send' ? one.text : '')).join()

test.each(['off', 'Gemini'])('/project %s, done again behind a death at any step', async (wanted) => {
  let steps = 0
  for (let died = true; died; steps++) {
    const deps = await open()
    expect(await read(deps)).toHaveLength(2)
    const press = wanted === 'off' ? undefined : await toPress(deps, wanted, 'e2')
    const work = async (by: ProjectDeps) => (press ? await press(by) : await say(by, wanted))
    died = await isKilled(work(toDeps(createDyingCall(redis.call, steps))))
    const told = toText(await work(deps))
    expect(told, `after ${steps}`).toMatch(
      press ? /bound to the project “Gemini”/ : /not bound to “Apollo” any more|bound to no project/,
    )
    expect(await read(deps), `after ${steps}`).toEqual(['The venue is booked'])
    expect(await redis.redis.exists('fl:{projects}:moving')).toBe(0)
    expect((await deps.projects.find(chat))?.name).toBe(press ? 'Gemini' : undefined)
  }
  expect(steps).toBeGreaterThan(5)
})

test('who is no owner any more binds nothing', async () => {
  const deps = await open()
  const press = await toPress(deps, 'Gemini', 'e2')
  expect(toText(await press(deps, false))).toContain('Only the bot’s owners')
  expect(toText(await say(deps, 'off', false))).toContain('Only the bot’s owners')
  expect((await deps.projects.find(chat))?.name).toBe('Apollo')
})
