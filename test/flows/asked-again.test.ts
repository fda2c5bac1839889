// A question that is asked again below its first card: both cards are the same question, so that words in reply to either answer it; and what answers
// no card is a message.
import { equal, ok } from 'node:assert/strict'
import { expect, test } from 'vitest'
import { hear, when } from '#test/rig/chats/room.ts'
import { card, isBare, questionStages } from './questions-stage.ts'

const ask = (input: object) => ({ name: 'human_ask', arguments: JSON.stringify(input) })
const why = { why: 'the hotel depends on it', otherwise: 'I take 500.' }

test('on Telegram a reply to the first of two cards of one question answers it', { timeout: 60_000 }, async () => {
  await using stage = await questionStages.telegram()
  const { model } = stage
  const room = await stage.open('A budget')
  const question = 'How much may the hotel cost?'
  model.answers([ask({ kind: 'knowledge', question, expects: 'number', ...why })])
  await room.ask('Ann', 'Book a hotel, please')
  const first = await card(stage, room, question)
  await room.say('Ann', 'plenty', first.id)
  await hear(room, 'so I ask again below')
  await hear(room, 'so I ask once more')
  model.answers('Booked for 2500.')
  await room.say('Ann', '2500', first.id)
  await hear(room, 'Booked for 2500.')
  ok(model.prompt().includes('2500'))
  equal(model.left(), 0)
  expect((await room.seen()).filter((one) => one.text.includes(question)).every(isBare)).toBe(true)
})

test('an unrelated question is no answer to a card that takes any words', { timeout: 60_000 }, async () => {
  await using stage = await questionStages.web()
  const { model } = stage
  const room = await stage.open('A printer')
  const step = 'Please plug in the printer on the second floor.'
  model.answers([ask({ kind: 'action', question: step, ...why })])
  await room.ask('Ann', 'Print the tickets')
  const asked = await card(stage, room, step)
  model.answers('Paris.')
  await room.ask('Ann', 'what is the capital of France?')
  await hear(room, 'Paris.')
  ok(!isBare(await when(room, asked.id, () => true)))
  expect(stage.model.unplanned).toEqual([])
})
