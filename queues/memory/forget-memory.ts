// Takes away what memory made of messages that are forgotten, or that say something else now.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { integer, list, text } from '#queues/reply.ts'
import type { CallUnit } from '#queues/units.ts'
import { raw } from './place.ts'
import { scopePrefix } from './scope-key.ts'

const pageOfPointers = 500
const mostMessages = 500

/** Takes away whatever was made of these messages, and keeps out what comes late. How many records went. Safe to repeat. */
export async function forgetMemory(
  call: CallUnit,
  conversation: ConversationId,
  messages: readonly string[] | 'all',
): Promise<number> {
  const ids = messages === 'all' ? [] : messages
  if (messages === 'all') {
    await forgetLog(call, conversation, ids)
    return await forgetPage(call, conversation, ids)
  }
  let gone = 0
  for (let from = 0; from < messages.length; from += mostMessages)
    gone += await forgetPage(call, conversation, messages.slice(from, from + mostMessages))
  if (ids.length > 0) await forgetLog(call, conversation, ids)
  return gone
}

/** Behind the pointers, which keep out what comes late. An id stands in an entry as JSON has it. */
async function forgetLog(call: CallUnit, conversation: ConversationId, ids: readonly string[]): Promise<void> {
  const names = ids.map((id) => JSON.stringify(id))
  for (let from = 0; from === 0 || from < names.length; from += mostMessages)
    await call('memoryLog', partitionPrefix(toPartition(conversation)), [
      conversation,
      'forget',
      ...names.slice(from, from + mostMessages),
    ])
}

async function forgetPage(call: CallUnit, conversation: ConversationId, messages: readonly string[]): Promise<number> {
  let gone = 0
  for (;;) {
    const answer = await call('memoryPointers', partitionPrefix(toPartition(conversation)), [
      conversation,
      pageOfPointers,
      ...messages,
    ])
    const pointers = list(answer).map(text)
    if (pointers.length === 0) return gone
    const byScope = Map.groupBy(pointers, (pointer) => pointer.split('\n')[1] ?? '')
    for (const [scope, own] of byScope) {
      const names = own.map((pointer) => `@${pointer.split('\n')[2] ?? ''}`)
      gone += integer(await call('memoryDrop', scopePrefix(scope), [scope, raw, ...names]))
    }
    await call('memoryUnpoint', partitionPrefix(toPartition(conversation)), [conversation, ...pointers])
  }
}
