// Reads an arithmetic expression by jsep, which parses and can run nothing. It is set up once, for this module's thread: numbers, names, calls,
// + - * / % ^ and brackets; everything else of JavaScript is refused by the reading or by whoever works the tree out.
import jsep from 'jsep'
import { toNormalForm } from '#shared/chat/normal-form.ts'

export type Expression = jsep.Expression

const powers = /[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g
const percentage = /^ ?%(?= ?(?:$|[+*/),]))/
const hundred = { type: 'Literal', value: 100, raw: '100' }
/** A remainder, or a percentage less something. */
const twoMeanings = /% ?-/
/** As people and models write them. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/\*\*/g, '^'],
  [/[×·∙]/g, '*'],
  [/÷/g, '/'],
  [/[−–]/g, '-'],
  [/π/g, 'pi'],
]

/** An expression that cannot be read, with what is wrong with it. */
export class UnreadableError extends Error {}

jsep.removeAllUnaryOps()
jsep.removeAllBinaryOps()
jsep.removeAllLiterals()
for (const [sign, precedence] of [
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
] as const)
  jsep.addBinaryOp(sign, precedence)
jsep.addBinaryOp('^', 11, true)
// Signs bind less than powers here, other than in JavaScript: -2^2 is -4.
jsep.hooks.add('gobble-token', function sign(this: jsep.HookScope, env) {
  const isNumber = /[\d.]/.test(this.char)
  // By itself the parser goes on after a number without asking what follows.
  const number = isNumber ? this.gobbleNumericLiteral() : undefined
  if (number) env.node = number
  if (isNumber || (this.char !== '-' && this.char !== '+')) return
  const operator = this.char
  this.index++
  env.node = { type: 'UnaryExpression', operator, argument: readPower(this), prefix: true }
})
// `15%` of something; where a value follows, it is the remainder.
jsep.hooks.add('after-token', function percent(this: jsep.HookScope, env) {
  const [sign] = percentage.exec(this.expr.slice(this.index)) ?? []
  if (!env.node || sign === undefined) return
  this.index += sign.length
  env.node = { type: 'BinaryExpression', operator: '/', left: env.node, right: hundred }
})

function readPower(parser: jsep.HookScope): Expression {
  const base = parser.gobbleToken()
  if (!base) throw new UnreadableError('a number is missing after a sign.')
  parser.gobbleSpaces()
  if (parser.char !== '^') return base
  parser.index++
  return { type: 'BinaryExpression', operator: '^', left: base, right: readPower(parser) }
}

/** The tree of the expression. Throws UnreadableError. */
export function parseExpression(written: string): Expression {
  const plain = spellings.reduce(
    (text, [spelling, sign]) => text.replaceAll(spelling, sign),
    toNormalForm(
      written.replaceAll(powers, (raised) => `^${toNormalForm(raised, 'NFKC')}`),
      'NFKC',
    )
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  if (twoMeanings.test(plain)) throw new UnreadableError('"% -" may mean two things. Write (5%) - 2, or mod(5, -2).')
  if (plain === '') throw new UnreadableError('the expression is empty.')
  try {
    return jsep(plain)
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    throw new UnreadableError(
      `the expression cannot be read: ${error instanceof Error ? error.message : 'unreadable'}.`,
    )
  }
}
