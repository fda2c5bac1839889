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
  const [reader] = toReaders({ all: [passesOn] }, 'reflection')
  const { letters = [] } = (await reader?.take(line, new AbortController().signal)) ?? {}
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

const line: RecordLine = {
  name: '5-0',
  conversation: 'telegram:-7',
  kind: 'turn',
  id: 't1',
  messages: ['m1'],
  record: turnRecord('t1', { principal: 'telegram:1' }),
}
const { signal } = new AbortController()
type Projecting = Omit<NonNullable<Feature['after']>[number], 'name'>
const read = (projection: Projecting, worker: 'reflection' | 'curiosity' = 'reflection') =>
  toReaders({ all: [{ ...passesOn, after: [{ name: 'learn', ...projection }] }] }, worker)[0]

test('a reader works where it says, and in reflection unless it does', () => {
  const take = async () => []
  expect(read({ take })?.name).toBe('notes.learn')
  expect(read({ take }, 'curiosity')).toBeUndefined()
  expect(read({ take, worker: 'curiosity' })).toBeUndefined()
  expect(read({ take, worker: 'curiosity' }, 'curiosity')?.name).toBe('notes.learn')
})

test('a job comes beside letters, at once or later; two, a late one and one without work are refused', async () => {
  const work = async () => []
  const take = (...effects: readonly unknown[]) =>
    // A feature may return anything.
    read({ take: async () => JSON.parse(JSON.stringify(effects)), work })?.take(line, signal)
  const letter = { kind: 'letter', to: 'telegram:9', letter: 'told', payload: 'x' }
  expect(await take(letter, { kind: 'job' })).toMatchObject({
    letters: [{ event: { payload: 'x' } }],
    job: { worker: 'reflection', inMs: 0 },
  })
  expect((await take({ kind: 'job', inMs: 1000 }))?.job).toEqual({ worker: 'reflection', inMs: 1000 })
  expect(await take()).toEqual({ letters: [] })
  await expect(take({ kind: 'job' }, { kind: 'job' })).rejects.toThrow('more than one of a line')
  for (const inMs of [-1, 1.5, 86_400_001, '5'])
    await expect(take({ kind: 'job', inMs })).rejects.toThrow('wants a job')
  await expect(read({ take: async () => [{ kind: 'job' }] })?.take(line, signal)).rejects.toThrow('has no work for')
})

test('letters of a job are for whom its record names, about its messages; of a tick’s job for the chat', async () => {
  const reader = read({
    take: async () => [],
    work: async () => [{ kind: 'letter', to: 'telegram:9', letter: 'told', payload: 'x' }],
  })
  const { conversation, name } = line
  const [learned] = (await reader?.work?.({ conversation, name, line }, signal)) ?? []
  expect(learned?.event).toMatchObject({ id: 'telegram:-7/notes.learn-5-0-letter-0', principal: 'telegram:1' })
  expect(learned?.event.regarding).toHaveLength(1)
  const [daily] = (await reader?.work?.({ conversation, name: 'daily@9' }, signal)) ?? []
  expect(daily?.event).toMatchObject({ id: 'telegram:-7/notes.learn-daily@9-letter-0', principal: 'telegram:-7' })
})

test('work that is stopped ends at once, whether it listens or not', async () => {
  const stopping = new AbortController()
  const reader = read({ take: async () => [], work: () => new Promise(() => {}) })
  const working = reader?.work?.({ conversation: 'web:a', name: '1-0' }, stopping.signal)
  stopping.abort()
  await expect(working).rejects.toThrow('It was stopped.')
})

test('a clock needs work to do, and names jobs of conversations', async () => {
  const take = async () => []
  expect(() => read({ take, tick: { everyMs: 60_000, run: async () => [] } })).toThrow('does no jobs')
  for (const everyMs of [0, 59_999, Number.NaN, 32 * 86_400_000])
    expect(() => read({ take, work: async () => [], tick: { everyMs, run: async () => [] } })).toThrow('31 days')
  const run = (...jobs: readonly unknown[]) =>
    read({
      take,
      work: async () => [],
      tick: { everyMs: 60_000, run: async () => JSON.parse(JSON.stringify(jobs)) },
    })?.tick?.run(1, signal)
  expect(await run({ conversation: 'web:a', name: 'daily' })).toEqual([{ conversation: 'web:a', name: 'daily' }])
  for (const job of [{ conversation: 'nowhere', name: 'daily' }, { conversation: 'web:a', name: 'a b' }, 'x'])
    await expect(run(job)).rejects.toThrow('no list of jobs')
})
