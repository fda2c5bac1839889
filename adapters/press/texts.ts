// What an adapter says to whoever pressed a button.
import type { Localised } from '#shared/chat/message.ts'

export const pressTexts = {
  won: { zh: '收到。', en: 'Got it.' },
  mine: { zh: '你已经选过了', en: 'You already chose' },
  already: { zh: '已经有人回答', en: 'Already answered' },
  forbidden: { zh: '这个按钮不是给你的。', en: 'This button is not for you.' },
  stale: {
    zh: '有话我当时还没看到，所以先不算数；读过之后，我会在下面再问一次。',
    en: 'Something was said that I had not read, so nothing is done yet: I read it, then ask again below.',
  },
  words: { zh: '用文字回答', en: 'in words' },
  unknown: {
    zh: '这条消息已经过时，上面的按钮不再有效。',
    en: 'This message is out of date: its buttons no longer work.',
  },
  trouble: { zh: '出了点问题，请再按一次。', en: 'Something went wrong. Please press again.' },
} satisfies Record<string, Localised>
