// Makes text from outside safe to store and show: valid Unicode, no control or direction-override characters, no heap of accents, bounded length.
import { withFewMarks } from './normal-form.ts'

/** Longest text an event carries, UTF-16 units; longer ones keep their head and tail. */
const maxTextChars = 32_000
const headChars = 24_000

export type CleanText = { readonly text: string; readonly truncated: boolean }

/** C0/C1 controls but tab and newline; directional embeddings, overrides and isolates, which can hide what a line says. */
const unwanted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g

export function cleanText(raw: string): CleanText {
  const truncated = raw.length > maxTextChars
  const kept = truncated
    ? `${raw.slice(0, headChars)}\n[…]\n${raw.slice(raw.length - (maxTextChars - headChars - 5))}`
    : raw
  const text = withFewMarks(kept.replaceAll('\r\n', '\n').replaceAll(unwanted, '')).toWellFormed().trim()
  return { text, truncated }
}

/** Display names: one short line. */
export function cleanName(raw: string): string {
  return cleanText(raw.slice(0, 256)).text.replaceAll(/\s+/g, ' ').slice(0, 64).toWellFormed()
}
