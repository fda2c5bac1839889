// Feishu's names of emoji, and the signs that others know; a name without a sign stays as it is.
// https://open.feishu.cn/document/server-docs/im-v1/message-reaction/emojis-introduce
const signs: Readonly<Record<string, string>> = {
  THUMBSUP: '👍',
  ThumbsDown: '👎',
  HEART: '❤️',
  OK: '👌',
  APPLAUSE: '👏',
  PRAISE: '👍',
  DONE: '✅',
  CheckMark: '✅',
  CrossMark: '❌',
  JIAYI: '👍',
  THANKS: '🙏',
  SMILE: '😊',
  LOL: '😂',
  LAUGH: '😄',
  CRY: '😢',
  SOB: '😭',
  ANGRY: '😠',
  FROWN: '🙁',
  PARTY: '🎉',
  Fire: '🔥',
  MUSCLE: '💪',
  THINKING: '🤔',
  WOW: '😮',
  POOP: '💩',
}

export const toSign = (type: string): string => (Object.hasOwn(signs, type) && signs[type]) || type

/** Undefined where Feishu has none. */
export const toEmojiType = (sign: string): string | undefined =>
  Object.entries(signs).find(([, known]) => known === sign)?.[0]
