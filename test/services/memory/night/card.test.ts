// The card of a night: when it comes, what its buttons do, and that a press is done once however often it is done.
import { expect, test } from 'vitest'
import { dayMs, openNight, scope } from './night-stage.ts'

const tea = 'I drink green tea in the morning'
const honey = 'I drink green tea in the morning at home with honey and lemon'

async function openWithTea() {
  const night = openNight()
  await night.keep(tea)
  await night.keep(honey)
  return night
}
const standing = async ({ kept }: Awaited<ReturnType<typeof openWithTea>>) =>
  (await kept()).map(({ number, supersededBy }) => [number, supersededBy])

test('the first turn of a day has the night look, and that turn again where its process died', async () => {
  const night = openNight()
  night.clock.ms = Date.parse('2026-03-01T12:00:00Z')
  expect(await night.turn('t1')).toBe(19 * 3_600_000)
  expect(await night.turn('t2')).toBeUndefined()
  expect(await night.turn('t1')).toBe(19 * 3_600_000)
  night.clock.ms = Date.parse('2026-03-02T12:00:00Z')
  expect(await night.turn('t3')).toBe(19 * 3_600_000)
})

test('it wants a card at night alone, where something is to be proposed and memory is not paused', async () => {
  const night = await openWithTea()
  expect(await night.look('t1')).toBe(true)
  night.clock.ms = Date.parse('2026-03-02T12:00:00Z')
  expect(await night.look('t1')).toBe(false)
  night.clock.ms = Date.parse('2026-03-02T07:10:00Z')
  night.choose('memory_notice', 'off')
  expect(await night.look('t1')).toBe(false)
  expect(await openNight().look('t1')).toBe(false)
})

test('who may not talk to the bot any more gets none, and neither does a chat where something runs', async () => {
  const night = await openWithTea()
  night.clock.mayTalk = false
  expect(await night.bring('t1')).toBe('')
  night.clock.mayTalk = true
  expect(await night.bring('t1')).toContain('# Memory Consolidation 2026-03-02')
})

test('two become one by a press, and apart again', async () => {
  const night = await openWithTea()
  const card = await night.bring('t1')
  expect(card).toContain(`**1** ${tea}`)
  expect(card).toContain(`Merged, they would say: “${honey}”`)
  expect(await standing(night)).toEqual([
    [1, undefined],
    [2, undefined],
  ])
  expect(await night.press('Merge these')).toContain('they are one now')
  expect(await standing(night)).toEqual([
    [1, 3],
    [2, 3],
    [3, undefined],
  ])
  expect(await night.press('Undo 3')).toContain('they are apart again')
  expect(await standing(night)).toEqual([
    [1, undefined],
    [2, undefined],
  ])
})

test.each(['before', 'after'] as const)('a worker that dies %s the press is stored merges once', async (side) => {
  const night = await openWithTea()
  await night.bring('t1')
  night.loseAt(1, side)
  await night.press('Merge these')
  await night.work()
  expect(await standing(night)).toEqual([
    [1, 3],
    [2, 3],
    [3, undefined],
  ])
})

test('a letter whose worker dies brings its card once', async () => {
  const night = await openWithTea()
  night.loseAt(1, 'before')
  await night.bring('t1')
  await night.work()
  const cards = (await night.sent()).filter(({ text }) => text.includes('Memory Consolidation'))
  expect(cards).toHaveLength(1)
})

test('what changed meanwhile is left, and the card says so', async () => {
  const night = await openWithTea()
  await night.bring('t1')
  await night.memory.change(scope, 1, (before) => ({ ...before, text: 'I drink black coffee' }))
  expect(await night.press('Merge these')).toContain('they changed meanwhile')
  expect(await standing(night)).toEqual([
    [1, undefined],
    [2, undefined],
  ])
})

test('a no holds for a week, a card without an answer too; a yes does not', async () => {
  const night = await openWithTea()
  await night.bring('t1')
  expect(await night.press('Not now')).toContain('I ask no sooner than in a week')
  night.clock.ms += 6 * dayMs
  expect([await night.look('t2'), await night.bring('t2')]).toEqual([false, ''])
  night.clock.ms += dayMs
  expect(await night.look('t3')).toBe(true)
  expect(await night.bring('t3')).toContain('Memory Consolidation 2026-03-09')
  night.clock.ms += dayMs
  expect(await night.look('t4')).toBe(false)
  await night.press('Merge these')
  await night.keep('My boat lies in the harbour of Brest')
  await night.keep('My boat lies in the harbour of Brest, next to the old lighthouse and its garden')
  expect(await night.look('t5')).toBe(true)
})

test('of the linked accounts of a person one is asked', async () => {
  const night = await openWithTea()
  night.choose('memory_night_asked', `${night.clock.ms} other-card`, 'discord:ann')
  expect(await night.look('t1')).toBe(true)
  night.link('discord:ann')
  expect([await night.look('t1'), await night.bring('t1')]).toEqual([false, ''])
})

test('of too much the least used may go, by a press; what was pinned or changed meanwhile stays', async () => {
  const night = openNight()
  for (let n = 1; n <= 60; n += 1) await night.keep(`${'abcdefghij'[n % 10]}${n} `.repeat(250).trim().slice(0, 990))
  const card = await night.bring('t1')
  expect(card).toContain('I keep more than 50 KB for you')
  const label = /Let go of these \(\d+\)/.exec(JSON.stringify(await night.sent()))?.[0] ?? ''
  const going = Number(/\d+/.exec(label)?.[0])
  expect(going).toBeGreaterThan(5)
  await night.memory.change(scope, 1, (before) => ({ ...before, pinned: true }))
  await night.memory.change(scope, 2, (before) => ({ ...before, text: 'b2 is worded anew' }))
  const said = await night.press(label)
  expect(said).toContain(`${going - 2} of these are gone. 2 had changed meanwhile, and stay.`)
  const left = (await night.kept()).map(({ number }) => number)
  expect([left.length, left.slice(0, 2)]).toEqual([60 - going + 2, [1, 2]])
})
