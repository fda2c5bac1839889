// WORKING.md and CONFIG.md on a real Redis, where people write: shown, pasted back, refused by lines, forgotten, and left behind by /new.
import { expect, test } from 'vitest'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/fleet.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const { 'a terminal, by /forget last': _, 'Discord, by deletion': __, ...places } = textPlaces

const held = async (place: TextPlace, part: string): Promise<string> => {
  const { conversation, fleet } = place
  const key = `${partitionPrefix(toPartition(conversation))}r:${conversation}`
  return (await fleet.redis.admin.hget(key, part)) ?? ''
}

test.concurrent.each(Object.entries(places))('%s: working memory', { timeout: 60_000 }, async (_name, open) => {
  await using place = await open({})
  const { fleet } = place
  fleet.model.script({
    when: { text: 'aviary' },
    answer: { kind: 'text', text: 'It is planned.\n\nShall I order food for the zebrafinch?' },
  })
  await place.say('/working')
  await place.hear('- messageCount: 0')

  const told = await place.say('I live with a zebrafinch. Please design an aviary for the zebrafinch.')
  await place.hear('Shall I order food')
  await place.say('/working')
  await place.hear('- messageCount: 1')
  await place.hear('primary: "design an aviary for the zebrafinch"')
  await place.hear('- "I live with a zebrafinch"')
  await place.hear('- "Shall I order food for the zebrafinch?"')
  await place.say('what is the capital of France?')
  await place.hear('echo: what is the capital')
  await place.say('/working')
  await place.hear('topic: "what is the capital of France?"')
  await place.hear('- messageCount: 2')

  // Its message takes with it what is known of it, and the documents that were shown of it.
  await place.forget(told)
  await until(async () => (await findLeaks(fleet.redis.admin, 'zebrafinch')).length === 0)
  await place.say('what is tea?')
  await place.hear('echo: what is tea?')
  await place.say('/working')
  await place.hear('topic: "what is tea?"')
  expect(await findLeaks(fleet.redis.admin, 'zebrafinch')).toEqual([])

  await place.say('/new')
  await place.hear('A new session begins')
  await place.say('/working')
  await place.hear('- messageCount: 0', 2)
})

test.concurrent.each(Object.entries(places))('%s: settings as a text', { timeout: 60_000 }, async (_name, open) => {
  await using place = await open({})
  await place.say('/config file')
  await place.hear('language: auto')
  await place.hear('defaultDepth: auto')

  await place.say(
    '/config\n# CONFIG\n## Preferences\nlanguage: french\n## Routing\ndefaultDepth: deep\ndefaultDepth: light',
  )
  await place.hear('Line 3: ')
  await place.hear('Line 6: ')
  expect(await held(place, 'f.preferences')).toBe('')

  await place.say(
    '/config\n# CONFIG\n> mine\n\n## Preferences\nlanguage: “en”\nanswerButtons：off\n\n## Routing\ndefaultDepth: light  # short',
  )
  await place.hear('Changed as CONFIG.md says:')
  await place.hear('Default depth: light')
  expect(JSON.parse(await held(place, 'f.preferences'))).toEqual({ language: 'en', depth: 'light' })
  await place.say('/config file')
  await place.hear('defaultDepth: light')
  await place.hear('answerButtons: false')

  // What the seed gives as an example of preferences holds, and is told to the model.
  await place.say(
    '/config\n# CONFIG\n## Preferences\ncommunicationStyle: concise\ntechnicalDepth: detailed_when_asked\nresponseTime: async_ok',
  )
  await place.hear('Style: concise')
  await place.say('what is tea?')
  await place.hear('echo: what is tea?')
  expect(JSON.stringify(place.fleet.model.ledger.entries.at(-1)?.messages)).toContain('沟通风格: 简洁、直接')

  await place.say(`/config # CONFIG\n${'## Preferences\nlanguage: zh\n'.repeat(120)}`)
  await place.hear('stands in line 3 already')
  expect(JSON.parse(await held(place, 'f.preferences'))).toMatchObject({ language: 'en', depth: 'light' })
})

test('on the web a document of 256 KB is refused, and changes nothing', { timeout: 60_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({})
  await place.say(`/config # CONFIG\n## Preferences\nlanguage: zh\n${'# more\n'.repeat(37_000)}`)
  await place.hear('That is far too long')
  expect(await held(place, 'f.preferences')).toBe('')
})

test(
  'a group sees what belongs to it; its administrators change it, and nobody else',
  { timeout: 60_000 },
  async () => {
    await using platform = await startTelegram()
    await using fleet = await startChatFleet([platform], { owner: 'Olga' })
    const own = platform.direct('Olga')
    await own.answerTo('Olga', 'what is a secret zebrafinch?')
    const chat = platform.group({ by: 'Olga', admins: ['Ann'] })
    await chat.until(() => chat.said()[0])
    await chat.answerTo('Bob', 'what is a heron?')
    chat.ask('Bob', '/working')
    const working = await chat.hear('# WORKING')
    expect(working.text).toContain('topic: "what is a heron?"')
    expect(working.text).not.toContain('zebrafinch')

    // Anybody may look.
    chat.ask('Bob', '/config file')
    const shown = await chat.hear('# CONFIG')
    expect(shown.text).toContain('replyMode: mention')
    const wanted = '/config\n# CONFIG\n## Routing\nreplyMode: always\ndefaultDepth: light'
    chat.ask('Bob', wanted)
    await chat.hear('Only owners and admins')
    chat.ask('Ann', wanted)
    const made = await chat.hear('Changed as CONFIG.md says:')
    expect(made.text).toContain('When I answer here: always')
    expect(made.text).toContain('Default depth: light')
    // It holds: nobody needs to address the bot any more.
    await chat.replyTo(chat.say('Bob', 'what is not addressed to anybody?'))
    expect(fleet.model.ledger.entries).toHaveLength(3)
  },
)
