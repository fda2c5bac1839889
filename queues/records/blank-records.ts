// Takes away what a conversation's records say, before a step that says of messages that they are gone or were edited.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Append } from '#shared/run/step.ts'
import { forgetMemory } from '#queues/memory/forget-memory.ts'
import type { CallOf, CallUnit } from '#queues/units.ts'

/**
 * Takes away in portions what a conversation's records say: of one message, or all. `edited`: what one call can do is left to the step that
 * says so. Safe to repeat.
 */
export async function blankRecords(
  unit: CallOf,
  conversation: ConversationId,
  of: { readonly message: string; readonly why: 'forgotten' | 'edited' } | 'all',
): Promise<void> {
  const [message, why] = of === 'all' ? ['', ''] : [of.message, of.why]
  const args = [message, why, why === 'edited' ? '1' : '0']
  while (await unit('blank', conversation, args, ([left]) => left === 1));
}

/** Before a step that says of messages that they were edited. Few have any, and few of these more than the step can do. */
export async function blankEdited(
  { call, unit }: { readonly call: CallUnit; readonly unit: CallOf },
  conversation: ConversationId,
  step: Append,
): Promise<void> {
  for (const one of step.records ?? []) {
    if (one.kind !== 'edited') continue
    await blankRecords(unit, conversation, { message: one.message, why: 'edited' })
    await forgetMemory(call, conversation, [one.message])
  }
}
