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
  const { model, hasOthers, told, words } = stage
  const { choice: said, titles } = words
  const room = await stage.open(titles.choice)
  const { question, early, late, pros, cons, why, otherwise } = said
  model.answers([
    ask({
      kind: 'choice',
      question,
      options: [{ label: early, pros, cons }, { label: late }],
      why,
      otherwise,
      deadline_hours: 24,
    }),
  ])
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, question)
  for (const part of [said.head, `1. ${early}`, pros, said.whyLine])
    ok(asked.text.includes(part), `the card does not say "${part}": ${asked.text}`)
  ok(said.deadline.test(asked.text), asked.text)
  deepEqual(labels(asked), [early, late])
  await room.ask('Ann', '/questions')
  await hear(room, said.listed)
  if (hasOthers) {
    equal(await room.press('Bob', asked.id, late), told.forbidden)
    ok(!isBare(await when(room, asked.id, () => true)))
  }
  model.answers(said.end)
  equal(await room.press('Ann', asked.id, late), told.won)
  await hear(room, said.end)
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(words.chosen(hasOthers ? 'Ann' : words.you, late)), ended.text)
  ok(model.prompt().includes(late))
}

/** Something to know: in reply to the card, then by a number alone, and what is said meanwhile is no answer. */
const knowledge: Act = async (stage) => {
  const { model, hasOthers, words } = stage
  const { knowledge: said, titles } = words
  const by = hasOthers ? 'Ann' : words.you
  const room = await stage.open(titles.knowledge)
  const know = { kind: 'knowledge', why: said.why, otherwise: said.otherwise }
  model.answers([ask({ ...know, question: said.name })])
  await room.ask('Ann', said.wish)
  const named = await card(stage, room, said.name)
  model.answers([ask({ ...know, question: said.count, expects: 'number' })])
  await room.say('Ann', 'Ann Lee', named.id)
  const ended = await when(room, named.id, isBare)
  ok(ended.text.includes(words.answered(by, 'Ann Lee')), ended.text)

  // No number, so that it is a message as any; the question stays open.
  const counted = await card(stage, room, said.count)
  model.answers(said.rooms)
  await room.ask('Ann', said.loose)
  await hear(room, said.rooms)
  ok(!isBare(await when(room, counted.id, () => true)))
  if (hasOthers) {
    // Said to a neighbour. What one writes within a second is one message, and platforms tell whole seconds.
    await room.say('Ann', '4')
    await room.say('Bob', said.neighbour)
    await sleep(2000)
  }
  model.answers(said.end)
  await room.ask('Ann', '3')
  await hear(room, said.end)
  const over = await when(room, counted.id, isBare)
  ok(over.text.includes(words.answered(by, '3')), over.text)
}

/** Nobody answers in time: what was said beforehand is done, and the card says so. */
const expiry: Act = async (stage) => {
  const { model, words } = stage
  const { question, why, otherwise, ...said } = words.expiry
  const room = await stage.open(words.titles.expiry)
  model.answers([
    ask({ kind: 'knowledge', question, expects: 'date', why, otherwise, deadline_hours: 1, urgency: 'high' }),
  ])
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, question)
  ok(asked.text.includes(said.urgent), asked.text)
  model.answers(said.end)
  await stage.runOut(room)
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(said.ended), ended.text)
  await hear(room, said.end)
  equal(model.left(), 0)
}

/** What concerns one person of a group is asked where they are alone with the bot. Only where there are others. */
const privately: Act = async (stage) => {
  const { model, hasOthers, words } = stage
  if (!hasOthers) return
  const { question, why, otherwise, ...said } = words.privately
  const [room, alone] = [await stage.open(words.titles.privately), stage.direct('Bob')]
  model.answers(said.meeting)
  await room.ask('Bob', said.before)
  await hear(room, said.meeting)
  model.answers([ask({ kind: 'knowledge', question, why, otherwise, who: 'Bob', private: true })])
  await room.ask('Ann', said.wish)
  await hear(room, said.line)
  const asked = await card(stage, alone, question)
  ok(asked.text.startsWith(said.from), asked.text)
  model.answers(said.end)
  await alone.say('Bob', said.answer, asked.id)
  const ended = await when(alone, asked.id, isBare)
  ok(ended.text.includes(words.answered(words.you, said.answer)), ended.text)
  ok(ended.text.includes(said.goesBack), ended.text)
  await hear(room, said.end)
  ok(model.prompt().includes(said.answer))
  ok(
    (await room.seen()).every(({ text }) => !text.includes(said.secret)),
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
