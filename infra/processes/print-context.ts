// The context of a conversation for a terminal: what it is made of, and then the messages as the model would get them.
import type { PromptMessage } from '#shared/model/model-port.ts'
import type { Part } from '#services/executor/serve/look.ts'
import type { ContextNow } from './context-now.ts'

export function printContext(found: ContextNow): string {
  const { conversation, session, moment, principal, depth, model, budgetTokens, tokens, outputTokens } = found
  const head = [
    `${conversation}, session ${session}: ${moment}`,
    `for ${principal} at depth ${depth}, by ${model.name} (${model.role})`,
    `window ${model.contextTokens} tokens; the prompt may have ${budgetTokens} of them and has ${tokens}, an answer ${outputTokens}`,
  ]
  const rows = [['part', 'source', 'tokens', 'items', 'left out', 'why'], ...found.parts.map(toRow)]
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  const table = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const notes = [
    ...(found.tools.length > 0 ? [`tools: ${found.tools.join(', ')}`] : []),
    `what others wrote in it: ${found.taint.length > 0 ? found.taint.join(', ') : 'nothing'}`,
    ...(found.turns.length > 0 ? [`turns on record, for --at, the newest first: ${found.turns.join(', ')}`] : []),
  ]
  const messages = found.messages.map((message, at) => `── ${at + 1}. ${toTitle(message)}\n${toText(message)}`)
  return toShown(
    [[...head, ''].join('\n'), [...table, ''].join('\n'), [...notes, ''].join('\n'), ...messages].join('\n'),
  )
}

const toRow = ({ name, sources, tokens, items, left, reason }: Part): string[] => [
  name,
  sources.join('+'),
  String(tokens),
  items === undefined ? '' : String(items),
  left === undefined ? '' : String(left),
  reason.replaceAll(/\s+/g, ' '),
]

const toTitle = (message: PromptMessage): string =>
  message.role === 'tool' ? `tool, for call ${message.callId}` : message.role

function toText(message: PromptMessage): string {
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  const lines = calls.map(({ id, name, arguments: given }) => `→ ${name} ${given} (call ${id})`)
  return [...(message.content === '' ? [] : [message.content]), ...lines].join('\n')
}

/** Signs that would steer the terminal, or make a line read differently from what it says, are shown as such. */
const steering = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const toShown = (text: string): string =>
  text.toWellFormed().replaceAll(steering, (sign) => (sign === '\n' || sign === '\t' ? sign : '�'))
