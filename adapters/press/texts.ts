// What an adapter says to whoever pressed a button.
import type { Localised } from '#shared/chat/message.ts'

export const pressTexts = {
  won: { zh: '收到。', en: 'Got it.' },
  mine: { zh: '你已经选过了：', en: 'You already chose: ' },
  already: { zh: '已经有人回答：', en: 'Already answered by ' },
  forbidden: { zh: '这个按钮不是给你的。', en: 'This button is not for you.' },
  unknown: { zh: '这个按钮已经失效。', en: 'This button is no longer valid.' },
  trouble: { zh: '出了点问题，请再按一次。', en: 'Something went wrong. Please press again.' },
} satisfies Record<string, Localised>
