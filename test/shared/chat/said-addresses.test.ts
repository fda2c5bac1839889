// Addresses are found as people write them, in one form, whatever stands around them.
import { expect, test } from 'vitest'
import { addressesSaid } from '#shared/chat/said-addresses.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

test.each([
  ['see https://a.test/b', ['https://a.test/b']],
  ['HTTPS://A.test', ['https://a.test/']],
  ['<https://a.test/b?q=1#part>', ['https://a.test/b?q=1']],
  ['(https://a.test/b)', ['https://a.test/b)', 'https://a.test/b']],
  ['看 https://a.test/b。', ['https://a.test/b%E3%80%82', 'https://a.test/b']],
  [
    '[x](https://a.test/w_(x)), next',
    ['https://a.test/w_(x)),', 'https://a.test/w_(x))', 'https://a.test/w_(x)', 'https://a.test/w_(x'],
  ],
  ['ftp://a.test javascript:alert(1) a.test https://me:secret@a.test/', []],
  ['https://', []],
])('in "%s" stand %j', (text, found) => {
  expect(addressesSaid(text)).toEqual(found)
})

test('of a text full of addresses so many are read, in a moment', () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `https://a.test/${i}`).join(' ')
  const startedAt = processorMs()
  expect(addressesSaid(text).length).toBeLessThanOrEqual(1010)
  expect(addressesSaid(`https://a.test/${'.'.repeat(300_000)}`).length).toBeLessThan(10)
  expect(processorMs() - startedAt).toBeLessThan(2000)
})
