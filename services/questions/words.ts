// What the questions of the model say, in both languages, beside their cards.
import type { Language } from '#shared/chat/message.ts'
import type { Kept } from './kept.ts'

export const buttonWords: Readonly<
  Record<Language, Readonly<Record<'yes' | 'no' | 'done' | 'cannot' | 'decide', string>>>
> = {
  zh: { yes: '是', no: '否', done: '做好了', cannot: '做不了', decide: '你来决定' },
  en: { yes: 'Yes', no: 'No', done: 'Done', cannot: 'I cannot', decide: 'You decide' },
}

/** How it is answered. */
export function toHow({ kind, expects }: Pick<Kept, 'kind' | 'expects'>, language: Language): string {
  if (kind === 'choice')
    return language === 'zh'
      ? '点一个按钮，或回复这条消息，写编号。'
      : 'Press a button, or reply to this message with its number.'
  const zh = {
    text: '回复这条消息，写下答案。',
    number: '回复这条消息，写一个数字。',
    date: `回复这条消息，写一个日期，比如 ${dateForms.zh.join('、')}。`,
    'yes-no': '点按钮，或回复“是”或“否”。',
  }
  const en = {
    text: 'Reply to this message with the answer.',
    number: 'Reply to this message with a number.',
    date: `Reply to this message with a date, such as ${dateForms.en.join(', ')}.`,
    'yes-no': 'Press a button, or reply yes or no.',
  }
  return (language === 'zh' ? zh : en)[expects]
}

/** Each is read as a date in reply to a card. */
export const dateForms: Readonly<Record<Language, readonly string[]>> = {
  zh: ['2026-12-01', '12月1日', '明天 9:00', '周五', '3天后'],
  en: ['2026-12-01', '1 December', 'tomorrow 9:00', 'Friday', 'in 3 days'],
}

/** What is said above a question that is asked again. */
export const toUnfit = (kept: Pick<Kept, 'kind' | 'expects'>, language: Language): string =>
  language === 'zh'
    ? `我没能把你的回答读成${toExpected(kept, language)}，再问一次：`
    : `I could not read your answer as ${toExpected(kept, language)}, so I ask once more:`

/** How a card ends in whose place it is asked again below. */
export function toReplaced(kept: Pick<Kept, 'kind' | 'expects'>, said: string, language: Language): string {
  const what = toExpected(kept, language)
  return language === 'zh'
    ? `↓ 我没能把“${said}”读成${what}，所以在下面再问一次。`
    : `↓ I could not read “${said}” as ${what}, so I ask again below.`
}

function toExpected({ kind, expects }: Pick<Kept, 'kind' | 'expects'>, language: Language): string {
  const zh = { option: '其中一个选项', text: '回答', number: '数字', date: '日期', 'yes-no': '“是”或“否”' }
  const en = {
    option: 'one of the options',
    text: 'an answer',
    number: 'a number',
    date: 'a date',
    'yes-no': 'yes or no',
  }
  return (language === 'zh' ? zh : en)[kind === 'choice' ? 'option' : expects]
}

type Sentences = {
  readonly said: (who: string, what: string) => string
  readonly cut: string
  readonly left: (who: string, otherwise: string) => string
  readonly nobody: (otherwise: string) => string
  readonly ordinary: (who: string) => string
  readonly ended: string
  readonly unsent: (question: string) => string
  readonly privately: (who: string) => string
  readonly brought: string
  readonly fromGroup: (who: string) => string
  readonly answeredBy: (text: string, who: string) => string
  readonly decide: (otherwise: string) => string
  readonly noAnswer: (otherwise: string) => string
  readonly isPrivate: string
}

export const sentences: Readonly<Record<Language, Sentences>> = {
  zh: {
    said: (who, what) => `✓ ${who}回答：${what}`,
    cut: '这个回答太长，我只读了前 8,000 个字符。',
    left: (who, otherwise) => `✓ ${who}让我决定。我这样继续：${otherwise}`,
    nobody: (otherwise) => `⌛ 期限内没有人回答。我这样继续：${otherwise}`,
    ordinary: (who) => `${who}的话我当作普通消息来读，这个问题不再问了。`,
    ended: '这个问题取消了。',
    unsent: (question) => `我有一个问题没能发出去，所以不再等它：\n\n${question}`,
    privately: (who) => `有一个问题我私下问${who}，有了回答就继续。`,
    brought: '✓ 我带着你的回答回去继续。',
    fromGroup: (who) => (who === '' ? '来自一个群：' : `来自一个群，${who} 请我帮忙：`),
    answeredBy: (text, who) => `${text}\n（${who} 的回答）`,
    decide: (otherwise) => `由你决定，按你说的继续：${otherwise}`,
    noAnswer: (otherwise) => `期限内没有人回答。按原定的办法继续：${otherwise}`,
    isPrivate: '（这是私下的回答：在这个群里不要复述原话，只说继续任务所必需的。）',
  },
  en: {
    said: (who, what) => `✓ Answered by ${who}: ${what}`,
    cut: 'That answer was long: I have read its first 8,000 characters.',
    left: (who, otherwise) => `✓ Left to me by ${who}. I go on like this: ${otherwise}`,
    nobody: (otherwise) => `⌛ Nobody answered in time. I go on like this: ${otherwise}`,
    ordinary: (who) => `I take what was said by ${who} for an ordinary message; this is not asked any more.`,
    ended: 'This question was called off.',
    unsent: (question) => `A question of mine could not be shown, so I do not wait for it:\n\n${question}`,
    privately: (who) => `I ask ${who} something in private, and go on with the answer.`,
    brought: '✓ I go back with your answer.',
    fromGroup: (who) => `From a group${who === '' ? '' : `, where ${who} asked me for help`}:`,
    answeredBy: (text, who) => `${text}\n(answered by ${who})`,
    decide: (otherwise) => `You decide; go on as you said: ${otherwise}`,
    noAnswer: (otherwise) => `Nobody answered in time. Go on as you said: ${otherwise}`,
    isPrivate: '(A private answer: do not repeat its words in this group; say only what the task needs.)',
  },
}
