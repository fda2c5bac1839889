// What people answered on cards: told by /why of what rests on it, and by the day's log.
import { expect, test } from 'vitest'
import { findAnswered, tellAnswers } from '#services/memory/answers.ts'
import { printLog } from '#services/memory/episodes.ts'
import type { MemoryLog } from '#shared/memory/log.ts'
import { ofChat, ofPerson, type NewRecord } from '#shared/memory/record.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const [ann, alone, group] = ['telegram:1', 'telegram:1', 'telegram:-1']
const zone = 'Europe/Berlin'
const question = 'How long is the slot — with the break?'
const [askedAt, saidAt] = [Date.parse('2026-03-01T09:00:00Z'), Date.parse('2026-03-02T13:05:00Z')]

const answered: NewRecord = {
  id: 'said:1',
  kind: 'fact',
  speaker: ann,
  text: `${question} — forty minutes — no more`,
  saidAt,
  status: 'confirmed',
  confirmedBy: ann,
  origin: 'said',
  answers: { kind: 'words', question, askedAt, in: alone },
  from: [
    { conversation: group, messages: ['g1'] },
    { conversation: alone, messages: ['m9'] },
  ],
}
const { answers: _answers, ...plain } = answered
const said: NewRecord = { ...plain, id: 'said:0', text: 'I live in Lyon', from: [] }

async function open() {
  const memory = createMemoryStore()
  await memory.write(ofPerson(ann), said)
  await memory.write(ofPerson(ann), answered)
  await memory.write(ofChat(group), { ...answered, name: 'Ann' })
  return memory
}

const given = (reason: string) => [{ name: 'memory.records', reason }]

test('of the records that an answer was given those are named that somebody answered, with when', async () => {
  const memory = await open()
  const record = { principal: ann, context: given('kept as number 1, 2') }
  const told = { record, conversation: alone, zone }
  expect(await tellAnswers(memory, { ...told, language: 'en' })).toEqual({
    lines: [`number 2 is what was answered to my question “${question}” (asked 2026-03-01, answered 2026-03-02)`],
    cameOf: answered.from,
  })
  const { lines } = await tellAnswers(memory, { ...told, language: 'zh' })
  expect(lines).toEqual([`第 2 条是对我这个问题的回答：“${question}”（2026-03-01 问的，2026-03-02 答的）`])
})

test('in a group what is kept for a person is not told, and what is kept for the group is', async () => {
  const memory = await open()
  const record = { principal: ann, group: true as const, context: given('kept as number 1, p2') }
  const { lines } = await tellAnswers(memory, { record, conversation: group, zone, language: 'en' })
  expect(lines).toEqual([expect.stringContaining('number 1 is what was answered')])
})

test('once it is forgotten nothing names it', async () => {
  const memory = await open()
  await memory.forget(group, ['g1'])
  const record = { principal: ann, context: given('kept as number 1, 2') }
  expect(await tellAnswers(memory, { record, conversation: alone, zone, language: 'en' })).toEqual({
    lines: [],
    cameOf: [],
  })
})

const log: Pick<MemoryLog, 'add' | 'read'> = {
  add: async () => {},
  read: async () => [
    { v: 1, id: 't1', at: saidAt + 60_000, asked: 'hello', answered: 'Hi.', tools: [], tookMs: 500, messages: ['m1'] },
  ],
}

test('the log of the day on which it was answered has it, where it was answered and where it was said to be known', async () => {
  const memory = await open()
  const day = { day: '2026-03-02', zone, language: 'en', most: 30 } as const
  const own = { conversation: alone, principal: ann, group: false }
  const { text } = await printLog(log, { ...day, conversation: alone, answered: await findAnswered(memory, own) })
  expect(text.split('\n\n')).toEqual([
    '# 2026-03-02',
    `## 14:05 - ${question}\n- I asked: ${question}\n- answered: forty minutes — no more\nasked 2026-03-01`,
    expect.stringContaining('## 14:06 - hello'),
  ])
  const there = { conversation: group, principal: 'telegram:2', group: true }
  const told = await printLog(log, { ...day, conversation: group, answered: await findAnswered(memory, there) })
  expect(told.text).toContain('- answered: Ann: forty minutes')
  expect(await findAnswered(memory, { ...own, conversation: 'web:other' })).toEqual([])
  const other = await printLog(log, {
    ...day,
    day: '2026-03-01',
    conversation: alone,
    answered: await findAnswered(memory, own),
  })
  expect(other.shown).toEqual([])
})
