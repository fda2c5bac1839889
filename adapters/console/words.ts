// What the console itself says.
import type { Language, Localised } from '#shared/chat/message.ts'
import { toLeft } from '#shared/feature/deadline-line.ts'

export const words = {
  hello: {
    zh: 'Flotilla：直接输入消息。#1 选择按钮，/help 看命令，Tab 补全，/quit 或 Ctrl-D 离开。',
    en: 'Flotilla: type a message. #1 takes a choice, /help lists commands, Tab completes them, /quit or Ctrl-D leaves.',
  },
  earlier: { zh: '（以上是之前说过的。）', en: '(Above is what was said before.)' },
  noCard: {
    zh: '（这里没有等着回答的卡片：已作为普通消息发送。）',
    en: '(No card waits for an answer here: this was sent as a message.)',
  },
  pasted: {
    zh: '（粘贴了 {n} 行：回车作为一条消息发送，Esc 丢弃。）',
    en: '({n} lines pasted: Enter sends them as one message, Esc drops them.)',
  },
  dropped: { zh: '（丢弃了粘贴的内容。）', en: '(What was pasted was dropped.)' },
  away: { zh: '（暂时连不上 Redis，正在重试…）', en: '(Redis cannot be reached; trying again…)' },
  back: { zh: '（又连上了。）', en: '(Connected again.)' },
  stopping: { zh: '（正在停止；再按一次 Ctrl-C 离开。）', en: '(Stopping; Ctrl-C again leaves.)' },
  leave: { zh: '（再按一次 Ctrl-C 离开。）', en: '(Ctrl-C again leaves.)' },
  noChoice: { zh: '没有这个选项。', en: 'There is no such choice.' },
  gone: {
    zh: '那条消息已经过时，这个选项不再有效。',
    en: 'That message is out of date: this choice is no longer valid.',
  },
  now: { zh: '（最新的卡片：输入 {n}。）', en: '(For the newest card type {n}.)' },
  already: { zh: '已经回答过了。', en: 'That was answered already.' },
  /** Below a card that asks: {n} is how long it may be answered, {numbers} are those of its buttons. */
  asks: {
    zh: '（还剩 {n}：输入 {numbers}{reply}）',
    en: '({n} left: type {numbers}{reply})',
  },
  replies: { zh: '，或用 > 加文字回复这张卡片。', en: ', or > and your words to reply to it.' },
  denies: { zh: '；用 > 加文字就是拒绝，文字是原因。', en: '; > and your words deny it, with them as the reason.' },
  stale: {
    zh: '有话我当时还没看到，所以先不算数；读过之后，我会在下面再问一次。',
    en: 'Something was said that I had not read, so nothing is done yet: I read it, then ask again below.',
  },
  unanswered: {
    zh: '等不到回答了，先离开；消息不会丢。',
    en: 'Leaving before the answer came; the messages are safe.',
  },
} satisfies Record<string, Localised>

export function fill(text: string, n: number | string): string {
  return text.replace('{n}', String(n))
}

type Hint = {
  readonly first: number
  readonly last: number
  readonly leftMs: number
  readonly denies: boolean
}

/** What a card says below its buttons, which are numbered from `first` to `last`: how long and how it is answered. No time of day: the card itself may tell it in another zone. */
export function toHint(language: Language, { first, last, leftMs, denies }: Hint): string {
  const hint = words.asks[language].replace('{numbers}', toNumbers(first, last))
  const reply = words[denies ? 'denies' : 'replies'][language]
  return fill(hint, toLeft(leftMs + 30_000, language)).replace('{reply}', reply)
}

export function toNumbers(first: number, last: number): string {
  const all = Array.from({ length: last - first + 1 }, (_, i) => `#${first + i}`)
  return all.length > 4 ? `#${first} … #${last}` : all.join(' / ')
}
