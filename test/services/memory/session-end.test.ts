// At a session's end nothing is lost that is worth keeping: each fact that working memory holds was noticed as its turn ended, and waits for its person's
// word, or is kept. `test/services/working/turns.test.ts` shows that working memory is empty after /new.
import { expect, test } from 'vitest'
import { createNotice } from '#services/memory/notice.ts'
import { createMemorySettings } from '#services/memory/settings.ts'
import { createSuggestions } from '#services/memory/suggest.ts'
import { toWorking } from '#services/working/to-working.ts'
import { ofPerson } from '#shared/memory/record.ts'
import { lineOf, recordOf } from '#test/rig/turn-of.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

const people = { findChoice: async () => undefined, setChoice: async () => {}, findZoneOf: async () => undefined }
const { signal } = new AbortController()

async function hold(...asked: readonly string[]) {
  const memory = createMemoryStore()
  const deps = { memory, desks: { wait: async () => {} }, now: Date.now, timeZone: 'UTC', ...people }
  const settings = createMemorySettings(people)
  const { take } = createNotice(deps, settings)
  const lines = asked.map((text) => lineOf(recordOf(text)))
  for (const line of lines) await take(line, signal)
  const working = toWorking(lines.map(({ record, messages }) => ({ record, about: messages })))
  const read = await memory.read(ofPerson('web:ann'))
  return {
    facts: working.notes.flatMap(({ facts = [] }) => facts),
    records: read === 'same' ? [] : read.records,
    waiting: await createSuggestions(deps, settings).find('web:ann', Date.now()),
  }
}

test.each([
  '我叫李雷，我住在上海。明天天气怎么样？',
  '我的邮箱是 a@example.org',
  '我们用 PostgreSQL 16。',
  "I'm vegetarian. What can I cook?",
  'By the way, our database is Redis',
  'We decided to use Redis',
  'I work at the harbour',
  '我不吃辣',
  '我喜欢爬山',
  '我负责前端',
  'I never eat fish',
  'My sister is a doctor. What do doctors earn?',
  // Ordered amid other words, which no command reads.
  'What do you think? Please remember that we ship on Friday. And how is the weather?',
])('what working memory holds of this waits to be asked: %s', async (asked) => {
  const { facts, records, waiting } = await hold(asked)
  expect(facts).not.toEqual([])
  expect(records.map(({ status, from }) => [status, from.length])).toContainEqual(['unconfirmed', 1])
  expect(waiting.length).toBeGreaterThan(0)
})

test('the facts of a whole session wait, each once', async () => {
  const said = [
    'I live in Lyon.',
    'I work at the harbour.',
    'I never eat fish.',
    'I live in Lyon.',
    'My sister is a doctor.',
  ]
  const { facts, waiting } = await hold(...said)
  expect([facts.length, waiting.length]).toEqual([4, 4])
})

test.each(['I am tired today', 'I like this answer'])('what holds for a moment is not offered: %s', async (asked) => {
  const { facts, records } = await hold(asked)
  expect([facts.length, records]).toEqual([1, []])
})
