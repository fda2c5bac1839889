// Endpoints that take another form of request, on the real processes and two channels: people get their answers, and owners are told why.
import { expect, test } from 'vitest'
import { refusals } from '#test/simulators/model/dialects/refusals.ts'
import { textPlaces } from './text-places.ts'

const wanted = ['one-system', 'alternating', 'no-tools', 'no-temperature']
const refuses = wanted.map((id) => refusals.find(([of]) => of === id)?.[2])

test.concurrent.each(['Telegram, by /forget', 'the web, by the page’s button'] as const)(
  'a server with four differences answers: %s',
  { timeout: 60_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    const { model } = place.fleet
    model.refuseBy((body) => refuses.map((one) => one?.(body)).find(Boolean))
    model.script({ answer: { kind: 'text', text: 'Along the river.' } })
    await place.say('Which way is it to the old harbour?')
    await place.hear('Along the river.')
    const { length } = model.ledger.entries
    expect(length).toBeGreaterThan(2)
    // From now on it is known.
    await place.say('And how long do I walk?')
    await place.hear('Along the river.', 2)
    expect(model.ledger.entries.length).toBe(length + 1)
  },
)
