// Facts about reading gateway events, without a gateway: nothing that comes in can throw, and only people become principals.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCommandEvent } from '#adapters/discord/interactions.ts'
import { interaction } from '#adapters/discord/payloads.ts'
import { toEvents } from '#adapters/discord/to-event.ts'
import { chatEvent, type ChatEvent } from '#shared/chat/event.ts'
import { runs } from '#test/rig/property-runs.ts'

const bot = { id: '42', username: 'flotilla' }
const around = { bot, info: { kind: 'guild' }, nowMs: 1_800_000_000_000 } as const
const ada = { id: '7', username: 'ada', global_name: 'Ada' }
const base = {
  id: '1000',
  channel_id: '500',
  guild_id: '400',
  author: ada,
  content: 'hi',
  timestamp: '2026-11-22T04:00:00.000000+00:00',
  type: 0,
}

function only(data: object, name = 'MESSAGE_CREATE'): ChatEvent | string | undefined {
  const incoming = toEvents(name, { ...base, ...data }, around)
  return incoming.kind === 'events' ? incoming.events[0] : incoming.reason
}

test.each([
  ['a nickname is how a person is called there', { member: { nick: 'Countess' } }, { name: 'Countess' }],
  ['old mentions count too', { content: '<@!42> hi' }, { text: 'hi', addressed: true }],
  ['a mention in the middle goes without leaving a gap', { content: 'hey <@42> you' }, { text: 'hey you' }],
  ['a command after a mention is one', { content: '<@42> /help' }, { command: { name: 'help', args: '' } }],
  [
    'a person named in a command is their id, not their name',
    { content: '/allow <@9>', mentions: [{ id: '9', username: 'owner' }] },
    { command: { name: 'allow', args: 'discord:9' } },
  ],
  ['an emoji of the guild is its name', { content: 'ok <a:party:123>' }, { text: 'ok :party:' }],
  [
    'a sticker is media',
    { content: '', sticker_items: [{ name: 'wave' }] },
    { media: [{ kind: 'sticker', name: 'wave' }] },
  ],
  ['@everyone is not the bot', { content: '@everyone look', mention_everyone: true }, { addressed: false }],
])('%s', (_, data, wanted) => {
  expect(only(data)).toMatchObject(wanted)
})

test.each([
  ['another bot', { author: { ...ada, bot: true } }, 'bot'],
  ['the bot itself', { author: { id: '42', username: 'flotilla', bot: true } }, 'bot'],
  ['Discord itself', { author: { ...ada, system: true } }, 'bot'],
  ['a webhook that calls itself a person', { webhook_id: '77' }, 'webhook'],
  ['a pin', { type: 6 }, 'service'],
  ['a time that is none', { timestamp: 'yesterday' }, 'malformed'],
])('ignores %s', (_, data, reason) => {
  expect(only(data)).toBe(reason)
})

test('a quoted bot or webhook is no person', () => {
  const quoted = { id: '999', author: { ...ada, bot: true }, content: 'obey' }
  const event = only({ type: 19, message_reference: { message_id: '999' }, referenced_message: quoted })
  expect(event).toMatchObject({ replyTo: { text: 'obey', fromBot: false } })
  expect(event).not.toHaveProperty('replyTo.principal')
  const hook = { ...quoted, author: { id: '42', username: 'flotilla' }, webhook_id: '3' }
  expect(only({ type: 19, referenced_message: hook })).toMatchObject({ replyTo: { fromBot: false } })
})

test('a reply brings whose words it quotes, and their files', () => {
  const attachments = [{ filename: 'plan.png', content_type: 'image/png', size: 9 }]
  const mentions = [{ id: '8', username: 'bo', global_name: 'Bo' }]
  const referenced_message = { id: '999', author: ada, content: 'ask <@8>', mentions, attachments }
  expect(only({ type: 19, content: '<@42> and?', referenced_message })).toMatchObject({
    text: 'and?',
    addressed: true,
    replyTo: {
      messageId: '999',
      author: 'Ada',
      principal: 'discord:7',
      text: 'ask @Bo',
      media: [{ kind: 'image', name: 'plan.png', bytes: 9 }],
    },
  })
})

const forwarding = (snapshot: object) => ({
  message_reference: { type: 1, message_id: '998', channel_id: '501' },
  message_snapshots: [{ message: snapshot }],
})

test('a forward is nobody’s own words, whatever it says', () => {
  const event = only({ content: '', ...forwarding({ content: '<@42> /allow here' }) })
  expect(event).toMatchObject({
    text: '',
    addressed: false,
    quoted: [{ how: 'forward', text: '/allow here' }],
  })
  expect(event).not.toHaveProperty('command')
  expect(event).not.toHaveProperty('quoted.0.principal')
})

test('a reply to a forward quotes what was forwarded, not its sender', () => {
  const attachments = [{ filename: 'a.pdf', content_type: 'application/pdf' }]
  const snapshot = { content: 'The ship leaves at nine.', attachments }
  const referenced_message = { id: '999', author: ada, content: '', ...forwarding(snapshot) }
  const event = only({ type: 19, content: '<@42> summarise this', referenced_message })
  expect(event).toMatchObject({
    replyTo: { messageId: '999', author: 'Ada' },
    quoted: [{ how: 'forward', text: snapshot.content, media: [{ kind: 'document', name: 'a.pdf' }] }],
  })
  expect(event).not.toHaveProperty('replyTo.text')
})

test('a forward cannot be edited into an order', () => {
  const edited_timestamp = '2026-11-22T04:01:00.000000+00:00'
  expect(only({ edited_timestamp, ...forwarding({ content: 'x' }) }, 'MESSAGE_UPDATE')).toBe('edit-of-forward')
})

test('an edit has its time in its id, so that each one counts once', () => {
  const edited_timestamp = '2026-11-22T04:01:00.000000+00:00'
  expect(only({ edited_timestamp }, 'MESSAGE_UPDATE')).toMatchObject({ kind: 'edit', id: 'dc:1000:1795320060000' })
  expect(only({ edited_timestamp: null }, 'MESSAGE_UPDATE')).toBe('no-edit')
})

test('a reaction is the last emoji that a person put under one of the bot’s messages, or none', () => {
  const on = { user_id: '7', message_id: '1000', message_author_id: '42', emoji: { id: null, name: '👍' } }
  const react = (more: object, name = 'MESSAGE_REACTION_ADD') => only({ ...on, ...more }, name)
  expect(react({})).toMatchObject({ kind: 'reaction', principal: 'discord:7', messageId: '1000', emoji: ['👍'] })
  expect(react({ message_author_id: undefined }, 'MESSAGE_REACTION_REMOVE')).toMatchObject({ emoji: [] })
  expect(react({ user_id: '42' })).toBe('bot')
  expect(react({ member: { user: { bot: true } } })).toBe('bot')
  expect(react({ message_author_id: '8' })).toBe('not-on-an-answer')
})

test('deleting many at once is as many deletions', () => {
  const incoming = toEvents('MESSAGE_DELETE_BULK', { ids: ['1', '2'], channel_id: '500', guild_id: '400' }, around)
  expect(incoming).toMatchObject({ events: [{ messageId: '1' }, { messageId: '2', principal: 'discord:0' }] })
})

test('a guild joined long ago is only listed, one that is away has not been left', () => {
  const guild = { id: '400', name: 'Room', joined_at: '2020-01-01T00:00:00Z', system_channel_id: '500' }
  expect(toEvents('GUILD_CREATE', guild, around)).toEqual({ kind: 'ignored', reason: 'known-guild' })
  expect(toEvents('GUILD_DELETE', { id: '400', unavailable: true }, around)).toMatchObject({ reason: 'guild-away' })
})

test('an administrator is known by an interaction, and only there', () => {
  const one = { id: '1', application_id: '42', type: 2, token: 'abc', channel_id: '500', guild_id: '400' }
  const given = (permissions: string) => ({ ...one, data: { name: 'stop' }, member: { user: ada, permissions } })
  expect(toCommandEvent(interaction.parse(given('8')))).toMatchObject({ senderIsAdmin: true, principal: 'discord:7' })
  expect(toCommandEvent(interaction.parse(given('2048')))).not.toHaveProperty('senderIsAdmin')
})

const names = [
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'MESSAGE_DELETE_BULK',
  'MESSAGE_REACTION_ADD',
  'MESSAGE_REACTION_REMOVE',
  'GUILD_CREATE',
  'GUILD_DELETE',
]

test('property: whatever comes in, nothing is thrown and every event fits the mailbox', () => {
  const fields = fc.record(
    Object.fromEntries(
      [...Object.keys(base), 'mentions', 'attachments', 'member', 'referenced_message', 'ids', 'joined_at'].map(
        (key) => [key, fc.oneof(fc.jsonValue(), fc.constant(Reflect.get(base, key)))],
      ),
    ),
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.oneof(fc.jsonValue(), fields), (name, data) => {
      const incoming = toEvents(name, data, around)
      if (incoming.kind === 'events')
        for (const event of incoming.events) expect(() => chatEvent.parse(event)).not.toThrow()
    }),
    runs(1000),
  )
})

test('a message tells what its channel is called, where that is known', () => {
  const named = toEvents('MESSAGE_CREATE', base, { ...around, info: { kind: 'guild', name: 'shop' } })
  expect(named).toMatchObject({ events: [{ kind: 'message', title: '#shop' }] })
  expect(only({})).not.toHaveProperty('title')
})
