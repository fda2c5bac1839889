// What is summed up as one text, for the model that does it, and as a summary by rules where no model can. Pure.
import { toQuote } from '#shared/chat/spoken.ts'
import { headAndTail } from '#services/executor/state/fit-items.ts'
import { visibleTo, type Estimate, type HistoryItem } from '#services/executor/state/history-item.ts'
import type { Exchange } from '#services/executor/context/exchanges.ts'

/** Of what a tool said only so much matters later; of what was said at length its beginning and end. */
const mostResultTokens = 150
const mostSaidTokens = 1000

function toLine(item: HistoryItem, estimate: Estimate): string[] {
  const most = item.role === 'tool' ? mostResultTokens : mostSaidTokens
  const text = estimate(item.text) <= most ? item.text : headAndTail(item.text, most, estimate)
  const calls = item.role === 'assistant' ? (item.toolCalls ?? []).map(({ name }) => name.slice(0, 64)) : []
  const who = item.role === 'user' ? (item.name ?? 'user') : item.role
  return [
    ...(text === '' ? [] : [toQuote(`${who}: ${text}`)]),
    ...(calls.length === 0 ? [] : [`assistant used: ${calls.join(', ')}`]),
  ]
}

/** Every line of a person, a tool or the bot as a quotation; at most so many tokens, the newest. */
export function toMaterial(
  before: string,
  old: readonly Exchange[],
  { most, estimate }: { readonly most: number; readonly estimate: Estimate },
): string {
  const head = before === '' ? [] : ['已有的摘要：', toQuote(before), '', '较早的对话：']
  let left = most - estimate(head.join('\n'))
  const kept: string[] = []
  for (const line of old
    .flatMap((items) => visibleTo(items))
    .flatMap((item) => toLine(item, estimate))
    .toReversed()) {
    left -= estimate(line) + 1
    if (left < 0) break
    kept.unshift(line)
  }
  return [...head, ...kept].join('\n')
}

/** The summary before, and of each person's words the first ones: what there is without a model. */
export function toPlainSummary(before: string, old: readonly Exchange[]): string {
  const said = old
    .flatMap((items) => visibleTo(items))
    .flatMap((item) => (item.role === 'user' ? [item.text.replaceAll(/\s+/g, ' ').trim()] : []))
  const lines = said.filter(Boolean).map((text) => `- ${text.slice(0, 120)}`.toWellFormed())
  return [...(before === '' ? [] : [before]), ...lines].join('\n')
}
