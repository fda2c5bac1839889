// WORKING.md is printed as the seed writes it, and reads back as what was printed, whatever people said.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { languages } from '#shared/chat/message.ts'
import { toExcerpt } from '#services/working/excerpt.ts'
import { printWorking, toWorkingDocument, type WorkingDocument } from '#services/working/print-working.ts'
import { runs } from '#test/rig/property-runs.ts'
import { readWorking } from './read-working.ts'

test('prints the example of the seed to the letter', () => {
  const document: WorkingDocument = {
    session: {
      id: 'sess_20260219_051500',
      started: '2026-02-19 05:15:00',
      lastUpdate: '2026-02-19 05:30:00',
      messageCount: 5,
    },
    primary: '完成WiseClaw Core架构设计',
    stack: ['详细设计文档', '文件规范定义'],
    topic: 'Agent架构设计',
    pendingQuestions: [],
    recentFacts: ['用户偏好简洁设计'],
    tokenUsage: 3500,
    avgResponseTenths: 23,
  }
  expect(printWorking(document, 'zh')).toBe(`# WORKING
> 工作记忆 - 当前会话状态（自动管理）

## Session
- id: sess_20260219_051500
- started: 2026-02-19 05:15:00
- lastUpdate: 2026-02-19 05:30:00
- messageCount: 5

## Current Goal
- primary: "完成WiseClaw Core架构设计"
- stack:
  1. 详细设计文档
  2. 文件规范定义

## Context
- topic: "Agent架构设计"
- pendingQuestions: []
- recentFacts:
  - "用户偏好简洁设计"

## Stats
- tokenUsage: 3500
- avgResponseTime: 2.3s`)
})

test('a session in which nothing was said yet has its beginning as its last change', () => {
  const empty = { atMs: 0, turns: 0, tokens: 0, tookMs: 0, notes: [] }
  const document = toWorkingDocument(empty, 'sess_20260219_051500')
  expect(document).toMatchObject({ primary: '', stack: [], topic: '', pendingQuestions: [], recentFacts: [] })
  expect(document.session).toMatchObject({ started: '2026-02-19 05:15:00', lastUpdate: '2026-02-19 05:15:00' })
  for (const language of languages) expect(readWorking(printWorking(document, language))).toEqual(document)
  expect(printWorking(document, 'en')).not.toMatch(/avgResponseTime|\p{Script=Han}/u)
})

const text = fc.string({ unit: 'binary', maxLength: 300 }).map((said) => toExcerpt(said, 120))
const texts = fc.array(
  text.filter((said) => said !== ''),
  { maxLength: 5 },
)
const stamp = fc
  .date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '))
const document = fc.record({
  session: fc.record({
    id: fc.constant('sess_20260219_051500'),
    started: stamp,
    lastUpdate: stamp,
    messageCount: fc.nat(),
  }),
  primary: text,
  stack: texts,
  topic: text,
  pendingQuestions: texts,
  recentFacts: texts,
  tokenUsage: fc.nat(),
  avgResponseTenths: fc.nat({ max: 100_000 }),
})

test('what is printed reads back the same, whatever was said', () => {
  fc.assert(
    fc.property(document, (one) => {
      for (const language of languages) expect(readWorking(printWorking(one, language))).toEqual(one)
    }),
    runs(1000),
  )
})
