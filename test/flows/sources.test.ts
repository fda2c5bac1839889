// Under an answer that was given records stands Sources: it tells them, and its person corrects, forgets or turns down each: on the real processes.
import { expect, test } from 'vitest'
import { findText } from '#test/rig/texts.ts'
import { until } from '#test/rig/fleet.ts'
import { textPlaces, untilArrived, type TextPlace } from './text-places.ts'

const lastPrompt = ({ fleet }: TextPlace): string => JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)

/** A busy machine may give a prompt no memory, and its answer then has no sources. */
async function askUntilGiven(place: TextPlace, question: string): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    await place.say('/new')
    const { entries } = place.fleet.model.ledger
    const before = entries.length
    await place.say(question)
    await until(async () => entries.length > before)
    if (/told to remember|以前让你记住/.test(lastPrompt(place))) return
  }
}

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

test.concurrent.each(places)(
  'the sources of an answer are told, corrected and forgotten: %s',
  { timeout: 90_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
    await place.say('remember that my boat is called Zebrafinch')
    await place.hear('Kept as number 1')
    await place.say('remember that the keys of my boat hang at Bo’s')
    await place.hear('Kept as number 2')
    await askUntilGiven(place, 'Who has the keys of my boat?')
    await place.press('Sources')
    await place.hear('For this answer the model was given')
    await place.press('Correct 1')
    await place.hear('Reply to this with the right words. Now it says: “my boat is called Zebrafinch”')
    await untilArrived(place)
    await place.say('my boat is called Goldfinch', await place.card('Back'))
    await place.hear('Corrected, number 3: “my boat is called Goldfinch”')
    await place.press('Forget 2')
    await place.hear('forgotten; the message that said it')
    await askUntilGiven(place, 'What is the name of my boat?')
    expect(lastPrompt(place)).toContain('Goldfinch')
    expect(lastPrompt(place)).not.toContain('Zebrafinch')
    expect(lastPrompt(place)).not.toContain('hang at Bo')
  },
)

test('what did not fit is given less, and words that may not be kept change nothing', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  await place.say('记住我的船叫斑胸草雀')
  await place.hear('记住了，第 1 条')
  await askUntilGiven(place, '我的船叫什么？')
  await place.hear('I will see.')
  await place.press('来源')
  await place.press('改正')
  await untilArrived(place)
  await place.say('我的密码是 hunter2-Zx81!', await place.card('返回'))
  await place.hear('看起来是密码')
  await place.hear('回复这条消息，写下正确的说法', 2)
  await place.press('返回')
  await place.press('无关')
  await place.hear('以后少用')
  const { memory } = place.fleet.runtime
  const [scope = ''] = (await findText(place.fleet.redis.admin, '斑胸草雀')).flatMap(
    (key) => /user:[\w:]+$/.exec(key) ?? [],
  )
  expect(await memory.find(scope, [1])).toMatchObject([{ text: '我的船叫斑胸草雀', unfit: 1 }])
})

test('an answer that was given nothing has no sources', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  await place.say('remember that you should answer in short sentences')
  await place.hear('Kept as number 1')
  await place.say('How high is the Eiffel Tower?')
  await place.hear('I will see.')
  expect(await place.shows('Sources')).toBe(false)
})
