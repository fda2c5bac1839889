// Projections of features as readers: for whom what they want done is done.
import { expect, test } from 'vitest'
import type { RecordLine } from '#shared/run/record.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toReaders } from '#services/executor/readers/to-reader.ts'
import { turnRecord } from '#test/rig/records.ts'

const passesOn: Feature = {
  name: 'notes',
  letters: { told: { came: async () => [] } },
  after: [
    { name: 'learn', take: async (line) => [{ kind: 'letter', to: 'telegram:9', letter: 'told', payload: line.kind }] },
  ],
}

const lettersOf = async (line: RecordLine) => {
  const [reader] = toReaders({ all: [passesOn] })
  const letters = (await reader?.take(line, new AbortController().signal)) ?? []
  return letters.map(({ event: { principal, from, payload } }) => ({ principal, from, payload }))
}

test('a letter about a turn or feedback is for its person', async () => {
  const where = { name: '1-1', conversation: 'telegram:-7', id: 't1', messages: ['m1'] }
  expect(
    await lettersOf({ ...where, kind: 'turn', record: turnRecord('t1', { principal: 'telegram:1' }) }),
  ).toMatchObject([{ principal: 'telegram:1' }])
  expect(
    await lettersOf({ ...where, kind: 'feedback', feedback: { v: 1, what: 'redo', by: 'telegram:2' } }),
  ).toMatchObject([{ principal: 'telegram:2' }])
})

test('what is forgotten, edited or gone can be passed on too: for the chat', async () => {
  const where = { name: '1-1', conversation: 'telegram:-7:12' }
  for (const why of ['forgotten', 'edited'] as const)
    expect(
      await lettersOf({ ...where, kind: 'forgotten', ids: [], forgotten: { v: 1, messages: ['m1'], why } }),
    ).toEqual([{ principal: 'telegram:-7', from: where.conversation, payload: 'forgotten' }])
  expect(await lettersOf({ ...where, kind: 'erased' })).toMatchObject([{ principal: 'telegram:-7', payload: 'erased' }])
})
