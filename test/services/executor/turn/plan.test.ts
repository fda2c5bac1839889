// What comes next of the events that wait, as a rule of its own: nothing runs here.
import { expect, test } from 'vitest'
import type { Decision } from '#shared/chat/decision.ts'
import { chatEvent, type MessageEvent } from '#shared/chat/event.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import { joinable, nextAction, type Action } from '#services/executor/turn/plan.ts'
import { ann, deletion, edit, nthMessage, toAck, toApply, toCommand, toTurn, wonPress } from '#test/rig/events.ts'

const bob = 'web:bob'
function message(seq: number, more: Partial<MessageEvent> & { as?: Decision } = {}): QueuedEvent {
  const { as = toTurn(), ...rest } = more
  return { seq, event: nthMessage(seq, rest), decision: as }
}
function edited(seq: number, of: number, as: Decision = toApply()): QueuedEvent {
  return { seq, event: edit(`edited ${of}`, { id: `e${seq}`, messageId: `m${of}` }), decision: as }
}
const gone = (seq: number, of: number): QueuedEvent => ({
  seq,
  event: deletion(`m${of}`, { id: `e${seq}` }),
  decision: toApply(),
})
const seqsOf = (action: Action | undefined): readonly number[] =>
  action === undefined ? [] : action.kind === 'one' ? [action.event.seq] : action.events.map(({ seq }) => seq)
const textsOf = (action: Action | undefined): readonly string[] =>
  action?.kind === 'turn' ? action.events.flatMap(({ event }) => (event.kind === 'message' ? [event.text] : [])) : []

test('nothing waits, nothing comes', () => {
  expect(nextAction([], {})).toBeUndefined()
})

test('messages of one person up to their next command form a turn; those of others wait', () => {
  const waiting = [
    message(1),
    message(2, { principal: bob }),
    message(3),
    message(4, { as: toCommand('status') }),
    message(5),
  ]
  const action = nextAction(waiting, {})
  expect(action?.kind).toBe('turn')
  expect(seqsOf(action)).toEqual([1, 3])
  expect(seqsOf(nextAction(waiting.slice(1), {}))).toEqual([2])
  expect(nextAction(waiting.slice(3), {})).toEqual({ kind: 'one', event: waiting[3] })
})

test('a turn is as deep as its deepest message, and complex when one of them is', () => {
  const deep = toTurn({ type: 'task', depth: 'deep', rule: 'task.steps' })
  const action = nextAction(
    [message(1, { as: toTurn({ complex: true, depth: 'light' }) }), message(2, { as: deep })],
    {},
  )
  expect(action).toMatchObject({ class: { depth: 'deep', complex: true, rule: 'task.steps' } })
  const equal = [message(1, { as: toTurn({ rule: 'first' }) }), message(2, { as: toTurn({ rule: 'second' }) })]
  expect(nextAction(equal, {})).toMatchObject({ class: { rule: 'first', complex: false } })
})

test('an edit of an unread message is read in its place, with its class, and goes with it', () => {
  const action = nextAction([message(1), edited(2, 1, toApply('edit', { depth: 'deep' })), message(3)], {})
  expect(seqsOf(action)).toEqual([1, 2, 3])
  expect(textsOf(action)).toEqual(['edited 1', 'text 3'])
  expect(action).toMatchObject({ class: { depth: 'deep' } })
})

test('of several edits the last one holds; one that gives no class leaves that of the message', () => {
  const action = nextAction(
    [message(1, { as: toTurn({ rule: 'own' }) }), edited(2, 1), { ...edited(3, 1), seq: 3 }],
    {},
  )
  expect(textsOf(action)).toEqual(['edited 1'])
  expect(action).toMatchObject({ class: { rule: 'own' } })
})

test('an edit of what was read before is something of its own, and so is one that came before its message', () => {
  const ofOlder = edited(1, 9)
  expect(nextAction([ofOlder, message(2)], {})).toEqual({ kind: 'one', event: ofOlder })
  const early = edited(1, 2)
  expect(nextAction([early, message(2)], {})).toEqual({ kind: 'one', event: early })
})

test('a message deleted before it was read is nothing more, like its deletion', () => {
  const waiting = [message(1), gone(2, 1)]
  expect(nextAction(waiting, {})).toEqual({ kind: 'absorb', events: waiting })
  const action = nextAction([...waiting, message(3)], {})
  expect(textsOf(action)).toEqual(['text 3'])
  expect(seqsOf(action)).not.toContain(1)
})

test('a stop drops the work of its person that came before it, and nothing else', () => {
  const stop = message(3, { as: toCommand('stop') })
  const others = [message(2, { principal: bob }), stop, message(4)]
  expect(nextAction([message(1), ...others], { [ann]: 3 })).toEqual({ kind: 'drop', events: [message(1)], stop })
  expect(seqsOf(nextAction(others, { [ann]: 3 }))).toEqual([2])
  expect(nextAction([message(4)], { [ann]: 3 })?.kind).toBe('turn')
  expect(nextAction([message(3)], { [ann]: 3 })?.kind, 'at the stop itself').toBe('turn')
})

test('a stop that left no event drops as well; one for all is for everybody', () => {
  expect(nextAction([message(1)], { [ann]: 1.5 })).toEqual({ kind: 'drop', events: [message(1)] })
  expect(nextAction([message(1)], { '*': 2 })?.kind).toBe('drop')
  expect(nextAction([message(1)], { [bob]: 2 })?.kind).toBe('turn')
})

test('a stop drops a courtesy, but no command and no press', () => {
  const courtesy = toAck()
  expect(nextAction([message(1, { as: courtesy })], { [ann]: 2 })?.kind).toBe('drop')
  expect(nextAction([message(1, { as: toCommand('status') })], { [ann]: 2 })?.kind).toBe('one')
})

test('messages after a stop begin their own turn, without what was stopped', () => {
  const waiting = [message(2), message(3), message(5)]
  expect(seqsOf(nextAction(waiting, { [ann]: 4 }))).toEqual([2, 3])
  expect(seqsOf(nextAction(waiting.slice(2), { [ann]: 4 }))).toEqual([5])
})

test('what joins is of the same person, up to their next command', () => {
  const waiting = [message(4, { principal: bob }), message(5), message(6, { as: toCommand('status') }), message(7)]
  expect(joinable(waiting, ann, { own: [] }).map(({ seq }) => seq)).toEqual([5])
  expect(joinable(waiting, bob, { own: [] }).map(({ seq }) => seq)).toEqual([4])
})

test('a correction joins the turn that has read its message, that of another message ends what joins', () => {
  const correction = edited(4, 1)
  expect(joinable([correction, message(5)], ann, { own: [message(1)] }).map(({ seq }) => seq)).toEqual([4, 5])
  expect(joinable([edited(4, 2), message(5)], ann, { own: [message(1)] })).toEqual([])
})

test('a turn takes in no more than it can be found by, with what its messages quote', () => {
  const reply = (seq: number): QueuedEvent =>
    message(seq, { replyTo: { messageId: `q${seq}`, fromBot: false, text: 'quoted' } })
  const replies = Array.from({ length: 150 }, (_, i) => reply(i + 1))
  expect(seqsOf(nextAction(replies, {}))).toHaveLength(100)
  expect(seqsOf(nextAction(replies.slice(100), {}))).toHaveLength(50)
  const plain = Array.from({ length: 190 }, (_, i) => message(i + 1))
  expect(seqsOf(nextAction(plain, {}))).toHaveLength(190)
  const more = Array.from({ length: 30 }, (_, i) => message(i + 200))
  expect(joinable(more, ann, { own: plain })).toHaveLength(10)
  const about = Array.from({ length: 180 }, (_, i) => `a${i}`)
  expect(joinable(more, ann, { own: [], about })).toHaveLength(20)
})

const answered = (more: Parameters<typeof wonPress>[0]): QueuedEvent => ({
  seq: 1,
  event: wonPress({ said: true, about: 'notes.ask', payload: 'kept', messages: ['m1', 'm9'], card: 'c', ...more }),
  decision: toApply('answer.reply'),
})
const eventOf = (action: Action | undefined) => (action?.kind === 'one' ? action.event.event : undefined)

test('words that answered are read as they were corrected, and name no option any more', () => {
  for (const choice of ['', 'yes']) {
    const waiting = [answered({ choice, words: 'my secret' }), edited(2, 1), edited(3, 1)]
    expect(eventOf(nextAction(waiting, {}))).toMatchObject({ kind: 'answer', choice: '', words: 'edited 1', card: 'c' })
    expect(nextAction(waiting.slice(1), {})).toEqual({ kind: 'one', event: waiting[1] })
  }
})

test('words that answered and are deleted, or a label that is not said any more, call the question off', () => {
  const off = { kind: 'expired', why: 'cancelled', about: 'notes.ask', question: 'q', payload: 'kept', card: 'c' }
  for (const [answer, change] of [
    [answered({ choice: '', words: 'my secret' }), gone(2, 1)],
    [answered({}), gone(2, 1)],
    [answered({}), edited(2, 1)],
  ] as const) {
    const event = eventOf(nextAction([answer, change], {}))
    expect(event).toMatchObject(off)
    expect(chatEvent.parse(event)).toEqual(event)
    expect(JSON.stringify(event)).not.toContain('secret')
  }
})

test('an answer stays what it is where what its question was about is changed, or it was pressed', () => {
  const first = answered({ words: 'mine' })
  expect(nextAction([first, gone(2, 9), edited(3, 9)], {})).toEqual({ kind: 'one', event: first })
  const pressed = { ...first, event: wonPress({ messages: ['m1'] }) }
  expect(nextAction([pressed, gone(2, 1)], {})).toEqual({ kind: 'one', event: pressed })
})
