// Facts about groups in the router's decision: when it concerns the bot, by the chat's mode, and who may say what.
import { expect, test } from 'vitest'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { ReplyMode } from '#shared/chat/conversation.ts'
import { decide, type Rights } from '#services/router/decide.ts'

const deps = {
  classify: () => ({ type: 'task', depth: 'standard', complex: false, rule: 'task', confidence: 'high' }) as const,
  openCommands: ['start', 'help'],
}
const message = (more: Partial<MessageEvent> = {}): MessageEvent => ({
  v: 1,
  kind: 'message',
  id: 'm',
  conversation: 'telegram:-1',
  principal: 'telegram:7',
  at: 0,
  text: 'what is new?',
  addressed: false,
  group: true,
  ...more,
})
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

test('a reaction is counted by its rule and nothing else', () => {
  const base = { v: 1, id: 'm', conversation: 'telegram:-1', principal: 'telegram:7', at: 0 } as const
  const event: ChatEvent = { ...base, kind: 'reaction', messageId: '3', emoji: ['👍'] }
  expect(decide(deps, { event, access: member })).toEqual({ v: 1, act: 'ignore', rule: 'reaction' })
})

test('a deletion in a server that nobody admitted concerns nobody, elsewhere it does', () => {
  const base = { v: 1, id: 'd', principal: 'discord:0', at: 0, kind: 'delete', messageId: '3' } as const
  const inServer: ChatEvent = { ...base, conversation: 'discord:5', server: 'discord:9' }
  const rule = (event: ChatEvent, access: Rights): string => decide(deps, { event, access }).rule
  expect(rule(inServer, outsider)).toBe('delete.no-access')
  expect(rule(inServer, member)).toBe('delete')
  expect(rule({ ...base, conversation: 'discord:5' }, outsider)).toBe('delete')
})
