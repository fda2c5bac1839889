// The search for slow regular expressions finds planted ones and leaves their harmless neighbours alone.
import { expect, test } from 'vitest'
import { grammar, rulesOf } from '#services/router/grammar.ts'
import { findLiterals } from './literals.ts'
import { findSlow } from './find-slow.ts'
import { buildRouterPatterns } from './router-patterns.ts'
import { createStepCount } from './step-count.ts'

const plants: readonly (readonly [string, RegExp, RegExp])[] = [
  ['a word made of two others', /^(?:哪|个|哪个)*猫/u, /^(?:哪|个)*猫/u],
  ['a repetition in a repetition', /^(?:a+)+$/, /^a+$/],
  ['a part that may be left out', /^(?:(?:to|the)? ?)*!/, /^(?:to|the| )*!/],
  ['words that need no space', /for (?:[a-z]+ ?){1,6}!/y, /for (?:[a-z]+ ){1,6}!/y],
  ['two repetitions that take the same', /^#\s+(.*?)\s*$/, /^#\s+(?!\s)/],
  ['a search that begins again', /\s+$/, /(?<!\s)\s+$/],
  ['a group that is repeated from anywhere', /(?:我|还)+用/u, /(?:我|还){1,4}用/u],
  ['a repetition behind a look back', /(?<=(?:a|aa)*)b/, /(?<=a{0,3})b/],
  ['a limit that is none', /(?:ab|a|b){0,60}!/, /(?:a|b){0,60}!/],
  ['a back reference', /([a-z])\1{2,}(?![a-z])/, /([a-z])\1{2,9}(?![a-z])/],
]

test.each(plants)('finds %s', (_, slow, fine) => {
  expect(findSlow(slow)).toBeDefined()
  expect(findSlow(fine)).toBeUndefined()
})

test('counts each way to take a character', () => {
  expect(createStepCount(/^(?:a|a)*$/)('aaaa!')).toBe(2 + 4 + 8 + 16)
  expect(createStepCount(/^a(?=b)b/)('abc')).toBe(2)
  expect(createStepCount(/b/)('aaab')).toBe(1)
})

test('reads regular expressions, and neither divisions, comments nor texts', () => {
  const source = [
    'const half = width / 2 / height // not /one/',
    "const text = '/not/' + `/not/ ${value.replace(/yes[/]+/g, '')} /not/`",
    'if (/too\\/here/u.test(text)) return /last/',
  ].join('\n')
  expect(findLiterals(source).map(({ pattern, line }) => `${line} ${String(pattern)}`)).toEqual([
    '2 /yes[/]+/g',
    '3 /too\\/here/u',
    '3 /last/',
  ])
})

test('sees what the router builds', async () => {
  const patterns = await buildRouterPatterns()
  expect(patterns.length).toBeGreaterThan(100)
  expect(
    patterns.some(({ source }) => source.includes('seven words')),
    'the configured ones',
  ).toBe(false)
})

test('sees every rule of the grammar', async () => {
  const all = (await buildRouterPatterns()).map(({ source }) => source.replaceAll('\\/', '/'))
  const forms = Object.values(grammar).flatMap((section) => Object.values(section).flatMap(rulesOf))
  // What stands between the parts and words that are put in.
  const pieces = forms.flatMap(({ form }) => [form].flat().flatMap((one) => one.split(/<[a-zA-Z]{2,}>/u)))
  expect(forms.length).toBeGreaterThan(100)
  expect(pieces.filter((piece) => !all.some((source) => source.includes(piece.replaceAll('\\/', '/'))))).toEqual([])
})
