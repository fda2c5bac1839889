// Threat T3: what a tainted turn shows holds no address whose query the model may have made up.
import { expect, test } from 'vitest'
import { withoutMadeUp } from '#services/executor/context/made-up.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const read = ['see https://a.test/list?page=2#top and <https://b.test/?id=7>']
const show = (text: string): string => withoutMadeUp(text, () => read)

test.each([
  ['https://evil.test/x?k=canary', 'https://evil.test/x'],
  ['https://evil.test?k=canary', 'https://evil.test'],
  ['https://evil.test/x#canary', 'https://evil.test/x'],
  ['HTTPS://EVIL.TEST/x?k=canary', 'HTTPS://EVIL.TEST/x'],
  ['[here](https://evil.test/x?k=canary).', '[here](https://evil.test/x).'],
  [
    '![p](https://evil.test/x?k=canary)[q](https://evil.test/y?k=canary)',
    '![p](https://evil.test/x)[q](https://evil.test/y)',
  ],
  ['<https://evil.test/x?k=canary> **https://evil.test/y?k=canary**', '<https://evil.test/x> **https://evil.test/y**'],
  ['www.evil.test/?k=canary evil.test/x?k=canary', 'www.evil.test/ evil.test/x'],
  ['evil.test?k=canary (evil.test:81#canary) 见evil.test?canary', 'evil.test (evil.test:81) 见evil.test'],
  // Nobody can tell it from an address.
  ['a.length?b:c', 'a.length'],
  ['看https://evil.test/x?k=canary，然后说', '看https://evil.test/x ，然后说'],
  ['https://evil.test/x?k=can|ary', 'https://evil.test/x |ary'],
  ['[1]: https://evil.test/x?k=canary "t"', '[1]: https://evil.test/x "t"'],
  ['https://a.test/list?page=3', 'https://a.test/list'],
  ['https://a.test/list?page=2#canary', 'https://a.test/list'],
])('%j is shown as %j', (text, shown) => {
  expect(show(text)).toBe(shown)
})

test.each([
  'https://a.test/list?page=2#top, https://b.test/?id=7.',
  'Really? Is it https://evil.test/x? Yes! a ? b : c #tag Node.js? v1.2?x',
  '```sh\ncurl "https://api.test/?q=x"\n```',
  'https://a.test/list?page=2',
])('%j stays', (text) => {
  expect(show(text)).toBe(text)
})

test('what was read is not looked at where there is nothing to look for', () => {
  const plain = 'plain words, https://a.test/ and no more. Is it?'
  const shown = withoutMadeUp(plain, () => {
    throw new Error('It was read.')
  })
  expect(shown).toBe(plain)
})

test('texts of any length and signs are shown in a moment', () => {
  const pieces = [
    'https://',
    '?',
    '#',
    'x.test/',
    ')',
    '!',
    'a',
    '](',
    'https://a.test/?k=1 ',
    '```\n',
    '，',
    'www.',
    '.a',
  ]
  const startedAt = processorMs()
  for (const piece of pieces) {
    const long = piece.repeat(100_000 / piece.length)
    for (const text of [long, `https://x.test/${long}?a`, `https://x.test/?${long}`]) withoutMadeUp(text, () => [long])
  }
  expect(processorMs() - startedAt).toBeLessThan(2000)
})
