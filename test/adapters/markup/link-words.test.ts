// Which words of a link look like an address or a name, in whatever script and with whatever signs they are written.
import { expect, test } from 'vitest'
import { mayClaim } from '#adapters/markup/link-words.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

test.each([
  'bank.example',
  '例え.jp',
  '中国银行.com',
  'файл.рф',
  '한국.한국',
  'ไทย.คอม',
  'उदाहरण.भारत',
  'i❤.ws',
  'google\u2024com',
  'google\uff0ecom',
  'google\ua4f8com',
  'google\u0660com',
  'google\u{1d16d}com',
  '例え。jp',
  'ｇｏｏｇｌｅ．ｃｏｍ',
  'bank.\u200bcom',
  'bank\u00ad.com',
  'bank.\u200acom',
  'bank.c\u034fom',
  'bank\ufe0f.com',
  '\u202emoc.knab',
  'https：／／x',
  '\u200b@admin',
  '＠admin',
  'имя@почта',
])('%j may claim another target', (words) => {
  expect(mayClaim(words)).toBe(true)
})

test.each([
  'the docs',
  'Ende. Neu',
  'wait…more',
  'т.е. так',
  'col·lecció',
  '你好。世界',
  '读一读：这里',
  'مرحبا۔ سلام',
  '٢٠٢٤',
  '۲۰۰۰',
])('%j claims nothing', (words) => {
  expect(mayClaim(words)).toBe(false)
})

test.each(['a', 'a.', '@', ' ', '\u200b', '\ufdfa', '。'])('reads many of %j at once', (sign) => {
  const begunAtMs = processorMs()
  mayClaim(sign.repeat(20_000))
  expect(processorMs() - begunAtMs).toBeLessThan(500)
})
