// MEMORY.md as data: what seed 000 §4.3 has in it, section by section. Each text is one line.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import type { MemoryKind } from '#shared/memory/record.ts'

/**
 * In the order of the file. The first four are the seed's and always stand there; the others only where there is something. Patterns has what was noticed
 * and nobody confirmed, of whatever kind.
 */
export const sections = [
  { name: 'Facts', kind: 'fact', known: ['facts', 'fact', '事实'] },
  { name: 'Preferences', kind: 'preference', known: ['preferences', 'preference', '偏好'] },
  { name: 'Todos', kind: 'todo', known: ['todos', 'todo', 'to-dos', '待办'] },
  { name: 'Patterns', kind: undefined, known: ['patterns', 'pattern', '模式'] },
  { name: 'Decisions', kind: 'decision', known: ['decisions', 'decision', '决定'] },
  { name: 'Constraints', kind: 'constraint', known: ['constraints', 'constraint', '约束'] },
  { name: 'Notes', kind: 'note', known: ['notes', 'note', '笔记'] },
  {
    name: 'Reusable patterns',
    kind: 'pattern',
    known: ['reusable patterns', 'reusable pattern', '可复用模式', '做法'],
  },
  { name: 'Metrics', kind: 'metric', known: ['metrics', 'metric', '指标'] },
] as const satisfies readonly {
  readonly name: string
  readonly kind: MemoryKind | undefined
  readonly known: readonly string[]
}[]
export type Section = (typeof sections)[number]['name']
export const seedSections = 4

export const levels = ['low', 'medium', 'high'] as const
export type Level = (typeof levels)[number]

/** Which record a line was printed of: its number, where it stands, and its words as they were then. */
export type Mark = { readonly number: number; readonly place: string; readonly words: string }

export type Line = {
  readonly section: Section
  /** `YYYY-MM-DD`; to-dos have none. */
  readonly day?: string
  readonly text: string
  /** Of a to-do: it has its cross. */
  readonly done?: true
  /** Of a pattern: how sure it is, and in how many messages it was seen. */
  readonly confidence?: Level
  readonly evidence?: number
  readonly mark?: Mark
}

/** The last line: records with numbers from … to … of that place were in the file. */
export type End = { readonly from: number; readonly to: number; readonly place: string }

export type MemoryDocument = { readonly lines: readonly Line[]; readonly end?: End }

/** Blanks of no width: chat programs put them in, and nobody means them. */
const widthless = /[\u200b\u2060\ufeff]/gu

/** As a line has it: on one line, without what no line can hold. Empty for a text of such signs alone. */
export const toLineText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(widthless, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Texts are the same where only their width, and what nobody sees, differs: keyboards and chat programs change that. */
export const toSame = (text: string): string =>
  toLineText(toNormalForm(toLineText(text), 'NFKC').replaceAll(/\p{Cf}|\p{Variation_Selector}/gu, ''))
