// Which tools a prompt shows: by the window alone, and never more than a prompt can carry.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depths } from '#shared/chat/decision.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import type { Tool } from '#shared/model/tool.ts'
import { describeRoom } from '#services/commands/describe-room.ts'
import { toAim, toBudget } from '#services/executor/context/depth.ts'
import { chooseOffer } from '#services/executor/context/offer.ts'
import { assemblePrompt } from '#services/executor/context/prompt.ts'
import { standard } from '#test/rig/events.ts'
import { runs } from '#test/rig/property-runs.ts'
import { builtIn, look } from '#test/services/executor/stage.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

const estimate = (text: string): number => estimateTokens(text).upperBound
const own = toolsOf(builtIn)
const namesFor = (tools: readonly Tool[], windowTokens: number): readonly string[] =>
  chooseOffer(tools, windowTokens, estimate).tools.map(({ name }) => name)
const tool = (name: string, words = 1, more: Partial<Tool> = {}): Tool => ({
  ...look,
  name,
  description: 'word '.repeat(words),
  ...more,
})

test('a window of 4,096 has room for time, sums and reminders, and says what they take', () => {
  const { tools, room } = chooseOffer(own, 4096, estimate)
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['reminder_set', 'time_now', 'calculate']))
  expect(room.toolTokens).toBeLessThanOrEqual(2048 * 0.35)
  expect(room.listed + room.searched + room.left).toBe(14)
})

test('where there is no room for all, the rare ones are found by searching', () => {
  const large = tool('large', 400)
  const names = namesFor([...own, large], 6000)
  expect(names).toEqual(['reminder_set', 'memory_query', 'time_now', 'calculate', 'tool_search', 'tool_call'])
  expect(namesFor([...own, large], 128_000)).toEqual([
    ...own.flatMap(({ name, listing }) => (listing === 'search' ? [] : [name])),
    'large',
  ])
})

test('in the smallest window only time and sums are left, and the rest is told of', () => {
  const { tools, room } = chooseOffer(own, 2000, estimate)
  expect(tools.map(({ name }) => name)).toEqual(['time_now', 'calculate'])
  expect(room).toMatchObject({ windowTokens: 2000, listed: 2, searched: 0, left: 12 })
  expect(describeRoom(room, 'en')).toBe(
    `window 2000 tokens, 2 tools in each prompt (at most ${room.toolTokens} tokens), no room for 12 more`,
  )
  expect(describeRoom(room, 'zh')).toContain('窗口放不下另外 12 个')
})

test('more than twenty tools are never shown at once, whatever the window', () => {
  const many = Array.from({ length: 40 }, (_, i) => tool(`usual_${i}`))
  const { tools, room } = chooseOffer([...own, ...many], 1_000_000, estimate)
  expect(tools).toHaveLength(20)
  expect(room).toMatchObject({ listed: 18, searched: 36 })
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['time_now', 'calculate', 'tool_search', 'tool_call']),
  )
})

test('a window in which not even the instructions fit is refused with the figures', () => {
  expect(() => chooseOffer(own, 500, estimate)).toThrow(
    /window of 500 tokens leaves 250 for a prompt, and the instructions alone take \d+/,
  )
})

test('no answer is told to be longer than it may become', () => {
  expect(depths.map((depth) => toAim(depth, 4096))).toEqual([150, 768, 768])
  expect(depths.map((depth) => toAim(depth, 128_000))).toEqual([150, 800, 2000])
})

const listing = fc.constantFrom('always' as const, 'rare' as const, undefined)
const anyTools = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), listing), { maxLength: 40 })
test('whatever the tools and the window, a prompt with them stays within its budget', () => {
  fc.assert(
    fc.property(
      anyTools,
      fc.integer({ min: 2000, max: 20_000 }),
      fc.constantFrom(...depths),
      fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.boolean()),
      (sizes, windowTokens, depth, [words, stateFirst]) => {
        const all = sizes.map(([size, rank], i) => tool(`t${i}`, size, rank ? { listing: rank } : {}))
        const { tools } = chooseOffer([...own, ...all], windowTokens, estimate)
        const text = 'word '.repeat(words)
        const context = [{ name: 'memory.facts', source: 'own' as const, text: 'word '.repeat(150), reason: 'told' }]
        const budgetTokens = toBudget(depth, windowTokens)
        const { messages, tokens } = assemblePrompt({
          principal: 'web:ann',
          state: {
            session: { id: 'sess_1', startedAt: 0, lastAt: 0 },
            history: [{ role: 'user', source: 'person', text }],
            context,
          },
          class: { ...standard, depth, complex: true },
          items: [{ role: 'user', source: 'person', text: `${text}?` }],
          clock: '2026-01-01 12:00 (Europe/Berlin)',
          tools,
          stateFirst,
          budgetTokens,
          estimate,
        })
        const weight =
          messages.reduce((sum, { content }) => sum + estimate(content), 0) +
          tools.reduce(
            (sum, { name, description, parameters }) =>
              sum + estimate(JSON.stringify({ name, description, parameters })),
            0,
          )
        expect(weight).toBeLessThanOrEqual(budgetTokens)
        expect(tokens).toBeLessThanOrEqual(budgetTokens)
        expect(messages.some(({ role }) => role === 'user')).toBe(true)
      },
    ),
    runs(200),
  )
})
