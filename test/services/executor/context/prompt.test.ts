// Whatever came before: a prompt never exceeds its budget, and no tool result stands in it without its call.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { depths } from '#shared/chat/decision.ts'
import type { PromptMessage, ToolSchema } from '#shared/model/model-port.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { shorten } from '#services/executor/state/fit-items.ts'
import { assemblePrompt, type Prompt } from '#services/executor/context/prompt.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { indexFeatures } from '#services/executor/state/features.ts'
import { parseState } from '#services/executor/state/stored.ts'
import { runs } from '#test/rig/property-runs.ts'
import { standard } from '#test/rig/events.ts'

/** Long texts are weighed again and again. */
const weighed = new Map<string, number>()
function estimate(text: string): number {
  const known = weighed.get(text) ?? estimateTokens(text).upperBound
  weighed.set(text, known)
  return known
}

const piece = fc.constantFrom('word ', '汉字', '😀', ' ', 'a.b;', '\n', 'Q')
const text = fc.tuple(piece, fc.integer({ min: 0, max: 3000 })).map(([unit, times]) => unit.repeat(times))
const source = fc.constant('person' as const)
const user = fc.record({ role: fc.constant('user' as const), source, text, name: fc.constantFrom('Ann', '某人') })
const step = fc.tuple(text, fc.array(fc.tuple(text, text), { maxLength: 5 })).map(([said, calls]): HistoryItem[] => [
  {
    role: 'assistant',
    source: 'own',
    text: said,
    toolCalls: calls.map(([query], i) => ({ id: `c${i}`, name: 'look', arguments: JSON.stringify({ query }) })),
  },
  ...calls.map(([, result], i): HistoryItem => ({ role: 'tool', source: 'others', callId: `c${i}`, text: result })),
])
const items = (most: number) =>
  fc
    .tuple(
      user,
      fc.array(
        fc.oneof(
          user.map((one): HistoryItem[] => [one]),
          step,
        ),
        { maxLength: most },
      ),
    )
    .map(([first, rest]): HistoryItem[] => [first, ...rest.flat()])

function build(given: {
  history: HistoryItem[]
  items: HistoryItem[]
  budgetTokens: number
  tools?: readonly ToolSchema[]
}): Prompt {
  const state = { ...parseState(indexFeatures([]), { parts: {} }, 0), history: given.history }
  return assemblePrompt({
    principal: 'web:owner',
    tools: [],
    ...given,
    state,
    class: standard,
    clock: '2026-01-01 12:00',
    estimate,
  })
}

function weigh(messages: readonly PromptMessage[], tools: readonly ToolSchema[]): number {
  const calls = (message: PromptMessage): number =>
    message.role === 'assistant' && message.toolCalls?.length ? estimate(JSON.stringify(message.toolCalls)) : 0
  return (
    messages.reduce((sum, message) => sum + estimate(message.content) + calls(message), 0) +
    tools.reduce((sum, tool) => sum + estimate(JSON.stringify(tool)), 0)
  )
}

/** The calls that have no result, and the results that have no call before them. */
function findLoose(messages: readonly PromptMessage[]): string[] {
  const open: string[] = []
  const loose: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.includes(message.callId)) loose.push(`result ${message.callId}`)
      else open.splice(open.indexOf(message.callId), 1)
      continue
    }
    loose.push(...open.splice(0).map((id) => `call ${id}`))
    if (message.role === 'assistant') open.push(...(message.toolCalls ?? []).map((call) => call.id))
  }
  return [...loose, ...open]
}

test('never exceeds the budget, begins with a person, and keeps calls and results together', () => {
  fc.assert(
    fc.property(
      items(12),
      items(12),
      fc.constantFrom(...depths),
      fc.integer({ min: 1500, max: 30_000 }),
      (history, turn, _, budgetTokens) => {
        const tools = [{ name: 'look', description: 'Looks. '.repeat(20), parameters: { type: 'object' } }]
        weighed.clear()
        const prompt = build({ history, items: turn, budgetTokens, tools })
        const weight = weigh(prompt.messages, tools)
        expect(weight).toBeLessThanOrEqual(budgetTokens)
        expect(prompt.tokens).toBeGreaterThanOrEqual(weight)
        expect(prompt.tokens).toBeLessThanOrEqual(budgetTokens)
        expect(findLoose(prompt.messages)).toEqual([])
        expect(prompt.messages[1]?.role).toBe('user')
      },
    ),
    runs(300),
  )
})

test('the last two exchanges stay beside a turn that outgrows the window, as long as it has a quarter of it', () => {
  const exchange = (n: number): HistoryItem[] => [
    { role: 'user', source: 'person', text: `question ${n} ${'word '.repeat(100)}` },
    { role: 'assistant', source: 'own', text: `answer ${n}` },
  ]
  const result = (n: number): HistoryItem[] => [
    { role: 'assistant', source: 'own', text: '', toolCalls: [{ id: `c${n}`, name: 'look', arguments: '{}' }] },
    { role: 'tool', source: 'others', callId: `c${n}`, text: 'word '.repeat(700) },
  ]
  const history = [1, 2, 3].flatMap(exchange)
  const turn: HistoryItem[] = [{ role: 'user', source: 'person', text: 'Now?' }, ...[1, 2, 3, 4, 5, 6].flatMap(result)]
  const questions = (budgetTokens: number): readonly string[] =>
    build({ history, items: turn, budgetTokens }).messages.flatMap(({ role, content }) =>
      role === 'user' ? [content.slice(0, 10)] : [],
    )
  expect(questions(4000)).toEqual(['question 2', 'question 3', 'Now?'])
  expect(questions(600)).toEqual(['Now?'])
})

test('a turn that outgrew the window keeps its question and its newest steps', () => {
  const found = (n: number): HistoryItem[] => [
    {
      role: 'assistant',
      source: 'own',
      text: `step ${n}`,
      toolCalls: [{ id: `c${n}`, name: 'look', arguments: '{}' }],
    },
    { role: 'tool', source: 'others', callId: `c${n}`, text: `result ${n} ${'word '.repeat(400)}` },
  ]
  const turn: HistoryItem[] = [
    { role: 'user', source: 'person', text: 'The question' },
    ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap(found),
  ]
  const { messages } = build({ history: [], items: turn, budgetTokens: 4000 })
  expect(messages[1]?.content).toBe('The question')
  expect(messages.at(-2)?.content).toMatch(/^result 8/)
  expect(messages[2]?.role).toBe('assistant')
  expect(messages[2]?.content).not.toBe('step 1')
})

test('a newest step that is too large alone has its results cut, not left out', () => {
  const calls = Array.from({ length: 20 }, (_, i) => ({ id: `c${i}`, name: 'look', arguments: '{}' }))
  const turn: HistoryItem[] = [
    { role: 'user', source: 'person', text: 'The question' },
    { role: 'assistant', source: 'own', text: '', toolCalls: calls },
    ...calls.map(({ id }): HistoryItem => ({
      role: 'tool',
      source: 'others',
      callId: id,
      text: `begin ${'word '.repeat(700)} end`,
    })),
  ]
  const { messages } = build({ history: [], items: turn, budgetTokens: 8000 })
  expect(messages.filter((message) => message.role === 'tool')).toHaveLength(20)
  expect(findLoose(messages)).toEqual([])
})

test('many messages that do not fit are told of', () => {
  const turn = Array.from({ length: 100 }, (_, i): HistoryItem => ({
    role: 'user',
    source: 'person',
    text: `${i} ${'汉'.repeat(4000)}`,
  }))
  expect(build({ history: [], items: turn, budgetTokens: 20_000 }).cut).toBe(true)
})

test('a text of whatever kind is cut in three looks', () => {
  const dense = `${'the word '.repeat(3000)}${'漢'.repeat(9000)}`
  const looks = new Map<string, number>()
  const counting = (given: string): number => {
    looks.set(given, (looks.get(given) ?? 0) + 1)
    return estimate(given)
  }
  const item: HistoryItem = { role: 'user', source: 'person', text: dense }
  const short = shorten(item, 4000, counting)
  expect(estimate(short.text)).toBeLessThanOrEqual(4000)
  expect(estimate(short.text)).toBeGreaterThan(2000)
  expect(looks.size).toBeLessThanOrEqual(3)
})

test('tool schemas take room from the history', () => {
  const history = Array.from({ length: 100 }, (): HistoryItem => ({
    role: 'user',
    source: 'person',
    text: 'word '.repeat(50),
  }))
  const one: ToolSchema = { name: 'look', description: 'word '.repeat(500), parameters: {} }
  const turn: HistoryItem[] = [{ role: 'user', source: 'person', text: 'The question' }]
  const without = build({ history, items: turn, budgetTokens: 3000 })
  const loaded = build({ history, items: turn, budgetTokens: 3000, tools: [one] })
  expect(loaded.messages.length).toBeLessThan(without.messages.length)
})
