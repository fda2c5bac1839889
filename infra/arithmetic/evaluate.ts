// Works out an arithmetic expression in decimals of sixty digits. Only what stands in the two tables below can be named or called. Numbers are
// bounded in size, so that no power grows without end; how long it may take is up to the thread that it runs in.
import { Decimal } from 'decimal.js'
import { parseExpression, UnreadableError, type Expression } from './parse-expression.ts'

const Exact = Decimal.clone({ precision: 60, maxE: 10_000, minE: -10_000 })
/** As many digits are shown of what is not whole. */
const shownDigits = 20
const mostWholeDigits = 50
const mostFactorial = 1000
/** Beyond this an angle has no digits left that mean anything. */
const mostAngle = 1e15

const constants: ReadonlyMap<string, Decimal> = new Map([
  ['pi', Exact.acos(-1)],
  ['tau', Exact.acos(-1).times(2)],
  ['e', Exact.exp(1)],
])

type Work = {
  readonly least: number
  readonly most: number
  readonly run: (values: readonly Decimal[]) => Decimal
}
const one = (run: (value: Decimal) => Decimal): Work => ({ least: 1, most: 1, run: ([value = zero]) => run(value) })
const two = (run: (left: Decimal, right: Decimal) => Decimal): Work => ({
  least: 2,
  most: 2,
  run: ([left = zero, right = zero]) => run(left, right),
})
const any = (run: (values: readonly Decimal[]) => Decimal): Work => ({ least: 1, most: 50, run })
const zero = new Exact(0)

const works: ReadonlyMap<string, Work> = new Map([
  ['sqrt', one((value) => value.sqrt())],
  ['cbrt', one((value) => value.cbrt())],
  ['abs', one((value) => value.abs())],
  ['floor', one((value) => value.floor())],
  ['ceil', one((value) => value.ceil())],
  ['trunc', one((value) => value.trunc())],
  ['round', { least: 1, most: 2, run: ([value = zero, digits = zero]) => round(value, digits) }],
  ['exp', one((value) => value.exp())],
  ['ln', one((value) => value.ln())],
  ['log10', one((value) => value.log(10))],
  ['log2', one((value) => value.log(2))],
  ['log', two((value, base) => value.log(base))],
  ['sin', one((value) => toAngle(value).sin())],
  ['cos', one((value) => toAngle(value).cos())],
  ['tan', one((value) => toAngle(value).tan())],
  ['asin', one((value) => value.asin())],
  ['acos', one((value) => value.acos())],
  ['atan', one((value) => value.atan())],
  ['pow', two((base, exponent) => base.pow(exponent))],
  ['mod', two((value, by) => value.mod(by))],
  ['gcd', two((left, right) => findDivisor(toWhole(left), toWhole(right)))],
  ['factorial', one(factorial)],
  ['comb', two(combine)],
  ['min', any((values) => Exact.min(...values))],
  ['max', any((values) => Exact.max(...values))],
  ['sum', any((values) => Exact.sum(...values))],
  ['avg', any((values) => Exact.sum(...values).div(values.length))],
])

/** The value as text, `≈` before what was rounded. Throws with what is wrong, for the model to read. */
export function evaluate(expression: string): string {
  const value = workOut(parseExpression(expression))
  const whole = value.isInteger() && value.precision(true) <= mostWholeDigits
  if (whole) return value.toFixed()
  const shown = value.toSignificantDigits(shownDigits)
  const text = shown.e < -7 || shown.e >= mostWholeDigits ? shown.toExponential() : shown.toFixed()
  return shown.equals(value) ? text : `≈ ${text}`
}

function workOut(node: Expression): Decimal {
  const value = toValue(node)
  if (value.isNaN())
    throw new UnreadableError('a part of it has no value, such as 0/0 or the root of a negative number.')
  if (!value.isFinite()) throw new UnreadableError('a part of it is infinite or has more than 10000 digits.')
  return value
}

function toValue(node: Expression): Decimal {
  switch (node.type) {
    case 'Literal':
      // As it was written: the parser's own number is not exact.
      return typeof node.value === 'number' ? new Exact(toName(node.raw)) : refuse('a text')
    case 'Identifier':
      return constants.get(toName(node.name).toLowerCase()) ?? refuse(`"${toName(node.name).slice(0, 30)}"`)
    case 'UnaryExpression': {
      const value = workOut(toNode(node.argument))
      return node.operator === '-' ? value.negated() : value
    }
    case 'BinaryExpression':
      return combineBy(toName(node.operator), workOut(toNode(node.left)), workOut(toNode(node.right)))
    case 'CallExpression':
      return call(node)
    case 'Compound':
      throw new UnreadableError(
        'it is more than one value. Write numbers without commas or spaces within, and units not at all.',
      )
    default:
      return refuse('such an expression')
  }
}

function combineBy(operator: string, left: Decimal, right: Decimal): Decimal {
  if (operator === '+') return left.plus(right)
  if (operator === '-') return left.minus(right)
  if (operator === '*') return left.times(right)
  if (operator === '^') return left.pow(right)
  if (right.isZero()) throw new UnreadableError('it divides by zero.')
  return operator === '/' ? left.div(right) : left.mod(right)
}

function call(node: Expression): Decimal {
  const callee = toNode(node['callee'])
  const name = callee.type === 'Identifier' ? toName(callee['name']).toLowerCase() : ''
  const work = works.get(name) ?? refuse(name === '' ? 'such a call' : `the function "${name.slice(0, 30)}"`)
  const given = Array.isArray(node['arguments']) ? node['arguments'].map((each) => workOut(toNode(each))) : []
  if (given.length < work.least || given.length > work.most)
    throw new UnreadableError(
      `"${name}" takes ${work.least === work.most ? work.least : `${work.least} to ${work.most}`} values.`,
    )
  return work.run(given)
}

function refuse(what: string): never {
  throw new UnreadableError(
    `${what} is not known here. There are ${[...works.keys(), ...constants.keys()].join(', ')}.`,
  )
}

const toName = (value: unknown): string => (typeof value === 'string' ? value : '')

function toNode(value: unknown): Expression {
  if (typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string')
    return { ...value, type: value.type }
  throw new UnreadableError('a value is missing.')
}

function round(value: Decimal, digits: Decimal): Decimal {
  const places = toWhole(digits).toNumber()
  if (Math.abs(places) > 50) throw new UnreadableError('it rounds to more than 50 digits.')
  const scale = new Exact(10).pow(places)
  return value.times(scale).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).div(scale)
}

function toAngle(value: Decimal): Decimal {
  if (value.abs().greaterThan(mostAngle)) throw new UnreadableError('an angle is too large.')
  return value
}

function toWhole(value: Decimal): Decimal {
  if (!value.isInteger()) throw new UnreadableError('a whole number is needed there.')
  return value
}

function findDivisor(left: Decimal, right: Decimal): Decimal {
  return right.isZero() ? left.abs() : findDivisor(right, left.mod(right))
}

function factorial(value: Decimal): Decimal {
  const n = toWhole(value).toNumber()
  if (n < 0 || n > mostFactorial) throw new UnreadableError(`factorial takes 0 to ${mostFactorial}.`)
  let product = new Exact(1)
  for (let factor = 2; factor <= n; factor++) product = product.times(factor)
  return product
}

function combine(all: Decimal, chosen: Decimal): Decimal {
  const n = toWhole(all).toNumber()
  const k = Math.min(toWhole(chosen).toNumber(), n - toWhole(chosen).toNumber())
  if (k < 0 || k > mostFactorial)
    throw new UnreadableError('comb takes n and k with 0 ≤ k ≤ n, and k or n-k up to 1000.')
  let product = new Exact(1)
  for (let at = 1; at <= k; at++) product = product.times(all.minus(k).plus(at)).div(at)
  return product.round()
}
