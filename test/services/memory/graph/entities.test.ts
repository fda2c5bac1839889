// The reader that finds people and things: when a model is asked, what it is asked, and what becomes of an answer that is none.
import { expect, test } from 'vitest'
import { createEntities } from '#services/memory/graph/entities.ts'
import type { AskRefusal, AskRequest } from '#shared/model/ask.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { readAnswerValues } from '#infra/models/answer-values.ts'
import { createAsk } from '#services/asking/ask.ts'
import { lineOf, recordOf } from '#test/rig/turn-of.ts'
import { createMemoryGraph } from '#test/twins/memory-graph.ts'

const conversation = 'web:home'
const scope = 'user:web:ann'
const signal = new AbortController().signal

type Answer = string | { readonly refused: AskRefusal }
function open(answer: Answer | (() => Answer), choices: Readonly<Record<string, string>> = {}) {
  const asked: AskRequest[] = []
  const turns: { record: TurnRecord; about: readonly string[] }[] = []
  const graph = createMemoryGraph()
  const say = (): Answer => (typeof answer === 'function' ? answer() : answer)
  const read = createAsk({
    async call({ request, onEntered }) {
      asked.push({ id: 'x', ...request })
      await onEntered()
      const text = say()
      if (typeof text !== 'string') return { kind: 'failure', failure: 'unavailable', message: 'away' }
      return {
        kind: 'reply',
        model: 'm',
        text,
        toolCalls: [],
        usage: { promptTokens: 1, completionTokens: 1 },
        finish: 'stop',
      }
    },
    leave: async () => {},
    reserve: async () => undefined,
    charge: async () => {},
    estimate: (text) => text.length,
    isQuiet: async () => false,
    readValues: readAnswerValues,
  })
  const people = { findChoice: async (_: string, setting: string) => choices[setting], setChoice: async () => {} }
  const projection = createEntities({ graph, ask: read, people, records: { findTurns: async () => turns } })
  return {
    graph,
    asked,
    /** A turn ends; its job, if there is one. */
    async say(text: string, more: Partial<TurnRecord> = {}) {
      const record = recordOf(text, more)
      const line = lineOf(record)
      turns.push({ record, about: line.messages })
      const [job] = await projection.take(line, signal)
      return { job, line, work: () => projection.work?.({ conversation, name: line.name, line }, signal) }
    },
    projection,
    counts: async () => Object.fromEntries([...(await graph.readCounts())].filter(([, count]) => count > 0)),
    known: async (name: string) => (await graph.walk(scope, [name])).map(({ item }) => item),
  }
}
const atAcme = JSON.stringify({
  entities: [
    { entity: 'SPEAKER', type: 'person', relations: [{ type: 'works at', to: 'Acme', confidence: 0.9 }] },
    { entity: 'Bob', type: 'person', facts: [{ key: 'lives in', value: 'Lyon', confidence: 0.9 }] },
  ],
})

test('asks about three messages at once, at temperature 0, and keeps what it finds with all three', async () => {
  const { say, asked, known, counts } = open(atAcme)
  const [first, second, third] = [await say('I work at Acme'), await say('Bob lives in Lyon'), await say('I like Bob')]
  expect([first.job, second.job, third.job]).toEqual([
    { kind: 'job', inMs: 120_000 },
    { kind: 'job', inMs: 120_000 },
    { kind: 'job' },
  ])
  await third.work()
  await first.work()
  await second.work()
  expect(asked).toMatchObject([{ temperature: 0, role: 'fast' }])
  const prompt = asked[0]?.messages.map(({ content }) => content).join('\n') ?? ''
  expect(prompt).toMatch(/I work at Acme[^]*Bob lives in Lyon[^]*I like Bob/)
  const messages = [first, second, third].map(({ line }) => line.messages[0])
  expect(await known('acme')).toMatchObject([
    { status: 'unconfirmed', speaker: 'web:ann', from: [{ conversation, messages }] },
  ])
  expect(await known('bob')).toMatchObject([{ key: 'lives in', value: 'Lyon' }])
  expect(await counts()).toEqual({ asked: 1, written: 2 })
})

test('asks about fewer once they are silent, and once', async () => {
  const { say, asked } = open(atAcme)
  const first = await say('I work at Acme')
  const second = await say('Bob lives in Lyon')
  await first.work()
  expect(asked).toHaveLength(0)
  await second.work()
  expect(asked).toHaveLength(1)
  // Its process may have died before the job ended.
  await second.work()
  expect(asked).toHaveLength(2)
  expect((await say('I met Carol')).job).toEqual({ kind: 'job', inMs: 120_000 })
})

test('a group’s finds are the group’s, each speaker’s from their own words', async () => {
  const { say, graph, known, asked } = open(atAcme)
  const group = { group: true, name: 'Ann' } as const
  await say('I work at Umbrella', { ...group, principal: 'web:eve', name: 'Eve' })
  const last = await say('I work at Acme with Bob in Lyon', group)
  await last.work()
  expect(JSON.stringify(asked)).not.toContain('Umbrella')
  expect(await known('acme')).toEqual([])
  expect(await graph.walk('chat:web:home', ['acme'])).toMatchObject([
    { item: { name: 'Ann', entity: { name: 'Ann' } } },
  ])
})

test('nothing private, nothing tainted, nothing of who wants nothing noticed', async () => {
  const { say, asked } = open(atAcme)
  expect((await say('I work at Acme', { for: 'web:ann' })).job).toBeUndefined()
  expect((await say('I work at Acme', { taint: ['a page'] })).job).toBeUndefined()
  const last = await say('Bob lives in Lyon')
  await last.work()
  expect(JSON.stringify(asked)).not.toContain('Acme')
  expect((await open(atAcme, { memory_notice: 'off' }).say('I work at Acme')).job).toBeUndefined()
})

const manyEntities = JSON.stringify({
  entities: Array.from({ length: 500 }, () => ({ entity: 'Acme', type: 'project' })),
})
test.each([
  ['no JSON', 'I would say that you work at Acme.', { misshaped: 1 }],
  ['five hundred entities', manyEntities, { misshaped: 1 }],
  ['a loop', `{"entities":[${'{"entity":"Acme","type":"project"},'.repeat(2000)}`, { misshaped: 1 }],
  [
    'an entity that nobody named',
    JSON.stringify({
      entities: [{ entity: 'Zeta', type: 'project', facts: [{ key: 'in', value: 'Lyon', confidence: 1 }] }],
    }),
    { invented: 1 },
  ],
  ['nothing found', '{"entities":[]}', {}],
])('of an answer that is %s nothing is kept, and it is counted', async (_, answer, counted) => {
  const reader = open(answer)
  const { work } = await reader.say('I work at Acme in Lyon')
  await work()
  expect(await reader.known('acme')).toEqual([])
  expect(await reader.counts()).toEqual({ asked: 1, ...counted })
})

test('an answer that copies the prompt is none', async () => {
  const reader: ReturnType<typeof open> = open(
    () =>
      reader.asked
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join('\n') ?? '',
  )
  const { work } = await reader.say('I work at Acme in Lyon')
  await work()
  expect(await reader.counts()).toEqual({ asked: 1, misshaped: 1 })
})

test('a model that is away is asked later, and a message forgotten meanwhile leaves nothing', async () => {
  const away: { answer: Answer } = { answer: { refused: 'model-failed' } }
  const { say, graph, known } = open(() => away.answer)
  const { work, line } = await say('I work at Acme')
  await expect(work()).rejects.toThrow('cannot be asked now')
  away.answer = atAcme
  await graph.forget(conversation, line.messages)
  await work()
  expect(await known('acme')).toEqual([])
})

test('of who wrote very much meanwhile the oldest is skipped, with a count', async () => {
  const { say, counts, asked } = open(atAcme)
  const first = await say('I work at Acme')
  for (let n = 0; n < 160; n++) await say(`I work at Acme ${n}`)
  await first.work()
  expect([asked.length, await counts()]).toEqual([0, { late: 1 }])
})

test('its clock takes away what has ended', async () => {
  const { projection } = open(atAcme)
  expect(await projection.tick?.run(0, signal)).toEqual([])
})
