// A refusal without what it repeats of the request. Endpoints quote the prompt where they refuse it, in every shape of body, so that words of people would be
// read as words of the endpoint: "does not support tools" in a message would turn the tools off. So all that stands in the request as well is cut out. Pure.
import type { PromptMessage } from '#shared/model/model-port.ts'
import type { Refusal } from './refusal.ts'

/** So many words in a row are a quotation. Our own instructions are long, and share more with what endpoints say. */
const fewest = { system: 5, user: 3, assistant: 3, tool: 3 }
/** One sign of Chinese is a word. */
const word = /\p{Script=Han}|[[\p{L}\p{N}]--\p{Script=Han}]+/gv
/** As JSON and Python write signs within a text: they would be part of the next word. */
const escaped = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|[nrtbf"'\\/])/g
const mostChars = 8000
const mark = ' … '

type Word = { readonly text: string; readonly at: number; readonly end: number }

/** Refusals of keys, money and rates come often and say nothing of the request's form. */
const others = new Set([401, 402, 403, 429])

/** The same where nothing was repeated. */
export function withoutEchoes(refusal: Refusal, messages: readonly PromptMessage[]): Refusal {
  if (others.has(refusal.status)) return refusal
  const said = toWords(refusal.said.slice(0, mostChars).replaceAll(escaped, (found) => ' '.repeat(found.length)))
  const saidWords = said.map(({ text }) => text)
  const places = new Map<string, number[]>()
  const lengths = new Set(Object.values(fewest).flatMap((most) => Array.from({ length: most }, (_, i) => i + 1)))
  for (const length of lengths)
    for (let at = 0; at + length <= said.length; at++) {
      const run = toRun(saidWords, at, length)
      const there = places.get(run)
      if (there) there.push(at)
      else places.set(run, [at])
    }
  const known = new Set(saidWords)
  const isSaid = (text: string | undefined): boolean => text !== undefined && known.has(text)
  const echoed = new Set<number>()
  let hidesCode = false
  for (const message of messages)
    for (const text of textsOf(message)) {
      const words: readonly string[] = text.toLowerCase().match(word) ?? []
      // Of a message of a word or two only a quotation is a repetition: endpoints say such words themselves.
      const length = message.role === 'system' ? fewest.system : Math.min(words.length, fewest[message.role])
      const runs = new Set<string>()
      // Most words of a long prompt stand nowhere in the refusal, so that no run of them is made.
      for (const [at, first] of words.entries())
        if (isSaid(first) && isSaid(words[at + length - 1])) runs.add(toRun(words, at, length))
      for (const run of runs)
        for (const place of places.get(run) ?? [])
          if (length >= fewest.user || isQuoted(refusal.said, said[place]))
            for (let i = 0; i < length; i++) echoed.add(place + i)
      hidesCode ||= message.role !== 'system' && words.includes(refusal.code.toLowerCase())
    }
  if (echoed.size === 0 && !hidesCode) return refusal
  return {
    ...refusal,
    code: hidesCode && !isNumber(refusal.code) ? '' : refusal.code,
    said: cut(refusal.said, said, echoed),
  }
}

/** Without the words of these numbers, and what stands between two of them. */
function cut(text: string, words: readonly Word[], echoed: ReadonlySet<number>): string {
  let kept = ''
  let from = 0
  for (const [i, { at, end }] of words.entries()) {
    if (!echoed.has(i)) continue
    if (!echoed.has(i - 1)) kept += text.slice(from, at) + mark
    from = end
  }
  return kept + text.slice(from)
}

const textsOf = (message: PromptMessage): readonly string[] =>
  message.role === 'assistant'
    ? [message.content, ...(message.toolCalls ?? []).map((call) => call.arguments.replaceAll(escaped, ' '))]
    : [message.content]
const toWords = (text: string): readonly Word[] =>
  [...text.toLowerCase().matchAll(word)].map((found) => ({
    text: found[0],
    at: found.index,
    end: found.index + found[0].length,
  }))
const toRun = (words: readonly string[], at: number, length: number): string => words.slice(at, at + length).join(' ')
const isQuoted = (text: string, first: Word | undefined): boolean =>
  /["'`“‘«「『:：>([]\s{0,2}$/.test(text.slice(Math.max(0, (first?.at ?? 0) - 4), first?.at))
const isNumber = (code: string): boolean => /^\d{1,12}$/.test(code)
