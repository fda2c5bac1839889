// What a tainted turn may send out: addresses that were not made up, and queries without what others wrote.
import { expect, test } from 'vitest'
import { refuseAddress, stripQuery, type Known } from '#services/executor/gateway/reach.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

const call = { id: 'a', name: 'browser_fetch', arguments: '{}' }
const page = (url: string, text: string, isNow = true): Known['pages'][number] => ({ call, url, text, isNow })
const know = (more: Partial<Known>): Known => ({ own: [], quoted: [], others: [], searches: [], pages: [], ...more })
const isOpen = (url: string, more: Partial<Known>): boolean => refuseAddress(url, know(more)) === undefined

test.each<[what: string, url: string, known: Partial<Known>, open: boolean]>([
  ['what the person wrote', 'https://a.test/b?c=1', { own: ['read https://a.test/b?c=1 please'] }, true],
  ['the same with another fragment', 'https://a.test/b#x', { own: ['https://a.test/b'] }, true],
  ['a site that the person named', 'https://a.test/', { own: ['what does a.test say?'] }, true],
  ['a page of it that they did not name', 'https://a.test/secret', { own: ['what does a.test say?'] }, false],
  ['a site whose name is a part of one', 'https://a.test/', { own: ['aa.test', 'a.test.evil', 'x@a.test'] }, false],
  ['one byte more than the person wrote', 'https://a.test/bc', { own: ['https://a.test/b'] }, false],
  ['another query', 'https://a.test/b?k=canary', { own: ['https://a.test/b'] }, false],
  ['user and password before it', 'https://u:p@a.test/', { own: ['a.test'] }, false],
  ['what only others wrote', 'https://a.test/', { others: ['https://a.test/'] }, false],
  ['a result of a search', 'https://a.test/r', { searches: [{ call, text: '1. R\n<https://a.test/r>' }] }, true],
  [
    'a link to the same site',
    'https://www.a.test/2',
    { pages: [page('https://a.test/1', '- 2 <https://www.a.test/2>')] },
    true,
  ],
  ['a link to another site', 'https://b.test/', { pages: [page('https://a.test/1', '- b <https://b.test/>')] }, true],
  [
    'a link of a page opened long ago',
    'https://b.test/',
    { pages: [page('https://a.test/1', '- b <https://b.test/>', false)] },
    true,
  ],
])('%s: %s', (_, url, known, open) => {
  expect(isOpen(url, known)).toBe(open)
})

test('by links, pages of three other sites are opened in a turn, and then no further site', () => {
  const links = ['b', 'c', 'd', 'e'].map((name) => `<https://${name}.test/>`).join('\n')
  const first = page('https://a.test/', links)
  // As the tool gives it, a page names itself.
  const opened = ['b', 'c', 'd'].map((name) =>
    page(`https://${name}.test/`, `# T\n<https://${name}.test/>\n<https://b.test/more>`),
  )
  const own = ['https://a.test/']
  expect(isOpen('https://e.test/', { own, pages: [first, ...opened.slice(0, 2)] })).toBe(true)
  expect(isOpen('https://e.test/', { own, pages: [first, ...opened] })).toBe(false)
  expect(isOpen('https://b.test/more', { own, pages: [first, ...opened] })).toBe(true)
  const before = opened.map((one) => ({ ...one, isNow: false }))
  expect(isOpen('https://e.test/', { own, pages: [first, ...before] })).toBe(true)
})

test('what the model asked for that is no address opens nothing and ends nothing', () => {
  const first = page('https://a.test/', '<https://b.test/>')
  const failed = ['', 'nonsense', '//', 'http://[', 'mailto:a@b.test'].map((url) => page(url, 'failed'))
  expect(isOpen('https://b.test/', { own: ['https://a.test/'], pages: [...failed, first] })).toBe(true)
})

test.each<[query: string, own: string, others: string, left: string]>([
  ['weather Berlin', 'weather in Berlin?', '', 'weather Berlin'],
  ['weather Berlin hunter2', 'weather in Berlin?', 'the password is hunter2', 'weather Berlin'],
  ['hunter2', 'weather?', 'the password is "hunter2".', ''],
  ['new words of the model', 'weather?', 'hunter2', 'new words of the model'],
  ['call +49-30-1234567 now', 'weather?', 'call me: +49-30-1234567', 'now'],
  ['北京天气 张三的密码', '北京天气怎么样', '张三的密码是一二三', '北京天气'],
  ['Berlin', 'Berlin?', 'Berlin', 'Berlin'],
  ['x-hunter2 hunter2.evil.test a/hunter2/b', 'weather?', 'the password is hunter2', ''],
  ['hunter2', 'weather?', '密码是hunter2吗', ''],
  ['pin 12-34-56', 'pin?', 'mine is 12-34-56', 'pin'],
  ['unter part', 'weather?', 'hunter2 party', 'unter part'],
])('of "%s" is left "%4$s"', (query, own, others, left) => {
  expect(stripQuery(query, { own: [own], quoted: [], others: [others] })).toBe(left)
})

test('a query is no longer than 200 characters', () => {
  expect(stripQuery('x'.repeat(500), { own: [], quoted: [], others: [] })).toHaveLength(200)
})

test('texts of any length and signs are read in a moment', () => {
  const long = ['!'.repeat(300_000), '密'.repeat(100_000), 'a'.repeat(300_000), ' .'.repeat(150_000)]
  const startedAt = processorMs()
  stripQuery('密码'.repeat(100), { own: long, quoted: [], others: long })
  refuseAddress('https://a.test/', know({ own: long, searches: long.map((text) => ({ call, text })) }))
  expect(processorMs() - startedAt).toBeLessThan(2000)
})
