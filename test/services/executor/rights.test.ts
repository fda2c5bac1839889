// Who may do what in a group, who is told what about money, and how often strangers are answered.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import { toCommand } from '#test/rig/events.ts'
import { createStage } from './stage.ts'

const nobody = { isOwner: async () => false }
const inGroup: Partial<MessageEvent> = { group: true, principal: 'web:bob' }
const admin = { ...inGroup, senderIsAdmin: true }

test.each([
  ['new', 'A new session begins'],
  ['export', 'user: '],
])('in a group /%s is for owners and administrators', async (name, done) => {
  const stage = createStage(nobody)
  await stage.ask('Remember this', { group: true })
  expect(await stage.ask(`/${name}`, { ...inGroup, as: toCommand(name) })).toMatch(/^Only an owner/)
  expect((await stage.state()).history).not.toEqual([])
  expect(await stage.ask(`/${name}`, { ...admin, as: toCommand(name) })).toContain(done)
  const owned = createStage()
  await owned.ask('Remember this', { group: true })
  expect(await owned.ask(`/${name}`, { ...inGroup, as: toCommand(name) })).toContain(done)
})

test('everybody may have their own message forgotten, only owners and administrators those of others', async () => {
  const stage = createStage(nobody)
  const said = await stage.say('My secret', { group: true })
  await stage.work()
  const replyTo = { messageId: said, principal: 'web:ann', fromBot: false }
  const as = toCommand('forget')
  expect(await stage.ask('/forget', { ...inGroup, replyTo, as })).toContain('Those of others')
  expect((await stage.state()).history[0]?.text).toContain('My secret')
  expect(await stage.ask('/forget', { ...inGroup, principal: 'web:ann', replyTo, as })).toBe('Forgotten.')
  expect((await stage.state()).history[0]?.text).toBe('[deleted]')
})

test('in a direct chat nothing of this is asked', async () => {
  const stage = createStage(nobody)
  await stage.ask('Remember this')
  expect(await stage.ask('/export', { as: toCommand('export') })).toContain('user: Remember this')
  expect(await stage.ask('/new', { as: toCommand('new') })).toContain('A new session')
})

test('a used-up budget tells an owner how to raise it, and sends others to the owner', async () => {
  const reserve = async (): Promise<string> => '/budget chat 1000000'
  expect(await createStage({ reserve }).ask('Tell me')).toContain('`/budget chat 1000000`')
  const told = await createStage({ reserve, ...nobody }).ask('Tell me')
  expect(told).toContain('ask the owner')
  expect(told).not.toContain('/budget')
})

test('a stranger is told once an hour whom to ask, and nothing when many were told', async () => {
  let nowMs = Date.UTC(2026, 0, 1)
  let greetings = 2
  const stage = createStage({ now: () => nowMs, greet: async () => (greetings-- > 0 ? 'Ask my owner.' : undefined) })
  const as = { v: 1, act: 'refuse', rule: 'access.person', reason: 'stranger' } as const
  expect(await stage.ask('hello', { as })).toBe('Ask my owner.')
  expect(await stage.ask('hello?', { as })).toBe('')
  nowMs += 3_600_001
  expect(await stage.ask('still here', { as })).toBe('Ask my owner.')
  nowMs += 3_600_001
  expect(await stage.ask('and again', { as })).toBe('')
})

test('an export is a file with all that is kept, and a text that fits a chat, which nothing said in it ends', async () => {
  const stage = createStage({ historyTokens: 60_000 })
  for (let n = 0; n < 20; n++) await stage.ask(`${n} ~~~~~~ ${'word '.repeat(500)}`)
  const text = await stage.ask('/export', { as: toCommand('export') })
  expect(text.split('\n').at(-1)).toBe('~~~~~~~')
  expect(text.length).toBeLessThan(31_000)
  expect(text).not.toContain('user: 0 ~')
  expect(text).toContain('user: 19 ~')
  const file = (await stage.sent()).at(-1)?.file
  expect(file).toMatchObject({ name: 'conversation.txt', caption: 'What I keep of this session: 40 messages.' })
  for (let n = 0; n < 20; n++) expect(file?.text).toContain(`user: ${n} ~`)
})

test('an export holds what was said even where a text was cut within a character', async () => {
  const stage = createStage()
  await stage.ask('before \ud83d after')
  await stage.ask('/export', { as: toCommand('export') })
  const [file] = (await stage.sent()).flatMap((body) => body.file ?? [])
  expect(file?.text).toContain('before \ufffd after')
})
