// MEMORY.md on the real processes: given, edited by hand, sent back, shown as what it changes, and applied; and what must not happen.
import { expect, test } from 'vitest'
import { ofChat, ofPerson } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { until } from '#test/rig/fleet.ts'
import { remembered } from '#test/rig/remembered.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { textPlaces, untilArrived, type TextPlace } from './text-places.ts'

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

const toFile = (text: string): string => /`{3,}markdown\n([\s\S]*)\n`{3,}/.exec(text)?.[1] ?? ''
/** The file that was given last, as a person copies it. */
const copy = async (place: TextPlace): Promise<string> =>
  toFile((await place.said()).findLast((text) => text.includes('# MEMORY')) ?? '')

test.concurrent.each(places)('given, edited, sent back, applied, forgotten: %s', { timeout: 90_000 }, async (name) => {
  await using place = await textPlaces[name]({})
  const { redis } = place.fleet
  await place.say('remember that I live in Lyon')
  await place.hear('Kept as number 1')
  await place.say('remember that I like green tea')
  await place.hear('Kept as number 2')
  await place.say('/memory file')
  await place.hear('send it back behind')
  await place.hear('# MEMORY')
  const file = await copy(place)
  const changed = file
    .replace('I live in Lyon', 'I live in Lille')
    .replace(/.*green tea.*\n/, '')
    .replace('## Todos', '## Todos\n- [ ] feed the Zebrafinch')
  await place.say(`/memory file\n${changed.replace('Lille', 'Rome')}`)
  await place.hear('1 forgotten, 1 changed, 1 new.')
  await place.press('Leave it as it is')
  await place.hear('All right, all is as it was.')
  const sent = await place.say(`/memory file\n\`\`\`\n${changed}\n\`\`\``)
  await place.hear('1 forgotten, 1 changed, 1 new.', place.page ? 2 : 1)
  await untilArrived(place)
  await place.press('Apply')
  await place.hear('Applied: 1 new (number 4), 1 changed (now number 3), 1 forgotten.')
  await place.say('/memory')
  await place.hear('I keep 2 things')
  await place.hear('feed the Zebrafinch')
  expect((await place.said()).at(-1)).toContain('I live in Lille')

  // A mistake changes nothing, and its line is named.
  await place.say(`/memory file\n# MEMORY\n## Facts\n- [2026-13-01] I have a cat`)
  await place.hear('Line 3, ')
  // What the file brought goes with its message.
  await place.say('/forget', sent)
  await until(async () => (await findLeaks(redis.admin, 'Lille')).length === 0)
  await place.say('/memory')
  await place.hear('I keep nothing yet')
  expect(place.fleet.model.ledger.entries).toEqual([])
})

test('a long file is given as a file, and one that drops nine in ten asks loudly', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform])
  const chat = platform.direct('Ada')
  const scope = ofPerson(platform.principal('Ada'))
  const told = { speaker: platform.principal('Ada'), name: 'Ada' }
  for (let n = 0; n < 250; n += 1)
    await fleet.runtime.memory.write(
      scope,
      remembered(`Thing number ${n} stands on shelf ${n}`, { conversation: chat.conversation, message: `x${n}` }, told),
    )
  chat.ask('Ada', '/memory file')
  const [given] = await chat.until(() => chat.said().find(({ files }) => files.length > 0)?.files)
  expect(given?.name).toBe('MEMORY.md')
  const lines = (given?.text ?? '').split('\n')
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(250)
  const cut = lines.filter((line) => !/Thing number (?!\d?5 )/.test(line)).join('\n')
  chat.ask('Ada', `/memory file\n${cut}`)
  const card = await chat.hear('This forgets 240 of the 250 things that I keep here.')
  expect(card.text).toContain('and 228 more')
  const read = async (): Promise<number> => {
    const found = await fleet.runtime.memory.read(scope)
    return found === 'same' ? 0 : found.count
  }
  expect(await read()).toBe(250)
  // Pressed twice.
  const [apply = { data: '' }] = card.buttons.flat()
  chat.forge('Ada', card.id, apply.data)
  chat.forge('Ada', card.id, apply.data)
  await chat.hear('Applied: 240 forgotten.')
  expect(await read()).toBe(10)
  // What was taken out is not inferred again.
  const inferred = { ...told, status: 'unconfirmed', origin: 'inferred' } as const
  const at = { conversation: chat.conversation, message: 'later' }
  const again = remembered('Thing number 77 stands on shelf 77', at, inferred)
  expect(await fleet.runtime.memory.write(scope, again)).toEqual({ kind: 'gone' })
})

test('in a group all see it, its administrators change it, and nobody else presses', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Olga' })
  await platform.direct('Olga').answerTo('Olga', 'what is tea?')
  const chat = platform.group({ by: 'Olga', admins: ['Ann'] })
  await chat.until(() => chat.said()[0])
  chat.ask('Bob', '/remember the retro is on Mondays')
  await chat.hear('Kept as number 1')
  chat.ask('Bob', '/memory file')
  const file = toFile((await chat.hear('# MEMORY')).text)
  expect(file).toContain('the retro is on Mondays')
  const changed = `${chat.mention} /memory file\n${file.replace('Mondays', 'Fridays')}`
  chat.ask('Bob', changed.replace(`${chat.mention} `, ''))
  await chat.hear('Only owners and admins')
  chat.ask('Ann', changed.replace(`${chat.mention} `, ''))
  const card = await chat.hear('1 changed.')
  expect(await chat.press('Bob', card.id, 'Apply').notice()).not.toBe('')
  await chat.press('Ann', card.id, 'Apply').notice()
  await chat.hear('Applied: 1 changed (now number 2).')
  const read = await fleet.runtime.memory.read(ofChat(chat.conversation))
  expect(read).toMatchObject({
    records: [{ text: 'the retro is on Fridays', speaker: platform.principal('Ann'), status: 'confirmed' }],
  })
})
