// MEMORY.md on the real processes: given, edited by hand, sent back, shown as what it changes, and applied; and what must not happen.
import { expect, test } from 'vitest'
import { ofPerson } from '#shared/memory/record.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { until } from '#test/rig/fleet.ts'
import { remembered } from '#test/rig/remembered.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { textPlaces, type TextPlace } from './text-places.ts'

const places = ['Telegram, by /forget', 'Discord, by /forget', 'the web, by the page’s button'] as const

/** The file that was given last, as a person copies it. */
async function copy({ fleet, conversation }: TextPlace): Promise<string> {
  const given = (await fleet.said(conversation)).findLast(({ text }) => text.includes('# MEMORY'))
  const [, file = ''] = /`{3,}markdown\n([\s\S]*)\n`{3,}/.exec(given?.text ?? '') ?? []
  return file
}

test.concurrent.each(places)(
  'given, edited, sent back, applied and forgotten: %s',
  { timeout: 90_000 },
  async (name) => {
    await using place = await textPlaces[name]({})
    await place.say('remember that I live in Lyon')
    await place.hear('Kept as number 1')
    await place.say('remember that I like green tea')
    await place.hear('Kept as number 2')
    await place.say('/memory file')
    await place.hear('send the text back behind')
    await place.hear('I like green tea')
    const file = await copy(place)
    const changed = file
      .replace('I live in Lyon', 'I live in Lille')
      .replace(/.*green tea.*\n/, '')
      .replace('## Todos', '## Todos\n- [ ] feed the Zebrafinch')
    const sent = await place.say(`/memory file\n${changed}`)
    await place.hear('1 forgotten, 1 changed, 1 new.')
    await place.press('Leave it as it is')
    await place.hear('All right, all is as it was.')
    await place.say(`/memory file\n\`\`\`\n${changed}\n\`\`\``)
    await place.hear('1 forgotten, 1 changed, 1 new.', place.page ? 2 : 1)
    await place.press('Apply')
    await place.hear('Applied: 1 new (number 4), 1 changed (now number 3), 1 forgotten.')
    await place.say('/memory')
    await place.hear('I keep 2 things')
    await place.hear('**4** feed the Zebrafinch'.replaceAll('*', place.page ? '*' : '').replace('4', '4'))
    // A mistake changes nothing, and its line is named.
    await place.say(`/memory file\n${changed.replace('## Facts', '## Facts\n- [2026-13-01] I have a cat')}`)
    await place.hear('Line 5, ')
    // What a file brought goes with its message, and so does the file that was not applied.
    await place.forget(sent)
    expect(place.fleet.model.ledger.entries).toEqual([])
  },
)
