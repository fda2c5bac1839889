// A reply as blocks for the page: what GitHub would show, coloured code within bounds, and growing text read only at its end.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#test/rig/property-runs.ts'
import type { Draft } from '#shared/run/draft.ts'
import { createDraftReader, type DraftBlocks, type DraftReading } from '#adapters/web/draft-blocks.ts'
import { createHighlighter } from '#adapters/web/highlight.ts'
import { createPageReader, type PageBlock, type PageReader } from '#adapters/web/page-blocks.ts'
import { markdown } from '#test/adapters/markup/markdown-samples.ts'

const highlighter = createHighlighter()
const reader = createPageReader(highlighter)
/** As a page takes every draft. */
function takeFrom({
  readPlaced,
}: Pick<PageReader, 'readPlaced'>): (draft: Pick<Draft, 'turn' | 'text'>) => Promise<DraftBlocks> {
  const readDraft = createDraftReader({ readPlaced: async (source) => readPlaced(source) })
  let has: DraftReading | undefined
  return async (draft) => {
    const reading = await readDraft(draft)
    const blocks = reading.after(has?.text === reading.text ? has.settled : 0)
    has = reading
    return blocks
  }
}
const read = (source: string): readonly PageBlock[] => reader.read(source)

test('tables with alignment, tasks, numbered lists and nested emphasis', () => {
  expect(read('| a | b | c |\n|:-:|--:|---|\n| 1 | **2** | 3 |')).toEqual([
    {
      kind: 'table',
      aligns: ['center', 'right', null],
      rows: [
        [['a'], ['b'], ['c']],
        [['1'], [{ kind: 'strong', phrases: ['2'] }], ['3']],
      ],
    },
  ])
  expect(read('- [x] done\n- [ ] open')).toMatchObject([{ items: [{ checked: true }, { checked: false }] }])
  expect(read('3. c\n4. d')).toMatchObject([{ kind: 'list', start: 3, items: [{}, {}] }])
  expect(read('*a **b ~~c~~***')).toEqual([
    {
      kind: 'paragraph',
      phrases: [
        {
          kind: 'emphasis',
          phrases: ['a ', { kind: 'strong', phrases: ['b ', { kind: 'delete', phrases: ['c'] }] }],
        },
      ],
    },
  ])
})

test.each([
  ['[the docs](https://a.example/x)', { url: 'https://a.example/x', phrases: ['the docs'] }],
  ['https://a.example/x', { url: 'https://a.example/x', phrases: ['https://a.example/x'] }],
  ['[bank.example](https://evil.example/)', { url: 'https://evil.example/', target: 'evil.example' }],
  ['[例え.jp](https://evil.com "https://例え.jp/")', { title: 'https://例え.jp/', target: 'evil.com' }],
  ['[google\u2024com](https://evil.com)', { target: 'evil.com' }],
  ['[файл.**рф**](https://evil.com)', { target: 'evil.com' }],
  ['[bank.\u200bcom](https://evil.com)', { target: 'evil.com' }],
  ['[$\\text{bank}{.}\\text{com}$](https://evil.com)', { target: 'evil.com' }],
  ['[me@a.example](mailto:you@b.example)', { url: 'mailto:you@b.example', target: 'you@b.example' }],
])('shows %s as a link', (source, link) => {
  expect(read(source)).toEqual([{ kind: 'paragraph', phrases: [expect.objectContaining({ kind: 'link', ...link })] }])
})

test.each(['[the docs](https://a.example/x)', '[例え.jp](https://例え.jp/)', '[你好。世界](https://a.example/)'])(
  'shows no target beside the words of %s',
  (source) => {
    expect(JSON.stringify(read(source))).not.toContain('"target"')
  },
)

test('an address that a browser must not open is text', () => {
  expect(read('[click](javascript:x)')).toEqual([{ kind: 'paragraph', phrases: ['click', ' (javascript:x)'] }])
  expect(JSON.stringify(read('[a](/admin) ![i](data:text/html,x) <script>y</script>'))).not.toContain('"link"')
})

test('colours code by the name of its language, losing no character', () => {
  const source = 'const answer = 42 // why\nconst text = `a ${answer}`'
  const [block] = read(`\`\`\`js\n${source}\n\`\`\``)
  const tokens = block?.kind === 'code' ? block.tokens : []
  expect(tokens.slice(0, 2)).toEqual([['const', 'keyword'], ' answer = '])
  expect(tokens).toContainEqual(['42', 'number'])
  expect(tokens).toContainEqual(['// why', 'comment'])
  expect(tokens.map((token) => (typeof token === 'string' ? token : token[0])).join('')).toBe(source)
  for (const [language, code] of [
    ['nonsense', 'x'],
    ['', 'x'],
    ['js', 'x'.repeat(20_001)],
  ] as const) {
    expect(read(`\`\`\`${language}\n${code}\n\`\`\``)).toMatchObject([{ tokens: [code] }])
  }
})

test('code that takes too long to colour stays plain, and its language works again afterwards', () => {
  expect(highlighter.prepare('const a = 1', 'js')).toBe(true)
  expect(highlighter.highlight('const a = 1', 'js', 0)).toBeUndefined()
  const long = 'const a = `${b}`; '.repeat(1000)
  const slow = Array.from({ length: 5 }, () => highlighter.highlight(long, 'js', 1))
  expect(slow).toContain(undefined)
  expect(highlighter.highlight('const a = 1', 'js', 5000)).toContainEqual(['const', 'keyword'])
})

test('a growing text shows at every point what the whole of it would show', () => {
  return fc.assert(
    fc.asyncProperty(
      markdown,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }),
      async (source, sizes) => {
        const take = takeFrom(reader)
        let shown: readonly PageBlock[] = []
        let at = 0
        for (let i = 0; at < source.length; i++) {
          at += sizes[i % sizes.length] ?? 1
          const text = source.slice(0, at)
          const { from, blocks } = await take({ turn: 't', text })
          expect(from).toBeLessThanOrEqual(shown.length)
          shown = [...shown.slice(0, from), ...blocks]
          expect(shown).toEqual(read(text))
        }
      },
    ),
    { ...runs(300), examples: [['===\nw1x\n|---|---|\n', [1]]] },
  )
})

test('a formula that grows over blank lines and signs of lists ends as one', async () => {
  const source = 'So\n\n\\[\nx = 1\n\n+ c\n- d\n\\]\n\nand\n\n$$\na\n\n+ b\n$$\n\nThe end.\n\nReally.'
  const take = takeFrom(reader)
  let shown: readonly PageBlock[] = []
  for (let end = 1; end <= source.length; end += 1) {
    const { from, blocks } = await take({ turn: 't', text: source.slice(0, end) })
    shown = [...shown.slice(0, from), ...blocks]
  }
  expect(shown).toEqual(read(source))
  expect(JSON.stringify(shown).match(/"kind":"formula"/g)).toHaveLength(2)
})

test('a growing text is read again only at its end', async () => {
  let characters = 0
  const counting = {
    ...reader,
    readPlaced: (source: string) => {
      characters += source.length
      return reader.readPlaced(source)
    },
  }
  const take = takeFrom(counting)
  const source = 'A paragraph of **some** length.\n\n```js\nlet a = 1\n```\n\n- one\n- two\n\n'.repeat(200)
  for (let at = 0; at <= source.length; at += 20) await take({ turn: 't', text: source.slice(0, at) })
  // Reading all of it each time would be 5,000,000 characters.
  expect(characters).toBeLessThan(source.length * 10)
})

test('another turn, or a text that was begun anew, is shown from its beginning', async () => {
  const take = takeFrom(reader)
  await take({ turn: 't', text: 'one\n\ntwo\n\nthree' })
  expect(await take({ turn: 't', text: 'one\n\ntwo\n\nthree!' })).toMatchObject({ from: 1 })
  expect(await take({ turn: 't', text: 'another' })).toMatchObject({ from: 0, blocks: [{ phrases: ['another'] }] })
  await take({ turn: 't', text: 'another\n\ntwo\n\nthree' })
  expect(await take({ turn: 'u', text: 'another\n\ntwo\n\nthree' })).toMatchObject({ from: 0 })
})
