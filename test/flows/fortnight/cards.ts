// Reads the wire for cards: which came to whom and when, what they asked, and what their people did with them.
import type { Deed, Shown } from './wire.ts'

export type Card = {
  readonly to: number
  /** ms since 1970. */
  readonly at: number
  /** What it showed, in order, each once. */
  readonly questions: readonly Question[]
  readonly deeds: readonly Deed[]
  /** When the bot last said anything else there before it. */
  readonly quietSince: number | undefined
}
export type Question = {
  readonly at: number
  readonly ask: string
  /** By its head and its buttons. `keep`: whether something that was noticed is to be remembered. */
  readonly kind: 'choice' | 'yes-no' | 'words' | 'keep'
  /** As the card counts. */
  readonly nth: number
  readonly of: number
}

const count = /^(?:\*\*)?(\d{1,2}) \/ (\d{1,2})(?:\*\*)?$/
const heads =
  /^(?:\*\*)?(?:Shall I remember this|要我记住吗|I need to know|Please choose|One step I cannot take myself|我需要了解|请选择|有一步我自己做不了)/
const ended = /^(?:I asked|我问的是)/

/** Undefined where the text asks nothing: it tells how a card ended. */
export function readQuestion({ text, labels, at }: Pick<Shown, 'text' | 'labels' | 'at'>): Question | undefined {
  const parts = text.split('\n\n')
  const [, nth = '1', of = '1'] = count.exec(parts[0] ?? '') ?? []
  const place = parts.findIndex((one) => heads.test(one))
  const ask = parts[place + 1]?.replace(/^> /, '').replaceAll('**', '').trim()
  if (place < 0 || ask === undefined || ended.test(text)) return undefined
  const isYesNo = labels.some((one) => /^(?:Yes|No|是|不是)$/.test(one))
  const head = parts[place] ?? ''
  const kind = /Shall I remember|要我记住/.test(head)
    ? 'keep'
    : isYesNo
      ? 'yes-no'
      : /^(?:Please choose|请选择)/.test(head)
        ? 'choice'
        : 'words'
  return { at, ask, kind, nth: Number(nth), of: Number(of) }
}

/** All cards of everybody, in order. `shown` in order of their times. */
export function readCards(shown: readonly Shown[], deeds: readonly Deed[]): readonly Card[] {
  const cards: (Omit<Card, 'deeds'> & { readonly questions: Question[]; readonly messages: Set<number> })[] = []
  const said = new Map<number, number>()
  for (const one of shown) {
    if (!one.isCard) {
      said.set(one.chat, one.at)
      continue
    }
    const question = readQuestion(one)
    const last = cards.findLast((card) => card.to === one.chat)
    const isOn = last?.messages.has(one.message) || (question !== undefined && question.nth > 1)
    if (!isOn && question)
      cards.push({
        to: one.chat,
        at: one.at,
        questions: [question],
        messages: new Set([one.message]),
        quietSince: said.get(one.chat),
      })
    if (!isOn || !last) continue
    last.messages.add(one.message)
    const isNew = question && !last.questions.some(({ ask, nth }) => ask === question.ask && nth === question.nth)
    if (isNew) last.questions.push(question)
  }
  return cards.map(({ messages, ...card }) => ({
    ...card,
    deeds: deeds.filter(({ by, on }) => by === card.to && on !== undefined && messages.has(on)),
  }))
}

/** The person put off what was left of it. */
export const putsOff = ({ text, act }: Deed): boolean => act === 'presses' && /^(?:Not now|改天再问)$/.test(text)
