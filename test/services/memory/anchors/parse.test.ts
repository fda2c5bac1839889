// What stands behind /anchor, in both languages and with the marks of both.
import { expect, test } from 'vitest'
import { findAnchorOrder } from '#services/memory/anchors/order.ts'
import { parseAnchor } from '#services/memory/anchors/parse.ts'

const decision = { kind: 'anchor', of: 'decision', text: 'database: we use Postgres' }

test.each([
  ['D database: we use Postgres', decision, { topic: 'database', tags: [] }],
  ['d: database: we use Postgres', decision, { topic: 'database', tags: [] }],
  ['Decision database: we use Postgres', decision, { topic: 'database', tags: [] }],
  ['Ｄ database：we use Postgres', decision, { topic: 'database', tags: [] }],
  [
    'D database: we use Postgres; why: two of us know it',
    decision,
    { topic: 'database', tags: [], why: 'two of us know it' },
  ],
  ['D database: we use Postgres; because: it is there', decision, { topic: 'database', tags: [], why: 'it is there' }],
  ['D database: we use Postgres; until: 2027-03-01', decision, { topic: 'database', tags: [], until: '2027-03-01' }],
  ['D database: we use Postgres; expires: 2027/3/1.', decision, { topic: 'database', tags: [], until: '2027-03-01' }],
  ['D database: we use Postgres; tags: db, backend', decision, { topic: 'database', tags: ['db', 'backend'] }],
  ['D database: we use Postgres; tags: db、 backend，db', decision, { topic: 'database', tags: ['db', 'backend'] }],
  [
    'D database: we use Postgres\nwhy: known\ncontext: the shop',
    decision,
    { topic: 'database', tags: [], why: 'known', context: 'the shop' },
  ],
  [
    'D database: we use Postgres; last validated: 2026-11-02',
    decision,
    { topic: 'database', tags: [], validated: '2026-11-02' },
  ],
  ['D database: we use Postgres;', decision, { topic: 'database', tags: [] }],
  [
    'D database: we use Postgres; not MySQL; why: known; and liked',
    { ...decision, text: 'database: we use Postgres; not MySQL' },
    { topic: 'database', tags: [], why: 'known; and liked' },
  ],
  [
    'D 数据库：我们用 Postgres；原因：两个人会；到期：２０２７年３月１日；标签：后端、库',
    { kind: 'anchor', of: 'decision', text: '数据库：我们用 Postgres' },
    { topic: '数据库', tags: ['后端', '库'], why: '两个人会', until: '2027-03-01' },
  ],
  [
    '决定 数据库：用 Postgres',
    { kind: 'anchor', of: 'decision', text: '数据库：用 Postgres' },
    { topic: '数据库', tags: [] },
  ],
  [
    '约束：响应时间：不超过两秒；背景：首页',
    { kind: 'anchor', of: 'constraint', text: '响应时间：不超过两秒' },
    { topic: '响应时间', tags: [], context: '首页' },
  ],
  [
    '做法 发布：先打标签再部署',
    { kind: 'anchor', of: 'pattern', text: '发布：先打标签再部署' },
    { topic: '发布', tags: [] },
  ],
  ['指标 覆盖率：80%', { kind: 'anchor', of: 'metric', text: '覆盖率：80%' }, { topic: '覆盖率', tags: [] }],
  [
    'C window: ship before five',
    { kind: 'anchor', of: 'constraint', text: 'window: ship before five' },
    { topic: 'window', tags: [] },
  ],
  [
    'P debugging: read the log first',
    { kind: 'anchor', of: 'pattern', text: 'debugging: read the log first' },
    { topic: 'debugging', tags: [] },
  ],
  [
    'm bundle size : 200 kB',
    { kind: 'anchor', of: 'metric', text: 'bundle size: 200 kB' },
    { topic: 'bundle size', tags: [] },
  ],
])('%s', (args, said, anchor) => {
  expect(parseAnchor(args)).toEqual({ ...said, anchor })
})

test.each([
  ['', { kind: 'unclear' }],
  ['D', { kind: 'unclear' }],
  ['D we use Postgres', { kind: 'unclear' }],
  ['D : we use Postgres', { kind: 'unclear' }],
  ['D database:', { kind: 'unclear' }],
  ['X database: we use Postgres', { kind: 'unclear' }],
  ['database: we use Postgres', { kind: 'unclear' }],
  ['D database: we use Postgres; until: next May', { kind: 'bad-day', said: 'next May' }],
  ['D database: we use Postgres; until: 2027-02-30', { kind: 'bad-day', said: '2027-02-30' }],
  ['D database: we use Postgres; until:', { kind: 'bad-day', said: '' }],
  ['D database: we use Postgres; validated: soon', { kind: 'bad-day', said: 'soon' }],
  [`D ${'a'.repeat(81)}: b`, { kind: 'too-long', part: 'topic', most: 80 }],
  [`D a: ${'b'.repeat(1000)}`, { kind: 'too-long', part: 'text', most: 1000 }],
  [`D a: b; why: ${'c'.repeat(501)}`, { kind: 'too-long', part: 'why', most: 500 }],
  [`D a: b; context: ${'c'.repeat(501)}`, { kind: 'too-long', part: 'context', most: 500 }],
  ['D a: b; tags: 1,2,3,4,5,6,7,8,9', { kind: 'too-long', part: 'tags', most: 8 }],
  [`D a: b; tags: ${'t'.repeat(41)}`, { kind: 'too-long', part: 'tag', most: 40 }],
])('is refused: %s', (args, fault) => {
  expect(parseAnchor(args)).toEqual(fault)
})

test('half a character is mended, and control signs become blanks', () => {
  expect(parseAnchor('D a\u0007b: c\ud800d')).toMatchObject({ text: 'a b: c\ufffdd', anchor: { topic: 'a b' } })
})

test('the command by its Chinese name', () => {
  expect(findAnchorOrder('/锚点 D 数据库：用 Postgres')).toBe('D 数据库：用 Postgres')
  expect(findAnchorOrder('／锚点')).toBe('')
  expect(findAnchorOrder('锚点 D 数据库')).toBeUndefined()
  expect(findAnchorOrder('/锚点们 D')).toBeUndefined()
})
