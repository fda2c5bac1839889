// When a model is asked of ended turns, and what becomes of its answer: on real stores, with the real gate, and a model over HTTP.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TurnRecord } from '#shared/run/record.ts'
import { recordOf } from '#test/rig/turn-of.ts'
import { openReadStage, type ReadStage } from './read-stage.ts'

let stage: ReadStage
let nth = 0
beforeAll(async () => void (stage = await openReadStage()))
afterAll(() => stage[Symbol.asyncDispose]())
beforeEach(async () => {
  nth += 1
  stage.fleet.model.clearScript()
  await stage.fleet.redis.admin.del('fl:{reading}')
})

const quote = 'Chairs for forty, by analogy with the summer party.'
const answers = [
  { answer: '60', changes: 'chairs are borrowed' },
  { answer: '20', changes: 'one row less' },
]
const asked = {
  question: 'How many chairs does the concert need?',
  to: 'Ann',
  kind: 'words',
  quote,
  why: 'the number is that of another party',
  assumed: 'forty',
  answers,
  key: 'concert chairs number',
}
const says = (...ask: readonly object[]): void =>
  stage.fleet.model.script({ answer: { kind: 'text', text: JSON.stringify({ ask }) } })

/** A session of Ann's alone with the bot, in which she is the only one of this test. */
function open() {
  const [ann, conversation] = [`telegram:${7000 + nth}`, `telegram:${7000 + nth}`]
  let endedAt = Date.parse('2026-03-09T14:00:00Z')
  return {
    ann,
    end: async (text: string, answer: string, more: Partial<TurnRecord> = {}) => {
      endedAt += 10_000
      return await stage.end(conversation, recordOf(text, { principal: ann, name: 'Ann', answer, endedAt, ...more }))
    },
    waiting: async () => (await stage.waiting(ann)).map(({ text }) => text),
  }
}
const calls = (): number => stage.fleet.model.ledger.entries.length

test('three turns are read by one call, whose question waits until the chat answers it', async () => {
  says(asked)
  const { ann, end, waiting } = open()
  const before = calls()
  const first = await end('prepare the hall for our concert', `The hall opens at six. ${quote}`)
  const second = await end('and the lights?', 'They are rented.')
  expect(calls()).toBe(before)
  expect(await end('and the bar?', 'It opens at seven.')).toBeUndefined()
  expect(calls()).toBe(before + 1)
  expect(await waiting()).toEqual([asked.question])
  for (const late of [first, second]) await late?.()
  expect(calls()).toBe(before + 1)
  expect(await stage.counts()).toMatchObject({ asked: 1, given: 1, kept: 1 })
  const [record] = await stage.waiting(ann)
  expect(record?.asks).toMatchObject({ said: quote, key: 'chair concert number', kind: 'words' })
  await end('the concert needs sixty chairs', 'Good.')
  expect(await waiting()).toEqual([])
})

test('a job that comes again writes nothing twice', async () => {
  says(asked)
  const { end, waiting } = open()
  const read = await end('prepare the hall for our concert', `The hall opens at six. ${quote}`)
  await read?.()
  await read?.()
  expect(await waiting()).toEqual([asked.question])
})

test('no call where no sentence rests on anything unknown', async () => {
  const { end } = open()
  const before = calls()
  await (
    await end('when does the hall open', 'The hall opens at six.')
  )?.()
  expect(calls()).toBe(before)
  expect(await stage.counts()).toEqual({ calm: 1 })
})

test.each<[string, Partial<TurnRecord>]>([
  ['said in private', { for: 'telegram:1' }],
  ['with pages', { taint: ['a page'] }],
  ['without words', { asked: ' ' }],
  ['that is a command', { asked: '/questions now' }],
  ['that was stopped', { ending: 'stopped' }],
])('a turn %s is not read', async (_, more) => {
  says(asked)
  const { end } = open()
  const before = calls()
  expect(await end('prepare the hall for our concert', quote, more)).toBeUndefined()
  expect(calls()).toBe(before)
})

test('who wants no questions has no call made', async () => {
  says(asked)
  const { ann, end } = open()
  stage.choose(ann, 'off')
  const before = calls()
  await (
    await end('prepare the hall for our concert', quote)
  )?.()
  expect(calls()).toBe(before)
})

test('an answer that is none is counted, and the next is read', async () => {
  stage.fleet.model.script({ times: 2, answer: { kind: 'text', text: 'No idea.' } })
  says(asked)
  const { end, waiting } = open()
  await (
    await end('prepare the hall for our concert', quote)
  )?.()
  expect(await stage.counts()).toEqual({ asked: 1, misshaped: 1 })
  await (
    await end('and the choir?', `It sings first. ${quote}`, { session: 's2' })
  )?.()
  expect(await waiting()).toEqual([asked.question])
})

test('the same question of another session, in the other language, is asked once', async () => {
  says(asked)
  const { end, waiting } = open()
  await (
    await end('prepare the hall for our concert', quote)
  )?.()
  stage.fleet.model.clearScript()
  const zh = '椅子先按四十把写。'
  says({ ...asked, question: '音乐会要多少把椅子？', quote: zh, key: 'number of concert chairs' })
  await (
    await end('帮我安排音乐会的大厅', zh, { session: 's2', language: 'zh' })
  )?.()
  const left = await waiting()
  expect(left).toContain(asked.question)
  expect(left).not.toContain('音乐会要多少把椅子？')
})
