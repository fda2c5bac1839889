// What is said about messages that did not arrive, or may not have.
import type { Localised } from '#shared/chat/message.ts'
import type { OutBody } from '#shared/run/out-row.ts'

export type SendBody = Extract<OutBody, { kind: 'send' }>
type Notice = Extract<OutBody, { kind: 'notice' }>
/** Of one message, and of several. */
const lost: Readonly<Record<Notice['outcome'], readonly [Localised, Localised]>> = {
  unknown: [
    { zh: '我有一条消息可能没有送达。', en: 'A message of mine may not have arrived.' },
    { zh: '我有 # 条消息可能没有送达。', en: '# of my messages may not have arrived.' },
  ],
  failed: [
    { zh: '我有一条消息没能发出去。', en: 'A message of mine could not be sent.' },
    { zh: '我有 # 条消息没能发出去。', en: '# of my messages could not be sent.' },
  ],
  expired: [
    { zh: '我有一条消息没能及时发出。', en: 'A message of mine could not be sent in time.' },
    { zh: '我有 # 条消息没能及时发出。', en: '# of my messages could not be sent in time.' },
  ],
}
const showAgain: Localised = { zh: '再次显示', en: 'Show again' }
const showLast: Localised = { zh: '再次显示最后 # 条', en: 'Show the last # again' }

/** What a notice says, and the button that shows again what of it is kept. */
export function toNoticeMessage({ language, outcome, question, count = 1, kept = count }: Notice): SendBody {
  const [one, many] = lost[outcome]
  const text = (count === 1 ? one : many)[language].replace('#', String(count))
  const label = (kept === count ? showAgain : showLast)[language].replace('#', String(kept))
  const buttons = question === '' ? {} : { buttons: [[{ id: `${question}.show`, label }]] }
  return { v: 1, kind: 'send', answers: [], language, text, ...buttons }
}
