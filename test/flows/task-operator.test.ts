// What an operator sees of tasks: a parked one is named and put back, its prompt is shown, and what only looks like one is refused.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readErrand } from '#infra/doctor/errand.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { findParked } from '#queues/workers/inspect.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { runFlotilla } from '#test/rig/run-context.ts'

/** `/begin <number>` begins a task, `/go <number>` has it say something after a turn. */
const feature: Feature = {
  name: 'errands',
  commands: (['begin', 'go'] as const).map((name) => ({
    name,
    help: { zh: name, en: name },
    run: async ({ args }) => [
      {
        kind: 'signal',
        to: Number(args),
        letter: 'told',
        payload: name,
        ...(name === 'begin' ? { begins: true as const } : {}),
      },
      { kind: 'send', text: `Told ${args}.` },
    ],
  })),
  letters: {
    told: {
      came: async ({ event }) =>
        event.payload === 'begin'
          ? [{ kind: 'artifact', name: 'plan', text: 'Do it.' }]
          : [
              { kind: 'send', text: 'The task works.' },
              { kind: 'turn', text: 'What is to be done?', isOwn: true },
            ],
    },
  },
}

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet({ env: { FLOTILLA_ALLOW: '*' }, features: [feature] })
})
afterAll(() => fleet[Symbol.asyncDispose]())

const home = 'web:errands'
const tell = (name: string, args: string) => fleet.ask(`/${name} ${args}`, { conversation: home, slash: name })
const doctor = (...args: readonly string[]) => runFlotilla(fleet, ['doctor', ...args])
const runOf = (number: number): string => `${partitionPrefix(toPartition(home))}r:${home}#${number}`
const said = async (text: string): Promise<true | undefined> =>
  (await fleet.said(home)).some((one) => one.text.includes(text)) || undefined
const isIdle = async (number: number): Promise<true | undefined> => {
  const { redis } = fleet.runtime
  const waits = await redis.zscore(`${partitionPrefix(toPartition(home))}wake`, `run:${home}#${number}`)
  return waits === null && (await redis.hget(runOf(number), 'snap')) !== null ? true : undefined
}

test('a parked task is named by doctor, put back by it, and goes on', { timeout: 60_000 }, async () => {
  await tell('begin', '1')
  await until(() => isIdle(1))
  const { admin } = fleet.redis
  const stored = (await admin.hget(runOf(1), 'snap')) ?? ''
  await admin.hset(runOf(1), 'snap', '{"v":1}')
  await tell('go', '1')
  const parked = await until(async () => (await findParked(fleet.runtime.redis))[0])
  expect(parked).toMatchObject({ conversation: `${home}#1` })
  // Others go on, their home among them.
  expect((await tell('begin', '2')).text).toBe('Told 2.')
  await until(() => isIdle(2))
  const found = await doctor()
  expect(found.out).toContain(`FAIL  task 1 of ${home}: parked:`)
  expect(found.out).toContain(`doctor --repair ${home}#1"`)
  expect(await said('The task works.')).toBeUndefined()
  await admin.hset(runOf(1), 'snap', stored)
  expect((await doctor('--repair', `${home}#1`)).out).toContain('none is parked')
  await until(() => said('The task works.'))
  // Nothing of a task is routed or delivered.
  const wake = await admin.zrange(`${partitionPrefix(toPartition(home))}wake`, '0', '-1')
  expect(wake.filter((name) => /^(?:route|out):.*#/.test(name))).toEqual([])
})

test('the prompt of a task is shown by its address', { timeout: 60_000 }, async () => {
  await tell('begin', '3')
  await until(() => isIdle(3))
  const { out, err, code } = await runFlotilla(fleet, ['context', 'errands#3', '--json'])
  expect([err, code]).toEqual(['', 0])
  expect(JSON.parse(out)).toMatchObject({
    conversation: `${home}#3`,
    moment: expect.stringContaining('somebody asked'),
  })
})

test.each([
  ['--repair', undefined, 'Write doctor --repair <conversation>'],
  ['--repair', 'errands', '"errands" is no conversation and no task. Write a conversation as channel:chat'],
  ['--repair', `${home}＃1`, 'is no conversation and no task.'],
  ['--replay', `${home}#01`, 'is no conversation and no task.'],
  ['--replay', `${home}#1#2`, 'is no conversation and no task.'],
])('doctor %s refuses %j', (word, target, words) => {
  expect(() => readErrand(word, target)).toThrow(words)
})

test.each([
  ['doctor', ['--replay', `${home}#77`], `${home} has no task 77. It has 1, 2, 3.`],
  ['context', ['errands#77'], `${home} has no task 77.`],
  ['context', [`${home}# 1`], 'is no conversation and no task.'],
  ['memory', ['log', `${home}#1`], `is a task; this is kept of its conversation. Write "${home}".`],
])('%s refuses %j in plain words', { timeout: 20_000 }, async (command, args, words) => {
  const { err, out, code } = await runFlotilla(fleet, [command, ...args])
  expect([code, `${err}${out}`]).toEqual([1, expect.stringContaining(words)])
})
