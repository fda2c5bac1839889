// Markdown changes no number, name or formula, on any channel; and where it does mean emphasis, links and breaks, they come out as such.
import { expect, test } from 'vitest'
import { readBlocks, type Phrase } from '#adapters/markup/read-blocks.ts'
import { splitMarkdown } from '#adapters/markup/split.ts'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { channels } from './shown.ts'

const { raw } = String
const toPhrases = (source: string): readonly Phrase[] => {
  const [block] = readBlocks(source)
  return block?.kind === 'paragraph' ? block.phrases : []
}

const kept = [
  ['products', '5! = 5*4*3*2*1 = 120, and 17*20=340, 17*3=51.'],
  ['powers', 'x**2 + y**2 = z**2, and 2**10 is 1024'],
  ['names of Python', 'Call __init__ and __main__, edit __init__.py, or *args and **kwargs in f(*args, **kwargs).'],
  ['macros', 'line __LINE__ of __FILE__ and __typename of __proto__'],
  ['names with underscores at both ends', 'use _top_left_ and snake_case_name and foo__bar__baz'],
  ['patterns', 'src/**/*.ts and test/**/*.ts, or **/*.js, **/*.md, or **/src/**'],
  ['patterns of files in Chinese', '文件*.txt和*.md，目录src/**/x'],
  ['patterns of files', 'all *.* of .*foo.* and *.js, or a*.txt b*.txt'],
  ['calls of SQL', 'SELECT COUNT(*), SUM(*) FROM t'],
  ['signs in quotes', 'the "*" and the "_" and the "*"'],
  ['pointers', 'char **argv, *ptr = *other; a->*b'],
  ['comments', '/* one */ and /*two*/ and /** three */'],
  ['products of brackets', 'so (a)*(b)*(c) = 3*(4)*(5) = [1]*[2]*[3], and n*(n-1)*(n-2)'],
  ['repeated texts', '"ab"*3*"c" and "d"*2'],
  ['calls of what a list holds', 'handlers[0](x) and grid[i](j) and f(a)[1](b)'],
  ['blanks to fill in', 'I ____ to (____) and (____)'],
  ['faces', '^_^ and -_- and ^_^'],
  ['products in Chinese', '面积=长*宽*2，总价 = 单价*数量*税率，约5*3*2米'],
  ['products in Cyrillic', 'площадь = a*b*c и цена*2*3'],
  ['paths of shares', raw`open \\server01\share_a\docs or (\\nas\x$) now`],
  ['patterns without code', raw`use ^\d+\.\d{2}$ or \w+\[\d\]\* here`],
  ['replacements', raw`'s/([a-z]+)_([0-9]+)/\2_\1/g' and (a)_(b)_(c)`],
  ['relative paths', raw`run ..\lib\_a\_b and .\go_1\*.y`],
  ['escaped quotes', raw`{"a": "say \"hi\""} and s/\./_/g and a\/b`],
  ['TeX without marks', raw`so \frac{a_1*b_1}{2} = \{1\} \\ and \text{a\_b}`],
  ['calls of a library', '_.map(_.filter(x)) and _.chunk(y)'],
  ['patterns that are left out', '**/*.{ts,tsx} !**/*.d.ts'],
  ['more faces', 'u_u ~_~ *_* $_$ @_@ (*´▽｀*) (｡◕‿◕｡)*:･ﾟ✧* ☆*:.｡.o(≧▽≦)o.｡.:*☆'],
  ['names that are not told', '张*明、李**、王*（男）与赵*（女），138****1234'],
  ['products of brackets in Chinese', '（单价*数量）*折扣，以及长*（宽+高）'],
  ['classes of patterns', '[a-z_]+_[0-9_]+ and (.*)_(.*) and ^.*$'],
  ['members', 'self._a_ + self._b_ and x->_y_, _z_=1'],
  ['signs in faces', '>_< and >__< and (>_<) and T_T'],
  ['paths of Windows', raw`open C:\Users\bob\_notes\.cache\*.txt now`],
  ['intervals of cron', '*/5 * * * * and */10 */2 * * *'],
  ['prices', '$5 and $10, US$5–US$10, $5/$6, $5 (or 5$), 人均$5和$10'],
  ['names with a dollar', 'run $HOME/bin:$PATH or $x = $y, cafés ($$), bars ($$)'],
] as const

test.each(kept)('%s stay as they are, in a text and in a cell', (_, said) => {
  for (const [channel, show] of channels) {
    expect(show(`So: ${said}`), channel).toContain(said)
    if (said.includes('**') || said.includes('__')) continue
    expect(show(`| a | b |\n|---|---|\n| ${said.replaceAll('|', raw`\|`)} | 1 |`), channel).toContain(said)
  }
})

const formulas = [
  ['in brackets', raw`\( x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a} \)`],
  ['a single letter', raw`\(x\)`],
  ['in square brackets', raw`\[ A = \begin{bmatrix} a_1 & b_1 \\ c_1 & d_1 \end{bmatrix}, \{x \mid x > 0\} \]`],
  ['with one dollar', raw`$\{1,\,2\}$`],
  ['with stars and underscores', raw`$a_i * b_i + c_i * d_i$`],
  ['with two dollars', raw`$$\sum_{i=1}^n x_i * y_i = \left[ 1, 2 \right]$$`],
  ['Chinese words in it', raw`$\text{面积} = 长 \times 宽$`],
  ['an environment', raw`\begin{align} a &= b_1 \\ c &= d_1 \end{align}`],
  ['with angles', raw`\(a<b>c</b>\) `.trim()],
  ['an ordinal', '$n^{th}_1$th'],
  ['names of functions', "$(fg)' = f'g + fg'$"],
  ['words', raw`\(speed = distance / time\)`],
  ['a share', raw`\(10\%\)`],
  ['with bars', raw`$|x|_1 + \|y\|$`],
] as const

test.each(formulas)('a formula stands verbatim everywhere: %s', (_, said) => {
  for (const around of [said, `so ${said}.`, `因此**${said}**成立`, `- one\n- ${said}`, `> ${said}`, `# ${said}`]) {
    for (const [channel, show] of channels) expect(show(around), `${channel}: ${around}`).toContain(said)
  }
  const table = `| f | g |\n|---|---|\n| ${said} | 1 |`
  for (const [channel, show] of channels) expect(show(table), channel).toContain(said)
})

test.each([
  ['a sentence', 'so $\\{1,\n2\\}$ and $5', '$\\{1,\n2\\}$ and $5'],
  ['a list', '1. so\n\n   \\[\n   x = \\{1\\}\n   + c\n   \\]\n\n2. more', '\\[\nx = \\{1\\}\n+ c\n\\]'],
  ['a quote', '> so\n> $$\n> a_1 \\\\\n> = b\n> $$\n> more', '$$\na_1 \\\\\n= b\n$$'],
  [
    'a text',
    'so\n$$\n\\begin{aligned}\nf(x) &= x_1 \\\\\n\n- g*h*i\n\\end{aligned}\n$$\nmore',
    '&= x_1 \\\\\n\n- g*h*i\n\\end',
  ],
])('a formula of several lines in %s stays whole', (_, source, said) => {
  for (const [channel, show] of channels) expect(show(source).replaceAll(/^ +/gm, ''), channel).toContain(said)
})

test.each([
  [raw`\[1\] and \[x\] and \[see note\](no) \*a\*`, '[1] and [x] and [see note](no) *a*'],
  [raw`\(see the note\) and \(可选\)`, '(see the note) and (可选)'],
  [raw`a\_b and \__init\__ and \_\_name\_\_`, 'a_b and __init__ and __name__'],
  [raw`Hello\! e\.g\. v1\.2\-rc \(555\) 123\-4567 \+1 \=2`, 'Hello! e.g. v1.2-rc (555) 123-4567 +1 =2'],
  [raw`\\(x\\) and 5\. \# \_`, raw`\(x\) and 5. # _`],
])('outside of formulas an escaped sign loses its backslash: %s', (source, said) => {
  expect(toEntities(source).text).toBe(said)
})

test.each([
  ['so\n\n>= 5 items\n\n<= 3', '>= 5 items'],
  ['so\n\n>5 mg, or\n>10 mg', '>5 mg, or'],
  ['>>> print(2*3)\n6', '>>> print(2*3)'],
])('a line that begins with an inequality or a prompt is no quote: %j', (source, said) => {
  for (const [channel, show] of channels) expect(show(source), channel).toContain(said)
})

test.each(['17*20\n=\n340', '5\n-\n3', 'a_1\n==\nb'])(
  'a sign on a line of its own underlines nothing: %j',
  (source) => {
    for (const [channel, show] of channels) expect(show(source).replaceAll('\n\n', '\n'), channel).toContain(source)
  },
)

test.each([
  '$5 and $10',
  'from $5 to $10 (was 7$)',
  '$1.50/kg',
  'A ($$), B ($$)',
  '`$x` and `y$`',
  '$x and $y',
  'a$b$c',
])('is no formula: %s', (source) => {
  expect(JSON.stringify(readBlocks(source))).not.toContain('"formula"')
})

test.each([
  ['*note:* so', 'italic', 'note:'],
  ['this *works well.*', 'italic', 'works well.'],
  ['这是*重点*内容', 'italic', '重点'],
  ['_slanted words_ here', 'italic', 'slanted words'],
  ['价格**5**元', 'bold', '5'],
  ['a *slanted*(x)', 'italic', 'slanted'],
  ['**R**andom', 'bold', 'R'],
  ['in **Docker**in', 'bold', 'Docker'],
  ['و**المجموع** هو', 'bold', 'المجموع'],
  ['ה**סכום** הוא', 'bold', 'סכום'],
  ['so *$x_1$*, then', 'italic', '$x_1$'],
  ['한국어**강조**는', 'bold', '강조'],
  ['**src/** holds it', 'bold', 'src/'],
  ['__two words__ so', 'bold', 'two words'],
  ['**Formula: a**b**', 'bold', 'Formula: a**b'],
  ['**`x`** and', 'bold', 'x'],
  ['（见下）*重点*内容', 'italic', '重点'],
  ['与**重**、轻', 'bold', '重'],
  ['*张*先生', 'italic', '张'],
  ['so _**x** y_ and', 'italic', 'x y'],
  ['(_x_) and', 'italic', 'x'],
  ['**/start** begins', 'bold', '/start'],
  ['a *b (c)* d', 'italic', 'b (c)'],
])('emphasis still works: %s', (source, type, words) => {
  const { text, entities } = toEntities(source)
  const found = entities.find((one) => one.type === type)
  expect(text.slice(found?.offset, (found?.offset ?? 0) + (found?.length ?? 0))).toBe(words)
})

test.each([
  ['参考**https://example.com/x**（说明）', 'strong', 'https://example.com/x', '（说明）'],
  ['官网：*https://example.com/v*（英文）', 'emphasis', 'https://example.com/v', '（英文）'],
  ['**https://example.com/x**说明', 'strong', 'https://example.com/x', '说明'],
  ['~~https://example.com/x~~，旧', 'delete', 'https://example.com/x', '，旧'],
  ['_https://example.com/a_b_、新', 'emphasis', 'https://example.com/a_b', '、新'],
  ['**https://example.com/x**؛ ثم', 'strong', 'https://example.com/x', '؛ ثم'],
  ['**https://example.com/x**। फिर', 'strong', 'https://example.com/x', '। फिर'],
  ['**www.example.com/x**。好', 'strong', 'http://www.example.com/x', '。好'],
])('an address in marks ends with them: %s', (source, kind, url, rest) => {
  const phrases = toPhrases(source)
  const at = phrases.findIndex((one) => one.kind === kind)
  expect(phrases[at]).toMatchObject({
    phrases: [{ kind: 'link', url, phrases: [{ value: url.replace('http://www', 'www') }] }],
  })
  expect(phrases[at + 1]).toMatchObject({ value: rest })
})

test.each(['<br>', '<br/>', '<br />', '<BR>', '</br>'])('%s breaks a line in a cell, and not in code', (mark) => {
  const source = `| step | what |\n|---|---|\n| one | install${mark}run \`a${mark}b\` |`
  const [table] = readBlocks(source)
  const cell = table?.kind === 'table' ? table.rows[1]?.[1] : undefined
  expect(cell).toMatchObject([
    { value: 'install' },
    { kind: 'break' },
    { value: 'run ' },
    { kind: 'code', value: `a${mark}b` },
  ])
  const [, , first = '', second = ''] = toEntities(source).text.split('\n')
  expect([first, second]).toEqual(['one  │ install', `     │ run a${mark}b`])
})

test('a cell about the break itself shows it, and so does a text', () => {
  expect(toEntities('| tag |\n|---|\n| <br> |').text).toContain('<br>')
  expect(toEntities('use <br> here').text).toBe('use <br> here')
})

test('a bar in the code of a cell ends no cell', () => {
  const [table] = readBlocks('| op | what |\n|---|---|\n| `a | b` and `c\\|d` | or |')
  expect(table?.kind === 'table' && table.rows[1]).toMatchObject([
    [{ value: 'a | b' }, { value: ' and ' }, { value: 'c|d' }],
    [{ value: 'or' }],
  ])
})

test('signs for private use stay as they are', () => {
  expect(toEntities('\ue02a 17*20 \ue124 $x_1$ \uf8ff').text).toBe('\ue02a 17*20 \ue124 $x_1$ \uf8ff')
})

test.each([
  '\\(',
  '$a',
  '$$a\n',
  '\\[ x\n',
  '**https://a.example/x，',
  '_a_b',
  '__a',
  '<br',
  '`` ` ',
  '\\',
  'C:\\a ',
  '长*宽',
  '|`a|',
])('looks through %j in linear time', (unit) => {
  const time = (length: number): number => {
    const source = unit.repeat(length / unit.length)
    const startedMs = performance.now()
    readBlocks(source)
    return performance.now() - startedMs
  }
  time(1000)
  expect(time(60_000)).toBeLessThan(1500)
})

test('the data of an image is no address to be read', () => {
  const source = `![a dot](data:image/png;base64,${'A'.repeat(2000)})`
  for (const [channel, show] of channels.slice(0, 4)) {
    expect(show(source), channel).toContain('a dot')
    expect(show(source).length, channel).toBeLessThan(100)
  }
})

test('the parts of a long text hold its formulas whole', () => {
  const said = formulas.map(([, formula]) => formula)
  const source = Array.from({ length: 40 }, (_, i) => `so ${said[i % said.length] ?? ''}, 因此`).join(' and ')
  const parts = splitMarkdown(source, { limit: 300, measure: (text) => toEntities(text).text.length })
  expect(parts.length).toBeGreaterThan(5)
  const shown = parts.map((part) => toEntities(part).text).join('\n')
  for (const formula of said) {
    expect(shown.split(formula).length, formula).toBe(source.split(formula).length)
  }
})

test.each([
  ['1. B\n3. C\n7. A', ['1. B', '3. C', '7. A']],
  ['10. ten\n9. nine\n8. eight', ['10. ten', '9. nine', '8. eight']],
  ['01. a\n02. b', ['01. a', '02. b']],
  ['1. a\n2. b\n2. c', ['1. a', '2. b', '2. c']],
  ['1. a\n1. b\n1. c', ['1. a', '2. b', '3. c']],
  ['- x\n  4. a\n  6. b', ['4. a', '6. b']],
  ['> 2. a\n> 4. b', ['2. a', '4. b']],
])('the items of %j have the numbers that were written, unless all have the same', (source, items) => {
  for (const [channel, show] of channels) {
    const shown = show(source).replaceAll(/\s+/g, ' ')
    for (const item of items) expect(shown, channel).toContain(item)
  }
})
