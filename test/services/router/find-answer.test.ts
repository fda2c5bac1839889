// What is an answer to a question that is asked, and what is a message as any.
import { expect, test } from 'vitest'
import type { MessageEvent } from '#shared/chat/event.ts'
import type { AskedCard } from '#shared/run/question.ts'
import { countAsides } from '#services/router/asides.ts'
import { findAnswer, type Heard } from '#services/router/find-answer.ts'
import { ann, message } from '#test/rig/events.ts'

const access = { owner: false, person: true, chat: false }
const toCard = (more: Partial<AskedCard> = {}, question: Partial<AskedCard['question']> = {}): AskedCard => ({
  question: { v: 1, id: 'q1', kind: 'notes.keep', owner: ann, options: ['yes', 'not-now'], ...question },
  labels: ['Yes, keep it', '以后'],
  card: 'm7',
  afterSeq: 4,
  askedAtMs: message().at,
  ...more,
})
const reply = (text: string, more: Partial<MessageEvent> = {}): MessageEvent =>
  message({ text, replyTo: { messageId: 'm7', fromBot: true, text: 'yes' }, ...more })
function find(
  event: MessageEvent,
  cards: readonly AskedCard[] = [toCard()],
  how: Partial<Heard & { isAll: boolean }> = {},
) {
  const { isAll = true, ...heard } = how
  const found = findAnswer({ event, seq: 9, access, isAlone: true, ...heard }, { cards, isAll })
  return found && `${found.rule} ${found.card.question.id}.${found.choice}`
}

test.each([
  ['its label', 'Yes, keep it', 'yes'],
  ['its label in another case and width', '  ＹＥＳ， keep it ', 'yes'],
  ['its label in Chinese', '以后', 'not-now'],
  ['its id', 'NOT-NOW', 'not-now'],
  ['its number', '2', 'not-now'],
  ['its number in another width', '１', 'yes'],
])('a reply to the card answers by %s', (_, text, choice) => {
  expect(find(reply(text))).toBe(`answer.reply q1.${choice}`)
})

test.each(['0', '3', '2nd', 'yes please', 'y', '1 2', 'stop', '', ' '])(
  'a reply that says "%s" is no choice',
  (text) => {
    expect(find(reply(text))).toBeUndefined()
  },
)

test('any reply answers where the question takes words, by an option where it names one', () => {
  const card = toCard({}, { words: true })
  expect(find(reply('next week'), [card])).toBe('answer.reply-words q1.')
  expect(find(reply('以后'), [card])).toBe('answer.reply q1.not-now')
  expect(find(reply('停'), [card])).toBeUndefined()
  // A number may be what is asked for.
  expect(find(reply('2'), [card])).toBe('answer.reply-words q1.')
  // The first of several messages is not all of it.
  expect(find(reply('first of all'), [card], { isAlone: false })).toBeUndefined()
  expect(find(reply('以后'), [card], { isAlone: false })).toBe('answer.reply q1.not-now')
})

test('words in reply to what acts at once are a remark, and nothing else answers it', () => {
  const card = toCard({}, { words: true, acts: 'stop' })
  expect(find(reply('a lighter tone'), [card])).toBe('answer.reply-words q1.')
  expect(find(reply('以后'), [card])).toBe('answer.reply-words q1.')
  const next = { seq: 5 }
  for (const text of ['以后', 'a lighter tone']) expect(find(message({ text }), [card], next)).toBeUndefined()
  // Nor is it in the way of what is asked beside it.
  const asked = toCard({ card: 'm8' }, { id: 'q2', words: true })
  expect(find(message({ text: 'Anna' }), [card, asked], next)).toBe('answer.words q2.')
  const silent = toCard({}, { acts: 'stop' })
  expect(find(reply('以后'), [silent])).toBeUndefined()
})

test('nothing answers what was asked after it was written, or received', () => {
  for (const seq of [3, 4]) expect(find(reply('2'), [toCard()], { seq })).toBeUndefined()
  const card = toCard({ askedAtMs: 100_000 })
  expect(find(reply('2', { at: 97_000 }), [card])).toBeUndefined()
  expect(find(reply('2', { at: 98_500 }), [card])).toBe('answer.reply q1.not-now')
})

test('a number is the name of what is called so, and not its place', () => {
  const cards = [toCard({ labels: ['3', '5'] })]
  expect(find(reply('3'), cards)).toBe('answer.reply q1.yes')
  expect(find(reply('1'), cards)).toBeUndefined()
  for (const labels of [
    ['5️⃣', '1️⃣'],
    ['5 stars', '1 star'],
    ['30 min', 'later'],
    ['٢', '١'],
  ])
    expect(find(reply('1'), [toCard({ labels })])).toBeUndefined()
})

test('a choice that asks somebody is answered by a number without a reply, and not beside what guards something', () => {
  const choice = toCard({ labels: ['Ritz', 'Savoy'] }, { options: ['o1', 'o2'], words: true, loose: 'option' })
  const said = message({ text: '2', addressed: true })
  expect(find(said, [choice])).toBe('answer.loose q1.o2')
  const guard = toCard({ card: 'm9', afterSeq: 3 }, { id: 'q2', stales: true, words: true })
  expect(find(said, [choice, guard])).toBeUndefined()
})

test('what two options are called names none of them', () => {
  const cards = [toCard({ labels: ['Yes', 'Not-Now'] }, { options: ['a', 'yes'] })]
  expect(find(reply('yes'), cards)).toBeUndefined()
  expect(find(reply('not-now'), cards)).toBe('answer.reply q1.yes')
})

test('neither a reply to another message, nor of another person, nor of who may not talk to the bot answers', () => {
  expect(find(reply('2', { replyTo: { messageId: 'm8', fromBot: true } }))).toBeUndefined()
  expect(find(reply('2', { principal: 'web:bob' }))).toBeUndefined()
  expect(find(reply('2', { principal: 'web:bob' }), [toCard({}, { owner: '*' })])).toBe('answer.reply q1.not-now')
  expect(find(reply('2'), [toCard()], { access: { owner: false, person: false, chat: false } })).toBeUndefined()
  const shared = [toCard({}, { owner: 'web:bob', admins: true })]
  expect(find(reply('2'), shared)).toBeUndefined()
  expect(find(reply('2', { senderIsAdmin: true }), shared)).toBe('answer.reply q1.not-now')
  expect(find(reply('2'), shared, { access: { ...access, owner: true } })).toBe('answer.reply q1.not-now')
})

test('commands, forwards, files and what is still written are no answers', () => {
  const cards = [toCard({}, { words: true })]
  const odd: readonly Partial<MessageEvent>[] = [
    { command: { name: 'note', args: '' } },
    { quoted: [{ how: 'forward', text: 'yes' }] },
    { media: [{ kind: 'photo' }] },
    { album: 'a1' },
    { unfinished: true },
  ]
  for (const more of odd) expect(find(reply('Yes, keep it', more), cards)).toBeUndefined()
})

const next = { seq: 5 }

test('where replies are not told, the next thing said to the bot answers as alone with it, and denies no approval', () => {
  const said = message({ text: 'Ann Lee', group: true, addressed: true, hidesReply: true })
  const card = toCard({}, { words: true })
  expect(find(said, [card], next)).toBe('answer.words q1.')
  expect(find({ ...said, text: 'yes, keep it' }, [card], next)).toBe('answer.label q1.yes')
  expect(find({ ...said, addressed: false }, [card], next)).toBeUndefined()
  expect(find(message({ text: 'Ann Lee', group: true, addressed: true }), [card], next)).toBeUndefined()
  expect(find(said, [card], { seq: 6 })).toBeUndefined()
  expect(find(said, [toCard({}, { words: true, stales: true })], next)).toBeUndefined()
})

test('alone with the bot a label answers the one question that it can mean', () => {
  const said = message({ text: 'yes, KEEP it' })
  expect(find(said, [toCard()], next)).toBe('answer.label q1.yes')
  // Neither an id nor a number, which may mean anything.
  for (const text of ['yes', '1', 'Yes, keep it please'])
    expect(find(message({ text }), [toCard()], next)).toBeUndefined()
  expect(find({ ...said, group: true }, [toCard()], next)).toBeUndefined()
  expect(find(said, [toCard()], { ...next, isAlone: false })).toBeUndefined()
  expect(find(said, [toCard()], { ...next, isAll: false })).toBeUndefined()
  expect(find(said, [toCard()], { seq: 4 })).toBeUndefined()
  const other = toCard({ card: 'm8' }, { id: 'q2' })
  expect(find(said, [toCard(), other], next)).toBeUndefined()
  expect(find(said, [toCard(), { ...other, labels: ['On', 'Off'] }], next)).toBe('answer.label q1.yes')
  expect(find(said, [toCard(), { ...other, question: { ...other.question, owner: 'web:bob' } }], next)).toBe(
    'answer.label q1.yes',
  )
  // One that takes words may be meant too.
  expect(find(said, [toCard(), toCard({ labels: [] }, { id: 'q2', words: true })], next)).toBeUndefined()
})

test('alone with the bot words answer only what was asked right before them, and not long ago', () => {
  const cards = [toCard({ askedAtMs: 1_000_000 }, { words: true })]
  const said = (text: string, minutes = 1): MessageEvent => message({ text, at: 1_000_000 + minutes * 60_000 })
  expect(find(said('next week'), cards, next)).toBe('answer.words q1.')
  expect(find(said('以后'), cards, next)).toBe('answer.label q1.not-now')
  for (const text of ['next week', '以后']) {
    expect(find(said(text), cards, { seq: 6 })).toBeUndefined()
    expect(find(said(text, 11), cards, next)).toBeUndefined()
  }
  expect(find(said('next week'), [toCard()], next)).toBeUndefined()
})

test('alone with the bot words answer no question that guards something, nor one whose card may not have arrived', () => {
  const { card: _, ...unknown } = toCard()
  for (const card of [toCard({}, { stales: true }), unknown])
    expect(find(message({ text: '以后' }), [card], next)).toBeUndefined()
  expect(find(reply('以后'), [toCard({}, { stales: true })], next)).toBe('answer.reply q1.not-now')
})

test('a command that only tells something, and waits before it, is not the next thing that was said', () => {
  const words = toCard({}, { words: true })
  for (const [seq, asides, found] of [
    [5, 0, true],
    [6, 0, false],
    [6, 1, true],
    [7, 1, false],
    [7, 2, true],
  ] as const)
    expect(find(message({ text: 'Anna' }), [words], { seq, asides })).toBe(found ? 'answer.words q1.' : undefined)
})

test('such commands are counted as far as nothing else stands between', () => {
  const told = (name: string) => message({ text: `/${name}`, command: { name, args: '' } })
  const events = [
    told('help'),
    message({ text: 'hello' }),
    told('questions'),
    told('help'),
    message(),
    told('new'),
    message(),
  ]
  expect(events.map((_, at) => countAsides(events, at))).toEqual([0, 1, 0, 1, 2, 0, 0])
})
