// Uses are counted from records of turns, in the scope that each label names; the clock takes away what nobody confirmed.
import { expect, test } from 'vitest'
import { createLife } from '#services/memory/life.ts'
import { comparing } from '#services/memory/comparing.ts'
import type { RecordLine, TurnRecord } from '#shared/run/record.ts'
import { turnRecord } from '#test/rig/records.ts'
import { remembered } from '#test/rig/remembered.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const at = { conversation: 'telegram:-1', message: 'm' }
const toLine = (more: Partial<TurnRecord>): RecordLine => ({
  kind: 'turn',
  name: '1-1',
  conversation: at.conversation,
  id: 't',
  record: turnRecord('t', more),
  messages: ['m'],
})
const { signal } = new AbortController()

test('counts what a turn in a group was given, once, in the scope of each label', async () => {
  const memory = createMemoryStore()
  const { principal } = turnRecord('t')
  const scopes = [`chat:${at.conversation}`, 'global', `user:${principal}`]
  for (const scope of scopes)
    for (const text of ['I like tea', 'I play the oboe']) await memory.write(scope, remembered(text, at))
  const life = createLife({ memory, now: Date.now })
  const context = [
    { name: 'memory.records', reason: '记住的第 1、p1 条' },
    { name: 'other.records', reason: 'kept as number g1' },
    { name: 'memory.skills', reason: 'steps of skill number 2; as a reference skill number p2' },
  ]
  for (let n = 0; n < 2; n++) expect(await life.take(toLine({ group: true, endedAt: 5, context }), signal)).toEqual([])
  const found = await Promise.all(scopes.map((scope) => memory.find(scope, [1, 2])))
  expect(found.map((each) => each.map(({ uses }) => uses))).toEqual([
    [1, 1],
    [0, 0],
    [1, 1],
  ])
})

test('its clock takes away what nobody confirmed in 30 days', async () => {
  let nowMs = Date.now()
  const memory = createMemoryStore(comparing, () => nowMs)
  await memory.write('global', remembered('I like tea', at, { status: 'unconfirmed', saidAt: nowMs }))
  const { tick } = createLife({ memory, now: () => nowMs })
  expect(await tick?.run(nowMs, signal)).toEqual([])
  expect(await memory.read('global')).toMatchObject({ count: 1 })
  nowMs += 31 * 86_400_000
  await tick?.run(nowMs, signal)
  expect(await memory.read('global')).toMatchObject({ count: 0 })
})
