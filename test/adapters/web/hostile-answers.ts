// Long answers that are hard to read and to show: code in many languages that only opens, deep nesting, wide tables, links by the hundred.
import { nesting, openings } from './hostile-code.ts'

const fence = (language: string, code: string): string => `~~~~~~~~~~~~${language}\n${code}\n~~~~~~~~~~~~`
const repeat = (text: string, chars: number): string => text.repeat(Math.ceil(chars / text.length)).slice(0, chars)
const codeChars = 6000

const table = (rows: number): string =>
  [
    '| a | b | c | d |',
    '| :- | -: | :-: | - |',
    ...times('| **x** | `y` | [z](https://a.example/z) | _w_ |', rows),
  ].join('\n')
const times = (line: string, rows: number): string[] => Array.from({ length: rows }, () => line)
const link = (i: number): string => `[${i} https://bank.example](https://evil.example/${i} "title ${i}")`

/** Each a block or several. */
function toSections(seed: number): string[] {
  const coded = nesting.map(([language, opening]) => fence(language, repeat(opening, codeChars)))
  const odd = openings
    .filter((_, i) => i % 5 === seed % 5)
    .map((opening, i) => fence(['js', 'xml', 'php', 'css', 'sql', 'markdown'][i % 6] ?? 'js', repeat(opening, 2000)))
  return [
    `# Answer ${seed}`,
    ...coded,
    `${'> '.repeat(300)}deep`,
    table(120),
    Array.from({ length: 300 }, (_, i) => link(i)).join(' '),
    `${'- '.repeat(200)}deep`,
    ...odd,
    repeat('**[`a', 4000),
    repeat('| a ', 3000),
    'Words that follow, with *emphasis* and `code`, as in any answer. '.repeat(20),
  ]
}

/** Of about this length; each number another one. */
export function toHostileAnswer(seed: number, chars: number): string {
  const sections = toSections(seed)
  let text = ''
  for (let i = seed * 3; text.length < chars; i++) text += `${sections[i % sections.length] ?? ''}\n\n`
  return text.slice(0, chars)
}
