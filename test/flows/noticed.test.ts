// What people say and nobody ordered to be kept waits, until its person says by a card what is to become of it: on the real processes.
import { expect, test } from 'vitest'
import { openFleetPorts } from '#infra/processes/open-fleet-ports.ts'
import { openMemoryPorts } from '#infra/processes/memory-ports.ts'
import { startReaders } from '#infra/processes/readers.ts'
import { memoryCapability } from '#services/memory/memory.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { passQuietMinutes, startCuriosity } from '#test/rig/curiosity.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { runFlotilla } from '#test/rig/run-context.ts'
import { findNoon } from '#test/rig/noon.ts'
import { textPlaces, untilArrived, type TextPlace } from './text-places.ts'

function startReflection({ runtime }: Fleet): AsyncDisposable {
  const ask = async () => ({ kind: 'refused', why: 'model-failed' }) as const
  const feature = memoryCapability.create({
    ...openFleetPorts(runtime),
    ...openMemoryPorts(runtime),
    ask,
    desks: runtime.desks,
  })
  const part = startReaders(runtime, feature ? [feature] : [], 'reflection')
  return { [Symbol.asyncDispose]: async () => part.stop(0) }
}

/** The quiet minutes of all exchanges are over; only the last of them may bring a card. */
async function passUntilAsked({ fleet, shows }: TextPlace): Promise<void> {
  await until(async () => {
    await passQuietMinutes(fleet)
    return await shows('Save')
  })
}

/** What runs beside the place for a test. */
function startWorkers(fleet: Fleet): AsyncDisposable {
  const parts = new AsyncDisposableStack()
  parts.use(startReflection(fleet))
  parts.use(startCuriosity(fleet))
  return parts
}

/** Who it is. */
async function meetAtNoon({ say, fleet }: TextPlace): Promise<string> {
  await say('hello')
  const known = await until(async () => (await fleet.redis.admin.keys('fl:{person-*}'))[0])
  const principal = /person-(.*)\}/.exec(known)?.[1] ?? ''
  await fleet.runtime.people.setZone(principal, findNoon())
  return principal
}

const places = ['Telegram, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)(
  'three things are noticed, and one card steps through them: %s',
  { timeout: 90_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    await using _ = startWorkers(place.fleet)
    const { runtime, model } = place.fleet
    const principal = await meetAtNoon(place)
    model.script({ answer: { kind: 'text', text: 'I see.' } })
    const said = ['I live in Lyon.', 'I prefer short answers.', 'I am a vegetarian.']
    for (const [n, text] of said.entries()) {
      await place.say(text)
      await place.hear('I see.', n + 1)
    }
    await until(async () => {
      const now = await runtime.memory.read(ofPerson(principal))
      return now !== 'same' && now.count === 3
    })
    await passUntilAsked(place)
    await place.hear('1 / 3')
    await place.press('Save')
    await place.hear('2 / 3')
    await place.press('No')
    await place.hear('3 / 3')
    await place.press('Save')
    await place.hear('Not kept: 1.')
    const left = await runtime.memory.read(ofPerson(principal))
    expect(left).toMatchObject({ count: 2, records: [{ status: 'confirmed' }, { status: 'confirmed' }] })
    await place.say('/log')
    await place.hear('answered: I see.')
    const { out } = await runFlotilla(place.fleet, ['memory', 'log', place.conversation], { FLOTILLA_TIME_ZONE: 'UTC' })
    expect(out).toMatch(/- asked: (?:Ada: )?I live in Lyon.\n- answered: I see./)
    const { err, code } = await runFlotilla(place.fleet, ['memory', 'log', place.conversation, 'someday'])
    expect([code, err]).toEqual([2, expect.stringContaining('Write flotilla memory log <conversation>')])
    // Once a day.
    await place.say('I work at the harbour. My dog is called Rex. I have two brothers.')
    await place.hear('I see.', 4)
    await until(async () => (await passQuietMinutes(place.fleet)) > 0)
    await until(async () => {
      const now = await runtime.memory.read(ofPerson(principal))
      return now !== 'same' && now.count > 3
    })
    expect(await place.shows('Save')).toBe(false)
  },
)

test('what contradicts something confirmed is asked by itself, and the card says so', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  await using _ = startWorkers(place.fleet)
  const { runtime, model } = place.fleet
  const principal = await meetAtNoon(place)
  model.script({ answer: { kind: 'text', text: 'I see.' } })
  const kept = async () => {
    const read = await runtime.memory.read(ofPerson(principal))
    return read === 'same' ? [] : read.records
  }
  await place.say('remember that I live in Lyon')
  await place.hear('Kept as number 1')
  await place.say('I live in Lille.')
  await place.hear('I see.')
  await until(async () => (await kept()).length === 2)
  await passUntilAsked(place)
  await place.hear('Number 1 says otherwise: “I live in Lyon”.')
  expect((await kept()).find(({ number }) => number === 1)?.supersededBy).toBeUndefined()
  await place.press('Edit')
  await place.hear('Write the words that I should keep in your next message')
  await untilArrived(place)
  await place.say('I live in Lille, near the station', await place.card('No'))
  await place.hear('I live in Lille, near the station')
  expect(await kept()).toMatchObject([
    { status: 'confirmed', number: 3 },
    { number: 1, supersededBy: 3 },
  ])
})
