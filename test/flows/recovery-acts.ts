// The acts in which a turn cannot be finished: a card says how far it came, and a press goes on from there.
import { equal, deepEqual, ok } from 'node:assert/strict'
import { labels } from '#test/rig/chats/chat.ts'
import { hear, when } from '#test/rig/chats/room.ts'
import { paid, pay } from './approval-acts.ts'
import { card, isBare, type Act } from './questions-stage.ts'

/** The model goes away in the middle: a card says what is done, and a press finishes the turn. */
const recovery: Act = async (stage) => {
  const { model, told, ledger, hasOthers, words } = stage
  const { recovery: said, buttons } = words
  const from = ledger.effects.length
  const room = await stage.open(words.titles.recovery)
  model.answers([pay(stage, 20, said.what)])
  model.goAway()
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, words.heads.stuck)
  ok(asked.text.includes(said.done), asked.text)
  deepEqual(labels(asked), [buttons.retry, buttons.skip])
  const failed = await hear(room, said.told)
  ok(!failed.text.includes('/retry'), failed.text)
  if (hasOthers) equal(await room.press('Bob', asked.id, buttons.retry), told.forbidden)
  model.comeBack()
  model.answers(said.end)
  equal(await room.press('Ann', asked.id, buttons.retry), told.won)
  await hear(room, said.end)
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(words.chosen(hasOthers ? 'Ann' : words.you, buttons.retry)), ended.text)
  equal(paid(stage, from).length, 1)
}

/** A tool fails however often it is called, after it took effect: a press has it called again under the same key, once all is well. */
const failing: Act = async (stage) => {
  const { model, told, ledger, hasOthers, words } = stage
  const { failing: said, buttons } = words
  const [from, heard] = [ledger.effects.length, ledger.requests.length]
  const room = await stage.open(words.titles.failing)
  const call = pay(stage, 12, said.what)
  // Each call is tried once more by itself.
  ledger.fail(...Array.from({ length: 4 }, () => ({ kind: 'fail-after', status: 503 }) as const))
  model.answers([call], [call], [call])
  await room.ask('Ann', said.wish)
  const asked = await card(stage, room, words.heads.stuck)
  ok(asked.text.includes(said.failed), asked.text)
  deepEqual(labels(asked), [buttons.retry, buttons.skip])
  if (hasOthers) equal(await room.press('Bob', asked.id, buttons.retry), told.forbidden)
  equal(ledger.requests.length - heard, 4)
  model.answers([call], said.end)
  equal(await room.press('Ann', asked.id, buttons.retry), told.won)
  await hear(room, said.end)
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(words.chosen(hasOthers ? 'Ann' : words.you, buttons.retry)), ended.text)
  equal(paid(stage, from).length, 1)
  equal(new Set(ledger.requests.slice(heard).map(({ key }) => key)).size, 1)
}

export const recoveryActs: Readonly<Record<string, Act>> = { recovery, failing }
