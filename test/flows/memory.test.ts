// What somebody has the bot keep is there in a later session, is told with where it comes from, and is gone once it is forgotten: on the real processes.
import { expect, test } from 'vitest'
import { findLeaks, findText } from '#test/rig/texts.ts'
import { startFleet, until } from '#test/rig/fleet.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const lastPrompt = ({ fleet }: TextPlace): string => JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)

/** A prompt goes without memory where that takes longer than 150 ms, as on a busy machine. How often it was asked. */
async function askUntilKnown(place: TextPlace): Promise<number> {
  for (let times = 1; ; times += 1) {
    await place.say('What is the name of my boat?')
    await place.hear('I will see.', times)
    if (lastPrompt(place).includes('my boat is called Zebrafinch')) return times
    expect(times).toBeLessThan(5)
  }
}

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)(
  'kept, found in a new session, explained and forgotten: %s',
  { timeout: 90_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    const { model, redis } = place.fleet
    model.script({ answer: { kind: 'text', text: 'I will see.' } })
    await place.say('remember that my boat is called Zebrafinch')
    await place.hear('Kept as number 1: “my boat is called Zebrafinch”')
    expect(model.ledger.entries).toHaveLength(0)
    await place.say('/new')
    await place.hear('A new session begins')
    const asked = await askUntilKnown(place)
    await place.say('/why')
    await place.hear('kept as number 1')
    await place.say('/memory why 1')
    await place.hear('confirmed by you')
    await place.say('/forget 1')
    await place.hear('Number 1 is forgotten')
    await place.say('/new')
    await place.say('What is the name of my boat?')
    await place.hear('I will see.', asked + 1)
    expect(lastPrompt(place)).not.toContain('Zebrafinch')
    await place.say('/memory')
    await place.hear('I keep nothing yet')
    await until(async () => (await findLeaks(redis.admin, 'Zebrafinch')).every((key) => !/:m[rif]:/.test(key)))
  },
)

test('Undo takes back what was just kept', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  await place.say('记住我住在里昂')
  await place.hear('记住了，第 1 条：“我住在里昂”')
  await place.press('撤销')
  await place.hear('已撤销，第 1 条没有记下。')
  await place.say('/memory')
  await place.hear('I keep nothing yet')
  expect(place.fleet.model.ledger.entries).toHaveLength(0)
})

test.each([
  [
    'English',
    ['remember that I live in Lyon', 'remember that I live in Lille', 'Undo'],
    'Kept as number 2: “I live in Lille”. It takes the place of number 1.',
    'Undone: number 2 is not kept. Number 1 holds again.',
  ],
  [
    'Chinese',
    ['记住我住在里昂', '记住我搬到里尔了', '撤销'],
    '记住了，第 2 条：“我搬到里尔了”。它取代了第 1 条。',
    '已撤销，第 2 条没有记下。第 1 条重新有效。',
  ],
] as const)(
  'what can be true once takes the place of what was said before: %s',
  { timeout: 60_000 },
  async (...row) => {
    const [, [first, second, undo], told, undone] = row
    await using place = await textPlaces['Telegram, by /forget']({})
    place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
    const isEnglish = undo === 'Undo'
    await place.say(first)
    await place.hear(isEnglish ? 'Kept as number 1' : '记住了，第 1 条')
    await place.say(second)
    await place.hear(told)
    await place.press(undo)
    await place.hear(undone)
    await place.say(second)
    await place.hear(told.replace('2', '3'))
    await place.say('/memory')
    await place.hear('something newer took its place')
    await place.say('/new')
    await place.say(isEnglish ? 'Where do I live?' : '我住在哪里？')
    await place.hear('I will see.')
    expect(lastPrompt(place)).toMatch(/I live in Lille|我搬到里尔了/)
    expect(lastPrompt(place)).not.toMatch(/I live in Lyon|我住在里昂/)
  },
)

test(
  'what is told of a record in another conversation goes when its message is forgotten where it was said',
  { timeout: 60_000 },
  async () => {
    await using fleet = await startFleet()
    fleet.model.decideBy(({ messages }) => ({
      answer: { kind: 'text', text: `Well: ${JSON.stringify(messages.at(-1))}` },
    }))
    const at = (conversation: string, messageId: string) => ({ conversation, messageId })
    await fleet.ask('/remember my boat is Zebrafinch', { ...at('web:one', 'm1'), slash: 'remember' })
    await fleet.ask('/memory', { ...at('web:two', 'm2'), slash: 'memory' })
    await fleet.ask('How is my boat?', at('web:three', 'm3'))
    const holders = async (): Promise<readonly string[]> =>
      (await findText(fleet.redis.admin, 'Zebrafinch')).filter((key) => /web:(?:two|three)/.test(key))
    expect(await holders()).not.toEqual([])
    const replyTo = { messageId: 'm1', fromBot: false, principal: 'web:owner' }
    await fleet.ask('/forget', { ...at('web:one', 'm4'), slash: 'forget', replyTo })
    await until(async () => (await findText(fleet.redis.admin, 'Zebrafinch')).length === 0)
    expect(await holders()).toEqual([])
  },
)
