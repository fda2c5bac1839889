// The acts in which a turn cannot be finished: a card says how far it came, and a press goes on from there.
import { equal, deepEqual, ok } from 'node:assert/strict'
import { labels } from '#test/rig/chats/chat.ts'
import { hear, when } from '#test/rig/chats/room.ts'
import { paid, pay } from './approval-acts.ts'
import { card, isBare, type Act } from './questions-stage.ts'

/** The model goes away in the middle: a card says what is done, and a press finishes the turn. */
const recovery: Act = async (stage) => {
  const { model, told, ledger, hasOthers } = stage
  const from = ledger.effects.length
  const room = await stage.open('Stuck')
  model.answers([pay(stage, 20, 'a map')])
  model.goAway()
  await room.ask('Ann', 'Buy a map and tell me about it')
  const asked = await card(stage, room, 'I am stuck here')
  ok(asked.text.includes('Done so far: http_request ×1'), asked.text)
  deepEqual(labels(asked), ['Retry', 'Skip'])
  const failed = await hear(room, 'The model is not answering')
  ok(!failed.text.includes('/retry'), failed.text)
  if (hasOthers) equal(await room.press('Bob', asked.id, 'Retry'), told.forbidden)
  model.comeBack()
  model.answers('The map is bought; it shows the whole island.')
  equal(await room.press('Ann', asked.id, 'Retry'), told.won)
  await hear(room, 'The map is bought')
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(`✓ Chosen by ${hasOthers ? 'Ann' : 'you'}: Retry`), ended.text)
  equal(paid(stage, from).length, 1)
}

/** A tool fails however often it is called, after it took effect: a press has it called again under the same key, once all is well. */
const failing: Act = async (stage) => {
  const { model, told, ledger, hasOthers } = stage
  const [from, heard] = [ledger.effects.length, ledger.requests.length]
  const room = await stage.open('A tool that fails')
  const call = pay(stage, 12, 'a compass')
  // Each call is tried once more by itself.
  ledger.fail(...Array.from({ length: 4 }, () => ({ kind: 'fail-after', status: 503 }) as const))
  model.answers([call], [call], [call])
  await room.ask('Ann', 'Buy a compass, please')
  const asked = await card(stage, room, 'I am stuck here')
  ok(asked.text.includes('Failed: http_request ×2'), asked.text)
  deepEqual(labels(asked), ['Retry', 'Skip'])
  if (hasOthers) equal(await room.press('Bob', asked.id, 'Retry'), told.forbidden)
  equal(ledger.requests.length - heard, 4)
  model.answers([call], 'The compass is bought.')
  equal(await room.press('Ann', asked.id, 'Retry'), told.won)
  await hear(room, 'The compass is bought')
  const ended = await when(room, asked.id, isBare)
  ok(ended.text.includes(`✓ Chosen by ${hasOthers ? 'Ann' : 'you'}: Retry`), ended.text)
  equal(paid(stage, from).length, 1)
  equal(new Set(ledger.requests.slice(heard).map(({ key }) => key)).size, 1)
}

export const recoveryActs: Readonly<Record<string, Act>> = { recovery, failing }
