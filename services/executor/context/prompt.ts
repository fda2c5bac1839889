// Assembles a model request within a token budget. The fixed part comes first and the history is append-only, so that the prefix
// stays byte-identical from call to call; whatever changes (depth, clock, preferences) stands last. It never exceeds the budget.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Classification } from '#shared/chat/decision.ts'
import { toMark, toQuote, withoutMarks } from '#shared/chat/spoken.ts'
import type { PromptMessage, ToolCall, ToolSchema } from '#shared/model/model-port.ts'
import type { Taint } from '#shared/model/taint.ts'
import { depthDecision } from './depth.ts'
import { findTaint } from './find-taint.ts'
import { fitItems, newestWithin, shorten, sumTokens } from './fit-items.ts'
import words from './prompt-words.json' with { type: 'json' }
import type { Estimate, HistoryItem } from './history-item.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** Who the bot is, what it must not do, how it says that it is not sure. */
const systemPart = words.system.join('\n')
/** What a message costs besides its text. */
const perMessage = 8

export type PromptInput = {
  /** Whom the turn serves. */
  readonly principal: PrincipalId
  readonly state: Pick<ConversationState, 'session' | 'history' | 'context'>
  readonly class: Classification
  /** The turn so far: its user messages, model steps and tool results. */
  readonly items: readonly HistoryItem[]
  readonly clock: string
  /** Sent with the messages, and counted with them. */
  readonly tools: readonly ToolSchema[]
  readonly budgetTokens: number
  readonly estimate: Estimate
}

export type Prompt = {
  readonly messages: readonly PromptMessage[]
  readonly tokens: number
  /** a message was cut to its head and tail */ readonly cut: boolean
  /** What of it others wrote. */
  readonly taint: Taint
}

export function assemblePrompt(input: PromptInput): Prompt {
  const { estimate, budgetTokens } = input
  const tail = [variablePart(input), ...contextLines(input)].join('\n')
  const texts = [systemPart, tail].map((text) => estimate(text) + perMessage)
  const tools = input.tools.map((tool) => measureTool(tool, estimate) + perMessage)
  const fixedTokens = [...texts, ...tools].reduce((sum, tokens) => sum + tokens, 0)
  const quarter = Math.floor(budgetTokens / 4)
  const fit = (item: HistoryItem): HistoryItem => shorten(item, quarter, estimate)
  let room = budgetTokens - fixedTokens
  const whole = input.items.map(fit)
  // Of what was said before it was told then.
  let cut = whole.some((item, i) => item.role === 'user' && item.text !== input.items[i]?.text)
  const turn = fitItems(whole, room, estimate)
  cut ||= countUser(turn) < countUser(whole)
  room -= sumTokens(turn, estimate)
  const history = newestWithin(input.state.history.map(fit), room, estimate)
  const messages: PromptMessage[] = [
    { role: 'system', content: systemPart },
    ...[...history, ...turn].map(toMessage),
    { role: 'system', content: tail },
  ]
  const read = { items: [...history, ...turn], parts: input.state.context ?? [] }
  const tokens = budgetTokens - room + sumTokens(history, estimate)
  return { messages, tokens, cut, taint: findTaint(read, input.principal) }
}

/** Tools live as long as the process, so that each is measured once by each measure. */
const measured = new WeakMap<Estimate, WeakMap<ToolSchema, number>>()
function measureTool(tool: ToolSchema, estimate: Estimate): number {
  const known = measured.get(estimate) ?? new WeakMap<ToolSchema, number>()
  measured.set(estimate, known)
  const { name, description, parameters } = tool
  const tokens = known.get(tool) ?? estimate(JSON.stringify({ name, description, parameters }))
  known.set(tool, tokens)
  return tokens
}

const countUser = (items: readonly HistoryItem[]): number => items.filter((item) => item.role === 'user').length

function variablePart({ state, class: found, clock }: PromptInput): string {
  const lines = ['## 当前状态', `- 会话ID: ${state.session.id}`, `- 处理深度: ${found.depth}`, `- 当前时间: ${clock}`]
  lines.push(`- 篇幅: 不超过约 ${depthDecision(found.depth).maxTokens} tokens`)
  if (found.depth !== 'standard') lines.push(...words[found.depth])
  if (found.complex) lines.push('', ...words.planning)
  return lines.join('\n')
}

/** What the features gave, as far as a quarter of the budget goes; whatever is not the bot's own as a quote. */
function contextLines({ state, budgetTokens, estimate }: PromptInput): string[] {
  let room = Math.floor(budgetTokens / 4)
  return (state.context ?? []).flatMap(({ name, source, text, reason }) => {
    const mark = toMark(withoutMarks(`${name}: ${reason}`).replaceAll(/\s+/g, ' '))
    const part = ['', `## 参考: ${mark}`, source === 'own' ? withoutMarks(text) : toQuote(text)].join('\n')
    const tokens = estimate(part) + perMessage
    if (tokens > room) return []
    room -= tokens
    return [part]
  })
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
      return { role: 'tool', callId: item.callId, content: withoutMarks(item.text) }
    default:
      return item satisfies never
  }
}
