// Assembles a model request within a token budget. The fixed part comes first and the history is append-only, so that the prefix
// stays byte-identical from call to call; whatever changes (depth, clock, preferences) stands last. It never exceeds the budget.
import type { Classification } from '#shared/chat/decision.ts'
import { toMark } from '#shared/chat/spoken.ts'
import type { PromptMessage, ToolCall } from '#shared/model/model-port.ts'
import { depthDecision } from './depth.ts'
import words from './prompt-words.json' with { type: 'json' }
import type { ConversationState, HistoryItem } from './state.ts'

/** Upper bound of a text's tokens. */
export type Estimate = (text: string) => number

/** The fixed lines of seed 000 §3.2.2. */
const systemPart = words.system.join('\n')

export type PromptInput = {
  readonly state: ConversationState
  readonly class: Classification
  /** The turn so far: its user messages, model steps and tool results. */
  readonly items: readonly HistoryItem[]
  readonly clock: string
  readonly budgetTokens: number
  readonly estimate: Estimate
}

export type Prompt = {
  readonly messages: readonly PromptMessage[]
  readonly tokens: number
  /** a message was cut to its head and tail */ readonly cut: boolean
}

export function assemblePrompt(input: PromptInput): Prompt {
  const { estimate, budgetTokens } = input
  const tail = variablePart(input)
  const perMessage = 8
  const fixedTokens = estimate(systemPart) + estimate(tail) + 2 * perMessage
  let cut = false
  const quarter = Math.floor(budgetTokens / 4)
  const fit = (item: HistoryItem): HistoryItem => {
    if (estimate(item.text) <= quarter) return item
    cut ||= item.role === 'user'
    return { ...item, text: headAndTail(item.text, quarter, estimate) }
  }
  let room = budgetTokens - fixedTokens
  const turn = newestWithin(input.items.map(fit), room, estimate)
  room -= turn.tokens
  const history = newestWithin(input.state.history.map(fit), room, estimate)
  const messages: PromptMessage[] = [
    { role: 'system', content: systemPart },
    ...[...startingWithUser(history.items), ...turn.items].map(toMessage),
    { role: 'system', content: tail },
  ]
  return { messages, tokens: budgetTokens - room + history.tokens, cut }
}

function variablePart({ state, class: found, clock }: PromptInput): string {
  const lines = ['## 当前状态', `- 会话ID: ${state.session.id}`, `- 处理深度: ${found.depth}`, `- 当前时间: ${clock}`]
  lines.push(`- 篇幅: 不超过约 ${depthDecision(found.depth).maxTokens} tokens`)
  if (found.depth !== 'standard') lines.push(...words[found.depth])
  if (found.complex) lines.push('', ...words.planning)
  return lines.join('\n')
}

/** Cuts a text to `maxTokens` by leaving out its middle. */
function headAndTail(text: string, maxTokens: number, estimate: Estimate): string {
  const mark = '\n[… middle left out …]\n'
  let kept = Math.floor((text.length * maxTokens) / Math.max(1, estimate(text)))
  for (;;) {
    const half = Math.max(1, Math.floor(kept / 2))
    const short = (text.slice(0, half) + mark + text.slice(text.length - half)).toWellFormed()
    if (kept < 16 || estimate(short) <= maxTokens) return short
    kept = Math.floor(kept * 0.8)
  }
}

function newestWithin(
  items: readonly HistoryItem[],
  room: number,
  estimate: Estimate,
): { items: HistoryItem[]; tokens: number } {
  const kept: HistoryItem[] = []
  let tokens = 0
  for (const item of items.toReversed()) {
    const calls = item.role === 'assistant' && item.toolCalls ? estimate(JSON.stringify(item.toolCalls)) : 0
    const size = estimate(item.text) + calls + 8
    if (tokens + size > room) break
    tokens += size
    kept.unshift(item)
  }
  return { items: kept, tokens }
}

/** A tool result without its call, or an answer without its question, is refused by endpoints. */
function startingWithUser(items: readonly HistoryItem[]): readonly HistoryItem[] {
  const first = items.findIndex((item) => item.role === 'user')
  return first < 0 ? [] : items.slice(first)
}

function toMessage(item: HistoryItem): PromptMessage {
  switch (item.role) {
    case 'user':
      return { role: 'user', content: item.name ? `${toMark(item.name)} ${item.text}` : item.text }
    case 'assistant': {
      const toolCalls: readonly ToolCall[] | undefined = item.toolCalls
      return toolCalls?.length
        ? { role: 'assistant', content: item.text, toolCalls }
        : { role: 'assistant', content: item.text }
    }
    case 'tool':
      return { role: 'tool', callId: item.callId, content: item.text }
    default:
      return item satisfies never
  }
}
