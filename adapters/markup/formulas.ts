// Finds formulas (TeX) in a text: between `\(` and `\)`, `\[` and `\]`, `$`, `$$`, or as an environment of their own. Prices, names of variables and
// escaped brackets around words are no formulas. Each search goes on where the last one ended, so reading stays linear.

/** `value`: with its marks. `tex`: what stands between them. */
export type FoundFormula = {
  readonly end: number
  readonly value: string
  readonly tex: string
  readonly isBlock: boolean
}

/** The formula that begins at this offset, or undefined. Offsets are asked for in ascending order. */
export type FormulaFinder = (at: number) => FoundFormula | undefined

const mostInline = 1000
const mostBlock = 8000

export function createFormulaFinder(source: string): FormulaFinder {
  const find = createMarkFinder(source)
  return (at) => {
    if (source.startsWith('\\(', at)) return take(source, { at, marks: ['\\(', '\\)'], most: mostInline, find })
    if (source.startsWith('\\[', at)) {
      const found = take(source, { at, marks: ['\\[', '\\]'], most: mostBlock, find })
      return found && source.charAt(found.end) !== '(' ? found : undefined
    }
    if (source.startsWith('$$', at)) return take(source, { at, marks: ['$$', '$$'], most: mostBlock, find })
    if (source.charAt(at) === '$') return takeDollars(source, at, find)
    return takeEnvironment(source, at, find)
  }
}

/** Where a formula of several lines may have begun whose end has yet to be written; the end of the text if there is none. */
export function findOpenFormula(source: string): number {
  const from = Math.max(0, source.length - mostBlock)
  const near = source.slice(from)
  const dollars = near.split('$$').length % 2 === 0 ? near.lastIndexOf('$$') : -1
  const pairs = [
    ['\\[', '\\]'],
    ['\\begin{', '\\end{'],
  ] as const
  const opened = pairs.map(([open, close]) => {
    const at = near.lastIndexOf(open)
    return at > near.lastIndexOf(close) ? at : -1
  })
  const begun = [dollars, ...opened].filter((at) => at >= 0)
  return begun.length > 0 ? from + Math.min(...begun) : source.length
}

type MarkFinder = (mark: string, from: number) => number

/** Where a mark comes next that is not escaped, or -1. Remembers what it found, so that searches from ascending offsets cost one walk. */
function createMarkFinder(source: string): MarkFinder {
  const known = new Map<string, { readonly from: number; readonly at: number }>()
  return (mark, from) => {
    const last = known.get(mark)
    if (last && last.from <= from && (last.at < 0 || last.at >= from)) return last.at
    let at = source.indexOf(mark, from)
    while (at >= 0 && isEscaped(source, at)) at = source.indexOf(mark, at + 1)
    known.set(mark, { from, at })
    return at
  }
}

function isEscaped(source: string, at: number): boolean {
  let from = at
  while (source.charAt(from - 1) === '\\') from -= 1
  return (at - from) % 2 === 1
}

type Taking = {
  readonly at: number
  readonly marks: readonly [open: string, close: string]
  readonly most: number
  readonly find: MarkFinder
}

function take(source: string, { at, marks: [open, close], most, find }: Taking): FoundFormula | undefined {
  const from = at + open.length
  const to = find(close, from)
  if (to < 0 || to - from > most) return undefined
  const tex = source.slice(from, to)
  const end = to + close.length
  if (open !== close && tex.includes(open) && hasUnescaped(tex, open)) return undefined
  if (open === '$$' && (source.charAt(end) === '$' || source.charAt(from) === '$')) return undefined
  const isBlock = open !== '\\('
  const stands = isBlock && startsLine(source, at) && /^[^\S\n]*(?:\n|$)/.test(source.slice(end, end + 80))
  if (!stands && /\n[ \t>]*(?:\n|\|)/.test(tex)) return undefined
  // Within a line, brackets around a number, a box or a word are escaped ones.
  if (open === '\\[' && !stands && !/[=^_+<>]|\\[A-Za-z]{2}/.test(tex)) return undefined
  if (!looksLikeMath(tex, open !== '$$' && /[=≈<>≤≥]/.test(tex) ? 6 : 1)) return undefined
  // `\(555\) 123\-4567`
  if (/^\d+$/.test(tex) && /^ ?\d/.test(source.slice(end, end + 2))) return undefined
  const value = withoutMargins(source, at, end)
  return { end, value, tex: value.slice(open.length, -close.length), isBlock }
}

const hasUnescaped = (tex: string, mark: string): boolean => {
  for (let at = tex.indexOf(mark); at >= 0; at = tex.indexOf(mark, at + 1)) if (!isEscaped(tex, at)) return true
  return false
}

const wordSign = /[A-Za-z0-9À-ɏͰ-ӿ]/

/** `$n$th`, `$x$s` */
const ending = /^(?:th|st|nd|rd|s)(?![A-Za-z])/
/** As Pandoc takes it: no blank inside of the marks, and no digit or letter outside of them. Between prices stand words. */
function takeDollars(source: string, at: number, find: MarkFinder): FoundFormula | undefined {
  if (wordSign.test(source.charAt(at - 1)) || /[\s$]/.test(source.charAt(at + 1))) return undefined
  const to = find('$', at + 1)
  if (to < 0 || to - at > mostInline) return undefined
  const tex = source.slice(at + 1, to)
  if (/[`，。；！？]|\n\s*[|\n]/.test(tex) || /\s$/.test(tex)) return undefined
  if (tex.includes('\n') && !/\\[A-Za-z]{2}|\\[{}]/.test(tex)) return undefined
  const next = source.slice(to + 1, to + 4)
  if ((wordSign.test(next.charAt(0)) && !ending.test(next)) || /^[${]/.test(next)) return undefined
  return looksLikeMath(tex) ? { end: to + 1, ...withValue(source, at, to + 1), isBlock: false } : undefined
}

function withValue(source: string, at: number, end: number): { readonly value: string; readonly tex: string } {
  const value = withoutMargins(source, at, end)
  return { value, tex: value.slice(1, -1) }
}

/** The starred ones as well. */
const environment =
  /\\begin\{((?:equation|align|aligned|alignat|gather|gathered|multline|eqnarray|cases|split|array|[bpvBV]?matrix|smallmatrix)\*?)\}/y

function takeEnvironment(source: string, at: number, find: MarkFinder): FoundFormula | undefined {
  environment.lastIndex = at
  const name = environment.exec(source)?.[1]
  if (name === undefined) return undefined
  const close = `\\end{${name}}`
  const to = find(close, at)
  if (to < 0 || to - at > mostBlock) return undefined
  const end = to + close.length
  if (/\n[ \t>]*\n/.test(source.slice(at, end))) return undefined
  const value = withoutMargins(source, at, end)
  return { end, value, tex: value, isBlock: true }
}

function startsLine(source: string, at: number): boolean {
  return /\n[ \t>*+\-\d.)]{0,80}$/.test((at > 90 ? '' : '\n') + source.slice(Math.max(0, at - 90), at))
}

/** In a quote each line begins with its mark, in a list with blanks. They are no part of the formula. */
function withoutMargins(source: string, at: number, end: number): string {
  const value = source.slice(at, end)
  if (!value.includes('\n')) return value
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at).slice(0, 200)
  const levels = /^[ \t]*>[ \t>]*/.exec(line)?.[0].split('>').length ?? 1
  if (levels < 2)
    return /^[\s*+\-\d.)]*$/.test(line) ? value.replaceAll(/\n[ \t]*/g, (m) => `\n${m.slice(1 + line.length)}`) : value
  return value.replaceAll(/\n[ \t>]*/g, (margin) => `\n${margin.split('>').slice(levels).join('>')}`)
}

const command =
  /\\(?:text|textbf|textit|mathrm|mathbf|operatorname|mbox|label|tag|mathit)\*?\{[^{}]{0,200}\}|\\[A-Za-z]+|\\./gs
const named =
  /\b(?:sin|cos|tan|cot|sec|csc|log|ln|exp|lim|max|min|sup|inf|mod|gcd|lcm|det|dim|ker|arg|deg|rank|if|otherwise|and|for)\b/gi
const sign = /[=^_+<>|/*!'{}&≤≥≠≈≡∈∉⊂∪∩→×÷·±∑∏∫√∞°′-]/
const single = /^(?:\p{L}\p{M}*|\p{Lu}{1,4}|[.,\d]{1,20}|\d{0,6}[\p{Ll}\p{Lu}]{1,2})$/u

/** Whether this is a formula rather than words that stand between two marks by chance. `most`: as many words may be in it without any command. */
function looksLikeMath(tex: string, most = 1): boolean {
  const trimmed = tex.trim()
  if (trimmed === '' || /^[)\],.;:?!]/.test(trimmed) || trimmed.includes('`')) return false
  const rest = trimmed.replaceAll(command, ' ').replaceAll(named, ' ')
  const words = rest.match(/(?<![\p{L}\p{M}])[\p{Ll}\p{Lu}][\p{Ll}\p{M}]{1,40}(?!\p{L})/gu) ?? []
  const long = words.filter((word) => word.length > 2)
  const hasCommand = /\\[A-Za-z]{2}|\\[{}|,;%\\]/.test(trimmed)
  const isPrice = !hasCommand && /^\d/.test(trimmed)
  if (long.length > (hasCommand ? 8 : most) || (isPrice && words.length > 0) || (isPrice && /\p{Lo}/u.test(rest)))
    return false
  if (hasCommand || single.test(trimmed)) return true
  const isShort = trimmed.length <= 40 && words.length === 0 && !isPrice && !/\p{Lo}/u.test(rest)
  return (isShort || sign.test(rest)) && /[\p{L}\d]/u.test(rest)
}
