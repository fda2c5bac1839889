// Facts about what a message can hold: each kind is read or told as what it is, and none but Feishu's own notes stays silent.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toContent } from '#adapters/feishu/content.ts'
import { toIncoming } from '#adapters/feishu/to-event.ts'
import { chatEvent, type MessageEvent } from '#shared/chat/event.ts'
import { unknownKind } from '#shared/chat/quotation.ts'
import { runs } from '#test/rig/property-runs.ts'

const bot = { id: 'ou_bot', appId: 'cli_a' }
const at = 1_790_000_000_000
const header = { event_id: 'e', event_type: 'im.message.receive_v1', create_time: String(at), app_id: 'cli_a' }

function only(type: string, content: unknown): MessageEvent | string {
  const said = { message_id: 'om_1', chat_id: 'oc_1', chat_type: 'p2p', create_time: String(at), message_type: type }
  const message = { ...said, content: typeof content === 'string' ? content : JSON.stringify(content), mentions: [] }
  const sender = { sender_type: 'user', sender_id: { open_id: 'ou_ann' } }
  const incoming = toIncoming({ schema: '2.0', header, event: { sender, message } }, bot, at)
  if (incoming.kind !== 'event') return incoming.kind === 'ignored' ? incoming.reason : incoming.kind
  if (incoming.event.kind !== 'message') throw new Error(incoming.event.kind)
  expect(chatEvent.safeParse(incoming.event).error).toBeUndefined()
  return incoming.event
}

const task = { title: '', content: [[{ tag: 'text', text: 'Buy milk' }]] }
test.each([
  ['interactive', { title: 'Alert: db-1', elements: [[{ tag: 'text', text: 'Disk full' }]] }, 'Alert: db-1\nDisk full'],
  ['todo', { task_id: 't', summary: task, due_time: '1790000000000' }, 'Task: Buy milk, due 2026-09-21 14:13 UTC'],
  ['todo', { task_id: 't', summary: task }, 'Task: Buy milk'],
  [
    'share_calendar_event',
    { summary: 'Review', start_time: '1790000000000', end_time: '1790003600000' },
    'Event: Review, from 2026-09-21 14:13 UTC, to 2026-09-21 15:13 UTC',
  ],
  ['calendar', { summary: '评审', start_time: 'soon' }, 'Event: 评审'],
  ['general_calendar', { summary: 'Review' }, 'Event: Review'],
  ['video_chat', { topic: 'Weekly', start_time: '1790000000000' }, 'Meeting: Weekly, from 2026-09-21 14:13 UTC'],
  ['location', { name: 'Café', longitude: '13.4', latitude: '52.5' }, 'Location: Café, 52.5, 13.4'],
])('a %s is read as words of others', (type, content, text) => {
  const event = only(type, content)
  expect(event).toMatchObject({ text: '', quoted: [{ how: 'forward', text }], addressed: true })
  expect(event).not.toHaveProperty('media')
  // So it is where somebody replies to it.
  expect(toContent(type, JSON.stringify(content), () => undefined)).toEqual({ text, media: [] })
})

test('fields and tables of a card are read', () => {
  const field = { is_short: true, text: { tag: 'lark_md', content: 'Host: db-1' } }
  const columns = [{ name: 'a', display_name: 'Name' }, { name: 'b' }]
  const table = {
    tag: 'table',
    columns,
    rows: [
      { a: 'Tea', b: 3 },
      { a: 'Milk', b: { x: 1 } },
    ],
  }
  const elements = [{ tag: 'div', fields: [field] }, table]
  expect(only('interactive', { elements })).toMatchObject({
    quoted: [{ text: 'Host: db-1\nName | b\nTea | 3\nMilk |' }],
  })
})

test('a vote is read as its sender’s words', () => {
  expect(only('vote', { topic: 'Tea?', options: ['Yes', 'No'] })).toMatchObject({ text: 'Poll: Tea?\n- Yes\n- No' })
})

test.each([
  ['todo', {}, 'task'],
  ['share_calendar_event', { title: 'Review' }, 'event'],
  ['video_chat', '{', 'meeting'],
  ['location', { name: 'x' }, 'location'],
  ['vote', [], 'poll'],
  ['interactive', { type: 'template' }, 'card'],
  ['share_user', { user_id: 'ou_1' }, 'contact'],
  ['share_chat', { chat_id: 'oc_1' }, 'contact'],
  ['hongbao', { text: '[红包]' }, 'gift'],
  ['sticker', { file_key: 'f' }, 'sticker'],
  ['hologram', { file_key: 'f' }, unknownKind],
  ['text', { words: 'x' }, unknownKind],
  ['post', { content: 'x' }, unknownKind],
  ['post', { title: '', content: [[{ tag: 'hologram' }]] }, unknownKind],
])('a %s of %j is told as what it is', (type, content, kind) => {
  expect(only(type, content)).toMatchObject({ text: '', media: [{ kind }], addressed: true })
})

test('a note of Feishu’s stays silent', () => {
  expect(only('system', { template: '{from_user} invited {to_chatters}' })).toBe('service')
})

test('property: whatever a message holds, a person in a direct chat is never met with silence', () => {
  const kinds = fc.constantFrom(
    'text',
    'post',
    'interactive',
    'todo',
    'calendar',
    'video_chat',
    'location',
    'vote',
    'x',
  )
  const fields = fc.dictionary(
    fc.constantFrom('text', 'content', 'summary', 'topic', 'title', 'options'),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(kinds, fc.oneof(fc.jsonValue(), fields), (type, content) => {
      const event = only(type, content)
      if (typeof event !== 'object') throw new Error(event)
      expect(event.text.trim() !== '' || event.quoted?.length || event.media?.length || type === 'text').toBeTruthy()
    }),
    runs(300),
  )
})
