// Addresses in the texts of tools: what is written can be read back, what others wrote cannot be.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasAddress, toAddress, toPlainAddress, withoutAddresses } from '#shared/model/addresses.ts'
import { addressesIn } from '#test/rig/addresses-in.ts'
import { runs } from '#test/rig/property-runs.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

test('an address is what a browser makes of it, without its fragment', () => {
  expect(toPlainAddress('HTTP://Example.ORG:80/a b?q=<x>#y')).toBe('http://example.org/a%20b?q=%3Cx%3E')
  expect(toPlainAddress('../c', 'https://example.org/a/b')).toBe('https://example.org/c')
  for (const none of [
    '',
    'x',
    'ftp://a.example/',
    'javascript:1',
    'https://u@a.example/',
    'https://:p@a.example/',
    `https://a.example/${'x'.repeat(1000)}`,
  ])
    expect(toPlainAddress(none), none).toBeUndefined()
})

test('reads addresses at the ends of lines, each once, and nothing else', () => {
  const text = [
    '<https://a.example/>',
    '- label <https://b.example/?x=1>',
    'again <https://a.example/>',
    'in <https://c.example/> a line',
    'label<https://d.example/>',
    '<https://E.example/>',
    '<https://f.example/#g>',
    '<https://u:p@h.example/>',
    '<ftp://i.example/>',
    '<https://j.example/',
    '<https://k.example/ >',
    ' <http://[::1]/>',
  ]
  expect(addressesIn(text.join('\n'))).toEqual(['https://a.example/', 'https://b.example/?x=1', 'http://[::1]/'])
})

test('what was written is read back; what others wrote is not', () => {
  const foreign = fc.array(
    fc.constantFrom('<', '>', 'http', 'https', '://', 'HTTPS://', 'x.example', '/', ' ', '\n', '‹'),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), foreign, (url, parts) => {
      const written = parts.join('')
      expect(addressesIn(withoutAddresses(written))).toEqual([])
      const plain = toPlainAddress(url)
      if (plain === undefined) return
      const label = withoutAddresses(written).replaceAll('\n', ' ')
      const text = `${label} ${toAddress(plain)}\n${withoutAddresses(written)}`
      expect(addressesIn(text)).toEqual([plain])
      expect(hasAddress(text, plain)).toBe(true)
      // Near misses: not apart, not at the end of its line, longer, shorter.
      for (const other of [
        `x${toAddress(plain)}`,
        `${toAddress(plain)} x`,
        toAddress(`${plain}x`),
        toAddress(plain.slice(0, -1)),
      ])
        expect(hasAddress(other, plain), other).toBe(addressesIn(other).includes(plain))
    }),
    runs(500),
  )
})

test('takes time in proportion to the length', () => {
  const beganMs = processorMs()
  for (const piece of ['<', '>', '<https://', ' <https://a.example/', '\n<', '<https://a.example/>\n'])
    hasAddress(piece.repeat(Math.ceil(2_000_000 / piece.length)), 'https://a.example/')
  expect(hasAddress('x<https://a.example/>\n'.repeat(50_000), 'https://a.example/')).toBe(false)
  expect(processorMs() - beganMs).toBeLessThan(5000)
})
