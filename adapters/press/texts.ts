// What an adapter itself says: answers to a press, and lines about messages that may not have arrived.
import type { Localised } from '#shared/chat/message.ts'

export const pressTexts = {
  won: { zh: '收到。', en: 'Got it.' },
  mine: { zh: '你已经选过了：', en: 'You already chose: ' },
  already: { zh: '已经有人回答：', en: 'Already answered by ' },
  forbidden: { zh: '这个按钮不是给你的。', en: 'This button is not for you.' },
  unknown: { zh: '这个按钮已经失效。', en: 'This button is no longer valid.' },
  trouble: { zh: '出了点问题，请再按一次。', en: 'Something went wrong. Please press again.' },
} satisfies Record<string, Localised>

export const noticeTexts = {
  unknown: { zh: '我上一条消息可能没有送达。', en: 'My last message may not have arrived.' },
  failed: { zh: '我上一条消息没能发出去。', en: 'My last message could not be sent.' },
  expired: { zh: '我上一条消息没有及时发出，已作废。', en: 'My last message could not be sent in time.' },
} satisfies Record<string, Localised>

export const showAgain: Localised = { zh: '再次显示', en: 'Show again' }
