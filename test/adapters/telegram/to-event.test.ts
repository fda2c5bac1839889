// Facts about what an update becomes: who spoke, to whom, about what. Updates come from the simulator, as Telegram writes them.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import { chatEvent } from '#shared/chat/event.ts'
import { toEvent } from '#adapters/telegram/to-event.ts'

const me = { id: 4200, username: 'flotilla_test_bot' }
const ann = { id: 7, is_bot: false, first_name: 'Ann', last_name: 'Lee', language_code: 'zh-hans' }
const room = { id: -100, type: 'supergroup', title: 'Room' }
const direct = { id: 7, type: 'private', first_name: 'Ann' }

const message = (more: Record<string, unknown>): unknown => ({
  update_id: 5,
  message: { message_id: 11, date: 1_700_000_000, chat: direct, from: ann, ...more },
})
function eventOf(update: unknown): MessageEvent {
  const found = toEvent(update, me)
  if (found.kind !== 'event' || found.event.kind !== 'message') throw new Error(JSON.stringify(found))
  expect(chatEvent.safeParse(found.event).success).toBe(true)
  return found.event
}
const reasonOf = (update: unknown): string => {
  const found = toEvent(update, me)
  return found.kind === 'ignored' ? found.reason : found.kind
}
const command = (text: string, length: number): Record<string, unknown> => ({
  text,
  entities: [{ type: 'bot_command', offset: 0, length }],
})
const mention = (text: string, offset: number, length: number): Record<string, unknown> => ({
  text,
  entities: [{ type: 'mention', offset, length }],
})

test('a private message is an addressed event with ids made of numbers', () => {
  expect(eventOf(message({ text: 'hi' }))).toEqual({
    v: 1,
    kind: 'message',
    id: 'tg:4200:5',
    conversation: 'telegram:7',
    principal: 'telegram:7',
    name: 'Ann Lee',
    at: 1_700_000_000_000,
    text: 'hi',
    messageId: '11',
    addressed: true,
    group: false,
    language: 'zh',
  })
})

test.each([
  ['a plain message', { text: 'hello all' }, false],
  ['a mention', mention('hey @Flotilla_test_bot look', 4, 18), true],
  ['a mention of somebody else', mention('hey @flotilla_test_bots look', 4, 19), false],
  ['a mention behind an emoji', mention('👍👍 @flotilla_test_bot', 5, 18), true],
  ['an entity that points at other text', mention('hey you there, all of you', 4, 18), false],
  ['an entity beyond the text', mention('hey', 40, 18), false],
  [
    'a mention without a name',
    { text: 'Bot?', entities: [{ type: 'text_mention', offset: 0, length: 3, user: { id: 4200 } }] },
    true,
  ],
  [
    'a reply to the bot',
    { text: 'yes', reply_to_message: { message_id: 3, chat: room, from: { id: 4200, is_bot: true } } },
    true,
  ],
  [
    'a reply to somebody else',
    { text: 'yes', reply_to_message: { message_id: 3, chat: room, from: { id: 8 } } },
    false,
  ],
  ['a command for this bot', command('/stop@flotilla_test_bot', 23), true],
  ['a bare command', command('/stop', 5), false],
  [
    'a mention in a caption',
    { caption: '@flotilla_test_bot see', caption_entities: [{ type: 'mention', offset: 0, length: 18 }], photo: [{}] },
    true,
  ],
])('in a group, %s is addressed to the bot: %s', (_, more, addressed) => {
  expect(eventOf(message({ chat: room, ...more })).addressed).toBe(addressed)
})

test.each([
  [mention('@flotilla_test_bot what now?', 0, 18), 'what now?'],
  [mention('well @flotilla_test_bot, what now?', 5, 18), 'well, what now?'],
  [mention('👍 @flotilla_test_bot 好', 3, 18), '👍 好'],
])('takes the mention of the bot out of the text', (more, text) => {
  expect(eventOf(message({ chat: room, ...more })).text).toBe(text)
})

test.each([
  [command('/stop', 5), { name: 'stop', args: '' }],
  [command('/Depth@flotilla_test_bot  deep ', 24), { name: 'depth', args: 'deep' }],
  [{ text: '/stop' }, undefined],
  [{ text: 'do /stop', entities: [{ type: 'bot_command', offset: 3, length: 5 }] }, undefined],
])('normalises a command at the beginning only', (more, wanted) => {
  expect(eventOf(message(more)).command).toEqual(wanted)
})

test.each([
  ['a command for another bot', message(command('/stop@other_bot', 15)), 'other-bot-command'],
  ['another bot', message({ text: 'hi', from: { id: 9, is_bot: true } }), 'bot'],
  ['the bot itself', message({ text: 'hi', from: { id: 4200, is_bot: true } }), 'bot'],
  ['an anonymous administrator', message({ text: 'hi', chat: room, sender_chat: room }), 'sender-chat'],
  ['a channel', message({ text: 'hi', chat: { id: -5, type: 'channel' } }), 'sender-chat'],
  ['a service message', message({ new_chat_members: [{ id: 1 }] }), 'service'],
  ['an unknown kind', { update_id: 1, business_message: {} }, 'unknown-kind'],
  ['a channel post', { update_id: 1, channel_post: { message_id: 1 } }, 'unknown-kind'],
  ['a message without a chat', { update_id: 1, message: { message_id: 1, date: 1 } }, 'malformed'],
  ['a text that is a number', message({ text: 5 }), 'malformed'],
  ['an update without an id', { message: {} }, 'malformed'],
  ['nothing', null, 'malformed'],
])('ignores %s and says why', (_, update, reason) => {
  expect(reasonOf(update)).toBe(reason)
})

test('a forum topic is a conversation of its own, and its opening message is no quote', () => {
  const opening = { message_id: 40, chat: room, from: { id: 8 }, forum_topic_created: { name: 'x' } }
  const event = eventOf(
    message({ chat: room, text: 'hi', message_thread_id: 40, is_topic_message: true, reply_to_message: opening }),
  )
  expect(event.conversation).toBe('telegram:-100:40')
  expect(event.replyTo).toBeUndefined()
})

test('a thread of replies in an ordinary group is not a topic', () => {
  expect(eventOf(message({ chat: room, text: 'hi', message_thread_id: 40 })).conversation).toBe('telegram:-100')
})

test('a reply quotes what it answers, with its author', () => {
  const quoted = { message_id: 3, chat: direct, from: { id: 8, is_bot: false }, text: 'the whole text' }
  expect(eventOf(message({ text: 'this?', reply_to_message: quoted })).replyTo).toEqual({
    messageId: '3',
    text: 'the whole text',
    principal: 'telegram:8',
    fromBot: false,
  })
  const part = eventOf(message({ text: 'this?', reply_to_message: quoted, quote: { text: 'whole' } }))
  expect(part.replyTo?.text).toBe('whole')
})

test('what is forwarded is marked, is no command and addresses nobody', () => {
  const event = eventOf(
    message({ chat: room, forward_origin: { type: 'user' }, ...command('/allow@flotilla_test_bot 9', 24) }),
  )
  expect(event).toMatchObject({ text: '[forwarded] /allow@flotilla_test_bot 9', addressed: false })
  expect(event.command).toBeUndefined()
})

test.each([
  [{ photo: [{ file_size: 5 }, { file_size: 50 }], caption: 'see' }, [{ kind: 'photo', bytes: 50 }], 'see'],
  [{ document: { file_name: 'a.pdf', file_size: 9 } }, [{ kind: 'document', name: 'a.pdf', bytes: 9 }], ''],
  [{ voice: { duration: 3 } }, [{ kind: 'voice' }], ''],
  [{ sticker: {} }, [{ kind: 'sticker' }], ''],
  [{ location: { latitude: 1 } }, [{ kind: 'location' }], ''],
  [{ animation: { file_name: 'a.gif' }, document: { file_name: 'a.gif' } }, [{ kind: 'animation', name: 'a.gif' }], ''],
])('media become metadata with the caption as text', (more, media, text) => {
  expect(eventOf(message(more))).toMatchObject({ media, text })
})

test('an edited message is an edit of that message', () => {
  const update = {
    update_id: 6,
    edited_message: { message_id: 11, date: 1, edit_date: 2, chat: direct, from: ann, text: 'new' },
  }
  expect(toEvent(update, me)).toMatchObject({
    kind: 'event',
    event: { kind: 'edit', id: 'tg:4200:6', messageId: '11', text: 'new', group: false },
  })
})

const member = (chat: unknown, from: string, to: string): unknown => ({
  update_id: 9,
  my_chat_member: { chat, from: ann, date: 1, old_chat_member: { status: from }, new_chat_member: { status: to } },
})
test.each([
  ['left', 'member', 'join'],
  ['kicked', 'administrator', 'join'],
  ['member', 'kicked', 'leave'],
  ['administrator', 'left', 'leave'],
])('the bot going from %s to %s is a %s of the person who did it', (from, to, kind) => {
  expect(toEvent(member(room, from, to), me)).toMatchObject({
    kind: 'event',
    event: { kind, principal: 'telegram:7', conversation: 'telegram:-100' },
  })
})

test('promotions and blocks in private chats are no joins or leaves', () => {
  expect(reasonOf(member(room, 'member', 'administrator'))).toBe('membership-unchanged')
  expect(reasonOf(member(direct, 'member', 'kicked'))).toBe('membership-elsewhere')
})
