// Chinese in one way of writing: sign for sign, and nothing else is touched.
import { expect, it } from 'vitest'
import { toSimplified } from '#shared/chat/simplified.ts'
import table from '#shared/chat/simplified.json' with { type: 'json' }

it.each([
  ['謝謝你，提醒我買東西', '谢谢你，提醒我买东西'],
  ['幫我搵佢哋', '帮我找他们'],
  ['谢谢 thanks 😀', '谢谢 thanks 😀'],
])('%s', (written, wanted) => {
  expect(toSimplified(written)).toBe(wanted)
})

it('pairs each sign with one other, and none twice', () => {
  expect(table.simplified.length).toBe(table.traditional.length)
  expect(new Set(table.traditional).size).toBe(table.traditional.length)
})
