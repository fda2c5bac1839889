// How a message reads in a prompt: whose words are whose. Marks stand in brackets that no text from outside can contain, and every
// line of another's words begins with "> ", so that nothing in them can end the quotation or pass for the asker's words.
import type { MessageEvent } from './event.ts'
import type { Media, Quotation } from './quotation.ts'
import { toSafeName, type People } from './people.ts'

/** What the bot said itself is known to it; the beginning tells which message is meant. */
const ownQuoteChars = 400
const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** A mark of ours. */
export const toMark = (text: string): string => `⟦${text}⟧`
const quoteEnd = toMark('end of quote')

/** Text from outside with our brackets made ordinary ones. */
export function withoutMarks(text: string): string {
  return text.replaceAll('⟦', '[').replaceAll('⟧', ']')
}

/** Text from outside, each line of it as another's words. */
export const toQuote = (text: string): string => toQuoted(withoutMarks(text).split(lineBreak))

/** What somebody answers that the bot asked. */
export const toOwnQuote = (text: string): string =>
  toBlock({ how: 'reply', fromBot: true, text: text.slice(0, ownQuoteChars).toWellFormed() }, {})

const toQuoted = (lines: readonly string[]): string => lines.map((line) => `> ${line}`).join('\n')

/** A message as the model reads it. */
export type Spoken = {
  readonly text: string
  /** What of it the sender wrote themselves. */
  readonly own: string
  /** Whether somebody else chose any sign of it: words that it quotes, their author's name, or the name of a file, which its sender may have got from anybody. */
  readonly hasOthers: boolean
}

/** Quotations first, then the names of its files, the sender's own words last. */
export function toPromptText(event: MessageEvent, people: People = {}): Spoken {
  const quotations = quotationsOf(event)
  const named = (event.media ?? []).filter(({ name }) => name !== undefined)
  const plain = (event.media ?? []).filter(({ name }) => name === undefined)
  const own = withoutMarks(event.text)
  const text = [
    ...quotations.map((quote) => toBlock(quote, people)),
    ...(named.length > 0 ? [toMark(fileNames), toQuoted(named.map(toFileLine)), quoteEnd] : []),
    ...(own === '' ? [] : [own]),
    ...plain.map(toFileLine),
  ].join('\n')
  return { text, own, hasOthers: quotations.length + named.length > 0 }
}
const fileNames = 'files; their names are not the sender’s words'

/** Everything of others that came with a message, in one form. */
function quotationsOf({ replyTo, quoted = [] }: MessageEvent): readonly Quotation[] {
  if (!replyTo || (!replyTo.text && !replyTo.media?.length)) return quoted
  const { author, principal, media, fromBot, text = '' } = replyTo
  const said = fromBot ? ({ fromBot, text: text.slice(0, ownQuoteChars).toWellFormed() } as const) : ({ text } as const)
  return [
    {
      how: 'reply',
      ...said,
      ...(author ? { author } : {}),
      ...(principal ? { principal } : {}),
      ...(media ? { media } : {}),
    },
    ...quoted,
  ]
}

function toBlock(quote: Quotation, people: People): string {
  const known = quote.principal === undefined ? undefined : people[quote.principal]
  const author = quote.fromBot ? 'you' : (known ?? toSafeName(quote.author))
  const what = quote.how === 'reply' ? `reply to ${author}` : `forwarded from ${author}`
  const lines = quote.text === '' ? [] : withoutMarks(quote.text).split(lineBreak)
  const quoted = [...lines, ...(quote.media ?? []).map(toFileLine)]
  const mark = toMark(quote.fromBot ? what : `${what}; not the sender’s words`)
  return [mark, ...(quoted.length > 0 ? [toQuoted(quoted)] : []), quoteEnd].join('\n')
}

/** What `toPromptText` gave, without what it quotes of the bot's own words: those nobody else has written. */
export function withoutOwnQuotes(text: string): string {
  let left = text
  for (const mark of ownMarks)
    for (let at = left.indexOf(mark); at >= 0; at = left.indexOf(mark)) {
      const end = left.indexOf(quoteEnd, at)
      left = left.slice(0, at) + (end < 0 ? '' : left.slice(end + quoteEnd.length))
    }
  return left
}

/** Of the text that `toPromptText` gave, as it is stored, perhaps cut: its sender's own words. */
export function ownOf(text: string): string {
  const end = text.lastIndexOf(quoteEnd)
  const rest = end < 0 ? text : text.slice(end + quoteEnd.length + 1)
  // Files stand behind them; and what begins a quotation of which a cut has taken the end.
  const mark = rest.indexOf('⟦')
  return (mark < 0 ? rest : rest.slice(0, mark)).replace(/\n$/, '')
}

/** The words of others in it, which its sender brought along: without what the bot had said, and without names of people and files. */
export function quotedOf(text: string): string {
  let isOthers = false
  return text
    .split('\n')
    .flatMap((line) => {
      const mark = line.indexOf('⟦')
      const isQuoted = line.startsWith('> ')
      // A message that joins a turn has a word of ours before it.
      if (mark >= 0 && !isQuoted) isOthers = begins.test(line) && !ownMarks.includes(line.slice(mark))
      return isOthers && isQuoted && mark < 0 ? [line.slice(2)] : []
    })
    .join('\n')
}
const begins = /⟦(?:reply to|forwarded from) /
const ownMarks = [toMark('reply to you'), toMark('forwarded from you')]

/** The mark is ours, and whoever chose the name cannot write one. */
function toFileLine({ kind, name }: Media): string {
  return `${toMark(withoutMarks(kind))}${name === undefined ? '' : ` ${toSafeName(name)}`}`
}
