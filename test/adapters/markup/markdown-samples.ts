// Made-up Markdown for property tests: numbered words among every mark, broken and nested at random.
import fc from 'fast-check'

const inline = [
  '*',
  '**',
  '***',
  '_',
  '__',
  '~',
  '~~',
  '`',
  '``',
  '```',
  '\\',
  '&amp;',
  '&#65;',
  '<',
  '>',
  '<b>',
  '</b>',
]
const blocks = [
  '# ',
  '## ',
  '> ',
  '- ',
  '* ',
  '1. ',
  '- [x] ',
  '   ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '  \n',
  '---\n',
  '===\n',
]
const fences = ['```js\n', '\n```\n', '|', '| ', ' | ', '\n|---|---|\n', '<!--', '-->', '[^1]', '[^1]: ']
const links = ['[', ']', '(', ')', '![', '](http://a.example/)', '][', ']: ', ' "', '" ', "'", 'http://x.example/']
const others = ['👍', '中文', '，', '\u200d', '\ud800', '\u202e', '@all', '/cmd']
const marks = [...inline, ...blocks, ...fences, ...links, ...others]

/** Its words are `w1x`, `w2x` and so on, in order. */
export const markdown: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constant(undefined), fc.constantFrom(...marks), fc.constant(' ')), { maxLength: 60 })
  .map((tokens) => {
    let count = 0
    return tokens.map((token) => token ?? `w${(count += 1)}x`).join('')
  })

/** Without those right behind a fence, read without the signs that turn: Telegram shows them as the name of a language. */
export function wordsOf(source: string): string {
  const read = source.replaceAll('\u202e', '').replaceAll(/(```+|~~~+)[ \t]*[\w+#.-]*/g, '$1')
  return (read.match(/w\d+x/g) ?? []).join('')
}

/** Whether the characters of `part` come in `whole` in this order. */
export function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const char of whole) if (char === part[at]) at += 1
  return at === part.length
}
