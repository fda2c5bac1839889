// What an adapter says to whoever pressed a button.
import type { Localised } from '#shared/chat/message.ts'

export const pressTexts = {
  won: { zh: '收到。', en: 'Got it.' },
  mine: { zh: '你已经选过了：', en: 'You already chose: ' },
  already: { zh: '已经有人回答：', en: 'Already answered by ' },
  forbidden: { zh: '这个按钮不是给你的。', en: 'This button is not for you.' },
  stale: {
    zh: '你后来说的话我还没看到，请看过我的回复后再选一次。',
    en: 'I have not read what you wrote since. Please look again, then choose.',
  },
  words: { zh: '用文字回答', en: 'in words' },
  unknown: {
    zh: '这条消息已经过时，上面的按钮不再有效。',
    en: 'This message is out of date: its buttons no longer work.',
  },
  trouble: { zh: '出了点问题，请再按一次。', en: 'Something went wrong. Please press again.' },
} satisfies Record<string, Localised>
