// Letters between two conversations: what a feature tells another one, and a group's private matter that is asked in a direct chat.
import { expect, test } from 'vitest'
import { createConfig } from '#services/config/config.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toPartition } from '#queues/partition.ts'
import { carryLetters } from '#queues/workers/carry-letters.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { deletion, toApply, toCommand } from '#test/rig/events.ts'
import { builtIn, createStage, type Stage } from './stage.ts'

const dayMs = 86_400_000
const group = 'web:stage'
const direct = 'web:direct'
const plain = [sampleFeature, ...builtIn.filter(({ name }) => name !== 'config')]
const features = [...plain, createConfig(plain)]

type Two = { readonly group: Stage; readonly direct: Stage }

function open(given: readonly Feature[] = features): Two {
  const stage = createStage({ features })
  return { group: stage, direct: createStage({ features: given, place: direct }, 128_000, stage.kernel) }
}

/** Carries what is written in both and works it off, until nothing is left; whoever carries is lost at each of the places named. */
async function settle({ group: one, direct: other }: Two, lost: readonly string[] = []): Promise<void> {
  const { kernel } = one
  const lose = new Set(lost)
  const crashing =
    <A extends unknown[], R>(name: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (lose.delete(`before ${name}`)) throw new Error('lost')
      const result = await call(...given)
      if (lose.delete(`after ${name}`)) throw new Error('lost')
      return result
    }
  const carried = {
    giveOut: crashing('giveOut', kernel.giveOut),
    receive: crashing('receive', kernel.receive),
    acknowledge: crashing('acknowledge', kernel.acknowledge),
  }
  const hints = { inbound: async () => {} }
  for (let pass = 0; pass < 4 + lost.length; pass++) {
    for (const place of [group, direct])
      await carryLetters({ kernel: carried, hints, onTrouble: () => {} }, toPartition(place))
    await one.wait(lost.length > 0 ? 6000 : 0)
    await other.wait(0)
    await one.work()
    await other.work()
  }
}
const texts = async (stage: Stage): Promise<readonly string[]> => (await stage.sent()).map(({ text }) => text)
const command = (stage: Stage, name: string, args: string): Promise<string> =>
  stage.ask(`/${name} ${args}`, { as: toCommand(name, args) })

test('a letter is done in the conversation that it is for, once, and nowhere else', async () => {
  const two = open()
  expect(await command(two.group, 'passed', `${direct} tea`)).toBe('Written.')
  expect(await texts(two.direct)).toEqual([])
  await settle(two)
  await settle(two)
  expect(await texts(two.direct)).toEqual([`Note from ${group}: tea`])
  expect(await texts(two.group)).toEqual(['Written.'])
})

test('a group’s matter is asked in a direct chat, and the answer comes to the group', async () => {
  const two = open()
  await command(two.group, 'permit', `${direct} the door`)
  await settle(two)
  expect(await texts(two.direct)).toEqual(['Do you permit it (the door)?'])
  expect(await two.group.press('Permit')).toBe('UNKNOWN')
  expect(await two.direct.press('Permit')).toBe('I tell them.')
  await settle(two)
  expect(await two.direct.press('Permit')).toContain('ALREADY')
  await settle(two)
  expect(await texts(two.group)).toEqual(['Written.', 'Permitted: the door'])
})

test('when nobody answers there, or it is called off from the group, the group is told once', async () => {
  const two = open()
  await command(two.group, 'permit', `${direct} the door`)
  await settle(two)
  await two.group.wait(8 * dayMs)
  await settle(two)
  await command(two.group, 'permit', `${direct} the window`)
  await settle(two)
  await command(two.group, 'withdraw', direct)
  await settle(two)
  await settle(two)
  expect(await texts(two.group)).toEqual([
    'Written.',
    'Nobody permitted it (deadline): the door',
    'Written.',
    'Written.',
    'Nobody permitted it (cancelled): the window',
  ])
  expect(await two.direct.press('Permit')).toBe('UNKNOWN')
})

test('what a letter of a forgotten message would have said is not said', async () => {
  const two = open()
  await command(two.group, 'passed', `${direct} tea`)
  await two.group.put(deletion('m1'), toApply('delete'))
  await two.group.work()
  await settle(two)
  expect(await texts(two.direct)).toEqual([])
})

test('what a letter left where it came does not go with another message there that has the same id', async () => {
  const two = open()
  await command(two.group, 'passed', `${direct} tea`)
  await settle(two)
  await two.direct.put(deletion('m1', { conversation: direct }), toApply('delete'))
  await two.direct.work()
  const left = JSON.stringify(sliceOf(await two.direct.state(), sampleFeature))
  expect(JSON.parse(left)).toMatchObject({ notes: [{ value: 'tea', about: [expect.stringMatching(/^~/)] }] })
})

test('a letter of a feature that its reader does not have says nothing, and holds up none', async () => {
  const two = open(builtIn)
  await command(two.group, 'passed', `${direct} tea`)
  await settle(two)
  expect(await texts(two.direct)).toEqual([])
  expect(await two.direct.ask('hello')).toBe('ok')
})

test('what fails when a letter comes is told to the operator, and the next letter is done', async () => {
  const failed: string[] = []
  const passed = {
    came: async () => {
      throw new Error('It cannot.')
    },
  }
  const odd = { ...sampleFeature, letters: { ...sampleFeature.letters, passed } }
  const stage = createStage({ features })
  const onFeatureFailed = (name: string): unknown => failed.push(name)
  const other = createStage({ features: [odd], place: direct, onFeatureFailed }, 128_000, stage.kernel)
  const two = { group: stage, direct: other }
  await command(stage, 'passed', `${direct} tea`)
  await command(stage, 'permit', `${direct} the door`)
  await settle(two)
  expect(failed).toEqual(['notes'])
  expect((await texts(other)).at(-1)).toBe('Do you permit it (the door)?')
})

test.each([
  ['that no rule of its feature is for', { kind: 'letter', to: direct, letter: 'none', payload: '' }],
  ['to what is no conversation', { kind: 'letter', to: 'nobody', letter: 'passed', payload: '' }],
  ['that is too long', { kind: 'letter', to: direct, letter: 'passed', payload: '好'.repeat(2731) }],
  ['that is too long as JSON', { kind: 'letter', to: direct, letter: 'passed', payload: '\u0001'.repeat(3000) }],
] as const)('a letter %s is told as a failure of the feature', async (_, effect) => {
  const failed: string[] = []
  const odd: Feature = {
    ...(sampleFeature as unknown as Feature),
    commands: [{ name: 'odd', help: { zh: '', en: '' }, run: async () => [effect] }],
  }
  const onFeatureFailed = (name: string, error: unknown) => void failed.push(`${name} ${String(error)}`)
  const stage = createStage({ features: [odd], onFeatureFailed })
  await stage.ask('/odd', { as: toCommand('odd') })
  expect(failed).toHaveLength(1)
  expect((await stage.kernel.giveOut(toPartition(group))).letters).toEqual([])
})

test('a worker lost before or after any step, or who carries lost at any place, leaves each letter done once', async () => {
  const lost = ['giveOut', 'receive', 'acknowledge'].flatMap((name) => [`before ${name}`, `after ${name}`])
  const talk = async (two: Two, carriers: readonly string[]): Promise<void> => {
    await command(two.group, 'permit', `${direct} the door`)
    await two.group.work()
    await settle(two, carriers)
    await two.direct.press('Permit')
    await two.direct.work()
    await settle(two, carriers)
  }
  const expectDone = async (two: Two, where: string): Promise<void> => {
    const [asked, told] = [await texts(two.direct), await texts(two.group)]
    expect(
      asked.filter((text) => text.startsWith('Do you permit')),
      where,
    ).toHaveLength(1)
    expect(
      told.filter((text) => text.startsWith('Permitted')),
      where,
    ).toHaveLength(1)
  }
  for (const one of [...lost, lost.join()]) {
    const two = open()
    await talk(two, one.split(','))
    await expectDone(two, one)
  }
  for (const which of ['group', 'direct'] as const)
    for (let n = 1; n <= 5; n++)
      for (const side of ['before', 'after'] as const) {
        const two = open()
        two[which].loseAt(n, side)
        await talk(two, ['after receive'])
        await expectDone(two, `${which} ${n} ${side}`)
      }
})

test('a letter that is written anew, since Redis lost its step, has the same id, though another event is before its own now', async () => {
  const ids: string[] = []
  for (const isLater of [false, true]) {
    const two = open()
    if (isLater) await two.group.ask('hello')
    await two.group.ask('/passed', { id: 'told', as: toCommand('passed', `${direct} tea`) })
    ids.push(...two.group.steps.flatMap(({ letters = [] }) => letters.map(({ event }) => event.id)))
  }
  expect(ids).toHaveLength(2)
  expect(ids[0]).toBe(ids[1])
})
