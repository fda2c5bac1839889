// What the renderers of a platform's own Markdown share: how phrases stand side by side, and what is put around them.
import { isSameAddress } from './link-words.ts'
import type { Phrase } from './read-blocks.ts'

/** Breaks a word that a platform would read as a sign, and shows nothing. */
export const gap = '\u200b'

export const marks = { strong: '**', emphasis: '*', delete: '~~' } as const

/** Backticks of neighbours must not add up to a fence. */
export function joinPhrases(phrases: readonly Phrase[], render: (phrase: Phrase) => string): string {
  return phrases.reduce((text, one) => {
    const more = render(one)
    return text.endsWith('`') && more.startsWith('`') ? text + gap + more : text + more
  }, '')
}

/** Marks around nothing, or inside blanks, would stand as signs. */
export function wrap(mark: string, words: string): string {
  const inner = words.trim()
  if (inner === '') return words
  const at = words.indexOf(inner)
  return `${words.slice(0, at)}${mark}${inner}${mark}${words.slice(at + inner.length)}`
}

export const onOneLine = (text: string): string => text.replaceAll(/(?<![^\S\n])[^\S\n]*\n\s*/g, ' ')

/** The words without any marks. */
export function plain(phrases: readonly Phrase[]): string {
  return phrases
    .map((one) => {
      if ('value' in one) return one.value
      if (one.kind === 'break') return '\n'
      const words = plain(one.phrases)
      return one.kind === 'link' && !isSameAddress(words, one.url) ? `${words} (${one.url})` : words
    })
    .join('')
}
