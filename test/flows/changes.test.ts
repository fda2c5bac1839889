// Edits and deletions: of a message not yet read, of one in the running turn, of an answered one.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChatEvent } from '#shared/chat/event.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { deletion, edit, wonPress } from '#test/rig/events.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
})
beforeEach(() => {
  fleet.model.clearScript()
  fleet.model.ledger.clear()
})

const owner = { principal: 'web:owner', at: Date.now() }
const edited = (conversation: string, messageId: string, text: string): ChatEvent =>
  edit(text, { ...owner, id: `edit-${messageId}-${text}`, conversation, messageId })
const lastPrompt = (): string => JSON.stringify(fleet.model.ledger.entries.at(-1)?.messages)

test('an unread message is read as edited', async () => {
  const conversation = 'web:edit1'
  fleet.model.script({ when: { text: 'busy now' }, gate: { name: 'edit1' } })
  const first = await fleet.tell('busy now', { conversation })
  await until(() => fleet.model.ledger.counters.open === 1)
  const second = await fleet.tell('what is the old thing?', { conversation, messageId: '2' })
  await fleet.send(edited(conversation, '2', 'what is the new thing?'))
  await until(async () => (await fleet.runtime.kernel.pending(conversation, 0)).events.length === 3)
  fleet.model.open('edit1')
  await fleet.replyTo(first, conversation)
  await fleet.replyTo(second, conversation)
  expect(lastPrompt()).toContain('what is the new thing?')
  expect(lastPrompt()).not.toContain('what is the old thing?')
})

test('an unread message that was deleted is not read', async () => {
  const conversation = 'web:delete1'
  fleet.model.script({ when: { text: 'busy now' }, gate: { name: 'delete1' } })
  const first = await fleet.tell('busy now', { conversation })
  await until(() => fleet.model.ledger.counters.open === 1)
  await fleet.tell('what is my secret?', { conversation, messageId: '2' })
  await fleet.send(deletion('2', { ...owner, id: 'del-2', conversation }))
  await until(async () => (await fleet.runtime.kernel.pending(conversation, 0)).events.length === 3)
  fleet.model.open('delete1')
  await fleet.replyTo(first, conversation)
  await fleet.ask('and what is next?', { conversation })
  expect(lastPrompt()).not.toContain('secret')
})

test('an edit of the message being worked on joins as a correction', async () => {
  const conversation = 'web:edit2'
  fleet.model.script({
    when: { text: 'run the slow job' },
    times: 1,
    answer: { kind: 'tools', calls: [{ name: 'demo_wait', arguments: '{"seconds":1}' }] },
  })
  const id = await fleet.tell('run the slow job', { conversation, messageId: '1' })
  await until(() => fleet.model.ledger.entries.length === 1)
  await fleet.send(edited(conversation, '1', 'run the fast job'))
  const reply = await fleet.replyTo(id, conversation)
  expect(reply.answers).toContain('edit-1-run the fast job')
  expect(lastPrompt()).toContain('"[correction of the earlier message] run the fast job"')
})

test.each([
  ['English', 'run the slow job', 'make it fast', '[added]'],
  ['Chinese', '做一个慢的任务', '快一点', '[补充]'],
])('what joins a turn in %s is marked in that language, also in what is remembered', async (name, work, more, mark) => {
  const conversation = `web:joins-${name}`
  const calls = [{ name: 'demo_wait', arguments: '{"seconds":1}' }]
  fleet.model.script({ when: { text: work }, times: 1, answer: { kind: 'tools', calls } })
  const id = await fleet.tell(work, { conversation })
  await until(() => fleet.model.ledger.entries.length === 1)
  const joined = await fleet.tell(more, { conversation })
  expect((await fleet.replyTo(id, conversation)).answers).toContain(joined)
  expect(lastPrompt()).toContain(`"${mark} ${more}"`)
  await fleet.ask('What is 1 + 1?', { conversation })
  expect(lastPrompt()).toContain(`"${mark} ${more}"`)
})

test('an edit of an answered message offers [Redo], and the press answers anew', async () => {
  const conversation = 'web:edit3'
  await fleet.ask('what is two plus two?', { conversation, messageId: '1' })
  await fleet.send(edited(conversation, '1', 'what is two plus three?'))
  const offer = await fleet.replyTo('edit-1-what is two plus three?', conversation)
  const button = offer.buttons?.[0]?.[0]
  expect(button?.label).toBe('Redo')
  const [question = '', choice = ''] = (button?.id ?? '').split('.')
  const event = wonPress({ ...owner, id: 'press-1', conversation, question, choice })
  const press = { question, actor: owner.principal, chat: conversation, choice, event }
  const outcome = await fleet.runtime.kernel.resolve(press)
  expect(outcome.kind).toBe('WON')
  await fleet.runtime.hints.inbound(conversation)
  expect((await fleet.replyTo('press-1', conversation)).text).toContain('two plus three')
})

test('/forget as a reply blanks the message wherever it is kept', async () => {
  const conversation = 'web:forget'
  await fleet.ask('my number is 12345, ok?', { conversation, messageId: '9' })
  const reply = await fleet.ask('/forget', {
    conversation,
    slash: 'forget',
    replyTo: { messageId: '9', fromBot: false },
  })
  expect(reply.text).toBe('Forgotten.')
  await fleet.ask('what do you know?', { conversation })
  expect(lastPrompt()).not.toContain('12345')
})
