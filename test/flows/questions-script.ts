// One script of questions for every channel, played act by act, each in a place of its own: what people see of the cards, who may answer and how,
// and what becomes of it. A broken expectation throws.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { labels } from '#test/rig/chats/chat.ts'
import { hear, when } from '#test/rig/chats/room.ts'
import { approvalActs } from './approval-acts.ts'
import type { Call } from './planned-model.ts'
import { recoveryActs } from './recovery-acts.ts'
import { card, isBare, type Act, type QuestionStage } from './questions-stage.ts'

const ask = (input: object): Call => ({ name: 'human_ask', arguments: JSON.stringify(input) })

/** A choice, by a press; nobody else's press counts. */
const choice: Act = async (stage) => {
  const { model, hasOthers, told } = stage
  const room = await stage.open('A choice')
  model.answers([
    ask({
      kind: 'choice',
      question: 'Which ferry shall I put into the plan?',
      options: [
        { label: 'The early one, 8:15', pros: 'time for the market', cons: 'we get up at six' },
        { label: 'The late one, 11:40' },
      ],
      why: 'both still have seats',
      otherwise: 'I take the early one.',
      deadline_hours: 24,
    }),
  ])
  await room.ask('Ann', 'Plan the trip to the island, please')
  const asked = await card(stage, room, 'Which ferry')
  for (const part of [
    'Please choose',
    '1. The early one, 8:15',
    'time for the market',
    'Why I ask: both still have seats',
  ])
    ok(asked.text.includes(part), `the card does not say "${part}": ${asked.text}`)
  ok(/Please answer by .+ \(Europe\/Berlin\)/.test(asked.text), asked.text)
  deepEqual(labels(asked), ['The early one, 8:15', 'The late one, 11:40'])
  await room.ask('Ann', '/questions')
  await hear(room, '1. Which ferry shall I put into the plan? — normal')
  if (hasOthers) {
    equal(await room.press('Bob', asked.id, 'The late one, 11:40'), told.forbidden)
    ok(!isBare(await when(room, asked.id, () => true)))
  }
  model.answers('The plan: the late ferry at 11:40, then the lighthouse.')
  equal(await room.press('Ann', asked.id, 'The late one, 11:40'), told.won)
  await hear(room, 'The plan: the late ferry')
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(`✓ Chosen by ${hasOthers ? 'Ann' : 'you'}: The late one, 11:40`), ended.text)
  ok(model.prompt().includes('The late one, 11:40'))
}

/** Something to know: in reply to the card, then by a number alone, and what is said meanwhile is no answer. */
const knowledge: Act = async (stage) => {
  const { model, hasOthers } = stage
  const room = await stage.open('Things to know')
  const know = { kind: 'knowledge', why: 'the hut asks for it', otherwise: 'I leave it out.' }
  model.answers([ask({ ...know, question: 'Under which name shall I book the hut?' })])
  await room.ask('Ann', 'Book the hut, please')
  const named = await card(stage, room, 'Under which name')
  model.answers([ask({ ...know, question: 'How many of you stay overnight?', expects: 'number' })])
  await room.say('Ann', 'Ann Lee', named.id)
  const ended = await when(room, named.id, isBare)
  ok(ended.text.includes(`✓ Answered by ${hasOthers ? 'Ann' : 'you'}: Ann Lee`), ended.text)

  // No number, so that it is a message as any; the question stays open.
  const counted = await card(stage, room, 'How many of you')
  model.answers('There are two rooms, with four beds each.')
  await room.ask('Ann', 'how many rooms does it have?')
  await hear(room, 'There are two rooms')
  ok(!isBare(await when(room, counted.id, () => true)))
  if (hasOthers) {
    // Said to a neighbour. What one writes within a second is one message, and platforms tell whole seconds.
    await room.say('Ann', '4')
    await room.say('Bob', 'I thought we were five')
    await sleep(2000)
  }
  model.answers('Booked for Ann Lee, three people.')
  await room.ask('Ann', '3')
  await hear(room, 'Booked for Ann Lee, three')
  const over = await when(room, counted.id, isBare)
  ok(over.text.includes(`✓ Answered by ${hasOthers ? 'Ann' : 'you'}: 3`), over.text)
}

/** Nobody answers in time: what was said beforehand is done, and the card says so. */
const expiry: Act = async (stage) => {
  const { model } = stage
  const room = await stage.open('Nobody answers')
  model.answers([
    ask({
      kind: 'knowledge',
      question: '聚餐订在哪一天？',
      expects: 'date',
      why: '餐厅要提前订位',
      otherwise: '先订星期六晚上。',
      deadline_hours: 1,
      urgency: 'high',
    }),
  ])
  await room.ask('Ann', '帮我们订一家餐厅聚餐，好吗？')
  const asked = await card(stage, room, '聚餐订在哪一天')
  ok(asked.text.includes('紧急'), asked.text)
  model.answers('订好了：星期六晚上七点。')
  await stage.runOut(room)
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes('⌛ 期限内没有人回答。我这样继续：先订星期六晚上。'), ended.text)
  await hear(room, '订好了：星期六晚上七点')
  equal(model.left(), 0)
}

/** What concerns one person of a group is asked where they are alone with the bot. Only where there are others. */
const privately: Act = async (stage) => {
  const { model, hasOthers } = stage
  if (!hasOthers) return
  const [room, alone] = [await stage.open('A private matter'), stage.direct('Bob')]
  model.answers('At nine, at the harbour.')
  await room.ask('Bob', 'when and where do we meet?')
  await hear(room, 'At nine')
  model.answers([
    ask({
      kind: 'knowledge',
      question: 'Is there anything that you must not eat?',
      why: 'I order the meals for all',
      otherwise: 'I order the usual meal.',
      who: 'Bob',
      private: true,
    }),
  ])
  await room.ask('Ann', 'Order the meals for all of us, please')
  await hear(room, 'I ask Bob something in private')
  const asked = await card(stage, alone, 'must not eat')
  ok(asked.text.startsWith('From a group, where Ann asked me for help:'), asked.text)
  model.answers('The meals are ordered, one of them a special one.')
  await alone.say('Bob', 'No nuts, I am allergic', asked.id)
  const ended = await when(alone, asked.id, isBare)
  ok(ended.text.includes('✓ Answered by you: No nuts, I am allergic'), ended.text)
  ok(ended.text.includes('I go back with your answer.'), ended.text)
  await hear(room, 'The meals are ordered')
  ok(model.prompt().includes('No nuts'))
  ok(
    (await room.seen()).every(({ text }) => !text.includes('nuts')),
    'the group reads the answer',
  )
}

export const acts: Readonly<Record<string, Act>> = {
  choice,
  knowledge,
  expiry,
  privately,
  ...approvalActs,
  ...recoveryActs,
}

export async function playQuestions(stage: QuestionStage, wanted: readonly string[] = []): Promise<void> {
  for (const [name, act] of Object.entries(acts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await act(stage)
    deepEqual(stage.model.unplanned, [], `what nobody planned in "${name}"`)
    equal(stage.model.left(), 0, `planned answers that were not asked for in "${name}"`)
  }
}
