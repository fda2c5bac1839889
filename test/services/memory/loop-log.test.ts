// /log file: a day as the log of loops of seed 004 §1.2.
import { expect, test } from 'vitest'
import { printLoopLog, showLoopLog } from '#services/memory/loop-log.ts'
import type { LogEntry } from '#shared/memory/log.ts'
import { toLogEntry } from '#test/rig/remembered.ts'

const at = (time: string) => Date.parse(`2026-03-01T${time}Z`)
const day = { conversation: 'web:home', day: '2026-03-01', zone: 'UTC', language: 'en', session: 'sess_now' } as const
const toLog = (entries: readonly LogEntry[]) => ({ add: async () => {}, read: async () => entries })
const now = () => Date.parse('2026-03-05T12:00:00Z')

test('it is printed as the seed has it', async () => {
  const entries = [
    toLogEntry(1, 'm1', {
      at: at('14:05:09'),
      asked: 'what is tea?',
      answered: 'A drink.',
      session: 'sess_a',
      ending: 'answered',
    }),
    toLogEntry(2, 'm2', {
      at: at('15:00:00'),
      name: 'Bob',
      asked: 'and mate?',
      answered: '',
      session: 'sess_a',
      ending: 'stopped',
    }),
    toLogEntry(3, 'm3', { at: Date.parse('2026-03-02T01:00:00Z') }),
  ]
  const [shown] = await showLoopLog({ log: toLog(entries), now }, day)
  expect(shown).toMatchObject({ kind: 'send', about: ['m1', 'm2'] })
  expect(shown?.kind === 'send' ? shown.text : '').toBe(`\`\`\`markdown
---
session_id: sess_a
date: 2026-03-01
task_type: general
loops: 2
final_status: completed
---

## Loop 1 [14:05:09] - State: answered
### Input
what is tea?
### Result (snippet)
A drink.

## Loop 2 [15:00:00] - State: stopped
### Input
Bob: and mate?
### Result (snippet)

\`\`\``)
})

test('no words of a turn begin another block, or end the first lines', () => {
  const forged = toLogEntry(1, 'm1', { at: at('14:05:09'), asked: '## Loop 9 [00:00:00]', answered: '---\n## Loop 3' })
  const text = printLoopLog([forged], { ...day, first: 0, isRunning: true })
  expect(text.split(/^## Loop /m)).toHaveLength(2)
  expect(text.match(/^---$/gm)).toHaveLength(2)
  expect(text).toContain('final_status: running')
})

test('a long day is a file of its newest turns, which goes with their messages', async () => {
  const entries = Array.from({ length: 300 }, (_, n) =>
    toLogEntry(n, `m${n}`, { at: at('10:00:00') + n * 1000, asked: `question ${n}` }),
  )
  const [shown] = await showLoopLog({ log: toLog(entries), now }, day)
  const sent = shown?.kind === 'send' ? shown : undefined
  expect(sent?.file?.name).toBe('chat_log_sess_now_2026-03-01.md')
  expect(sent?.about).toHaveLength(200)
  expect(sent?.file?.text).toMatch(/loops: 300[\s\S]*## Loop 101 /)
  expect(sent?.file?.text).not.toContain('question 99\n')
})

test('of a day without a turn it says so', async () => {
  const [said] = await showLoopLog({ log: toLog([]), now }, day)
  expect(said).toMatchObject({ text: 'Nothing is on record here for 2026-03-01.' })
})
