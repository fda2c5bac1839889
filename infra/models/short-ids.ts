// Ids of calls of nine letters and digits, as Mistral wants them, and as every endpoint takes them. The same call has the same id in each request, so that an
// endpoint finds the prompt in its cache. Pure.
import { createHash } from 'node:crypto'
import type { PromptMessage } from '#shared/model/model-port.ts'

const length = 9
const isShort = (id: string): boolean => /^[A-Za-z0-9]{9}$/.test(id)

/** Calls and their results with other ids. An id may come again in a later message; results belong to the calls that stand last before them. */
export function withShortIds(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const taken = new Set<string>()
  let ids = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === 'tool') return { ...message, callId: ids.get(message.callId) ?? toShort(message.callId) }
    if (message.role !== 'assistant' || !message.toolCalls?.length) return message
    ids = new Map()
    const toolCalls = message.toolCalls.map((call) => {
      let id = isShort(call.id) ? call.id : toShort(`${call.id} ${call.name} ${call.arguments}`)
      for (let n = 1; taken.has(id); n++) id = toShort(`${n} ${id}`)
      taken.add(id)
      ids.set(call.id, id)
      return { ...call, id }
    })
    return { ...message, toolCalls }
  })
}

const toShort = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 14)}`)
    .toString(36)
    .padStart(length, '0')
    .slice(-length)
