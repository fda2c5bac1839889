// The one renderer of cards that ask people something, for all features: what is asked, how urgent it is, why, and what happens otherwise. The
// executor puts the deadline below it when it is asked (`closing`). All texts but a `body` are taken for anybody's, and shown inert. Pure.
import type { Language } from '#shared/chat/message.ts'
import type { Urgency } from '#shared/run/question.ts'
import { asked as once, asking, cardWords, heads, urgencyNames, type CardKind } from './card-words.ts'
import { toInertLine, toInertQuote } from './inert.ts'

export type CardOption = {
  readonly label: string
  readonly pros?: string | undefined
  readonly cons?: string | undefined
}

/** What is asked, by its kind. */
export type Matter =
  | { readonly kind: 'checkpoint'; readonly step: number; readonly description: string; readonly output: string }
  | { readonly kind: 'choice'; readonly question: string; readonly options: readonly CardOption[] }
  /** `task`: what it is needed for; may be empty. */
  | { readonly kind: 'knowledge'; readonly task: string; readonly question: string }
  /** `byReply`: no button of the card says that it is done. */
  | { readonly kind: 'action'; readonly step: string; readonly byReply?: true }
  /** `body` is Markdown, made inert by its feature. */
  | { readonly kind: 'approval'; readonly body: string }
  | { readonly kind: 'memory'; readonly candidates: readonly string[] }
  | { readonly kind: 'rule'; readonly rule: string }
  | {
      readonly kind: 'recovery'
      readonly trouble: 'understanding' | 'execution' | 'consistency'
      readonly what: string
    }

export type Card = Matter & {
  readonly urgency: Urgency
  readonly why?: string | undefined
  /** What is done if nobody answers in time, and by `decide`: a button that leaves it to the bot. */
  readonly otherwise: string
  readonly decide?: string | undefined
  /** How it is answered, where its buttons do not say it: a sentence of ours, in the card's language. */
  readonly how?: string | undefined
  /** Whom it is for, where others see it. */
  readonly to?: string | undefined
}

const most = {
  task: 120,
  question: 1000,
  why: 400,
  otherwise: 400,
  label: 64,
  side: 160,
  name: 64,
  options: 6,
  items: 10,
}

export function renderCard(card: Card, language: Language): string {
  const { kind, urgency, why = '', otherwise, decide = '', how: use, to } = card
  const words = cardWords[language]
  const name = to === undefined ? '' : `${toInertLine(to, most.name)}${language === 'zh' ? '：' : ': '}`
  const urgent = urgencyNames[urgency][language]
  const haste = urgent === '' ? '' : language === 'zh' ? `（${urgent}）` : ` (${urgent})`
  const colon = asking.has(kind) ? { zh: '：', en: ':' }[language] : ''
  const head = `${name}${toHead(card, language)}${haste}${colon}`
  const tail = [
    ...(why === '' ? [] : [`${words.why}${toInertLine(why, most.why)}`]),
    ...(use === undefined ? [] : [use]),
    // The deadline stands below it.
    `${words.otherwise(decide)}${toInertLine(otherwise, most.otherwise)}`,
  ]
  return [head, toBody(card, language), tail.join('\n\n')].join('\n\n')
}

/** A card once its question has ended: what was asked, and below it one sentence of ours on how it ended. */
export const endCard = (
  kind: CardKind,
  { asked, end }: { readonly asked: string; readonly end: string },
  language: Language,
): string => {
  const [head, quote] = asking.has(kind)
    ? [once[language], toQuestion(asked, 400, 6)]
    : [`**${heads[kind][language]}**`, toInertQuote(asked, 400, 6)]
  return [head, quote, end].join('\n\n')
}

/** What a list of open questions says of it. */
export function toTitle(card: Matter): string {
  switch (card.kind) {
    case 'checkpoint':
      return card.description
    case 'choice':
    case 'knowledge':
      return card.question
    case 'action':
      return card.step
    case 'approval':
      return card.body
    case 'memory':
      return card.candidates.join('; ')
    case 'rule':
      return card.rule
    case 'recovery':
      return card.what
    default:
      return card satisfies never
  }
}

function toHead(card: Card, language: Language): string {
  const { kind } = card
  const task = kind === 'knowledge' ? toInertLine(card.task, most.task) : ''
  const head = task === '' ? heads[kind][language] : cardWords[language].working(task)
  return asking.has(kind) ? head : `**${head}**`
}

/** What is asked: nothing of the card stands out more. */
const toQuestion = (text: string, maxChars = most.question, maxLines?: number): string =>
  toInertQuote(text, maxChars, maxLines).replaceAll(/^> (.*\S)/gm, '> **$1**')

function toBody(card: Card, language: Language): string {
  const words = cardWords[language]
  const quote = (text: string): string => toInertQuote(text, most.question)
  switch (card.kind) {
    case 'checkpoint':
      return [words.step(card.step), quote(card.description), words.output, quote(card.output)].join('\n\n')
    case 'choice': {
      const options = card.options.slice(0, most.options)
      const lines = options.map((one, at) => `${at + 1}. ${toOption(one, language)}`)
      const isWeighed = options.some(({ pros = '', cons = '' }) => pros !== '' || cons !== '')
      return [toQuestion(card.question), lines.join('\n'), ...(isWeighed ? [words.prefer] : [])].join('\n\n')
    }
    case 'knowledge':
      return toQuestion(card.question)
    case 'action':
      return [toQuestion(card.step), card.byReply ? words.helpByReply : words.help].join('\n\n')
    case 'approval':
      return card.body
    case 'memory':
      return card.candidates.slice(0, most.items).map(quote).join('\n\n')
    case 'rule':
      return quote(card.rule)
    case 'recovery':
      return [words.troubles[card.trouble], quote(card.what)].join('\n\n')
    default:
      return card satisfies never
  }
}

function toOption({ label, pros = '', cons = '' }: CardOption, language: Language): string {
  const words = cardWords[language]
  const sides = [
    ...(pros === '' ? [] : [`${words.pros}${toInertLine(pros, most.side)}`]),
    ...(cons === '' ? [] : [`${words.cons}${toInertLine(cons, most.side)}`]),
  ]
  const between = language === 'zh' ? '；' : '; '
  return `${toInertLine(label, most.label)}${sides.length > 0 ? ` — ${sides.join(between)}` : ''}`
}
