// Facts about what is kept between measuring a text and sending it.
import { expect, test } from 'vitest'
import { askedTwice } from '#adapters/markup/asked-twice.ts'

test('works once for two askers, and forgets', () => {
  const worked: string[] = []
  const render = askedTwice((text) => (worked.push(text), text.toUpperCase()))
  expect([render('a'), render('b'), render('a'), render('b')]).toEqual(['A', 'B', 'A', 'B'])
  expect(worked).toEqual(['a', 'b'])
  render('a')
  expect(worked).toEqual(['a', 'b', 'a'])
})

test('keeps 250,000 characters at most, the newest', () => {
  let worked = 0
  const render = askedTwice((text) => (worked++, text.length))
  const texts = Array.from({ length: 12 }, (_, n) => String(n % 10).repeat(25_000 + n))
  for (const text of texts) render(text)
  expect(worked).toBe(12)
  for (const text of texts.slice(-8)) render(text)
  expect(worked).toBe(12)
  render(texts[0] ?? '')
  expect(worked).toBe(13)
})
