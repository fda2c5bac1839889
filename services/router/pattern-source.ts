// Turns configured words and patterns into regular expressions that cannot run away. Patterns are a small subset of the
// regular expressions: no `+`, no open-ended or nested repetition, no look-around, no back reference; `.*` only between
// parts, which are then searched one after the other. So a match costs a constant times the length of the text.
import { BotError } from '#shared/errors.ts'
import { fold } from './normalise.ts'

const maxPatternChars = 500
const maxOptional = 7
const maxGroups = 8
const maxRepeats = 30

/** Says in one sentence why a pattern is refused and what to write instead; undefined when it is accepted. */
export function patternProblem(source: string): string | undefined {
  if (source.length > maxPatternChars) return `is longer than ${maxPatternChars} characters; split it in two`
  for (const part of source.split('.*')) {
    const problem = partProblem(part)
    if (problem !== undefined) return problem
  }
  try {
    new RegExp(source, 'u')
    return undefined
  } catch {
    return 'is not a regular expression; escape ( ) [ ] { } . ? * + | \\ with a backslash to mean the sign itself'
  }
}

/** A test for one accepted pattern, linear in the text; throws `config` for a refused one. */
function compilePattern(source: string): (text: string) => boolean {
  const problem = patternProblem(source)
  if (problem !== undefined) throw new BotError('config', `The pattern "${source}" ${problem}.`)
  const parts = source
    .split('.*')
    .filter((part) => part !== '')
    .map((part) => new RegExp(bounded(part), 'gu'))
  return (text) => {
    let from = 0
    return parts.every((part) => {
      part.lastIndex = from
      const found = part.exec(text)
      from = part.lastIndex
      return found !== null
    })
  }
}

/** Whether one of some accepted patterns fits. One look for all their beginnings at once tells most texts that none does. */
export function compilePatterns(sources: readonly string[]): (text: string) => boolean {
  const patterns = sources.map(compilePattern)
  const beginnings = sources.map((source) => bounded(source.split('.*').find((part) => part !== '') ?? ''))
  const begins = new RegExp(beginnings.join('|') || '(?!)', 'u')
  return (text) => begins.test(text) && patterns.some((fits) => fits(text))
}

/** One alternation of literal words, longest first; Latin words match only as whole words. */
export function anyOf(words: readonly string[]): string {
  const literals = words
    .map((word) => fold(word).toLowerCase())
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'))
  // Grouped by their ends, so that each border is looked at once; words that begin alike and go on in Chinese come first.
  const groups = Object.groupBy(literals, (word) => `${bounded('', word).length} ${/[a-z0-9]$/u.test(word) ? 1 : 0}`)
  const sources = Object.entries(groups).toSorted(([a], [b]) => a.slice(-1).localeCompare(b.slice(-1)))
  const all = sources.map(([, group = []]) => bounded(group.join('|'), group[0]))
  return all.length === 0 ? '(?!)' : `(?:${all.join('|')})`
}

function bounded(source: string, word = source): string {
  const before = /^[a-z0-9]/iu.test(word) ? '(?<![a-z0-9])' : ''
  const after = /[a-z0-9]$/iu.test(word) ? '(?![a-z0-9])' : ''
  return `${before}(?:${source})${after}`
}

function partProblem(part: string): string | undefined {
  const plain = part.replace(/\\[^1-9bBkpP]/gu, 'x').replace(/\[[^\]]{0,200}\]/gu, 'x')
  const grouped = plain.replaceAll('(?:', '(')
  const most = [...plain.matchAll(/\{(?:\d*,)?(\d*)\}/gu)].map(([, limit]) => (limit ? Number(limit) : Infinity))
  if (plain.includes('\\')) return 'holds a back reference or a class escape; write the characters out'
  if (/\(\?/u.test(grouped)) return 'holds a look-around or a named group; only ( ) and (?: ) are understood'
  if (/[*+]/u.test(plain)) return 'repeats without a limit; write {0,9} in place of * and {1,9} in place of +'
  if (Math.max(0, ...most) > maxRepeats) return `repeats more than ${maxRepeats} times; write a smaller limit`
  if (/\)\s*\{/u.test(plain)) return 'repeats a group; write the group out, or repeat a single character or class'
  if ((grouped.match(/\?|\{\d*,\d+\}/gu)?.length ?? 0) > maxOptional)
    return `has more than ${maxOptional} optional or repeated parts; split it in two`
  return (grouped.match(/\(/gu)?.length ?? 0) > maxGroups
    ? `has more than ${maxGroups} groups; split it in two`
    : undefined
}
