// What people say and nobody ordered to be kept waits, until its person says by a card what is to become of it: on the real processes.
import { expect, test } from 'vitest'
import { openFleetPorts } from '#infra/processes/open-fleet-ports.ts'
import { startReaders } from '#infra/processes/readers.ts'
import { memoryCapability } from '#services/memory/memory.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { textPlaces } from './text-places.ts'

/** Where it is about noon now: nobody is asked at night. */
function findNoon(): string {
  const ahead = 12 - new Date().getUTCHours()
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

function startReflection({ runtime }: Fleet): AsyncDisposable {
  const ask = async () => ({ kind: 'refused', why: 'model-failed' }) as const
  const feature = memoryCapability.create({
    ...openFleetPorts(runtime),
    memory: runtime.memory,
    graph: runtime.graph,
    ask,
    memoryLog: runtime.memoryLog,
    memoryIndex: runtime.memoryIndex,
  })
  const part = startReaders(runtime, feature ? [feature] : [], 'reflection')
  return { [Symbol.asyncDispose]: async () => part.stop(0) }
}

const places = ['Telegram, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)(
  'three things are noticed, and one card steps through them: %s',
  { timeout: 90_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    await using _ = startReflection(place.fleet)
    const { runtime, model, redis } = place.fleet
    await place.say('hello')
    const known = await until(async () => (await redis.admin.keys('fl:{person-*}'))[0])
    const principal = /person-(.*)\}/.exec(known)?.[1] ?? ''
    await runtime.people.setZone(principal, findNoon())
    model.script({ answer: { kind: 'text', text: 'I see.' } })
    const said = ['I live in Lyon.', 'I prefer short answers.', 'I am a vegetarian.']
    for (const [n, text] of said.entries()) {
      await place.say(text)
      await place.hear('I see.', n + 1)
    }
    await place.hear('Shall I keep this? (1 / 3)')
    const read = await runtime.memory.read(ofPerson(principal))
    expect(read).toMatchObject({ count: 3 })
    await place.press('Save')
    await place.hear('Shall I keep this? (2 / 3)')
    await place.press('No')
    await place.hear('Shall I keep this? (3 / 3)')
    await place.press('Save')
    await place.hear('Kept 2 of 3.')
    const left = await runtime.memory.read(ofPerson(principal))
    expect(left).toMatchObject({ count: 2, records: [{ status: 'confirmed' }, { status: 'confirmed' }] })
    await place.say('/log')
    await place.hear('answered: I see.')
    // Once a day.
    await place.say('I work at the harbour. My dog is called Rex. I have two brothers.')
    await place.hear('I see.', 4)
    await until(async () => {
      const now = await runtime.memory.read(ofPerson(principal))
      return now !== 'same' && now.count > 3
    })
    expect(await place.shows('Save')).toBe(false)
  },
)
