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
  [
    {
      text: '@flotilla_test_bot  /allow here',
      entities: [
        { type: 'mention', offset: 0, length: 18 },
        { type: 'bot_command', offset: 20, length: 6 },
      ],
    },
    { name: 'allow', args: 'here' },
  ],
  [
    {
      text: '@some_other_bot /allow here',
      entities: [
        { type: 'mention', offset: 0, length: 15 },
        { type: 'bot_command', offset: 16, length: 6 },
      ],
    },
    undefined,
  ],
])('normalises a command at the beginning, or after the name of the bot, only', (more, wanted) => {
  expect(eventOf(message(more)).command).toEqual(wanted)
})

const reacted = {
  chat: room,
  message_id: 4,
  user: ann,
  date: 3,
  old_reaction: [],
  new_reaction: [
    { type: 'emoji', emoji: '👍' },
    { type: 'custom_emoji', custom_emoji_id: '5' },
  ],
}
test('a person’s reaction is an event of the message', () => {
  expect(toEvent({ update_id: 6, message_reaction: reacted }, me)).toMatchObject({
    kind: 'event',
    event: { kind: 'reaction', messageId: '4', principal: 'telegram:7', emoji: ['👍', 'custom_emoji'] },
  })
})

test.each([
  ['a command for another bot', message(command('/stop@other_bot', 15)), 'other-bot-command'],
  ['another bot', message({ text: 'hi', from: { id: 9, is_bot: true } }), 'bot'],
  ['the bot itself', message({ text: 'hi', from: { id: 4200, is_bot: true } }), 'bot'],
  ['an anonymous administrator', message({ text: 'hi', chat: room, sender_chat: room }), 'sender-chat'],
  ['what a person sends through another bot', message({ text: 'hi', via_bot: { id: 9, is_bot: true } }), 'via-bot'],
  [
    'what a linked channel posts into its group',
    message({ text: 'hi', chat: room, from: { id: 777000 }, sender_chat: { id: -5 }, is_automatic_forward: true }),
    'sender-chat',
  ],
  [
    'an edit by a bot',
    { update_id: 1, edited_message: { message_id: 1, date: 1, chat: room, from: { id: 9, is_bot: true }, text: 'x' } },
    'bot',
  ],
  [
    'an edit of a forward',
    { update_id: 1, edited_message: { message_id: 1, date: 1, chat: room, from: ann, text: 'x', forward_origin: {} } },
    'edit-of-forward',
  ],
  ['a reaction of a group itself', { update_id: 1, message_reaction: { ...reacted, user: undefined } }, 'sender-chat'],
  ['a reaction of a bot', { update_id: 1, message_reaction: { ...reacted, user: { id: 9, is_bot: true } } }, 'bot'],
  ['a group that moved', message({ chat: room, migrate_to_chat_id: -1000 }), 'moved'],
  ['a channel', message({ text: 'hi', chat: { id: -5, type: 'channel' } }), 'sender-chat'],
  ['a service message', message({ new_chat_members: [{ id: 1 }] }), 'service'],
  ['an unknown kind', { update_id: 1, business_message: {} }, 'unknown-kind'],
  ['a channel post', { update_id: 1, channel_post: { message_id: 1 } }, 'unknown-kind'],
  ['a message without a chat', { update_id: 1, message: { message_id: 1, date: 1 } }, 'malformed'],
  ['a text that is a number', message({ text: 5 }), 'malformed'],
  // As an event it could not be read back from the mailbox.
  [
    'a reaction of an endless kind',
    { update_id: 1, message_reaction: { ...reacted, new_reaction: [{ type: 'x'.repeat(65) }] } },
    'malformed',
  ],
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
  const quoted = {
    message_id: 3,
    chat: direct,
    from: { id: 8, is_bot: false, first_name: 'Bob' },
    text: 'the whole text',
  }
  expect(eventOf(message({ text: 'this?', reply_to_message: quoted })).replyTo).toEqual({
    messageId: '3',
    text: 'the whole text',
    principal: 'telegram:8',
    fromBot: false,
    author: 'Bob',
  })
  const part = eventOf(message({ text: 'this?', reply_to_message: quoted, quote: { text: 'whole' } }))
  expect(part.replyTo?.text).toBe('whole')
})

const bob = { id: 8, is_bot: false, first_name: 'Bob', last_name: 'Ray' }
test.each([
  ['a person', { type: 'user', sender_user: bob }, { author: 'Bob Ray', principal: 'telegram:8' }],
  [
    'the bot itself',
    { type: 'user', sender_user: { ...me, is_bot: true, first_name: 'Bot' } },
    { author: 'Bot', principal: 'telegram:4200', fromBot: true },
  ],
  ['a person who hides', { type: 'hidden_user', sender_user_name: 'Somebody' }, { author: 'Somebody' }],
  ['a group', { type: 'chat', sender_chat: { id: -7, title: 'Team' } }, { author: 'Team' }],
  ['a channel', { type: 'channel', chat: { id: -8, title: 'News' }, message_id: 4 }, { author: 'News' }],
  ['a kind nobody knows yet', { type: 'robot', sender_user: 'x' }, {}],
])('a forward from %s quotes their words and has none of its sender', (_, forward_origin, author) => {
  const event = eventOf(message({ forward_origin, text: 'their words' }))
  expect(event.text).toBe('')
  expect(event.quoted).toEqual([{ how: 'forward', text: 'their words', ...author }])
  const photo = eventOf(message({ forward_origin, photo: [{}], caption: 'their caption' }))
  expect(photo).toMatchObject({ text: '', quoted: [{ text: 'their caption' }], media: [{ kind: 'photo' }] })
})

test('a forward without words is the files that it brings', () => {
  const event = eventOf(message({ forward_origin: { type: 'user', sender_user: bob }, sticker: {} }))
  expect(event).toMatchObject({ text: '', media: [{ kind: 'sticker' }] })
  expect(event.quoted).toBeUndefined()
})

test('a reply to a forward quotes whose words those are, and refers to who forwarded them', () => {
  const forward_origin = { type: 'hidden_user', sender_user_name: 'Carol' }
  const replied = { message_id: 3, chat: room, from: bob, forward_origin, text: 'long story' }
  const event = eventOf(message({ chat: room, text: 'this?', reply_to_message: replied }))
  expect(event.replyTo).toEqual({ messageId: '3', fromBot: false, principal: 'telegram:8', author: 'Bob Ray' })
  expect(event.quoted).toEqual([{ how: 'forward', author: 'Carol', text: 'long story' }])
})

test('a reply to another chat quotes what the person picked there', () => {
  const external_reply = { origin: { type: 'channel', chat: { title: 'News' } }, photo: [{}] }
  const event = eventOf(message({ text: 'why?', external_reply, quote: { text: 'prices rise', position: 0 } }))
  expect(event.quoted).toEqual([{ how: 'reply', author: 'News', text: 'prices rise', media: [{ kind: 'photo' }] }])
  expect(event.replyTo).toBeUndefined()
})

test.each([
  ['a channel', { sender_chat: { id: -5, title: 'News' } }, { author: 'News' }],
  [
    'a caption',
    { from: bob, text: undefined, caption: 'words', video: {} },
    { text: 'words', media: [{ kind: 'video' }] },
  ],
  ['a file without words', { from: bob, text: undefined, voice: {} }, { media: [{ kind: 'voice' }] }],
])('a reply to %s quotes it', (_, more, wanted) => {
  const replied = { message_id: 3, chat: room, text: 'words', ...more }
  expect(eventOf(message({ text: 'hm', reply_to_message: replied })).replyTo).toMatchObject(wanted)
})

test('parts of an album know each other', () => {
  expect(eventOf(message({ photo: [{}], media_group_id: '99' })).album).toBe('99')
})

test('what is forwarded is marked, is no command and addresses nobody', () => {
  const event = eventOf(
    message({ chat: room, forward_origin: { type: 'user' }, ...command('/allow@flotilla_test_bot 9', 24) }),
  )
  expect(event).toMatchObject({
    text: '',
    quoted: [{ how: 'forward', text: '/allow@flotilla_test_bot 9' }],
    addressed: false,
  })
  expect(event.command).toBeUndefined()
})

test.each([
  [true, { text: 'summarise this' }],
  [true, { text: 'Please translate to German!' }],
  [true, { text: '翻译成英文' }],
  [true, { text: '以下内容怎么样？' }],
  [undefined, { text: 'explain how TCP works' }],
  [undefined, { text: 'what is the capital of France?' }],
  [undefined, { text: '分析一下法国大革命的原因' }],
  [undefined, { text: `this ${'and that '.repeat(30)}` }],
  [undefined, { text: 'this:\nthe text itself' }],
  [undefined, { text: 'summarise this', reply_to_message: { message_id: 3, chat: { id: 7, type: 'private' } } }],
  [undefined, { text: 'this', forward_origin: { type: 'user' } }],
  [undefined, { ...command('/depth this', 6) }],
  [undefined, { text: 'summarise this', chat: room }],
])('a direct message may be the comment on a forward (%s): %j', (wanted, more) => {
  expect(eventOf(message(more)).unfinished).toBe(wanted)
})

test.each([
  [{ photo: [{ file_size: 5 }, { file_size: 50 }], caption: 'see' }, [{ kind: 'photo', bytes: 50 }], 'see'],
  [{ document: { file_name: 'a.pdf', file_size: 9 } }, [{ kind: 'document', name: 'a.pdf', bytes: 9 }], ''],
  [{ voice: { duration: 3 } }, [{ kind: 'voice' }], ''],
  [{ sticker: {} }, [{ kind: 'sticker' }], ''],
  [{ location: { latitude: 1 } }, [{ kind: 'location' }], ''],
  [{ venue: { title: 'Café' }, location: { latitude: 1, longitude: 2 } }, [{ kind: 'venue' }], ''],
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

test.each([
  ['the old group', message({ chat: room, migrate_to_chat_id: -1000 }), 'telegram:-100', 'telegram:-1000'],
  [
    'the new one',
    message({ chat: { ...room, id: -1000 }, migrate_from_chat_id: -100 }),
    'telegram:-100',
    'telegram:-1000',
  ],
])('%s tells that the group moved', (_, update, from, to) => {
  expect(toEvent(update, me).standing).toEqual({ kind: 'moved', from, to })
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

test.each([
  ['blocked', direct, 'member', 'kicked', { kind: 'closed', reason: 'the person blocked the bot' }],
  ['unblocked', direct, 'kicked', 'member', { kind: 'open' }],
  ['thrown out', room, 'member', 'left', { kind: 'closed', reason: 'the bot was removed from the chat' }],
  ['let in', room, 'left', 'member', { kind: 'open' }],
])('the bot being %s says so of the chat', (_, chat, from, to, wanted) => {
  expect(toEvent(member(chat, from, to), me).standing).toMatchObject({ ...wanted, chat: `telegram:${chat.id}` })
})

test('a message of a group tells what the group is called, one of a direct chat nothing', () => {
  expect(eventOf(message({ chat: room, text: 'hi' })).title).toBe('Room')
  expect(eventOf(message({ chat: { ...room, title: '😀'.repeat(300) }, text: 'hi' })).title).toBe('😀'.repeat(100))
  expect(eventOf(message({ chat: { ...direct, title: 'x' }, text: 'hi' }))).not.toHaveProperty('title')
})
