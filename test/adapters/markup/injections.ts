// What a model might write to break a platform's markup or to mislead a reader: pieces that are put together at random, and what may
// come of any of it.
import fc from 'fast-check'
import { expect } from 'vitest'
import { markdown } from './markdown-samples.ts'

const html = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<iframe srcdoc="<script>1</script>">',
  '<tg-spoiler>',
  '<tg-emoji emoji-id="1">👍</tg-emoji>',
  '<tg-button type="callback_data" data="x">Yes</tg-button>',
  '<details open><summary>x</summary>',
  '<a name="x"></a>',
  '<!--',
  ']]>',
  '&lt;script&gt;',
  '&#x3c;b&#x3e;',
  '"><',
]
const links = [
  '[your bank](https://evil.example/x)',
  '[https://bank.example](https://evil.example)',
  '[bank.example/login](https://evil.example "https://bank.example")',
  '[@admin](https://evil.example)',
  '[x](javascript:alert(1))',
  '[x](data:text/html;base64,AAAA)',
  '[x](tg://user?id=7)',
  '[x](tg://resolve?domain=x)',
  '![👍](tg://emoji?id=1)',
  '![x](tg://photo?id=1)',
  '![p](https://evil.example/p.png)',
  '![p](//evil.example/p.png)',
  '[![p](https://a.example/p.png)](https://evil.example)',
  '[x](https://bank.example@evil.example)',
  '[x](https://bank.example\u2044@evil.example)',
  '[\u202ebank\u202c](https://evil.example)',
  '[&#x202E;bank](https://evil.example)',
  '[&#x20&#8238;2e;bank](https://evil.example)',
  '[x][y]\n\n[y]: https://evil.example',
  '<https://evil.example>',
  'https://evil.example/)](https://bank.example)',
  '[](https://evil.example)',
  '[x](<https://evil.example/a b>)',
]
const pings = [
  '@everyone',
  '@here',
  '@\u200beveryone',
  '<@1>',
  '<@!1>',
  '<@&1>',
  '<#1>',
  '<:e:1>',
  '</x:1>',
  '<t:1:R>',
  '<id:guide>',
  '\\@everyone',
  '\\\\<@1>',
  '`@everyone`',
  '**@**everyone',
  '@*every*one',
]
const marks = [
  '||x||',
  '==x==',
  '$x^2$',
  '$$',
  '[^1]',
  '-# small',
  '>>> all',
  '```\n@everyone\n```',
  '````',
  '~~~',
  '\\',
  '\\`',
  '\u0000',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ud800',
  '\r',
  '\t',
  '| a | b |\n|---|---|\n| ',
  ' | ',
]

/** Injections among words and marks of every kind. */
export const injected: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...html, ...links, ...pings, ...marks) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('\n', '\n\n', ' ', 'word', '# ', '- ', '> ', '*', '_', '`', '[', '](', ')', '!'),
      },
      { weight: 1, arbitrary: markdown },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join(''))

/** Kinds of marks that a text may have; whatever else shows or does something that nobody wrote. */
const harmless = new Set(['bold', 'italic', 'strikethrough', 'code', 'pre', 'blockquote', 'text_link'])

type Shown = {
  readonly text: string
  readonly entities: readonly {
    readonly type: string
    readonly offset: number
    readonly length: number
    readonly url?: string | undefined
  }[]
}

/** What turns the direction of writing: the host beside a link would stand backwards. */
export const turning = /[\u202a-\u202e\u2066-\u2069]/

/** Every mark is harmless, and every link leads to the web and shows where. */
export function expectHonest({ text, entities }: Shown): void {
  expect(text).not.toMatch(turning)
  expect(entities.filter(({ type }) => !harmless.has(type))).toEqual([])
  for (const { url, offset, length } of entities) {
    if (url === undefined) continue
    const target = new URL(url)
    expect(['http:', 'https:']).toContain(target.protocol)
    const said = text.slice(offset, offset + length)
    const beside = text.slice(offset + length)
    const bare = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '')
    expect(bare(said) === bare(url) || beside.startsWith(` (${target.host})`), `${said} leads to ${url}`).toBe(true)
  }
}
