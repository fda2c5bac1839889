// Which configured patterns are accepted, and what words become.
import { describe, expect, it } from 'vitest'
import { BotError } from '#shared/errors.ts'
import { anyOf, compilePatterns, patternProblem } from '#services/router/pattern-source.ts'

describe('patterns', () => {
  it.each([
    'a'.repeat(500),
    'a{0,30}',
    'a?b?c?d?e?f?g?',
    '(a)(a)(a)(a)(a)(a)(a)(a)',
    '(?:a|b)c',
    'a.*b',
    '\\d\\.\\+',
    '[+*{}]x',
    'a{3}b{1,2}',
  ])('accepts %j', (source) => {
    expect(patternProblem(source)).toBeUndefined()
  })

  it.each([
    ['a'.repeat(501), 'longer than 500'],
    ['a+', 'without a limit'],
    ['a*', 'without a limit'],
    ['a{31}', 'more than 30 times'],
    ['a{0,31}', 'more than 30 times'],
    ['a{2,}', 'more than 30 times'],
    ['(a){2}', 'repeats a group'],
    ['(a) {2}', 'repeats a group'],
    ['a?b?c?d?e?f?g?h?', 'more than 7 optional'],
    ['a{0,1}b?c?d?e?f?g?h?', 'more than 7 optional'],
    ['(a)(a)(a)(a)(a)(a)(a)(a)(a)', 'more than 8 groups'],
    ['(?:a)(a)(a)(a)(a)(a)(a)(a)(a)', 'more than 8 groups'],
    ['(?=a)', 'look-around'],
    ['(?<n>a)', 'named group'],
    ['\\1', 'back reference'],
    ['\\b', 'class escape'],
    ['\\p{L}', 'class escape'],
    ['[', 'not a regular expression'],
    ['ok.*a+', 'without a limit'],
  ])('refuses %j, for it %s', (source, problem) => {
    expect(patternProblem(source)).toContain(problem)
  })

  it('an unaccepted pattern is refused by name when it is to be used', () => {
    const compile = () => compilePatterns(['a+'])
    expect(compile).toThrow(BotError)
    expect(compile).toThrow('The pattern "a+" repeats without a limit')
  })

  it('fits whole Latin words alone, and Chinese anywhere', () => {
    const fits = compilePatterns(['step', '步骤'])
    expect(['one step', 'step.', '这步骤好'].map(fits)).toEqual([true, true, true])
    expect(['steps', 'footstep', '步 骤', ''].map(fits)).toEqual([false, false, false, false])
  })

  it('parts between .* follow one another, and do not share what they fit', () => {
    const fits = compilePatterns(['first.*then', 'aa.*ab'])
    expect(fits('first this, then that')).toBe(true)
    expect(fits('then this, first that')).toBe(false)
    expect(fits('aa ab')).toBe(true)
    expect(compilePatterns(['甲乙.*乙丙'])('甲乙丙')).toBe(false)
  })

  it('a pattern that begins or ends with .* is what stands beside it', () => {
    expect(compilePatterns(['.*step.*'])('one step more')).toBe(true)
    expect(compilePatterns(['.*step.*'])('none')).toBe(false)
  })

  it('fits nothing when there are no patterns', () => {
    expect(compilePatterns([])('anything')).toBe(false)
  })
})

describe('words', () => {
  const find = (words: readonly string[], text: string): string | undefined =>
    new RegExp(anyOf(words), 'u').exec(text)?.[0]

  it('takes the longest of them', () => {
    expect(find(['好', '好的', '好的呀'], '好的呀!')).toBe('好的呀')
    expect(find(['go', 'go on'], 'go on')).toBe('go on')
  })

  it('takes Latin ones as whole words, in lower case', () => {
    expect(find(['Plan'], 'the plan')).toBe('plan')
    expect(find(['plan'], 'planet')).toBeUndefined()
    expect(find(['plan'], 'airplan')).toBeUndefined()
    expect(find(['plan'], '个plan呢')).toBe('plan')
  })

  it('takes what a word says for itself, sign by sign', () => {
    expect(find(['c++', 'a.b'], 'axb c++')).toBe('c++')
  })

  it('finds nothing among none', () => {
    expect(find([], '')).toBeUndefined()
  })
})
