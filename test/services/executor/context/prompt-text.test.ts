// What a prompt says, word for word: the fixed part first, what was said, and last whatever changes from call to call.
import { expect, test } from 'vitest'
import type { Classification } from '#shared/chat/decision.ts'
import type { PromptMessage } from '#shared/model/model-port.ts'
import { assemblePrompt, type Prompt, type PromptInput } from '#services/executor/context/prompt.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { standard } from '#test/rig/events.ts'

const count = (text: string): number => text.length
const session = { id: 'sess_1', startedAt: 0, lastAt: 0 }
type Given = Partial<Omit<PromptInput, 'state' | 'class'>> &
  Partial<PromptInput['state']> & { readonly class?: Partial<Classification> }

function build({ history = [], context, class: found = {}, session: own = session, ...more }: Given = {}): Prompt {
  return assemblePrompt({
    principal: 'web:owner',
    state: { session: own, history, context },
    class: { ...standard, ...found },
    items: [{ role: 'user', source: 'person', text: 'Why?' }],
    clock: '2026-01-01 12:00',
    tools: [],
    budgetTokens: 100_000,
    estimate: count,
    ...more,
  })
}
const tailOf = ({ messages }: Prompt): string => messages.at(-1)?.content ?? ''
const middleOf = ({ messages }: Prompt): readonly PromptMessage[] => messages.slice(1, -1)
const status = (depth: string, tokens: number): string =>
  [
    '## 当前状态',
    '- 会话ID: sess_1',
    `- 处理深度: ${depth}`,
    '- 当前时间: 2026-01-01 12:00',
    `- 篇幅: 不超过约 ${tokens} tokens`,
  ].join('\n')

test('the last part names session, depth, clock and length', () => {
  expect(tailOf(build())).toBe(status('standard', 800))
})

test('a light answer is asked for in two sentences, a deep one in parts with checkpoints', () => {
  expect(tailOf(build({ class: { depth: 'light' } }))).toBe(
    `${status('light', 150)}\n\n## 输出要求\n- 简洁回复，不超过2句话\n- 不需要解释`,
  )
  expect(tailOf(build({ class: { depth: 'deep' } }))).toBe(
    `${status('deep', 2000)}\n\n## 输出要求\n- 结构化输出\n- 关键决策点标注[CHECKPOINT]`,
  )
})

test('a complex task is to be planned first', () => {
  expect(tailOf(build({ class: { complex: true } }))).toContain(`${status('standard', 800)}\n\n[任务规划模式]\n`)
})

test('whatever changes, the first part stays the same to the byte', () => {
  const one = build()
  const other = build({ class: { depth: 'deep', complex: true }, clock: 'later' })
  expect(other.messages[0]).toEqual(one.messages[0])
  expect(one.messages[0]?.role).toBe('system')
})

test('each message stands in its role, with a mark for who speaks in a group', () => {
  const toolCalls = [{ id: 'a', name: 'look', arguments: '{}' }]
  const items: HistoryItem[] = [
    { role: 'user', source: 'person', text: 'Why?', name: 'Ann', messageId: 'm1' },
    { role: 'assistant', source: 'own', text: 'I look.', toolCalls },
    { role: 'tool', source: 'others', callId: 'a', text: 'found' },
    { role: 'assistant', source: 'own', text: 'Because.', toolCalls: [] },
    { role: 'user', source: 'person', text: 'Thanks.' },
  ]
  expect(middleOf(build({ items }))).toEqual([
    { role: 'user', content: '⟦Ann⟧ Why?' },
    { role: 'assistant', content: 'I look.', toolCalls },
    { role: 'tool', callId: 'a', content: 'found' },
    { role: 'assistant', content: 'Because.' },
    { role: 'user', content: 'Thanks.' },
  ])
})

test('what was said before stands before the turn', () => {
  const history: HistoryItem[] = [
    { role: 'user', source: 'person', text: 'Who?' },
    { role: 'assistant', source: 'own', text: 'Bob.' },
  ]
  expect(middleOf(build({ history })).map(({ content }) => content)).toEqual(['Who?', 'Bob.', 'Why?'])
})

test('its tokens are those of its messages and tools, with 8 more for each', () => {
  const tools = [{ name: 'look', description: 'Looks.', parameters: {} }]
  const prompt = build({ tools })
  const texts = prompt.messages.reduce((sum, { content }) => sum + content.length + 8, 0)
  expect(prompt.tokens).toBe(texts + JSON.stringify(tools[0]).length + 8)
})

test('of a tool its name, its words and its parameters are counted, whatever else it has', () => {
  const tool = { name: 'look', description: 'Looks.', parameters: {} }
  const more = { ...tool, effect: 'read', onCrash: 'rerun' }
  expect(build({ tools: [more] }).tokens).toBe(build({ tools: [tool] }).tokens)
})

test('of a budget so small that nothing before the turn fits, the turn has all', () => {
  const bare = build().tokens
  const history: HistoryItem[] = [{ role: 'user', source: 'person', text: 'x' }]
  expect(middleOf(build({ history, budgetTokens: bare + 9 }))).toHaveLength(2)
  expect(middleOf(build({ history, budgetTokens: bare + 8 }))).toHaveLength(1)
})

test('a message larger than a quarter of the budget is cut, and it is told that it was', () => {
  const fits: HistoryItem = { role: 'user', source: 'person', text: 'x'.repeat(1000) }
  const over: HistoryItem = { role: 'user', source: 'person', text: 'x'.repeat(1001) }
  expect(build({ items: [fits], budgetTokens: 4000 }).cut).toBe(false)
  const prompt = build({ items: [over], budgetTokens: 4000 })
  expect(prompt.cut).toBe(true)
  expect(middleOf(prompt)[0]?.content).toContain('left out')
})

test('a long result that is cut is no message that was cut', () => {
  const items: HistoryItem[] = [
    { role: 'user', source: 'person', text: 'Why?' },
    { role: 'assistant', source: 'own', text: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] },
    { role: 'tool', source: 'others', callId: 'a', text: 'x'.repeat(3000) },
  ]
  const prompt = build({ items, budgetTokens: 4000 })
  expect(middleOf(prompt).at(-1)?.content).toContain('left out')
  expect(prompt.cut).toBe(false)
})

test('a message of the turn that had to be left out whole is told of too', () => {
  const item: HistoryItem = { role: 'user', source: 'person', text: 'x'.repeat(900) }
  expect(build({ items: [item, item, item, item], budgetTokens: 4000 }).cut).toBe(true)
  expect(build({ items: [item, item, item], budgetTokens: 4000 }).cut).toBe(false)
})

const part = { name: 'notes.list', source: 'others', text: 'one\ntwo', reason: 'taken  before\n' } as const

test('what a feature gave stands at the end, under its name, as a quote', () => {
  expect(tailOf(build({ context: [part] }))).toBe(
    `${status('standard', 800)}\n\n## 参考: ⟦notes.list: taken before ⟧\n> one\n> two`,
  )
})

test('the bot’s own words are no quote, and hold no marks either', () => {
  const own = { ...part, source: 'own', text: 'one ⟦two⟧' } as const
  expect(tailOf(build({ context: [own] }))).toMatch(/⟧\none \[two\]$/)
})

test('what the features gave takes no more than a quarter of the budget, and a smaller part may still fit', () => {
  const size = (text: string): number => `\n## 参考: ⟦a: b⟧\n> ${text}`.length + 8
  const give = (text: string) => ({ name: 'a', source: 'others', text, reason: 'b' }) as const
  const first = give('x'.repeat(900))
  const budgetTokens = 4 * (size(first.text) + size('y'))
  const kept = (context: readonly (typeof first)[], budget = budgetTokens): string =>
    tailOf(build({ context, budgetTokens: budget }))
      .replaceAll(/[^xy]/g, '')
      .replaceAll(/(.)\1+/g, '$1')
  expect(kept([first, give('y')])).toBe('xy')
  expect(kept([first, give('y')], budgetTokens - 4)).toBe('x')
})

test('a long message is told to be cut in its own turn, and not again in those after it', () => {
  const long = { role: 'user', source: 'person', text: 'x'.repeat(5000) } as const
  expect(build({ items: [long], budgetTokens: 8000 }).cut).toBe(true)
  expect(build({ history: [long, { role: 'assistant', source: 'own', text: 'Long.' }], budgetTokens: 8000 }).cut).toBe(
    false,
  )
})

test('from the second step on the anchor stands at the end; a plan that tools came before is still asked for', () => {
  const anchor = '## 当前任务\n> Why?'
  const tail = tailOf(build({ class: { complex: true }, anchor }))
  expect(tail.endsWith(`\n\n${anchor}`)).toBe(true)
  expect(tail).toContain('[任务规划模式]')
  const small = build({ anchor, stateFirst: true })
  expect(JSON.stringify(small.messages)).not.toContain('当前任务')
})

test('in English all of it but the words of people is English, and the system part stays as the session began', () => {
  const spoken = { ...session, language: 'en' as const }
  const english = build({ session: spoken, class: { complex: true, depth: 'deep' }, context: [] })
  expect(JSON.stringify(english.messages)).not.toMatch(/\p{Script=Han}/u)
  expect(tailOf(english)).toContain('- Length: about 2000 tokens at most')
  expect(tailOf(english)).toContain('[Planning]')
  const later = build({ session: spoken, items: [{ role: 'user', source: 'person', text: '为什么？' }] })
  expect(later.messages[0]).toEqual(english.messages[0])
})
