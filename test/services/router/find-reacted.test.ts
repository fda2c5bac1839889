// Which reactions answer a question, and which are feedback.
import { expect, test } from 'vitest'
import type { ReactionEvent } from '#shared/chat/event.ts'
import type { AskedCard, Question } from '#shared/run/question.ts'
import { findReacted, mayReact } from '#services/router/find-reacted.ts'

const event = (emoji: readonly string[], more: Partial<ReactionEvent> = {}): ReactionEvent => ({
  v: 1,
  id: 'e',
  kind: 'reaction',
  conversation: 'telegram:1',
  principal: 'telegram:1',
  at: 1000,
  messageId: '7',
  emoji: [...emoji],
  ...more,
})
const card = (more: Partial<Question> = {}, at: Partial<AskedCard> = {}): AskedCard => ({
  question: {
    v: 1,
    id: `p00-${'a'.repeat(22)}`,
    kind: 'curiosity.card',
    owner: 'telegram:1',
    options: ['yes', 'no', 'skip'],
    loose: 'yes-no',
    ...more,
  },
  labels: ['Yes', 'No', 'Skip'],
  card: '7',
  afterSeq: 3,
  askedAtMs: 900,
  ...at,
})
const access = { owner: false, person: true, chat: false }
const find = (one: ReactionEvent, cards: readonly AskedCard[], seq = 4, rights = access) =>
  findReacted({ event: one, seq, access: rights }, cards)?.choice

test.each([
  [['👍'], 'yes'],
  [['👎'], 'no'],
  [['👍🏽'], 'yes'],
  [['👍️'], 'yes'],
  [['❤'], undefined],
  [['👍', '👎'], undefined],
  [[], undefined],
])('%j on an open card that asks for yes or no: %s', (emoji, choice) => {
  expect(find(event(emoji), [card()])).toBe(choice)
  expect(mayReact(event(emoji))).toBe(choice !== undefined)
})

test.each([
  ['on another message', event(['👍'], { messageId: '8' }), card()],
  ['of somebody else', event(['👍'], { principal: 'telegram:2' }), card()],
  ['on what asks for a choice', event(['👍']), card({ loose: 'option', options: ['a0', 'a1'] })],
  ['on what asks nothing of that kind', event(['👍']), card({ options: ['a', 'b'] })],
  ['on what guards something', event(['👍']), card({ stales: true })],
  ['on what anybody may answer', event(['👍']), card({ owner: '*' })],
  ['that came before the card', event(['👍']), card({}, { afterSeq: 9 })],
])('a thumb %s is feedback', (_, one, asked) => {
  expect(find(one, [asked])).toBeUndefined()
})

test('who has no access answers nothing', () => {
  expect(find(event(['👍']), [card()], 4, { owner: false, person: false, chat: false })).toBeUndefined()
})
