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

/** Quotations first, the sender's own words after them, files last. */
export function toPromptText(event: MessageEvent, people: People = {}): string {
  const quotes = quotationsOf(event).map((quote) => toBlock(quote, people))
  return [
    ...quotes,
    ...(event.text === '' ? [] : [withoutMarks(event.text)]),
    ...(event.media ?? []).map(toFileMark),
  ].join('\n')
}

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
  const quoted = [...lines, ...(quote.media ?? []).map(toFileMark)]
  const mark = toMark(quote.fromBot ? what : `${what}; not the sender’s words`)
  return [mark, ...(quoted.length > 0 ? [toQuoted(quoted)] : []), quoteEnd].join('\n')
}

/** What `toPromptText` gave, without what it quotes of the bot's own words: those nobody else has written. */
export function withoutOwnQuotes(text: string): string {
  let left = text
  for (const mark of [toMark('reply to you'), toMark('forwarded from you')])
    for (let at = left.indexOf(mark); at >= 0; at = left.indexOf(mark)) {
      const end = left.indexOf(quoteEnd, at)
      left = left.slice(0, at) + (end < 0 ? '' : left.slice(end + quoteEnd.length))
    }
  return left
}

/** What `toPromptText` gave, without all that it quotes: its sender's own words. */
export function withoutQuotes(text: string): string {
  const end = text.lastIndexOf(quoteEnd)
  return end < 0 ? text : text.slice(end + quoteEnd.length)
}

function toFileMark({ kind, name }: Media): string {
  return `[${kind}${name ? ` ${toSafeName(name)}` : ''}]`
}
