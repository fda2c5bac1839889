// What is not a turn: courtesies, unknown commands, refusals, edits, deletions, joins and messages that are only read.
import { expect, test } from 'vitest'
import { unknownKind } from '#shared/chat/quotation.ts'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { Decision } from '#shared/chat/decision.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { builtIn, createStage, look, type Stage } from '#test/services/executor/stage.ts'
import { ann, base, conversation, deletion, edit, message, toAck, toApply, toCommand } from '#test/rig/events.ts'

const ack = toAck()
const inGroup = { group: true, principal: 'web:bob' } as const
const refusal = (reason: 'stranger' | 'chat-not-admitted'): Decision => ({
  v: 1,
  act: 'refuse',
  rule: 'access',
  reason,
})
let events = 0
const edited = (messageId: string, text: string, group = false): ChatEvent =>
  edit(text, { id: `edit${++events}`, messageId, group })
const gone = (messageId: string): ChatEvent => deletion(messageId, { id: `gone${++events}` })
const join = (more: Partial<ChatEvent> = {}): ChatEvent =>
  ({ ...base, id: `join${++events}`, kind: 'join', ...more }) as ChatEvent

const bodies = ({ steps }: Stage): readonly OutBody[] => steps.flatMap(({ rows = [] }) => rows.map(({ body }) => body))
async function applied(stage: Stage, event: ChatEvent, as: Decision = toApply()): Promise<readonly OutBody[]> {
  const before = bodies(stage).length
  await stage.put(event, as)
  await stage.work()
  return bodies(stage).slice(before)
}
const waiting = async ({ kernel }: Stage): Promise<number> => (await kernel.pending(conversation, 0)).events.length

test.each([
  ['thank you', 'You are welcome.'],
  ['谢谢', '不客气。'],
  ['good night', 'Goodbye!'],
  ['再见', '再见！'],
  ['Good morning', 'Hello! What can I do for you?'],
  ['hi', 'Hello! What can I do for you?'],
  ['你好', '你好！有什么可以帮你？'],
  ['this is fine', 'Got it.'],
  ['好的', '好的。'],
])('the courtesy %j is answered by %j, and no model is asked', async (text, answer) => {
  const stage = createStage()
  expect(await stage.ask(text, { as: ack })).toBe(answer)
  expect(stage.requests).toEqual([])
  expect((await stage.sent())[0]).toMatchObject({
    answers: ['m1'],
    language: /\p{Script=Han}/u.test(text) ? 'zh' : 'en',
  })
})

test('in a group a courtesy gets a thumb, by a row with a name of its own', async () => {
  const stage = createStage()
  expect(await stage.ask('thanks', { ...inGroup, as: ack })).toBe('')
  expect(bodies(stage)).toEqual([
    { v: 1, kind: 'react', messageId: 'm1', emoji: '👍', answers: ['m1'], language: 'en' },
  ])
  const [step] = stage.steps
  expect(step?.rows).toMatchObject([{ id: `${step?.key}-0`, expiresInMs: stage.deps.replyExpiresInMs }])
})

test.each([
  ['how are you?', 'I am well, thank you for asking! What can I do for you?'],
  ['在吗', '我在。有什么可以帮你？'],
])('in a group, too, %j gets words', async (text, answer) => {
  const stage = createStage()
  expect(await stage.ask(text, { ...inGroup, as: ack })).toBe(answer)
})

test('a courtesy of a group that no reaction can name is passed over', async () => {
  const stage = createStage()
  expect(await applied(stage, message({ text: 'thanks', group: true }), ack)).toEqual([])
  expect(await waiting(stage)).toBe(0)
})

test('a file without a word is told of, with a word it is a courtesy', async () => {
  const stage = createStage()
  const media = [{ kind: 'photo' }]
  expect(await stage.ask('', { media, as: ack })).toContain('I cannot open it yet')
  expect(await stage.ask('thanks', { media, as: ack })).toBe('You are welcome.')
  expect(await stage.ask('', { media: [], as: ack })).toBe('Got it.')
})

test.each([
  [[{ kind: 'sticker', name: '👋' }], 'I got your sticker, but I cannot read this yet.'],
  [[{ kind: 'location' }], 'I got the location, but I cannot read this yet.'],
  [[{ kind: unknownKind }], 'I cannot read this yet.'],
  [[{ kind: 'sticker' }, { kind: 'photo' }], 'I got the attachment, but I cannot open it yet.'],
  [[{ kind: 'sticker' }, { kind: 'hologram' }], 'I cannot read this yet.'],
])('what cannot be read is told as what it is: %j', async (media, notice) => {
  const words = `${notice} Please tell me in words what you need.`
  expect(await createStage().ask('', { media, as: ack })).toBe(words)
})

test('an unknown command is told of, in a group only when the bot was addressed', async () => {
  const stage = createStage()
  const as = toCommand('dance')
  expect(await stage.ask('/dance', { as })).toMatch(/^There is no such command\. \/help/)
  const typed = (name: string) => ({ as: toCommand(name), command: { name, args: '' } })
  expect(await stage.ask('/hlep', typed('hlep'))).toContain('Did you mean `/help`?')
  expect(await stage.ask('/statsu', typed('statsu'))).toContain('Did you mean `/status`?')
  for (const far of ['xy', 'banana']) expect(await stage.ask(`/${far}`, typed(far))).not.toContain('Did you mean')
  expect(await stage.ask('/dance', { ...inGroup, addressed: false, as })).toBe('')
  expect(await stage.ask('/dance@bot', { ...inGroup, as })).toMatch(/^There is no such command/)
  expect(await stage.ask('/dance 跳舞', { as: toCommand('dance', '跳舞') })).toMatch(/^没有这个命令/)
})

test('a command speaks the language of its sender’s program, until they write in another', async () => {
  const stage = createStage()
  expect(await stage.ask('/new', { as: toCommand('new'), language: 'zh' })).toMatch(/^新会话/)
  expect(await stage.ask('/new', { as: toCommand('new', 'please'), language: 'zh' })).toMatch(/^新会话/)
  expect(await stage.ask('/new', { as: toCommand('new') })).toMatch(/^新会话/)
  await stage.ask('Tell me')
  expect(await stage.ask('/new', { as: toCommand('new') })).toMatch(/^A new session/)
})

test('an order in plain words is answered in its own language', async () => {
  const stage = createStage()
  const memory = { name: 'memory', args: 'all' }
  expect(await stage.ask('你记得我什么？', { as: toCommand(memory.name, memory.args) })).toMatch(/\p{Script=Han}/u)
  expect(await stage.ask('what do you know about me?', { as: toCommand(memory.name, memory.args) })).toMatch(
    /^I keep nothing/,
  )
})

test('a reply in a group names the message that it answers, elsewhere none', async () => {
  const stage = createStage()
  await stage.ask('/help', { ...inGroup, as: toCommand('help') })
  await stage.ask('/dance', { ...inGroup, as: toCommand('dance') })
  await stage.ask('/help', { as: toCommand('help') })
  expect((await stage.sent()).map(({ replyTo }) => replyTo)).toEqual(['m1', 'm2', undefined])
})

test('a command that is no message changes nothing', async () => {
  const stage = createStage()
  await stage.ask('Tell me')
  expect(await applied(stage, edited('m1', '/new'), toCommand('new'))).toEqual([])
  expect((await stage.state()).history).toHaveLength(2)
})

test('a chat that nobody let in is told so once, whoever asks', async () => {
  const stage = createStage()
  const as = refusal('chat-not-admitted')
  expect(await stage.ask('hello', { ...inGroup, as })).toMatch(/^I am not let in here yet/)
  expect(await stage.ask('你好', { group: true, as })).toBe('')
})

test('a chat that nobody let in is told so again when the bot is added anew', async () => {
  const stage = createStage()
  const as = refusal('chat-not-admitted')
  await stage.ask('hello', { ...inGroup, as })
  expect(await applied(stage, join(), as)).toMatchObject([{ text: expect.stringMatching(/^I am not let in/) }])
})

test('a stranger hears the same again after an hour, another stranger at once', async () => {
  let nowMs = Date.UTC(2026, 0, 1)
  const stage = createStage({ now: () => nowMs, greet: async (who, language) => `${who} ${language}` })
  const as = refusal('stranger')
  expect(await stage.ask('hello', { as })).toBe('web:ann en')
  expect(await stage.ask('你好', { as, principal: 'web:bob' })).toBe('web:bob zh')
  nowMs += 3_599_999
  expect(await stage.ask('hello', { as })).toBe('')
  nowMs += 1
  expect(await stage.ask('hello', { as })).toBe('web:ann en')
})

test('a deleted message is blanked with what was answered to it, and with the words of its calls', async () => {
  const stage = createStage({ features: [...builtIn, { name: 'tools', tools: [look] }] })
  stage.answers({ text: 'Looking.', toolCalls: [{ id: 'a', name: 'look', arguments: '{"for":"secret"}' }] }, 'Found.')
  await stage.ask('My secret')
  await stage.ask('Something else')
  expect(await applied(stage, gone('m1'))).toEqual([])
  const { history, lastText } = await stage.state()
  expect(history.map(({ text }) => text)).toEqual([...Array(4).fill('[deleted]'), 'Something else', 'ok'])
  expect(JSON.stringify(history)).not.toContain('secret')
  expect(lastText).toBeUndefined()
  expect(await waiting(stage)).toBe(0)
})

test('a message that was answered and is edited may be answered anew', async () => {
  const stage = createStage()
  await stage.ask('Find the date')
  const [asked] = await applied(stage, edited('m1', '查一下时间'))
  expect(asked).toMatchObject({ text: '你修改了一条我已经回答过的消息。', language: 'zh' })
  expect(await stage.press('重新回答')).toBe('ok')
  expect(stage.requests.at(-1)?.messages.at(-2)?.content).toBe('查一下时间')
})

test('an edit of what was not answered changes nothing', async () => {
  const stage = createStage()
  await stage.ask('Find the date')
  expect(await applied(stage, edited('m9', 'Find the time', true))).toEqual([])
  expect(await applied(stage, edited('m9', 'Find the time'))).toEqual([])
  expect(await waiting(stage)).toBe(0)
})

test('an edit about which no feature has anything to say changes nothing', async () => {
  const stage = createStage({ features: [{ name: 'silent', edited: () => [] }] })
  await stage.ask('Find the date')
  expect(await applied(stage, edited('m1', 'Find the time'))).toEqual([])
  expect(await waiting(stage)).toBe(0)
})

test('the first feature that has something to say of an edit says it', async () => {
  const saying = (name: string, text: string) => ({ name, edited: () => [{ kind: 'send', text }] as const })
  const stage = createStage({
    features: [{ name: 'silent', edited: () => [] }, saying('a', 'first'), saying('b', 'second')],
  })
  await stage.ask('Find the date')
  expect(await applied(stage, edited('m1', 'Find the time'))).toMatchObject([{ text: 'first' }])
})

test('an owner who adds the bot lets the chat in, or the whole server; anybody else does not', async () => {
  const admitted: string[] = []
  const admitChat = async (chat: string, by: string): Promise<void> => void admitted.push(`${chat} by ${by}`)
  const stage = createStage({ admitChat })
  expect(await applied(stage, join())).toMatchObject([{ text: expect.stringMatching(/^Hello everyone/) }])
  await applied(stage, join({ server: 'web:server' }))
  expect(admitted).toEqual([`${conversation} by ${ann}`, `web:server by ${ann}`])
  const other = createStage({ admitChat, isOwner: async () => false })
  expect(await applied(other, join({ title: '读书会' }))).toMatchObject([{ text: expect.stringMatching(/^大家好/) }])
  expect(admitted).toHaveLength(2)
})

test('a message that is only read is remembered with its sender’s name, and is not asked again', async () => {
  const stage = createStage()
  await stage.ask('Find the date')
  const heard: Partial<MessageEvent> = { group: true, principal: 'web:bob', name: 'Bob' }
  expect(await stage.ask('Lunch at noon', { ...heard, as: toApply('group.observed') })).toBe('')
  const { history, lastText, turns, people, answered } = await stage.state()
  expect(history.at(-1)).toEqual({
    role: 'user',
    by: 'web:bob',
    text: 'Lunch at noon',
    source: 'person',
    name: 'Bob',
    messageId: 'm2',
  })
  expect({ lastText, turns, people }).toEqual({ lastText: 'Find the date', turns: 1, people: { 'web:bob': 'Bob' } })
  expect(answered).toEqual(['m1'])
  expect(stage.requests).toHaveLength(1)
})

test('what is only told of, such as a departure, is done with', async () => {
  const stage = createStage()
  const reaction: ChatEvent = { ...base, id: 'r', kind: 'reaction', messageId: 'm1', emoji: ['👍'] }
  expect(await applied(stage, reaction)).toEqual([])
  expect(await applied(stage, { ...base, id: 'l', kind: 'leave' })).toEqual([])
  expect(await waiting(stage)).toBe(0)
})

test('who is too fast is told so once; their commands and courtesies are done with, and stored as such', async () => {
  const paces = ['answer', 'tell', 'silent', 'silent'] as const
  let asked = 0
  const stage = createStage({ pace: async () => paces[asked++] ?? 'answer' })
  expect(await stage.ask('/help', { as: toCommand('help') })).toContain('/new')
  expect(await stage.ask('/new', { as: toCommand('new') })).toMatch(/^That was a lot in a short time/)
  expect(await stage.ask('/help', { as: toCommand('help') })).toBe('')
  expect(await stage.ask('thanks', { as: ack })).toBe('')
  expect(await stage.ask('thanks', { as: ack })).toBe('You are welcome.')
  expect(await waiting(stage)).toBe(0)
})

test('who has no budget left is told so, until they were told too often; what they ask is done with all the same', async () => {
  let pace: 'answer' | 'silent' = 'answer'
  const stage = createStage({ pace: async () => pace, reserve: async () => 'LIMIT', isOwner: async () => false })
  expect(await stage.ask('Find the date')).toMatch(/^Today’s budget is used up/)
  pace = 'silent'
  expect(await stage.ask('Find the date')).toBe('')
  expect(await waiting(stage)).toBe(0)
})

test('who was told too often is told all the same what was done before the budget was used up', async () => {
  let asked = 0
  const stage = createStage({
    features: [...builtIn, { name: 'tools', tools: [look] }],
    pace: async () => 'silent',
    reserve: async () => (asked++ === 0 ? undefined : 'LIMIT'),
    isOwner: async () => false,
  })
  const usage = { promptTokens: 0, completionTokens: 0 }
  stage.answers({ text: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }], usage })
  expect(await stage.ask('Find the date')).toMatch(/^Today’s budget is used up/)
})

test('the first courtesy in a group tells what is spoken there, a later one changes nothing', async () => {
  const stage = createStage()
  await stage.ask('谢谢', { ...inGroup, as: ack })
  expect((await stage.state()).heard).toBe('zh')
  await stage.ask('thanks', { ...inGroup, as: ack })
  expect((await stage.state()).heard).toBe('zh')
})
