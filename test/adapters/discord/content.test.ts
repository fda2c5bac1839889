// Facts about what a message can hold: each kind is read or told as what it is, wherever its words stand, and none stays silent.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toEvents } from '#adapters/discord/to-event.ts'
import { chatEvent, type ChatEvent } from '#shared/chat/event.ts'
import { unknownKind } from '#shared/chat/quotation.ts'
import { runs } from '#test/rig/property-runs.ts'

const bot = { id: '42', username: 'flotilla' }
const roles: Readonly<Record<string, string>> = { '222': 'flotilla', '223': 'Cooks' }
const names = {
  role: (id: string) => roles[id],
  channel: (id: string) => (id === '600' ? 'ops' : undefined),
  isOwnRole: (id: string) => id === '222',
}
const ada = { id: '7', username: 'ada', global_name: 'Ada' }
const hook = { id: '8', username: 'alerts', bot: true }
const base = {
  id: '1000',
  channel_id: '500',
  guild_id: '400',
  author: ada,
  content: '',
  timestamp: '2026-11-22T04:00:00Z',
  type: 0,
}

function only(data: object, kind: 'guild' | 'dm' = 'guild', name = 'MESSAGE_CREATE'): ChatEvent | string | undefined {
  const incoming = toEvents(name, { ...base, ...data }, { bot, names, info: { kind }, nowMs: 1_800_000_000_000 })
  if (incoming.kind !== 'events') return incoming.reason
  for (const event of incoming.events) expect(chatEvent.safeParse(event).error).toBeUndefined()
  return incoming.events[0]
}
const forwarding = (snapshot: object) => ({
  message_reference: { type: 1, message_id: '998', channel_id: '501' },
  message_snapshots: [{ message: snapshot }],
})
const replying = (more: object) => ({
  type: 19,
  content: '<@42> and this?',
  message_reference: { message_id: '999' },
  referenced_message: { id: '999', author: hook, content: '', ...more },
})

const alert = {
  embeds: [
    {
      type: 'rich',
      author: { name: 'Monitor' },
      title: 'Disk full on node-3',
      description: '98 % used',
      fields: [{ name: 'host', value: 'node-3' }],
      footer: { text: 'at 10:02' },
    },
  ],
}
const alertText = 'Monitor\nDisk full on node-3\n98 % used\nhost: node-3\nat 10:02'
const cards = {
  flags: 1 << 15,
  components: [
    {
      type: 17,
      components: [
        { type: 10, content: '# Build failed' },
        {
          type: 9,
          components: [{ type: 10, content: 'in step 4' }],
          accessory: { type: 2, style: 5, label: 'Open', url: 'https://x.example' },
        },
        { type: 12, items: [{ media: { url: 'https://x.example/a.png' }, description: 'a red graph' }] },
        { type: 14 },
        { type: 1, components: [{ type: 3, custom_id: 'a', placeholder: 'Choose' }] },
        { type: 99, content: 'from the future' },
      ],
    },
  ],
}
const cardsText = '# Build failed\nin step 4\na red graph\nfrom the future'

test.each([
  ['embeds', alert, alertText],
  ['components', cards, cardsText],
  [
    'an embed that names a channel and a time',
    { embeds: [{ description: 'in <#600> at <t:1790000000:R>' }] },
    'in #ops at 2026-09-21 14:13 UTC',
  ],
  ['text and an embed', { content: 'see', ...alert }, `see\n${alertText}`],
  [
    'a poll',
    {
      poll: { question: { text: 'Tea?' }, answers: [{ poll_media: { text: 'Yes' } }, { poll_media: { text: 'No' } }] },
    },
    'Poll: Tea?\n- Yes\n- No',
  ],
])('reads %s in a reply and in a forward', (_, more, text) => {
  expect(only(replying(more))).toMatchObject({ text: 'and this?', replyTo: { messageId: '999', text } })
  expect(only(forwarding({ content: '', ...more }), 'dm')).toMatchObject({
    text: '',
    quoted: [{ how: 'forward', text }],
  })
  const { message_reference, ...forward } = forwarding({ content: '', ...more })
  const replied = { id: '999', author: ada, content: '', message_reference, ...forward }
  expect(only({ type: 19, content: 'hm', referenced_message: replied })).toMatchObject({
    quoted: [{ how: 'forward', text }],
  })
})

test('what a person’s message shows without saying it is words of others; a poll is their own', () => {
  expect(only(alert, 'dm')).toMatchObject({ text: '', quoted: [{ how: 'forward', text: alertText }] })
  const poll = { question: { text: 'Tea?' }, answers: [{ poll_media: { text: 'Yes' } }] }
  expect(only({ poll }, 'dm')).toMatchObject({ text: 'Poll: Tea?\n- Yes' })
  expect(only({ content: 'https://x.example', ...alert }, 'dm')).not.toHaveProperty('quoted')
})

test('a page shown under the bot’s own words is not taken for what the bot said', () => {
  const own = { id: '999', author: { ...bot, bot: true }, content: 'see https://x.example', ...alert }
  expect(only({ type: 19, content: 'and?', referenced_message: own })).toMatchObject({
    replyTo: { fromBot: true, text: 'see https://x.example' },
  })
})

test.each([
  ['a sticker', { sticker_items: [{ name: 'wave' }] }, { kind: 'sticker', name: 'wave' }],
  [
    'a voice message',
    { flags: 1 << 13, attachments: [{ filename: 'voice-message.ogg', content_type: 'audio/ogg', duration_secs: 2 }] },
    { kind: 'voice', name: 'voice-message.ogg' },
  ],
  ['an invitation to an activity', { activity: { type: 1, party_id: 'x' } }, { kind: 'activity' }],
  ['a theme', { shared_client_theme: { colors: [] } }, { kind: 'theme' }],
  [
    'a picture of an embed',
    { embeds: [{ type: 'image', url: 'https://x.example/a.png', thumbnail: { url: 'https://x.example/a.png' } }] },
    { kind: 'image' },
  ],
  ['a poll of a shape that is not known', { poll: { questions: [] } }, { kind: 'poll' }],
  ['a kind that does not exist yet', { hologram: { id: '1' } }, { kind: unknownKind }],
  ['a type that does not exist yet', { type: 77 }, { kind: unknownKind }],
])('%s is told as what it is', (_, more, wanted) => {
  expect(only(more, 'dm')).toMatchObject({ text: '', media: [wanted], addressed: true })
  expect(only(forwarding({ content: '', ...more }), 'dm')).toMatchObject({ text: '', media: [wanted] })
})

test('a reply to what cannot be read tells so, one to a note of Discord’s tells nothing', () => {
  expect(only(replying({ hologram: {} }))).toMatchObject({ replyTo: { media: [{ kind: unknownKind }] } })
  expect(only(replying({ sticker_items: [{ name: 'wave' }] }))).toMatchObject({
    replyTo: { media: [{ kind: 'sticker' }] },
  })
  const event = only(replying({ type: 7 }))
  expect(event).toMatchObject({ replyTo: { messageId: '999' } })
  expect(event).not.toHaveProperty('replyTo.media')
})

test('a forward that Discord does not tell is one all the same', () => {
  const event = only({ content: 'x', message_reference: { type: 1, message_id: '9' } }, 'dm')
  expect(event).toMatchObject({ text: '', media: [{ kind: 'messages' }] })
})

test.each([1, 6, 7, 8, 18, 21, 24, 36, 46])('a note of Discord’s of type %s stays silent', (type) => {
  expect(only({ type, content: 'x' })).toBe('service')
})

test('a bare mention is no content of an unknown kind', () => {
  expect(only({ content: '<@42>' })).not.toHaveProperty('media')
})

test.each([
  ['<@&222> hi there', true, 'hi there'],
  ['hi <@&222>, look', true, 'hi , look'],
  ['<@&222> /help', true, '/help'],
  ['<@&223> hi', false, '@Cooks hi'],
  ['<@&224> hi', false, '@role-224 hi'],
  ['<@42> see <#600> and <#601>', true, 'see #ops and #channel-601'],
  ['<@42> at <t:1790000000:F> or <t:1790000000>', true, 'at 2026-09-21 14:13 UTC or 2026-09-21 14:13 UTC'],
  ['<@42> at <t:99999999999999:F>', true, 'at <t:99999999999999:F>'],
  ['<@42> try </help:42> or </remind list all:43>', true, 'try /help or /remind list all'],
  ['<@42> in <id:customize> or <id:linked-roles:5>', true, 'in Channels & Roles or Linked Roles'],
  ['<@42> ask <@99> <:ok:5>', true, 'ask @user-99 :ok:'],
  ['the <@&222', false, 'the <@&222'],
])('%j: for the bot %s, and reads %j', (content, addressed, text) => {
  expect(only({ content })).toMatchObject({ addressed, text })
})

test('a command behind the bot’s own role is one', () => {
  expect(only({ content: '<@&222> /allow <@9>' })).toMatchObject({ command: { name: 'allow', args: 'discord:9' } })
})

test('a malformed part takes no other along', () => {
  const attachments = [{ filename: 5, size: 'x' }, null, { filename: 'a.pdf' }]
  expect(
    only({ content: 'see', attachments, embeds: 'none', mentions: [{}, { id: '9', username: 'bo' }] }),
  ).toMatchObject({ text: 'see', media: [{ kind: 'document' }, { kind: 'document', name: 'a.pdf' }] })
})

test('deep and endless components are cut', () => {
  let deep: unknown = { type: 10, content: 'end' }
  for (let i = 0; i < 3000; i++) deep = { type: 17, components: [deep] }
  const many = Array.from({ length: 20_000 }, () => ({ type: 10, content: 'word '.repeat(200) }))
  const event = only(replying({ components: [{ type: 10, content: 'top' }, deep, ...many] }))
  const text = typeof event === 'object' && event.kind === 'message' ? (event.replyTo?.text ?? '') : ''
  expect(text).toMatch(/^top\n/)
  expect(text.length).toBeLessThanOrEqual(12_000)
})

test('property: whatever a message holds, a person in a direct chat is never met with silence', () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.array(
      fc.dictionary(
        fc.constantFrom('type', 'content', 'components', 'title', 'fields', 'name', 'value', 'message'),
        fc.jsonValue(),
      ),
    ),
  )
  const fields = fc.dictionary(
    fc.constantFrom(
      'embeds',
      'components',
      'poll',
      'attachments',
      'sticker_items',
      'message_snapshots',
      'activity',
      'future',
    ),
    odd,
  )
  fc.assert(
    fc.property(fields, (more) => {
      const event = only({ ...more, guild_id: undefined }, 'dm')
      if (typeof event !== 'object' || event.kind !== 'message') throw new Error(JSON.stringify(event))
      expect(event.text !== '' || event.quoted?.length || event.media?.length).toBeTruthy()
    }),
    runs(100),
  )
})
