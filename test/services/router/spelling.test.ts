// Chat spelling, read as it was meant.
import { expect, it } from 'vitest'
import { defaultRouting } from '#services/router/patterns.ts'
import { createSpelling } from '#services/router/spelling.ts'

const spell = createSpelling({
  ...defaultRouting,
  slang: { gimme: 'give me', u: 'you', 肿么: '怎么', teh: 'the' },
  social: ['transplate'],
  deepKeywords: ['重构', 'refactor'],
  produce: ['translate', 'summarize', 'write', 'draft up'],
  act: ['rewrite', 'contact', 'update'],
  inform: ['search'],
})

it.each([
  ['gimme a list', 'give me a list'],
  ['u there?', 'you there?'],
  ['肿么办，肿么', '怎么办，怎么'],
])('reads the slang of %j', (text, meant) => {
  expect(spell(text)).toBe(meant)
})

it.each([
  ['tranlsate', 'translate'],
  ['trnslate', 'translate'],
  ['summmarize', 'summarize'],
  ['sumarize', 'summarize'],
  ['rewritte', 'rewrite'],
  ['saerch', 'search'],
  ['refcator this', 'refactor this'],
])('reads the slip of the fingers in %j', (text, meant) => {
  expect(spell(text)).toBe(meant)
})

it.each([
  ['a letter at the end', 'translat'],
  ['another first letter', 'ranslate'],
  ['a word of its own', 'updates'],
  ['a letter replaced', 'contract'],
  ['a letter too many that is no double', 'transulate'],
  ['a letter replaced by another', 'tranzlate'],
  ['two slips', 'tarnlsate'],
  ['a word of the router’s own', 'transplate'],
  ['a short word', 'wirte'],
  ['part of a name', 'tranlsate.js'],
  ['part of an address', 'x@tranlsate'],
])('leaves %s as it is: %j', (_, text) => {
  expect(spell(text)).toBe(text)
})
