// Arithmetic: what people and models write, exactly; and what is meant to do harm.
import { expect, onTestFinished, test } from 'vitest'
import { evaluate } from '#infra/arithmetic/evaluate.ts'
import { openCalculator } from '#infra/arithmetic/open-calculator.ts'
import { createCalculate } from '#services/calculate/calculate.ts'
import { textOf, toolContext } from '#test/rig/tool-context.ts'
import { toolsOf } from '#shared/feature/find-tools.ts'

test.each([
  ['0.1 + 0.2', '0.3'],
  ['2+3*4', '14'],
  ['-2^2', '-4'],
  ['(-2)^2', '4'],
  ['2^-1', '0.5'],
  ['2^3^2', '512'],
  ['-2^-2', '-0.25'],
  ['3*-2^2', '-12'],
  ['2 - -3', '5'],
  ['2**10', '1024'],
  ['7 % 3', '1'],
  ['15% * 80', '12'],
  ['200 * (1 + 7.5%)', '215'],
  ['１２×（３＋４）÷2', '42'],
  ['9 − 4', '5'],
  ['(100%) - 20%', '0.8'],
  ['(10 + 5)% * 80', '12'],
  ['100 / 50%', '200'],
  ['-.5 % + 1', '0.995'],
  ['3² + 2¹⁰', '1033'],
  ['log₂(8)', '3'],
  ['2/3', '≈ 0.66666666666666666667'],
  ['123456789123456789 * 987654321987654321', '121932631356500531347203169112635269'],
  ['2^100', '1267650600228229401496703205376'],
  ['factorial(20)', '2432902008176640000'],
  ['factorial(100)', '≈ 9.3326215443944152682e+157'],
  ['comb(49, 6)', '13983816'],
  ['sqrt(2)^2', '2'],
  ['round(2.345, 2)', '2.35'],
  ['round(1234.5, -2)', '1200'],
  ['max(1, 2, 3) + min(4, 5) + sum(1, 2) + avg(2, 4)', '13'],
  ['gcd(84, 36)', '12'],
  ['ln(e)', '1'],
  ['log(8, 2)', '3'],
  ['sin(pi/6)', '0.5'],
  ['2*π', '≈ 6.2831853071795864769'],
  ['1e3 + .5', '1000.5'],
  ['1000000 * 1.05^30', '≈ 4321942.3751506620092'],
])('%s is %s', (expression, value) => {
  expect(evaluate(expression)).toBe(value)
})

test.each([
  ['', 'empty'],
  ['100% - 20%', 'two things'],
  ['1½', 'cannot be read'],
  ['1/0', 'divides by zero'],
  ['5 % 0', 'divides by zero'],
  ['sqrt(-1)', 'no value'],
  ['asin(2)', 'no value'],
  ['9^9^9^9', 'more than 10000 digits'],
  ['1e99999', 'more than 10000 digits'],
  ['factorial(1e9)', 'factorial takes 0 to 1000'],
  ['factorial(0.5)', 'whole number'],
  ['sin(1e5000)', 'too large'],
  ['1,234 + 1', 'more than one value'],
  ['5 km + 3', 'more than one value'],
  ['1 +', 'cannot be read'],
  ['-', 'missing'],
  ['(1', 'cannot be read'],
  ['x + 1', '"x" is not known here'],
  ['constructor', '"constructor" is not known here'],
  ['__proto__', '"__proto__" is not known here'],
  ['process.exit(1)', 'is not known here'],
  ['constructor.constructor("return process")()', 'is not known here'],
  ['this', 'is not known here'],
  ['[1,2]', 'is not known here'],
  ['"a" + "b"', 'a text is not known here'],
  ['1 ? 2 : 3', 'is not known here'],
  ['toString()', 'the function "tostring" is not known here'],
  ['sqrt()', 'takes 1 values'],
  ['sqrt(1)(2)', 'such a call is not known here'],
  ['a = 1', 'cannot be read'],
  ['1 && 2', 'cannot be read'],
  ['`${1}`', 'cannot be read'],
  ['eval("1")', 'is not known here'],
])('refuses %s', (expression, words) => {
  expect(() => evaluate(expression)).toThrow(words)
})

test('in its thread a hostile expression stops nothing, and the next one is answered', async () => {
  const ends: unknown[] = []
  const calculator = openCalculator(new URL('../../../infra/processes/calculate-thread.ts', import.meta.url), (error) =>
    ends.push(error),
  )
  onTestFinished(() => calculator.close())
  const [tool] = toolsOf([createCalculate(calculator.calculate)])
  const ask = async (expression: string): Promise<string> =>
    textOf(await tool?.run({ expression }, toolContext, new AbortController().signal))
  await expect(ask('1+'.repeat(200))).rejects.toThrow('longer than 300')
  await expect(ask('('.repeat(300))).rejects.toThrow('cannot be read')
  await expect(ask('-'.repeat(300))).rejects.toThrow('missing')
  const hostile = [
    'factorial(1000)+'.repeat(18),
    `${'sin('.repeat(50)}1${')'.repeat(50)}`,
    '1.5^'.repeat(70),
    `${'exp('.repeat(70)}1${')'.repeat(70)}`,
    'gcd(1e9999-1,1e9998-3)',
    'mod(1e9999,7)',
  ]
  await Promise.allSettled(hostile.map(ask))
  expect(await ask('6 * 7')).toBe('42')
  expect(ends).toEqual([])
})
