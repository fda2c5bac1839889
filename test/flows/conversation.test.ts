// One message's way through router and executor, on a real Redis and a simulated model.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'

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

const room = (name: string): { conversation: string } => ({ conversation: `web:${name}` })
const wait = (seconds: number): Parameters<Fleet['model']['script']>[0]['answer'] => ({
  kind: 'tools',
  calls: [{ name: 'demo_wait', arguments: JSON.stringify({ seconds }) }],
})

test('answers a question and names the event it answers', async () => {
  const id = await fleet.tell('what is the capital of France?', room('a'))
  const reply = await fleet.replyTo(id, 'web:a')
  expect(reply.text).toContain('echo: what is the capital of France?')
  expect(reply.answers).toEqual([id])
})

test('acknowledges a courtesy without a model call', async () => {
  const reply = await fleet.ask('谢谢！', room('b'))
  expect(reply.text).toBe('不客气。')
  expect(fleet.model.ledger.entries).toHaveLength(0)
})

test('takes "好的" after an offer for work', async () => {
  fleet.model.script({ when: { text: 'hi, which plan?' }, answer: { kind: 'text', text: '要我继续写完方案吗？' } })
  await fleet.ask('hi, which plan?', room('c'))
  const reply = await fleet.ask('好的', room('c'))
  expect(reply.text).toContain('echo: 好的')
})

test('remembers the conversation in the prompt, oldest first, with the changing lines last', async () => {
  await fleet.ask('first question?', room('d'))
  await fleet.ask('second question?', room('d'))
  const [one, two] = fleet.model.ledger.entries
  const prefix = one?.messages.slice(0, -1)
  expect(two?.messages.slice(0, prefix?.length)).toEqual(prefix)
  expect(two?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user', 'system'])
})

test('takes what waited together into one turn', async () => {
  const gate = { name: 'together' }
  fleet.model.script({ when: { text: 'begin' }, gate })
  const first = await fleet.tell('begin', room('e'))
  await until(() => fleet.model.ledger.counters.open === 1)
  const waiting = [
    await fleet.tell('one?', room('e')),
    await fleet.tell('two?', room('e')),
    await fleet.tell('three?', room('e')),
  ]
  await until(async () => (await fleet.runtime.kernel.pending('web:e', 0)).events.length === 4)
  fleet.model.open('together')
  await fleet.replyTo(first, 'web:e')
  const reply = await fleet.replyTo(waiting[2] ?? '', 'web:e')
  expect(reply.answers).toEqual(waiting)
})

test('lets the same person join a running turn between tool steps, and others wait for the next', async () => {
  fleet.model.script({ when: { text: 'run the slow job' }, times: 1, answer: wait(1) })
  const first = await fleet.tell('run the slow job', { ...room('f'), principal: 'web:owner' })
  await until(() => fleet.model.ledger.entries.length === 1)
  const joined = await fleet.tell('and one more thing', { ...room('f'), principal: 'web:owner' })
  const other = await fleet.tell('a question of mine', { ...room('f'), principal: 'console:owner' })
  const reply = await fleet.replyTo(first, 'web:f')
  expect(reply.answers).toEqual([first, joined])
  expect((await fleet.replyTo(other, 'web:f')).answers).toEqual([other])
})

test('answers /status at once while a turn runs', async () => {
  fleet.model.script({ when: { text: 'slow one' }, gate: { name: 'slow' } })
  const slow = await fleet.tell('slow one', room('g'))
  await until(() => fleet.model.ledger.counters.open === 1)
  const status = await fleet.ask('/status', { ...room('g'), slash: 'status' })
  expect(status.text).toMatch(/working for \d+ s/)
  // Of such answers there may be any number in one turn.
  const sizes = async (): Promise<readonly number[]> => {
    const { admin } = fleet.redis
    const [[steps = ''], [journal = '']] = await Promise.all([admin.keys('*:x:web:g'), admin.keys('*:j:web:g')])
    return [await admin.hlen(steps), await admin.llen(journal)]
  }
  const before = await sizes()
  expect(before).not.toContain(0)
  await fleet.ask('/status', { ...room('g'), slash: 'status' })
  expect(await sizes()).toEqual(before)
  fleet.model.open('slow')
  expect((await fleet.replyTo(slow, 'web:g')).text).toContain('echo: slow one')
})

test('ends a turn that repeats the same call, naming the limit', async () => {
  fleet.model.script({ when: { model: 'sim-main' }, answer: wait(0) })
  const reply = await fleet.ask('loop for ever', room('h'))
  expect(reply.text).toContain('repeating the same call')
  expect(fleet.model.ledger.entries.length).toBeLessThanOrEqual(4)
})

test('limits the output by depth, at three times its aim, and a standing /depth holds until a message asks otherwise', async () => {
  const limitOf = (): number | undefined => fleet.model.ledger.entries.at(-1)?.maxTokens
  await fleet.ask('what is a lease?', room('depth'))
  expect(limitOf()).toBe(2400)
  const deep = await fleet.ask('/depth deep', { ...room('depth'), slash: 'depth' })
  expect(deep.text).toBe('Default depth: deep.')
  await fleet.ask('what is an epoch?', room('depth'))
  expect(limitOf()).toBe(6000)
  await fleet.ask('一句话说明什么是租约', room('depth'))
  expect(limitOf()).toBe(450)
})

test('says something when the model says nothing', async () => {
  fleet.model.script({ when: { text: 'empty?' }, answer: { kind: 'empty' } })
  expect((await fleet.ask('empty?', room('i'))).text).toContain('without an answer')
})

test('tells a person whose message was cut', async () => {
  const reply = await fleet.ask('x'.repeat(1_000_000), room('j'))
  expect(reply.text).toContain('too long')
})

test.each([
  ['control characters', 'a\u0000b\u0007c?'],
  ['lone surrogates', 'broken \ud800 text?'],
  ['direction overrides', 'abc\u202etxt.exe?'],
  ['ten thousand emoji', '😀'.repeat(10_000) + ' what are these?'],
])('survives %s, storing valid text', async (_, text) => {
  const reply = await fleet.ask(text, room('k'))
  expect(reply.text.isWellFormed()).toBe(true)
  expect(reply.text).not.toMatch(/[\u0000\u202e]/)
})
