// Facts about what a message can hold: each kind is read, told as what it is, or told as unknown; service messages alone are silent.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toEvent } from '#adapters/telegram/to-event.ts'
import { chatEvent, type ChatEvent } from '#shared/chat/event.ts'
import { unknownKind } from '#shared/chat/quotation.ts'
import { runs } from '#test/rig/property-runs.ts'

const me = { id: 4200, username: 'flotilla_test_bot' }
const ann = { id: 7, is_bot: false, first_name: 'Ann', language_code: 'en' }
const bot = { id: 4200, is_bot: true, first_name: 'Bot' }
const direct = { id: 7, type: 'private' }
const room = { id: -100, type: 'supergroup', title: 'Room' }

function only(more: object, kind = 'message'): ChatEvent | string {
  const found = toEvent({ update_id: 5, [kind]: { message_id: 11, date: 1, chat: direct, from: ann, ...more } }, me)
  if (found.kind !== 'event') return found.kind === 'ignored' ? found.reason : found.kind
  expect(chatEvent.safeParse(found.event).error).toBeUndefined()
  return found.event
}

const bold = (text: unknown) => ({ type: 'bold', text })
const paragraph = (text: unknown) => ({ type: 'paragraph', text })
const rich = (...blocks: unknown[]) => ({ rich_message: { blocks } })
const list = {
  type: 'list',
  items: [
    { label: '1.', value: 1, blocks: [paragraph('milk')] },
    {
      label: '2.',
      value: 2,
      blocks: [
        paragraph(['two ', bold('eggs')]),
        { type: 'list', items: [{ label: '•', blocks: [paragraph('brown')] }] },
      ],
    },
  ],
}
const table = {
  type: 'table',
  cells: [
    [{ text: 'Name', is_header: true, align: 'left', valign: 'top' }, { text: bold('Price') }],
    [{ text: 'Tea' }, { text: '3 €' }],
  ],
}

test.each([
  [
    'a paragraph and a list',
    [paragraph('Which is cheapest?'), list],
    'Which is cheapest?\n1. milk\n2. two eggs\n  • brown',
  ],
  ['a table', [{ type: 'heading', size: 2, text: 'Menu' }, table], 'Menu\nName | Price\nTea | 3 €'],
  ['code', [{ type: 'pre', language: 'ts', text: 'let x = 1' }], '```ts\nlet x = 1\n```'],
  [
    'a formula in a line and one by itself',
    [
      paragraph(['so ', { type: 'mathematical_expression', expression: 'x^2' }]),
      { type: 'mathematical_expression', expression: 'y' },
    ],
    'so $x^2$\n$$y$$',
  ],
  [
    'tasks, quotes and details',
    [
      { type: 'list', items: [{ label: '', has_checkbox: true, is_checked: true, blocks: [paragraph('done')] }] },
      { type: 'blockquote', blocks: [paragraph('to be')], credit: 'Hamlet' },
      { type: 'details', summary: 'More', blocks: [paragraph('inside')] },
    ],
    '☑ done\nto be\nHamlet\nMore\ninside',
  ],
  [
    'an emoji of its own',
    [paragraph([{ type: 'custom_emoji', custom_emoji_id: '1', alternative_text: '🐈' }, '!'])],
    '🐈!',
  ],
  ['a block that does not exist yet', [{ type: 'hologram', text: ['over ', bold('there')] }], 'over there'],
  [
    'no words of buttons',
    [paragraph('Pick'), { type: 'buttons', buttons: [{ text: 'Buy', url: 'https://x.example' }] }],
    'Pick',
  ],
])('the words of a rich message are read: %s', (_, blocks, text) => {
  expect(only(rich(...blocks))).toMatchObject({ kind: 'message', text, addressed: true })
})

test('a rich message mentions the bot, and its own mark goes out of the text', () => {
  const mention = { type: 'mention', text: '@flotilla_test_bot', username: 'flotilla_test_bot' }
  expect(only({ chat: room, ...rich(paragraph([mention, ' sum this up']), list) })).toMatchObject({
    addressed: true,
    text: expect.stringMatching(/^sum this up\n1\. milk/),
  })
  expect(
    only({ chat: room, ...rich(paragraph([bold({ type: 'text_mention', text: 'Bot', user: { id: 4200 } }), '?'])) }),
  ).toMatchObject({
    addressed: true,
    text: '?',
  })
  expect(only({ chat: room, ...rich(paragraph('@flotilla_test_bot as code')) })).toMatchObject({ addressed: false })
})

test('a command in a rich message is one, and in a forwarded one it is none', () => {
  const stop = rich(paragraph([{ type: 'bot_command', text: '/stop', bot_command: '/stop' }, ' now']))
  expect(only(stop)).toMatchObject({ command: { name: 'stop', args: 'now' } })
  expect(only({ ...stop, forward_origin: { type: 'user', sender_user: ann } })).not.toHaveProperty('command')
})

test('the files of a rich message are told beside its words', () => {
  const photo = { type: 'photo', photo: [{ file_size: 1 }, { file_size: 9 }], caption: { text: 'a cat', credit: 'Bo' } }
  expect(only(rich(paragraph('See'), photo))).toMatchObject({
    text: 'See\na cat\nBo',
    media: [{ kind: 'photo', bytes: 9 }],
  })
  expect(only(rich(photo))).toMatchObject({ text: 'a cat\nBo', media: [{ kind: 'photo' }] })
})

test('a forwarded rich message is quoted', () => {
  const forward_origin = { type: 'channel', date: 1, chat: { id: -1, title: 'News' }, message_id: 3 }
  expect(only({ ...rich(table), forward_origin })).toMatchObject({
    text: '',
    quoted: [{ how: 'forward', author: 'News', text: 'Name | Price\nTea | 3 €' }],
  })
})

test('an edit into a rich message, and within one, has its words', () => {
  expect(only({ ...rich(list), edit_date: 2 }, 'edited_message')).toMatchObject({
    kind: 'edit',
    text: expect.stringContaining('milk'),
  })
})

test('a reply to the bot’s own table quotes the table, or the part that was picked', () => {
  const reply_to_message = { message_id: 4, date: 1, chat: direct, from: bot, ...rich(paragraph('Here:'), table) }
  expect(only({ text: 'the second?', reply_to_message })).toMatchObject({
    replyTo: { messageId: '4', fromBot: true, text: 'Here:\nName | Price\nTea | 3 €' },
  })
  expect(only({ text: 'this?', reply_to_message, quote: { text: 'Tea', position: 9 } })).toMatchObject({
    replyTo: { text: 'Tea' },
  })
})

test.each([
  [
    'a checklist',
    {
      checklist: {
        title: 'Trip',
        tasks: [
          { id: 1, text: 'tickets', completion_date: 9 },
          { id: 2, text: 'bags' },
        ],
      },
    },
    'Trip\n☑ tickets\n☐ bags',
  ],
  [
    'a poll',
    { poll: { question: 'Where to?', options: [{ text: 'Rome' }, { text: 'Oslo' }], type: 'regular' } },
    'Poll: Where to?\n- Rome\n- Oslo',
  ],
  ['a location', { location: { latitude: 52.52, longitude: 13.4 } }, 'Location: 52.52, 13.4'],
])('%s is read as its sender’s words', (_, content, text) => {
  expect(only(content)).toMatchObject({ text, addressed: true })
  expect(only(content)).not.toHaveProperty('media')
  const forward_origin = { type: 'user', sender_user: { id: 8, first_name: 'Bob' } }
  expect(only({ ...content, forward_origin })).toMatchObject({ text: '', quoted: [{ text, author: 'Bob' }] })
  expect(
    only({ text: 'this?', reply_to_message: { message_id: 3, chat: direct, from: ann, ...content } }),
  ).toMatchObject({ replyTo: { text } })
})

test.each([
  [
    'a contact',
    { contact: { phone_number: '+49 30 1', first_name: 'Bob', last_name: 'Ray' } },
    'Contact: Bob Ray, +49 30 1',
  ],
  [
    'a venue',
    {
      venue: { title: 'Café', address: 'Main St 1', location: { latitude: 1, longitude: 2 } },
      location: { latitude: 1, longitude: 2 },
    },
    'Venue: Café, Main St 1 (1, 2)',
  ],
  ['a game', { game: { title: 'Snake', description: 'Eat.', photo: [] } }, 'Game: Snake. Eat.'],
  ['an invoice', { invoice: { title: 'Tea', description: 'One cup', currency: 'EUR' } }, 'Invoice: Tea. One cup'],
  ['a giveaway', { giveaway: { winner_count: 3, prize_description: 'Tea' } }, 'Giveaway, winners: 3. Tea'],
])('%s is read as words of others', (_, content, text) => {
  const event = only(content)
  expect(event).toMatchObject({ text: '', quoted: [{ how: 'forward', text }] })
  expect(event).not.toHaveProperty('media')
})

test.each([
  ['a sticker', { sticker: { emoji: '👋' } }, { kind: 'sticker', name: '👋' }],
  ['dice', { dice: { emoji: '🎲', value: 4 } }, { kind: 'dice', name: '🎲 4' }],
  ['a story', { story: { id: 1, chat: direct } }, { kind: 'story' }],
  ['paid media', { paid_media: { star_count: 5, paid_media: [] } }, { kind: 'paid_media' }],
  ['a live photo', { live_photo: { file_size: 3 }, photo: [{}] }, { kind: 'photo', bytes: 3 }],
  ['the winners of a giveaway', { giveaway_winners: { winner_count: 1 } }, { kind: 'giveaway_winners' }],
  ['a checklist of a shape that is not known', { checklist: { entries: [] } }, { kind: 'checklist' }],
  ['a kind that does not exist yet', { hologram: { file_id: 'x' } }, { kind: unknownKind }],
  ['a message that Telegram itself cannot tell', {}, { kind: unknownKind }],
  ['a rich message of nothing', rich(), { kind: unknownKind }],
])('%s is told as what it is', (_, content, wanted) => {
  expect(only(content)).toMatchObject({ text: '', media: [wanted], addressed: true })
  expect(
    only({ chat: room, ...content, reply_to_message: { message_id: 3, chat: room, from: bot, text: 'x' } }),
  ).toMatchObject({ addressed: true, media: [wanted] })
})

test('a reply to one task, one option or a story says which', () => {
  const checklist = {
    title: 'Trip',
    tasks: [
      { id: 1, text: 'tickets' },
      { id: 2, text: 'bags' },
    ],
  }
  const poll = {
    question: 'Tea?',
    options: [
      { persistent_id: 'a', text: 'Yes' },
      { persistent_id: 'b', text: 'No' },
    ],
  }
  const to = (more: object) => ({ text: 'why?', reply_to_message: { message_id: 3, chat: direct, from: ann, ...more } })
  expect(only({ ...to({ checklist }), reply_to_checklist_task_id: 2 })).toMatchObject({ replyTo: { text: 'bags' } })
  expect(only({ ...to({ poll }), reply_to_poll_option_id: 'b' })).toMatchObject({ replyTo: { text: 'No' } })
  expect(only({ ...to({ poll }), reply_to_poll_option_id: 'x' })).toMatchObject({
    replyTo: { text: 'Poll: Tea?\n- Yes\n- No' },
  })
  expect(only({ text: 'nice', reply_to_story: { id: 1, chat: direct } })).toMatchObject({
    quoted: [{ how: 'reply', media: [{ kind: 'story' }] }],
  })
})

test('a caption stands under something, also where that is of a kind that does not exist yet', () => {
  expect(only({ hologram: {}, caption: 'look' })).toMatchObject({ text: 'look', media: [{ kind: unknownKind }] })
})

test.each([
  'pinned_message',
  'new_chat_title',
  'new_chat_members',
  'left_chat_member',
  'delete_chat_photo',
  'video_chat_started',
  'forum_topic_created',
  'successful_payment',
  'checklist_tasks_done',
  'boost_added',
  'gift',
  'poll_option_added',
])('the service message %s stays silent', (field) => {
  expect(only({ [field]: {} })).toBe('service')
})

test.each(['poll', 'checklist', 'location'])('a %s that moves or is ticked is no edit', (field) => {
  expect(only({ [field]: { title: 'x', tasks: [] }, edit_date: 2 }, 'edited_message')).toBe('edit-without-text')
})

test('a deep, endless or odd rich message costs little and is cut', () => {
  let deep: unknown = paragraph('end')
  for (let i = 0; i < 5000; i++) deep = { type: 'blockquote', blocks: [deep] }
  expect(only(rich(paragraph('top'), deep))).toMatchObject({ text: 'top' })
  const long = only(rich(...Array.from({ length: 50_000 }, () => paragraph('word '.repeat(100)))))
  expect(typeof long === 'object' && long.kind === 'message' && long.text.length).toBeLessThanOrEqual(41_000)
})

test('property: whatever a message holds, nothing is thrown, and a person in a direct chat is never met with silence', () => {
  const content = fc.dictionary(
    fc.constantFrom(
      'rich_message',
      'checklist',
      'poll',
      'location',
      'venue',
      'contact',
      'sticker',
      'photo',
      'dice',
      'game',
      'future',
    ),
    fc.oneof(fc.jsonValue(), fc.record({ blocks: fc.array(fc.jsonValue()) })),
  )
  fc.assert(
    fc.property(content, (more) => {
      const event = only(more)
      if (typeof event !== 'object' || event.kind !== 'message') throw new Error(JSON.stringify(event))
      expect(event.text !== '' || event.quoted?.length || event.media?.length).toBeTruthy()
    }),
    runs(500),
  )
})
