// What was said as an answer, and deleted or corrected before it was read: its question was won when it was said, and its feature waits for it.
import type { AnswerEvent, ChatEvent } from '#shared/chat/event.ts'

/**
 * The answer as its words are after these events. Where the question takes words, it is answered by what they are now, and by no option,
 * since its labels went with its end. Else it was called off: nobody knows what would have been chosen, or whether it is what was asked for.
 */
export function sayAnew(answer: AnswerEvent, after: readonly ChatEvent[]): ChatEvent {
  const { about, choice: _, words, loose, name: _2, said, senderIsAdmin: _3, ...whose } = answer
  // What was said comes before what the question was about. What was pressed is no message.
  const own = said && answer.messages?.[0]
  const change = after.findLast(
    (event) => (event.kind === 'edit' || event.kind === 'delete') && event.messageId === own,
  )
  if (change === undefined) return answer
  if (change.kind === 'edit' && words !== undefined && !loose && change.text !== '')
    return { ...answer, choice: '', words: change.text }
  return { ...whose, kind: 'expired', why: 'cancelled', about }
}
