// What a new person says of their memory in plain words, without any command: on the real processes.
import { expect, test } from 'vitest'
import { ofPerson } from '#shared/memory/record.ts'
import { until } from '#test/rig/fleet.ts'
import { textPlaces } from './text-places.ts'

const scope = ofPerson('web:owner')

test.each([
  [
    'English',
    {
      keep: 'remember that I live in Lyon',
      kept: 'Kept as number 1',
      known: 'what do you know about me?',
      listed: 'I keep 1 thing.',
      allow: 'Allow in groups',
      hide: 'please don’t tell the group where I live',
      hidden: 'in groups I do not use this any more',
      ask: 'Where do I live?',
      wrong: 'that is wrong',
      correct: 'Correct',
      forget: 'forget where I live',
      asked: 'Shall I forget this?',
      yes: 'Forget it',
      gone: 'One thing is forgotten',
    },
  ],
  [
    'Chinese',
    {
      keep: '记住我住在里昂',
      kept: '记住了，第 1 条',
      known: '你记得我什么',
      listed: '记住了 1 条。',
      allow: '允许在群里用',
      hide: '别告诉群里我住在哪里',
      hidden: '在群里不再用这些',
      ask: '我住在哪里？',
      wrong: '不对，你记错了',
      correct: '改正',
      forget: '忘掉我住在里昂',
      asked: '要忘掉这些吗？',
      yes: '忘掉',
      gone: '忘掉了 1 条',
    },
  ],
] as const)('%s', { timeout: 60_000 }, async (_, words) => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { memory } = place.fleet.runtime
  const { ledger } = place.fleet.model
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  const groups = async (): Promise<true | undefined> => (await memory.find(scope, [1]))[0]?.groups
  await place.say(words.keep)
  await place.hear(words.kept)
  await place.say(words.known)
  await place.hear(words.listed)
  await place.press('1')
  await until(() => place.shows(words.allow))
  await place.press(words.allow)
  await until(async () => (await groups()) === true)
  await place.say(words.hide)
  await place.hear(words.hidden)
  expect(await groups()).toBeUndefined()
  expect(ledger.entries).toEqual([])

  // Of an answer that was given nothing of memory it is a message as any other.
  await place.say(words.wrong)
  await place.hear('I will see.')
  expect(JSON.stringify(ledger.entries.at(-1)?.messages)).toContain(words.wrong)
  await place.say('/new')
  for (
    let times = 2;
    !JSON.stringify(ledger.entries.at(-1)?.messages).includes(
      words.kept === 'Kept as number 1' ? 'I live in Lyon' : '我住在里昂',
    );
    times += 1
  ) {
    await place.say(words.ask)
    await place.hear('I will see.', times)
    expect(times).toBeLessThan(7)
  }
  const asked = ledger.entries.length
  await place.say(words.wrong)
  await until(() => place.shows(words.correct))
  expect(ledger.entries).toHaveLength(asked)

  await place.say(words.forget)
  await place.hear(words.asked)
  await place.press(words.yes)
  await place.hear(words.gone)
  expect(await memory.find(scope, [1])).toEqual([])
  // Nothing is kept of it: the same words are for the model.
  await place.say(words.forget)
  await until(() => ledger.entries.length > asked)
})

test('in reply to an answer, that one is meant', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['Telegram, by /forget']({})
  const { ledger } = place.fleet.model
  place.fleet.model.script({ answer: { kind: 'text', text: 'I will see.' } })
  await place.say('remember that my boat is called Zebrafinch')
  await place.hear('Kept as number 1')
  await place.say('/new')
  // A prompt goes without memory where that takes too long, as on a busy machine.
  let times = 0
  while (!(await place.shows('Sources'))) {
    times += 1
    await place.say('What is the name of my boat?')
    await place.hear('I will see.', times)
    expect(times).toBeLessThan(6)
  }
  const answer = await place.card('Sources')
  await place.say('What is one and one?')
  await place.hear('I will see.', times + 1)
  const asked = ledger.entries.length
  await place.say('that is wrong', answer)
  await until(() => place.shows('Correct'))
  expect(ledger.entries).toHaveLength(asked)
})
