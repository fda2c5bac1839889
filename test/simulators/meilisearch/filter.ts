// The filter language: reads an expression and finds the documents that fit. A value is compared folded: trimmed, NFKD, lower case.
// `CONTAINS` and geographic filters are off, as on a fresh server.
import { ApiError } from './api-error.ts'
import type { Facets } from './facets.ts'
import { both, either, without, type Places } from './sets.ts'

/** Fits a filter to the documents of an index. `undefined` stands for no filter: everything. */
export type Fit = ReadonlySet<number> | undefined

type Token = { readonly kind: 'word' | 'text' | 'mark'; readonly text: string; readonly at: number }

const marks = /^(?:!=|>=|<=|[=<>()[\],])/
const plain = /^[\p{L}\p{N}_\-/.+@:]+/u
const keywords = new Set([
  'AND',
  'OR',
  'NOT',
  'IN',
  'TO',
  'EXISTS',
  'IS',
  'NULL',
  'EMPTY',
  'CONTAINS',
  'STARTS',
  'WITH',
])

/** An empty text, an empty list and null are no filter. Throws `code` where it cannot be read or names an attribute that may not be asked. */
export function fitFilter(filter: unknown, facets: Facets, code = 'invalid_search_filter'): Fit {
  if (filter === undefined || filter === null) return undefined
  if (typeof filter === 'string') return filter.trim() === '' ? undefined : createReader(filter, facets, code).read()
  if (!Array.isArray(filter))
    throw new ApiError(400, code, 'Invalid syntax for the filter parameter: expected String, Array')
  const parts: unknown[] = filter
  return parts.reduce((fit: Fit, part) => meet(fit, fitAny(part, facets, code)), undefined)
}

function fitAny(part: unknown, facets: Facets, code: string): Fit {
  if (!Array.isArray(part)) return fitFilter(part, facets, code)
  const choices: unknown[] = part
  const fits = choices.map((choice) => {
    if (typeof choice !== 'string')
      throw new ApiError(400, code, 'Invalid syntax for the filter parameter: expected String')
    return fitFilter(choice, facets, code)
  })
  if (fits.length === 0 || fits.includes(undefined)) return undefined
  return new Set(fits.flatMap((fit) => [...(fit ?? [])]))
}

/** What fits both. */
export function meet(one: Fit, other: Fit): Fit {
  if (one === undefined) return other
  return other === undefined ? one : both(one, other)
}

function createReader(text: string, facets: Facets, code: string) {
  const tokens = toTokens(text, code)
  let at = 0
  const fail = (wanted: string): never => {
    const place = tokens[at]?.at ?? text.length
    throw new ApiError(400, code, `Was expecting ${wanted}.\n${place + 1}:${text.length + 1} ${text.slice(0, 200)}`)
  }
  const isNext = (mark: string): boolean => tokens[at]?.text === mark && tokens[at]?.kind !== 'text'
  const take = (mark: string): boolean => {
    if (!isNext(mark)) return false
    at += 1
    return true
  }
  const value = (): string => {
    const token = tokens[at]
    if (!token || token.kind === 'mark' || (token.kind === 'word' && keywords.has(token.text))) return fail('a value')
    at += 1
    return token.text
  }
  const number = (): number => {
    const given = value()
    return given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : fail('a number')
  }
  const or = (): ReadonlySet<number> => {
    let fit = and()
    while (take('OR')) fit = either(fit, and())
    return fit
  }
  const and = (): ReadonlySet<number> => {
    let fit = not()
    while (take('AND')) fit = both(fit, not())
    return fit
  }
  const not = (): ReadonlySet<number> => {
    if (take('NOT')) return without(facets.all(), not())
    if (!take('(')) return condition()
    const inner = or()
    return take(')') ? inner : fail('a closing bracket')
  }
  const list = (): string[] => {
    if (!take('[')) fail('`[`')
    const values: string[] = []
    while (!take(']')) {
      values.push(value())
      if (!take(',') && !isNext(']')) fail('`,` or `]`')
    }
    return values
  }
  const condition = (): ReadonlySet<number> => {
    const attribute = value()
    const facet = facets.find(attribute)
    if (!facet) {
      const message = `Attribute \`${attribute}\` is not filterable. Available filterable attribute patterns are: ${facets.names()}.`
      throw new ApiError(400, code, message)
    }
    const isNot = take('NOT')
    const asked = (fit: ReadonlySet<number>): ReadonlySet<number> => (isNot ? without(facets.all(), fit) : fit)
    if (take('IN')) return asked(list().reduce((fit: Places, one) => either(fit, facet.equal(one)), new Set<number>()))
    if (take('EXISTS')) return asked(facet.exists())
    if (take('STARTS')) return take('WITH') ? asked(facet.startsWith(value())) : fail('`WITH`')
    if (take('CONTAINS')) {
      const message = 'Using `CONTAINS` in a filter requires enabling the `contains filter` experimental feature.'
      throw new ApiError(400, 'feature_not_enabled', message)
    }
    if (isNot) return fail('`IN`, `EXISTS` or `STARTS WITH`')
    if (take('IS')) {
      const isOther = take('NOT')
      const fit = take('NULL') ? facet.isNull() : take('EMPTY') ? facet.isEmpty() : fail('`NULL` or `EMPTY`')
      return isOther ? without(facets.all(), fit) : fit
    }
    if (take('=')) return facet.equal(value())
    if (take('!=')) return without(facets.all(), facet.equal(value()))
    if (take('>=')) return within(number(), Infinity)
    if (take('<=')) return within(-Infinity, number())
    if (take('>')) return over(number())
    if (take('<')) return under(number())
    const from = number()
    return take('TO') ? within(from, number()) : fail('an operation `=`, `!=`, `>=`, `>`, `<=`, `<`, `IN` or `TO`')

    function within(low: number, high: number): ReadonlySet<number> {
      return facet?.numbers((one) => one >= low && one <= high) ?? new Set()
    }
    function over(low: number): ReadonlySet<number> {
      return facet?.numbers((one) => one > low) ?? new Set()
    }
    function under(high: number): ReadonlySet<number> {
      return facet?.numbers((one) => one < high) ?? new Set()
    }
  }
  return {
    read: (): ReadonlySet<number> => {
      const fit = or()
      return at < tokens.length ? fail('`AND`, `OR` or the end') : fit
    },
  }
}

function toTokens(text: string, code: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const blank = /^\s+/.exec(rest)?.[0]
    if (blank !== undefined) {
      at += blank.length
      continue
    }
    const mark = marks.exec(rest)?.[0]
    const word = mark === undefined ? plain.exec(rest)?.[0] : undefined
    if (mark !== undefined) tokens.push({ kind: 'mark', text: mark, at })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at })
    const quoted = mark === undefined && word === undefined ? readQuoted(rest) : undefined
    if (quoted) tokens.push({ kind: 'text', text: quoted.text, at })
    const length = mark?.length ?? word?.length ?? quoted?.length
    if (length === undefined) {
      throw new ApiError(400, code, `Was expecting an operation, a value or a bracket.\n${at + 1}:${text.length + 1}`)
    }
    at += length
  }
  return tokens
}

/** With its quotes; a backslash takes the next sign as it is. Undefined where it does not end. */
function readQuoted(text: string): { readonly text: string; readonly length: number } | undefined {
  const [quote] = text
  if (quote !== '"' && quote !== "'") return undefined
  let read = ''
  for (let at = 1; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === quote) return { text: read, length: at + 1 }
    if (sign !== '\\') read += sign
    else {
      const next = text.charAt(at + 1)
      // A backslash before anything but a quote or another one is refused.
      if (next !== quote && next !== '\\') return undefined
      read += next
      at += 1
    }
  }
  return undefined
}
