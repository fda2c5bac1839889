// Assembles a model request within a token budget. The fixed part comes first and the history is append-only, so that the prefix
// stays byte-identical from call to call; whatever changes (depth, clock, preferences) stands last. It never exceeds the budget.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { languages, type Language, type Localised } from '#shared/chat/message.ts'
import type { Classification } from '#shared/chat/decision.ts'
import { toMark, toQuote, withoutMarks } from '#shared/chat/spoken.ts'
import type { PromptMessage, ToolCall, ToolSchema } from '#shared/model/model-port.ts'
import type { Taint } from '#shared/model/taint.ts'
import type { PromptPart } from '#shared/run/record.ts'
import { depthDecision } from './depth.ts'
import { findTaint } from './find-taint.ts'
import { neverCut, toExchanges } from './exchanges.ts'
import { fitItems, headAndTail, newestWithin, shorten, sumTokens } from '#services/executor/state/fit-items.ts'
import words from './prompt-words.json' with { type: 'json' }
import type { GivenPart } from '#services/executor/state/given-part.ts'
import { visibleTo, type Estimate, type HistoryItem } from '#services/executor/state/history-item.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

/** Who the bot is, what it must not do, how it says that it is not sure: in the language that its session began in. */
const systemParts: Localised = { zh: words.zh.system.join('\n'), en: words.en.system.join('\n') }
/** Before a session has a language, as the seed has it. */
const toSpoken = ({ session }: Pick<ConversationState, 'session'>): Language => session.language ?? 'zh'
/** What a message costs besides its text. */
const perMessage = 8

export type PromptInput = {
  /** Whom the turn serves. */
  readonly principal: PrincipalId
  readonly state: Pick<ConversationState, 'session' | 'history' | 'context' | 'prefix' | 'summary'>
  readonly class: Classification
  /** The turn so far: its user messages, model steps and tool results. */
  readonly items: readonly HistoryItem[]
  readonly clock: string
  /** What the turn is about and how far it is, from its second step on. */
  readonly anchor?: string | undefined
  /** Sent with the messages, and counted with them. */
  readonly tools: readonly ToolSchema[]
  readonly budgetTokens: number
  /** The state stands before the turn instead of behind it. */
  readonly stateFirst?: boolean
  /** What the answer is to aim at, where it is less than its depth would have. */
  readonly aimTokens?: number
  readonly estimate: Estimate
}

export type Prompt = {
  readonly messages: readonly PromptMessage[]
  readonly tokens: number
  /** a message was cut to its head and tail */ readonly cut: boolean
  /** What of it others wrote. */
  readonly taint: Taint
  readonly held: readonly PromptPart[]
}

export function assemblePrompt(input: PromptInput): Prompt {
  const { estimate, budgetTokens } = input
  const tools = input.tools.map((tool) => measureTool(tool, estimate))
  const given = givenParts(input, tools)
  // A small model writes on what stands last: there the anchor would stand before the question, which needs none.
  const anchor = input.stateFirst || input.anchor === undefined ? [] : [`\n${input.anchor}`]
  const tail = [variablePart(input), ...given.flatMap(({ text }) => text ?? []), ...anchor].join('\n')
  const anchorTokens = anchor.reduce((sum, text) => sum + estimate(text), 0)
  const quarter = Math.floor(budgetTokens / 4)
  const spoken = toSpoken(input.state)
  const prefix = toPrefix(input)
  const texts = [estimate(systemParts[spoken]) + perMessage + (prefix?.tokens ?? 0), estimate(tail) + perMessage]
  const uncutTokens = [...texts, ...tools].reduce((sum, tokens) => sum + tokens, 0)
  const summed = toSummary(input, Math.min(quarter, Math.floor((budgetTokens - uncutTokens) / 2)))
  if (summed !== undefined) texts.push(estimate(summed) + perMessage)
  const fixedTokens = uncutTokens + (texts[2] ?? 0)
  const fit = (item: HistoryItem): HistoryItem => shorten(item, quarter, estimate)
  let room = budgetTokens - fixedTokens
  const whole = input.items.map(fit)
  // Of what was said before it was told then.
  let cut = whole.some((item, i) => item.role === 'user' && item.text !== input.items[i]?.text)
  const before = visibleTo(input.state.history, input.principal).map(fit)
  const last = sumTokens(toExchanges(before).slice(-neverCut).flat(), estimate)
  // The last exchanges stay, unless the turn would be left without room to work.
  const turn = fitItems(whole, last + quarter <= room ? room - last : room, estimate)
  cut ||= countUser(turn) < countUser(whole) || turn[0]?.text !== whole[0]?.text
  room -= sumTokens(turn, estimate)
  const history = newestWithin(before, room, estimate)
  const messages: PromptMessage[] = [
    { role: 'system', content: systemParts[spoken] },
    ...(prefix === undefined ? [] : [{ role: 'system' as const, content: prefix.text }]),
    ...(summed === undefined ? [] : [{ role: 'system' as const, content: summed }]),
    ...history.map(toMessage),
    ...(input.stateFirst ? [{ role: 'system' as const, content: tail }] : []),
    ...turn.map(toMessage),
    ...(input.stateFirst ? [] : [{ role: 'system' as const, content: tail }]),
  ]
  const read = {
    items: [...history, ...turn],
    parts: [...(input.state.prefix ?? []), ...(input.state.context ?? [])],
    summary: input.state.summary,
  }
  const historyTokens = sumTokens(history, estimate)
  const held = [
    { name: 'system', tokens: (texts[0] ?? 0) - (prefix?.tokens ?? 0) },
    ...(prefix?.held ?? []),
    ...toHeld(
      'tools',
      tools.reduce((sum, one) => sum + one, 0),
      tools.length,
    ),
    ...toHeld('summary', texts[2] ?? 0, input.state.summary?.count ?? 0),
    ...toHeld('history', historyTokens, history.length, input.state.history.length),
    ...toHeld('turn', budgetTokens - fixedTokens - room, turn.length, whole.length),
    { name: 'state', tokens: (texts[1] ?? 0) - given.reduce((sum, { tokens }) => sum + tokens, 0) - anchorTokens },
    ...(anchorTokens > 0 ? [{ name: 'anchor', tokens: anchorTokens }] : []),
    ...given.map(({ name, tokens, text }) => ({ name, tokens, ...(text === undefined ? { left: 1 } : {}) })),
  ]
  return { messages, tokens: budgetTokens - room + historyTokens, cut, taint: findTaint(read, input.principal), held }
}

/**
 * What of the session was said before the history; it changes only when more is summed up. It may have been made for a larger window than that of the
 * model that is asked now: then its middle is left out, so that the question has room.
 */
function toSummary({ state, estimate }: PromptInput, most: number): string | undefined {
  const { summary } = state
  if (!summary || summary.text === '') return undefined
  const at = new Date(summary.at).toISOString().slice(0, 16).replace('T', ' ')
  const toText = (text: string): string => `[${words[toSpoken(state)].state.summary} ${at} UTC]\n${toQuote(text)}`
  const measure: Estimate = (text) => estimate(toText(text)) + perMessage
  if (measure(summary.text) <= most) return toText(summary.text)
  const short = headAndTail(summary.text, Math.max(0, most), measure)
  return short === '' ? undefined : toText(short)
}

/** Of `all` items so many; nothing of a part that is empty. */
function toHeld(name: string, tokens: number, items: number, all = items): PromptPart[] {
  if (all === 0) return []
  return [{ name, tokens, items, ...(all > items ? { left: all - items } : {}) }]
}

/** The system part as the tools below are measured. */
const measuredSystem = new WeakMap<Estimate, number>()
/** Tokens of the instructions that stand first in every prompt, in the language that takes the most. */
export function measureSystem(estimate: Estimate): number {
  const tokens =
    measuredSystem.get(estimate) ?? Math.max(...languages.map((one) => estimate(systemParts[one]))) + perMessage
  measuredSystem.set(estimate, tokens)
  return tokens
}

/** Tools live as long as the process, so that each is measured once by each measure. */
const measured = new WeakMap<Estimate, WeakMap<ToolSchema, number>>()
export function measureTool(tool: ToolSchema, estimate: Estimate): number {
  const known = measured.get(estimate) ?? new WeakMap<ToolSchema, number>()
  measured.set(estimate, known)
  const { name, description, parameters } = tool
  const tokens = known.get(tool) ?? estimate(JSON.stringify({ name, description, parameters })) + perMessage
  known.set(tool, tokens)
  return tokens
}

const countUser = (items: readonly HistoryItem[]): number => items.filter((item) => item.role === 'user').length

function variablePart({
  state,
  class: found,
  clock,
  aimTokens = depthDecision(found.depth).maxTokens,
}: PromptInput): string {
  const said = words[toSpoken(state)]
  const { head, session, depth, clock: time, length, upTo } = said.state
  const lines = [
    head,
    `- ${session}: ${state.session.id}`,
    `- ${depth}: ${found.depth}`,
    `- ${time}: ${clock}`,
    `- ${length}: ${upTo.replace('{tokens}', String(aimTokens))}`,
  ]
  if (found.depth !== 'standard') lines.push(...said[found.depth])
  if (found.complex) lines.push('', ...said.planning)
  return lines.join('\n')
}

type GivenText = { readonly name: string; readonly tokens: number; readonly text?: string }

/**
 * What the features gave, as far as a quarter of the budget goes, and in a small one half of what the fixed parts leave; whatever is not the bot's
 * own as a quote.
 */
function givenParts(input: PromptInput, tools: readonly number[]): GivenText[] {
  const { state, budgetTokens, estimate } = input
  if (!state.context?.length) return []
  const fixed = tools.reduce(
    (sum, one) => sum + one,
    measureSystem(estimate) + (toPrefix(input)?.tokens ?? 0) + estimate(variablePart(input)) + perMessage,
  )
  let room = Math.floor(Math.min(budgetTokens / 4, (budgetTokens - fixed) / 2))
  return state.context.map((part) => {
    const { name } = part
    const lines = ['', ...toReference(part, toSpoken(state))].join('\n')
    const tokens = estimate(lines) + perMessage
    if (tokens <= room) {
      room -= tokens
      return { name, tokens, text: lines }
    }
    // Its head and its tail are better than nothing.
    const text = room < leastGivenTokens ? '' : headAndTail(lines, room - perMessage, estimate)
    if (text === '') return { name, tokens: 0 }
    room = 0
    return { name, tokens: estimate(text) + perMessage, text }
  })
}
/** What is shorter says nothing. */
const leastGivenTokens = 60

const toReference = ({ name, source, text, reason }: GivenPart, spoken: Language): readonly string[] => [
  `## ${words[spoken].state.reference}: ${toMark(withoutMarks(`${name}: ${reason}`).replaceAll(/\s+/g, ' '))}`,
  source === 'own' ? withoutMarks(text) : toQuote(text),
]

/** What features gave for the whole session: one message behind the instructions, the same in each prompt. */
function toPrefix({
  state,
  estimate,
}: PromptInput): { readonly text: string; readonly tokens: number; readonly held: readonly PromptPart[] } | undefined {
  const { prefix = [] } = state
  if (prefix.length === 0) return undefined
  const texts = prefix.map((part) => toReference(part, toSpoken(state)).join('\n'))
  const text = texts.join('\n\n')
  const held = prefix.map(({ name }, i) => ({ name, tokens: estimate(texts[i] ?? '') }))
  return { text, tokens: estimate(text) + perMessage, held }
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
