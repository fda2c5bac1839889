// By night what is kept is looked through: two records that say mostly the same are offered to be merged, become one by a tap, and go with both messages;
// what was declined does not come again for a week. On the real processes; the hours until the night are over at once.
import { expect, test } from 'vitest'
import { ofPerson } from '#shared/memory/record.ts'
import { until } from '#test/rig/fleet.ts'
import { findNightZone } from '#test/rig/noon.ts'
import { passHours, startReflection } from '#test/rig/reflection.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const dayMs = 86_400_000

async function meetAtNight({ say, hear, fleet }: TextPlace): Promise<string> {
  fleet.model.script({ answer: { kind: 'text', text: 'I see.' } })
  await say('remember that I drink green tea in the morning')
  await hear('Kept as number 1')
  await say('remember that I drink green tea in the morning at home with honey from Zebrafinch')
  await hear('Kept as number 2')
  const known = await until(async () => (await fleet.redis.admin.keys('fl:{person-*}'))[0])
  const principal = /person-(.*)\}/.exec(known)?.[1] ?? ''
  await fleet.runtime.people.setZone(principal, findNightZone())
  return principal
}

/** Somebody says something, and the night comes. */
async function passNight(place: TextPlace, nth: number): Promise<void> {
  await place.say(`hello number ${nth}`)
  await place.hear('I see.', nth)
  await until(async () => (await passHours(place.fleet, 'memory.consolidation')) > 0)
}

const places = ['Telegram, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)(
  'two become one by a tap, and both go with their messages: %s',
  { timeout: 90_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    await using _ = await startReflection(place.fleet)
    const { runtime, redis } = place.fleet
    const principal = await meetAtNight(place)
    await passNight(place, 1)
    await place.hear('Memory Consolidation')
    await place.hear('These say mostly the same')
    await place.press('Merge these')
    await place.hear('they are one now')
    const read = await runtime.memory.read(ofPerson(principal))
    const records = read === 'same' ? [] : read.records
    expect(records.map(({ number, supersededBy }) => [number, supersededBy])).toEqual([
      [3, undefined],
      [2, 3],
      [1, 3],
    ])
    await place.say('/forget green tea')
    await place.hear('Shall I forget this?')
    await place.press('Forget all 3')
    await place.hear('things are forgotten, with 2 messages that said so')
    await until(async () => (await findLeaks(redis.admin, 'Zebrafinch')).length === 0)
    await until(async () => (await findLeaks(redis.admin, 'in the morning')).length === 0)
    const left = await runtime.memory.read(ofPerson(principal))
    expect(left).toMatchObject({ count: 0 })
  },
)

test('what was declined does not come again for a week', { timeout: 90_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  await using _ = await startReflection(place.fleet)
  const { people } = place.fleet.runtime
  const principal = await meetAtNight(place)
  await passNight(place, 1)
  await place.hear('Memory Consolidation')
  await place.press('Not now')
  await place.hear('I ask no sooner than in a week.')
  const asked = await people.findChoice(principal, 'memory_night_asked')
  // The next day.
  await people.setChoice(principal, 'memory_night', '0 -')
  await passNight(place, 2)
  await until(async () => (await passHours(place.fleet, 'memory.consolidation')) === 0)
  expect(await people.findChoice(principal, 'memory_night_asked')).toBe(asked)
  expect(await place.shows('Merge these')).toBe(false)
  // A week later.
  await people.setChoice(principal, 'memory_night_asked', `${Date.now() - 7 * dayMs} x`)
  await people.setChoice(principal, 'memory_night', '0 -')
  await passNight(place, 3)
  await until(async () => await place.shows('Merge these'))
})

test('what is left of an older day is listed, and a word of it is forgotten', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  const { memoryLog } = place.fleet.runtime
  const day = new Date(Date.now() - 60 * dayMs).toISOString().slice(0, 10)
  const line = {
    v: 1,
    day,
    exchanges: 3,
    topics: ['zebrafinch', 'cottage'],
    tools: ['web_search'],
    messages: ['901'],
  } as const
  await memoryLog.addDay(place.conversation, {
    ...line,
    topics: [...line.topics],
    tools: [...line.tools],
    messages: ['901'],
  })
  await place.say('/log older')
  await place.hear('3 exchanges; about zebrafinch, cottage; tools: ')
  await place.say(`/log ${day}`)
  await place.hear('3 exchanges; about zebrafinch', 2)
  await place.say('/forget zebrafinch')
  await place.hear('the line that is left of one day of this chat')
  await place.press('Forget it')
  await place.hear('One line of a day is forgotten.')
  await place.say('/log older')
  await place.hear('Nothing is left of earlier days.')
  await until(async () => (await findLeaks(place.fleet.redis.admin, 'cottage')).length === 0)
  expect(place.fleet.model.ledger.entries).toEqual([])
})
