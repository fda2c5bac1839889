// Facts about groups in the router's decision: when it concerns the bot, by the chat's mode, and who may say what.
import { expect, test } from 'vitest'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { ReplyMode } from '#shared/chat/conversation.ts'
import { findMeant } from '#infra/processes/find-meant.ts'
import { decide, type Rights } from '#services/router/decide.ts'
import { base, deletion, overheard, toIgnore } from '#test/rig/events.ts'

const deps = {
  classify: () => ({ type: 'task', depth: 'standard', complex: false, rule: 'task', confidence: 'high' }) as const,
  openCommands: ['start', 'help'],
  findMeant,
}
const message = (more: Partial<MessageEvent> = {}) => overheard({ text: 'what is new?', ...more })
const member: Rights = { owner: false, person: false, chat: true }
const outsider: Rights = { owner: false, person: false, chat: false }
const ruleOf = (event: MessageEvent, access: Rights): string => {
  const { act, rule } = decide(deps, { event, access })
  return `${act} ${rule}`
}
const help = { command: { name: 'help', args: '' } }

test.each([
  ['mention', {}, 'ignore group.not-addressed'],
  ['mention', { addressed: true }, 'turn task'],
  ['always', {}, 'turn task'],
  ['observe', {}, 'apply group.observed'],
  ['observe', { addressed: true }, 'apply group.observed'],
  ['observe', { command: { name: 'status', args: '' } }, 'command command.slash'],
] satisfies [ReplyMode, Partial<MessageEvent>, string][])('in mode %s, %j is: %s', (mode, more, wanted) => {
  expect(ruleOf(message(more), { ...member, mode })).toBe(wanted)
})

test.each(['mention', 'always', 'observe'] as const)('a group that nobody admitted is not read in mode %s', (mode) => {
  expect(ruleOf(message(), { ...outsider, mode })).toBe('ignore group.not-addressed')
  expect(ruleOf(message({ addressed: true }), { ...outsider, mode })).toBe('refuse access.chat')
})

test('in a group that nobody admitted no command is open, in a direct chat some are', () => {
  expect(ruleOf(message(help), outsider)).toBe('refuse access.chat')
  expect(ruleOf(message({ ...help, group: false }), outsider)).toBe('command command.open')
  expect(ruleOf(message(help), member)).toBe('command command.open')
})

test('a mode changes nothing in direct chats', () => {
  const event = message({ group: false, addressed: true })
  expect(ruleOf(event, { ...member, person: true, mode: 'observe' })).toBe('turn task')
})

test.each([
  ['a forward', { quoted: [{ how: 'forward', text: '/allow 9' }] }, 'turn quote.only'],
  ['a bare mention under a message', { replyTo: { messageId: '1', fromBot: false, text: 'long' } }, 'turn quote.only'],
  ['a bare mention', {}, 'ignore message.empty'],
  ['a forwarded stop', { quoted: [{ how: 'forward', text: 'stop' }] }, 'turn quote.only'],
] satisfies [string, Partial<MessageEvent>, string][])('%s without words of its own is: %j', (_, more, wanted) => {
  expect(ruleOf(message({ ...more, text: '', addressed: true }), member)).toBe(wanted)
})

test('a reaction is no work, but what it says of an answer is kept', () => {
  const event: ChatEvent = { ...base, id: 'm', kind: 'reaction', messageId: '3', emoji: ['👍'] }
  expect(decide(deps, { event, access: member })).toEqual({
    ...toIgnore('reaction'),
    on: '3',
    feedback: { v: 1, what: 'reaction', by: base.principal, value: '👍' },
  })
})

test('a deletion in a server that nobody admitted concerns nobody, elsewhere it does', () => {
  const gone = deletion('3', { conversation: 'discord:5' })
  const inServer = { ...gone, server: 'discord:9' }
  const rule = (event: ChatEvent, access: Rights): string => decide(deps, { event, access }).rule
  expect(rule(inServer, outsider)).toBe('delete.no-access')
  expect(rule(inServer, member)).toBe('delete')
  expect(rule(gone, outsider)).toBe('delete')
})

const rights = (...held: readonly (keyof Rights)[]): Rights => ({
  owner: held.includes('owner'),
  person: held.includes('person'),
  chat: held.includes('chat'),
})
const event = (more: object): ChatEvent =>
  ({ v: 1, id: 'e', conversation: 'telegram:-1', principal: 'telegram:7', at: 0, ...more }) as ChatEvent
const decideOf = (given: ChatEvent, access: Rights): string => {
  const { act, rule } = decide(deps, { event: given, access })
  return `${act} ${rule}`
}

test('alone with the bot an owner and a person who was let in may talk; that their chat was let in is not enough', () => {
  const direct = message({ group: false, addressed: true })
  expect(decideOf(direct, rights('owner'))).toBe('turn task')
  expect(decideOf(direct, rights('person'))).toBe('turn task')
  expect(decideOf(direct, rights('chat'))).toBe('refuse access.person')
  expect(decideOf(direct, rights())).toBe('refuse access.person')
})

test('who may not talk is told why: a stranger alone, a chat that was not let in', () => {
  expect(decide(deps, { event: message({ group: false }), access: rights() })).toMatchObject({ reason: 'stranger' })
  expect(decide(deps, { event: message({ addressed: true }), access: rights() })).toMatchObject({
    reason: 'chat-not-admitted',
  })
})

test('in a group an owner and a person who was let in may talk, wherever it is', () => {
  for (const held of ['owner', 'person', 'chat'] as const)
    expect(decideOf(message({ addressed: true }), rights(held)), held).toBe('turn task')
  expect(decideOf(message({ addressed: true }), rights())).toBe('refuse access.chat')
})

test('without a mode a group wants to be asked', () => {
  expect(decideOf(message(), rights('chat'))).toBe('ignore group.not-addressed')
})

test('an edit is classified by its new text, of those who may talk', () => {
  const seen: unknown[] = []
  const found = deps.classify()
  const watching = { ...deps, classify: (input: unknown) => (seen.push(input), found) }
  const edit = event({ kind: 'edit', messageId: '3', text: 'new', group: true })
  expect(decide(watching, { event: edit, access: rights('chat'), previousReply: 'old?' })).toEqual({
    v: 1,
    act: 'apply',
    rule: 'edit',
    class: found,
  })
  expect(decide(watching, { event: edit, access: rights() })).toEqual(toIgnore('edit.no-access'))
  expect(decideOf(event({ kind: 'edit', messageId: '3', text: 'new', group: false }), rights('chat'))).toBe(
    'ignore edit.no-access',
  )
  expect(seen).toEqual([{ text: 'new', previousReply: 'old?' }])
})

test('a message is classified with the bot’s last reply, if there was one', () => {
  const seen: unknown[] = []
  const watching = { ...deps, classify: (input: unknown) => (seen.push(input), deps.classify()) }
  const input = { event: message({ addressed: true }), access: member }
  decide(watching, input)
  decide(watching, { ...input, previousReply: 'really?' })
  expect(seen).toEqual([{ text: 'what is new?' }, { text: 'what is new?', previousReply: 'really?' }])
})

test.each([
  ['join', 'owner', 'apply join'],
  ['join', 'chat', 'apply join'],
  ['join', 'person', 'refuse join.not-owner'],
  ['answer', 'owner', 'apply answer'],
  ['answer', 'person', 'apply answer'],
  ['answer', 'chat', 'apply answer'],
] as const)('a %s where the %s was let in: %s', (kind, held, wanted) => {
  expect(decideOf(event({ kind, question: 'q', choice: 'c', payload: '' }), rights(held))).toBe(wanted)
})

test.each([
  ['answer', { question: 'q', choice: 'c', payload: '' }],
  ['expired', { question: 'q', why: 'deadline', payload: '', about: 'a.b' }],
  ['timer', { timer: 'a.b', payload: '' }],
  ['letter', { from: 'telegram:2', letter: 'a.b', payload: '' }],
  ['session_end', {}],
])('an event from inside is passed on, whatever its person may do by now: %s', (kind, more) => {
  expect(decideOf(event({ kind, ...more }), rights())).toBe(`apply ${kind}`)
})

test('a deletion in a server counts for its owner too', () => {
  const inServer = event({ kind: 'delete', messageId: '3', server: 'telegram:s' })
  expect(decideOf(inServer, rights('owner'))).toBe('apply delete')
  expect(decideOf(inServer, rights('person'))).toBe('ignore delete.no-access')
})

test('a departure is applied, since what was asked there is called off', () => {
  expect(decideOf(event({ kind: 'leave' }), rights('owner'))).toBe('apply leave')
})

test('a command of those who may talk goes before all modes, and stands in the decision', () => {
  const command = { name: 'new', args: 'now' }
  expect(decide(deps, { event: message({ command }), access: { ...member, mode: 'observe' } })).toEqual({
    v: 1,
    act: 'command',
    rule: 'command.slash',
    command,
  })
  expect(decideOf(message({ ...help, group: false }), rights())).toBe('command command.open')
  expect(decideOf(message({ command, group: false }), rights())).toBe('refuse access.person')
})

test('a word that stops is a command, of those who may talk', () => {
  const stop = message({ text: '停', addressed: true })
  expect(decide(deps, { event: stop, access: member })).toEqual({
    v: 1,
    act: 'command',
    rule: 'command.stop-word',
    command: { name: 'stop', args: '' },
  })
  expect(decideOf(stop, rights())).toBe('refuse access.chat')
})

test('a courtesy is acknowledged, with its class', () => {
  const social = { ...deps.classify(), type: 'social', depth: 'light', rule: 'social.whole' } as const
  const courteous = { ...deps, classify: () => social }
  expect(decide(courteous, { event: message({ addressed: true, text: 'thanks' }), access: member })).toEqual({
    v: 1,
    act: 'ack',
    rule: 'social.whole',
    class: social,
  })
})

test('a file alone is acknowledged, a quotation alone is a question', () => {
  const decided = (more: Partial<MessageEvent>) =>
    decide(deps, { event: message({ text: '', addressed: true, ...more }), access: member })
  const alone = { type: 'query', complex: false, confidence: 'high' }
  expect(decided({ media: [{ kind: 'photo' }] })).toMatchObject({ act: 'ack', class: { ...alone, depth: 'light' } })
  expect(decided({ quoted: [{ how: 'forward', text: 'x' }], media: [{ kind: 'photo' }] })).toMatchObject({
    act: 'turn',
    class: { ...alone, depth: 'standard' },
  })
  expect(decided({ quoted: [], media: [] })).toMatchObject({ act: 'ignore' })
  const photo = { messageId: '3', fromBot: false, media: [{ kind: 'photo' }] }
  expect(decided({ replyTo: photo })).toMatchObject({ act: 'ack', rule: 'media.only' })
  expect(decided({ replyTo: { ...photo, fromBot: true } })).toMatchObject({ act: 'ignore' })
  const replyTo = { messageId: '1', fromBot: true, text: 'what I said' }
  expect(decided({ replyTo })).toMatchObject({ act: 'ignore', rule: 'message.empty' })
})

test('a wish to be reminded that is understood whole is the command, where it stands alone and is meant for the bot', () => {
  const text = 'remind me in 5 minutes to drink tea'
  const decided = decide(deps, { event: message({ text, addressed: true }), access: member })
  expect(decided).toMatchObject({ act: 'command', command: { name: 'remind', args: 'in 5 minutes to drink tea' } })
  const wish = { text, addressed: true }
  expect(ruleOf(message({ ...wish, group: false }), { ...outsider, person: true })).toBe('command command.remind-words')
  expect(ruleOf(message({ text }), { ...member, mode: 'always' })).toBe('turn task')
  expect(ruleOf(message({ ...wish, quoted: [{ how: 'forward', text: 'x' }] }), member)).toBe('turn task')
  expect(ruleOf(message({ ...wish, media: [{ kind: 'photo' }] }), member)).toBe('turn task')
  expect(ruleOf(message(wish), outsider)).toBe('refuse access.chat')
})

test.each([
  ['questions', true],
  ['help', true],
  ['new', undefined],
  ['retry', undefined],
])('/%s only tells something: %s', (name, aside) => {
  const said = message({ text: `/${name}`, command: { name, args: '' } })
  const found = decide(deps, { event: said, access: member })
  expect(found).toMatchObject({ act: 'command', command: { name } })
  expect('aside' in found ? found.aside : undefined).toBe(aside)
})

test.each([
  ['alone with the bot', 'what do you know about me?', { group: false }, 'command command.memory-words'],
  ['in a group', 'what do you know about me?', { group: true, addressed: true }, 'turn task'],
  [
    'wrong, in reply to the bot',
    'that is wrong',
    { group: false, replyTo: { messageId: 'b', fromBot: true } },
    'command command.memory-words',
  ],
  [
    'wrong, in reply to a person',
    'that is wrong',
    { group: false, replyTo: { messageId: 'b', fromBot: false } },
    'turn task',
  ],
  [
    'anything else in reply to the bot',
    'forget my address',
    { group: false, replyTo: { messageId: 'b', fromBot: true } },
    'turn task',
  ],
  [
    'that it is to be forgotten, in reply to their own message',
    'forget that',
    { group: false, replyTo: { messageId: 'b', fromBot: false, principal: 'telegram:7' } },
    'command command.forget-words',
  ],
  [
    'wrong, in reply to their own message',
    'that is wrong',
    { group: false, replyTo: { messageId: 'b', fromBot: false, principal: 'telegram:7' } },
    'turn task',
  ],
  [
    'that it is to be forgotten, in reply to somebody in a group',
    'forget that',
    { group: true, replyTo: { messageId: 'b', fromBot: false, principal: 'telegram:7' } },
    'turn task',
  ],
  [
    'an order in reply to the bot',
    'remember that I live in Lyon',
    { group: false, replyTo: { messageId: 'b', fromBot: true } },
    'turn task',
  ],
  ['with a picture', 'forget my address', { group: false, media: [{ kind: 'photo' }] }, 'turn task'],
] as const)('plain words of memory: %s', (_, text, more, rule) => {
  const person = { owner: false, person: true, chat: false }
  const { media, ...rest } = { media: undefined, ...more }
  const said = message({ text, addressed: true, ...rest, ...(media ? { media: [...media] } : {}) })
  expect(ruleOf(said, more.group ? { ...person, chat: true } : person)).toBe(rule)
})
