// What is left of a day once its log is gone: one line by rules, which says nothing of what is forgotten.
import { expect, test } from 'vitest'
import { createEpisodes } from '#services/memory/episodes.ts'
import { findDaysWith, keepDays, tellDay, tellOlder, toDayLine } from '#services/memory/day-lines.ts'
import type { DayLine, LogEntry, MemoryLog } from '#shared/memory/log.ts'
import { toLogEntry } from '#test/rig/remembered.ts'
import { lineOf, recordOf } from '#test/rig/turn-of.ts'

const conversation = 'web:home'
const dayMs = 86_400_000

/** A log as far as these rules see it: what goes by itself stands in the tests of the one on Redis. */
function openLog(entries: LogEntry[] = [], days: DayLine[] = []) {
  const log: MemoryLog = {
    add: async (_, entry) => void entries.push(entry),
    read: async (_, { from, until }) => entries.filter(({ at }) => at >= from && at < until),
    addDay: async (_, line) => days.push(line) > 0,
    readDays: async (_, { from, until }) => days.filter(({ day }) => day >= from && day <= until),
    dropDays: async (_, gone) => void days.splice(0, days.length, ...days.filter(({ day }) => !gone.includes(day))),
  }
  const clock = { ms: Date.parse('2026-03-02T12:00:00Z') }
  return { log, days, clock, now: () => clock.ms, timeZone: 'UTC', findChoice: async () => undefined }
}
const on = (n: number, time: string, asked: string, tools: LogEntry['tools'] = []) =>
  toLogEntry(n, `m${n}`, { at: Date.parse(time), asked, tools })

test.each([
  [
    ['what do herons eat?', 'do herons sleep?', 'and otters?'],
    ['herons', 'sleep', 'otters'],
  ],
  [['里昂的天气怎么样', '里昂有什么好吃的'], ['里昂']],
  [['12345 67 ok', 'is it so?', '…'], []],
])('topics are the words that most of it has: %j', (asked, topics) => {
  const entries = asked.map((text, n) => on(n, '2026-03-01T10:00:00Z', text))
  const { topics: found } = toDayLine('2026-03-01', entries)
  expect(found.slice(0, topics.length)).toEqual(topics.length > 0 ? expect.arrayContaining(topics.slice(0, 1)) : [])
  for (const one of topics) expect(found).toContain(one)
})

test('a day of more messages than can be named has no words in its line', () => {
  const entries = Array.from({ length: 101 }, (_, n) =>
    on(n, '2026-03-01T10:00:00Z', 'herons', [{ name: 'look', ok: true }]),
  )
  expect(toDayLine('2026-03-01', entries)).toEqual({
    v: 1,
    day: '2026-03-01',
    exchanges: 101,
    topics: [],
    tools: ['look'],
    messages: [],
  })
})

test('lines are written of days that are over, once, and anew where one went with a message', async () => {
  const entries = [
    on(1, '2026-02-28T10:00:00Z', 'what do herons eat?'),
    on(2, '2026-03-01T10:00:00Z', 'what do otters eat?'),
    on(3, '2026-03-02T10:00:00Z', 'what do foxes eat?'),
  ]
  const deps = openLog(entries)
  await keepDays(deps, conversation)
  await keepDays(deps, conversation)
  expect(deps.days.map(({ day }) => day)).toEqual(['2026-02-28', '2026-03-01'])
  await deps.log.dropDays(conversation, ['2026-02-28'])
  await keepDays(deps, conversation)
  expect(deps.days.map(({ day }) => day)).toEqual(['2026-03-01', '2026-02-28'])
})

test('the first turn of a day has it done when the day is over, and that turn again has, too', async () => {
  const deps = openLog()
  const { take, work } = createEpisodes(deps)
  const { signal } = new AbortController()
  const at = (ms: number) => lineOf(recordOf('what do herons eat?', { begunAt: ms, endedAt: ms }))
  const first = at(deps.clock.ms)
  expect(await take(first, signal)).toEqual([{ kind: 'job', inMs: 12 * 3_600_000 }])
  expect(await take(first, signal)).toEqual([{ kind: 'job', inMs: 12 * 3_600_000 }])
  expect(await take(at(deps.clock.ms + 1000), signal)).toEqual([])
  deps.clock.ms += dayMs / 2
  await work?.({ conversation, name: 'x', line: first }, signal)
  expect(deps.days).toMatchObject([{ day: '2026-03-02', topics: ['herons'] }])
})

test('older days are told a line each, the newest first; one of them by its date', async () => {
  const line = (day: string, messages: string[]): DayLine => ({
    v: 1,
    day,
    exchanges: 2,
    topics: ['herons'],
    tools: ['look'],
    messages,
  })
  const many = (name: string) => Array.from({ length: 60 }, (_, n) => `${name}${n}`)
  const deps = openLog([], [line('2025-12-01', many('a')), line('2025-12-02', many('b')), line('2026-03-01', ['c'])])
  const [older] = await tellOlder(deps, { conversation, language: 'en' })
  expect(older).toEqual({
    kind: 'send',
    // A message goes with a hundred others at most.
    text: 'Earlier days, a line each:\n- 2025-12-02: 2 exchanges; about herons; tools: look\n- 2025-12-01: 2 exchanges; tools: look',
    cameOf: [{ conversation, messages: many('b') }],
  })
  const [one] = (await tellDay(deps.log, { conversation, day: '2025-12-01', language: 'zh' })) ?? []
  expect(one).toMatchObject({ text: '- 2025-12-01：2 段对话；话题：herons；工具：look' })
  expect(await tellDay(deps.log, { conversation, day: '2025-12-05', language: 'en' })).toBeUndefined()
  expect(await findDaysWith(deps, conversation, 'my herons')).toHaveLength(3)
  expect(await findDaysWith(deps, conversation, 'heron')).toHaveLength(3)
  expect(await findDaysWith(deps, conversation, 'otter')).toEqual([])
})
