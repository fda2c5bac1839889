// Facts about what belongs together: who it is addressed to, and what is decided of it as a whole.
import { expect, test } from 'vitest'
import type { ChatEvent, MessageEvent } from '#shared/chat/event.ts'
import type { Decision } from '#shared/chat/decision.ts'
import { addressedTogether, decidedTogether, findBursts } from '#services/router/burst.ts'
import { overheard, standard, toAck, toIgnore } from '#test/rig/events.ts'

const message = (more: Partial<MessageEvent> = {}) => overheard({ at: 5000, ...more })
const turn: Decision = { v: 1, act: 'turn', rule: 'work', class: standard }
const empty = toIgnore('message.empty')
const other = { principal: 'telegram:8' }
const acts = (events: readonly ChatEvent[], decisions: readonly Decision[]): string[] =>
  decidedTogether(events, decisions).map((decision) => `${decision.act} ${decision.rule}`)

test('one person’s messages of a second belong together, with others in between', () => {
  expect(findBursts([message(), message(other), message({ at: 6000 }), message({ at: 8000 })])).toEqual([
    [0, 2],
    [1],
    [3],
  ])
})

test('in a direct chat only albums, cut texts and forwards go on', () => {
  const direct = { group: false }
  expect(findBursts([message(direct), message(direct)])).toHaveLength(2)
  expect(findBursts([message({ ...direct, album: 'a' }), message({ ...direct, album: 'a' })])).toHaveLength(1)
  expect(findBursts([message({ ...direct, text: 'x'.repeat(4096) }), message(direct)])).toHaveLength(1)
})

test('a command stands alone', () => {
  const command = { name: 'status', args: '' }
  expect(findBursts([message(), message({ command }), message()])).toHaveLength(3)
})

test('who speaks to the bot in one message does so in those around it, and nobody else does', () => {
  const seen = addressedTogether([message(), message(other), message({ addressed: true }), message({ at: 9000 })])
  expect(seen.map((event) => event.kind === 'message' && event.addressed)).toEqual([true, false, true, false])
})

test('courtesies, files and bare mentions join the work beside them', () => {
  const events = [message(), message(), message()]
  expect(acts(events, [toAck('social.whole'), turn, empty])).toEqual([
    'turn social.whole',
    'turn work',
    'turn message.empty',
  ])
})

test('an album without words is acknowledged once', () => {
  const events = [message({ album: 'a' }), message({ album: 'a' }), message({ album: 'a' })]
  const decisions = [toAck('media.only'), toAck('media.only'), toAck('media.only')]
  expect(acts(events, decisions)).toEqual(['ack media.only', 'ignore album.rest', 'ignore album.rest'])
})

test('what was not addressed stays ignored', () => {
  const ignored = toIgnore('group.not-addressed')
  expect(acts([message(other), message()], [turn, ignored])).toEqual(['turn work', 'ignore group.not-addressed'])
})
