// What is said once something was forgotten.
import { expect, test } from 'vitest'
import { tellGone } from '#services/memory/forget-receipt.ts'

const gone = { records: 1, stays: 0, guesses: 0, questions: 0, days: 0, sources: [], isIndexed: true }

test('an index that is away is named', () => {
  expect(tellGone('en', gone)).not.toContain('search index')
  expect(tellGone('en', { ...gone, isIndexed: false })).toContain(
    'The search index of memory does not answer now: what it has of this goes as soon as it does.',
  )
  expect(tellGone('zh', { ...gone, isIndexed: false })).toContain('等它恢复')
})

test('messages alone say nothing of anything else', () => {
  const sources = [{ conversation: 'web:main', messages: ['1'] }]
  expect(tellGone('en', { ...gone, records: 0, sources })).toMatch(/^One message is forgotten\. /)
  expect(tellGone('zh', { ...gone, records: 0, sources })).toMatch(/^忘掉了 1 条消息。/)
})

test('what nobody here can reach is named where a platform shows it', () => {
  const sources = [{ conversation: 'telegram:1', messages: ['1', '2'] }]
  expect(tellGone('en', { ...gone, questions: 1, sources })).toBe(
    'One thing is forgotten, with one question and 2 messages that said so. I will not work it out again from other words, unless you tell me to remember it. I cannot reach what the platform itself still shows. Nor can I reach backups of the server.',
  )
})
