// What the demo model makes of Shorter and Longer: no new words, but fewer or more of those it has, so that the buttons show what they do.
import { moreText } from './demo-long-text.ts'
import type { DemoLanguage } from './demo-turn.ts'

/** The text with about half of its paragraphs, sentences or words: the first level that has more than one. Code that is cut is closed. */
export function shortenText(text: string): string {
  for (const end of [/(?<=\n\n)/, /(?<=[。！？]|[.!?]\s)/u, /(?<=\s)/]) {
    const pieces = text.split(end)
    if (pieces.length < 2) continue
    const kept = pieces
      .slice(0, Math.ceil(pieces.length / 2))
      .join('')
      .trimEnd()
    const isOpen = (kept.match(/^```/gm) ?? []).length % 2 === 1
    return isOpen ? `${kept}\n\`\`\`` : kept
  }
  return text.slice(0, Math.ceil(text.length / 2)).toWellFormed()
}

/** The text and one more paragraph, which it does not have yet as long as there is one. */
export const lengthenText = (text: string, language: DemoLanguage): string => `${text}\n\n${moreText(language, text)}`
