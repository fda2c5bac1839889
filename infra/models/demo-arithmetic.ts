// Simple arithmetic for the demo model: + − × ÷ and brackets. It evaluates no code.
import { toNormalForm } from '#shared/chat/normal-form.ts'

/** The longest arithmetic expression in a text, or undefined when there is none with an operator between numbers. */
export function findExpression(text: string): string | undefined {
  const candidates = toSigns(toNormalForm(text, 'NFKC')).match(/[-+*/×÷xX().\d\s]{3,200}/g) ?? []
  const trimmed = candidates.map((each) =>
    each
      .trim()
      .replace(/(?<!\s)\s*[xX×]\s*/g, '*')
      .replaceAll('÷', '/'),
  )
  // A date or a telephone number (2026-01-02, 555-1234) is no sum: minus counts only with spaces or in a short term.
  const sums = trimmed.filter((each) => /\d\s*[-+*/][\s(]*-?\d/.test(each) && !/^\d{3,}(-\d+)+$/.test(each))
  return sums.toSorted((left, right) => right.length - left.length)[0]
}

const spoken: readonly (readonly [RegExp, string])[] = [
  [/(\d{1,12}(?:\.\d{1,12})?) ?% ?(?:of|的) ?(\d)/gi, '$1/100*$2'],
  [/(\d) ?的 ?(\d{1,12}(?:\.\d{1,12})?) ?%/g, '$1*$2/100'],
  [/(\d) ?(?:乘以|乘|times|multiplied by) ?(?=\d)/gi, '$1*'],
  [/(\d) ?(?:除以|divided by|over) ?(?=\d)/gi, '$1/'],
  [/(\d) ?(?:加上?|plus) ?(?=\d)/gi, '$1+'],
  [/(\d) ?(?:减去?|minus) ?(?=\d)/gi, '$1 - '],
]

/** 17% of 240 and 17 乘以 24 with signs. */
const toSigns = (text: string): string => spoken.reduce((said, [words, sign]) => said.replace(words, sign), text)

/** Undefined for what is no expression; `NaN` or an infinity for a division by zero. */
export function evaluate(expression: string): number | undefined {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]/g) ?? []
  if (tokens.join('') !== expression.replaceAll(/\s+/g, '')) return undefined
  let at = 0

  function sum(): number | undefined {
    let value = product()
    while (value !== undefined && (tokens[at] === '+' || tokens[at] === '-')) {
      const sign = tokens[at++] === '+' ? 1 : -1
      const next = product()
      value = next === undefined ? undefined : value + sign * next
    }
    return value
  }
  function product(): number | undefined {
    let value = factor()
    while (value !== undefined && (tokens[at] === '*' || tokens[at] === '/')) {
      const isTimes = tokens[at++] === '*'
      const next = factor()
      value = next === undefined ? undefined : isTimes ? value * next : value / next
    }
    return value
  }
  function factor(): number | undefined {
    const token = tokens[at++]
    if (token === '-') {
      const value = factor()
      return value === undefined ? undefined : -value
    }
    if (token === '(') {
      const value = sum()
      return tokens[at++] === ')' ? value : undefined
    }
    return token !== undefined && /^\d/.test(token) ? Number(token) : undefined
  }

  const value = sum()
  return at === tokens.length ? value : undefined
}

/** Without the noise of binary fractions: 0.1 + 0.2 is 0.3. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(12)))
}
