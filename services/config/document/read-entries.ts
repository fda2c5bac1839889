// Reads CONFIG.md: which values stand under which keys, and in which line. It knows no setting. Whatever it does not understand it names by its
// line: nothing of what somebody wrote is passed over in silence but blank lines, comments, and lines that begin with ">".
//
// Lines are counted from the heading `# CONFIG` on, which is line 1. Below a key without a value stands a list of it (seed 000 §4.4), as far as it is
// set further in; no setting has one yet, so that it is named with its key.
import { sections, type Section } from '#shared/feature/setting.ts'
import { toPlainSigns, toValue } from './plain-signs.ts'

export type Entry = { readonly section: Section; readonly key: string; readonly value: string; readonly line: number }

/** What a line is refused for; `text` is the line. */
export type Fault = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'no-heading' | 'no-entry' | 'no-section' | 'behind-value' }
  | { readonly kind: 'unknown-section'; readonly section: string }
)

export type ReadEntries =
  | { readonly kind: 'read'; readonly entries: readonly Entry[] }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[] }
  | { readonly kind: 'too-long' }

/** Many times what all settings take. */
const mostChars = 16_000
const mostLines = 500
/** More nobody reads; what comes behind them is not looked at. */
const mostFaults = 20

const heading = /^#(?!#)\s*config$/iu
const fence = /^(?:`{3,}|~{3,})[a-z]{0,20}$/iu
const keyed = /^([a-z][\w-]{0,39})\s*:/iu

/** Whether somebody pasted such a document, if not a correct one: its first sign is one of a heading, or of a block of code around it. */
export const isDocument = (text: string): boolean => /^\s*(?:#|```|~~~)/u.test(toPlainSigns(text.slice(0, 200)))

export function readEntries(written: string): ReadEntries {
  if (written.length > mostChars) return { kind: 'too-long' }
  const lines = toPlainSigns(written).trim().split('\n')
  if (lines.length > mostLines) return { kind: 'too-long' }
  const body = withoutFence(lines)
  const [first = ''] = body
  if (!heading.test(first.trim())) return { kind: 'faulty', faults: [{ kind: 'no-heading', line: 1, text: first }] }
  return readLines(body.slice(1))
}

/** In a block of code, as it was shown. */
function withoutFence(lines: readonly string[]): readonly string[] {
  if (!fence.test(lines[0]?.trim() ?? '')) return lines
  const body = lines.slice(1, fence.test(lines.at(-1)?.trim() ?? '') ? -1 : undefined)
  return body.slice(body.findIndex((line) => line.trim() !== ''))
}

/** `undefined` before the first section, `unknown` below one that does not exist. */
type Place = Section | 'unknown' | undefined

function readLines(lines: readonly string[]): ReadEntries {
  const entries: Entry[] = []
  const faults: Fault[] = []
  let place: Place
  /** How far in a key without a value stands: what is further in belongs to it. */
  let within: number | undefined
  for (const [at, text] of lines.entries()) {
    if (faults.length >= mostFaults) break
    const line = at + 2
    const bare = text.trim()
    const inset = text.length - text.trimStart().length
    if (bare === '' || bare.startsWith('>')) continue
    if (within !== undefined && (inset > within || bare.startsWith('- '))) continue
    within = undefined
    if (bare.startsWith('#')) {
      const section = toSection(bare)
      place = section ?? 'unknown'
      if (section === undefined)
        faults.push({ kind: 'unknown-section', line, text, section: bare.replace(/^#+/, '').trim() })
      continue
    }
    if (place === 'unknown') continue
    const read = readLine(text, place)
    if ('kind' in read) faults.push({ ...read, line, text })
    else entries.push({ ...read, line })
    if ('value' in read && read.value === '') within = inset
  }
  return faults.length > 0 ? { kind: 'faulty', faults } : { kind: 'read', entries }
}

function toSection(line: string): Section | undefined {
  const name = /^##(?!#)(.*)$/u.exec(line)?.[1]?.trim().toLowerCase()
  return sections.find((section) => section.toLowerCase() === name)
}

type Line = Omit<Entry, 'line'> | { readonly kind: 'no-entry' | 'no-section' | 'behind-value' }

function readLine(text: string, section: Section | undefined): Line {
  const bare = text.trim()
  const [found, key] = keyed.exec(bare) ?? []
  if (found === undefined || key === undefined) return { kind: 'no-entry' }
  if (section === undefined) return { kind: 'no-section' }
  const { value, rest } = toValue(bare.slice(found.length))
  return rest === '' ? { section, key, value } : { kind: 'behind-value' }
}
