// Whom a turn serves that an event begins which is no message.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { joinTaint, type Taint } from '#shared/model/taint.ts'
import type { TurnEffect } from '#shared/feature/effect.ts'

/**
 * One that goes on with what somebody was asked serves for whom it was asked, whoever answered, with that person's rights and budget. What
 * is done with the last answer serves who wants it done. Words of another are another's.
 */
export function toServed(
  event: ChatEvent,
  { last, serves: named, isOwn }: Pick<TurnEffect, 'last' | 'serves' | 'isOwn'>,
): { readonly serves: PrincipalId; readonly taint: Taint } {
  const taint = 'taint' in event ? event.taint : undefined
  // What another person answered in their direct chat comes as their letter.
  if (event.kind === 'letter' && named !== undefined && named !== event.principal)
    return { serves: named, taint: joinTaint(taint, isOwn ? undefined : ['another member']) }
  const isFor = event.kind === 'answer' && last === undefined ? event.asker : undefined
  if (event.kind !== 'answer' || isFor === undefined || isFor === event.principal)
    return { serves: event.principal, taint: joinTaint(taint) }
  return { serves: isFor, taint: joinTaint(taint, event.words === undefined ? undefined : ['another member']) }
}
