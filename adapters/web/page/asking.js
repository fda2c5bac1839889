// What stands below a card that asks somebody something: how long it may be answered, and a button to answer it in words. It goes with the card's
// buttons. How urgent it is the card itself says; a list has a mark for it.
import { countdown } from './countdown.js'
import { element } from './element.js'

/** @import { ApiAsks, ApiMessage } from './api-types.d.ts' */

/** @param {ApiAsks['urgency']} urgency */
export function urgencyMark(urgency) {
  if (urgency === 'normal') return []
  return [element('span', { class: `urgency ${urgency}`, 'data-t': urgency === 'high' ? 'urgent' : 'canWait' })]
}

/** `asks` is undefined for a card that takes words and does not wait for them. @param {ApiMessage} message @param {ApiAsks | undefined} asks @param {() => void} onReply */
export function askLine({ at }, asks, onReply) {
  const reply = element('button', {
    type: 'button',
    class: 'quiet act reply',
    'data-t': asks?.denies ? 'replyDeny' : 'reply',
  })
  reply.addEventListener('click', onReply)
  return element(
    'p',
    { class: asks ? 'asks' : 'takes-words' },
    ...(asks ? [countdown(at + asks.deadlineMs, true)] : []),
    reply,
  )
}
