// What a night proposes, by rules: which records say mostly the same, what they become, and what goes of too much.
import { expect, test } from 'vitest'
import { comparing } from '#services/memory/comparing.ts'
import { findAlike } from '#services/memory/night/alike.ts'
import { toJoined } from '#services/memory/night/join.ts'
import { findToLetGo } from '#services/memory/night/let-go.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { remembered } from '#test/rig/remembered.ts'

let last = 0
const kept = (text: string, more: Partial<MemoryRecord> = {}): MemoryRecord => {
  last += 1
  const message = { conversation: 'web:home', message: `m${last}` }
  return { v: 1, scope: 'user:web:ann', number: last, uses: 0, ...remembered(text, message), ...more }
}

test.each([
  ['I drink green tea in the morning', 'I drink green tea in the morning at home'],
  ['My boat lies in the harbour of Brest', 'My boat lies in the old harbour of Brest'],
  ['I go running along the river with friends', 'I often go running along the river with my friends'],
  ['我在学吉他', '我在学吉他和钢琴'],
])('these say mostly the same: %s | %s', (one, other) => {
  const records = [kept(one), kept(other)]
  expect(findAlike(comparing, records)).toEqual([records])
})

test.each([
  ['I like tea', 'I do not like tea'],
  ['I live in Lyon', 'I live in Lille'],
  ['I have 2 cats at home', 'I have 3 cats at home'],
  ['My dog is called Rex', 'My dog is called Max'],
  ['I work from home on Monday', 'I work from home on Friday'],
  ['The meeting room is on the left side', 'The meeting room is on the right side'],
  ['My brother plays chess', 'I play chess with my brother and he wins'],
  ['I like tea', 'I play the guitar'],
  ['我喜欢喝绿茶', '我喜欢喝红茶'],
  ['我在学吉他', '我没在学吉他和钢琴'],
])('these do not: %s | %s', (one, other) => {
  expect(findAlike(comparing, [kept(one), kept(other)])).toEqual([])
})

test.each<[string, Partial<MemoryRecord>]>([
  ['of another kind', { kind: 'todo' }],
  ['by another person', { speaker: 'web:bob' }],
  ['that something newer has the place of', { supersededBy: 99 }],
  ['what is a note', { kind: 'note' }],
])('what is %s is not merged', (_, more) => {
  const other = kept('I drink green tea in the morning', more)
  const same = more.kind === 'note' ? { kind: 'note' as const } : {}
  expect(findAlike(comparing, [kept('I drink green tea in the morning at home', same), other])).toEqual([])
})

test('four at most become one, and no record is in two groups', () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((one) => kept(`I drink green tea with honey and ${one.repeat(5)}`))
  const base = kept('I drink green tea with honey')
  const groups = findAlike(comparing, [...all, base])
  expect(groups.every((group) => group.length <= 4)).toBe(true)
  expect(new Set(groups.flat()).size).toBe(groups.flat().length)
})

test('nothing of what they become is surer than the least sure of them', () => {
  const at = (messages: string[]) => [{ conversation: 'web:home', messages }]
  const sure = kept('I drink green tea', { from: at(['a', 'b']), pinned: true, groups: true, uses: 3, lastUsedAt: 7 })
  const inferred = kept('I drink green tea at home', {
    status: 'unconfirmed',
    origin: 'inferred',
    taint: ['web-search'],
    from: at(['b', 'c']),
    alsoBy: ['telegram:1'],
    uses: 2,
    saidAt: sure.saidAt + 5,
  })
  const joined = toJoined([sure, inferred])
  expect(joined).toMatchObject({
    text: 'I drink green tea at home',
    status: 'unconfirmed',
    origin: 'inferred',
    taint: ['web-search'],
    alsoBy: ['telegram:1'],
    pinned: true,
    uses: 5,
    lastUsedAt: 7,
    saidAt: inferred.saidAt,
    from: [...at(['a']), ...at(['b', 'c'])],
  })
  expect(joined).not.toHaveProperty('groups')
  expect(joined).not.toHaveProperty('confirmedBy')
})

test('of many messages those stay that the words came of', () => {
  const at = (name: string) => [
    { conversation: 'web:home', messages: Array.from({ length: 15 }, (_, n) => `${name}${n}`) },
  ]
  const joined = toJoined([
    kept('I drink green tea at home', { from: at('a') }),
    kept('I drink green tea', { from: at('b') }),
  ])
  const [others, own] = joined?.from ?? []
  expect([others?.messages, own?.messages]).toEqual([['b10', 'b11', 'b12', 'b13', 'b14'], at('a')[0]?.messages])
})

test('what is used least goes of too much, of that the oldest; never what is pinned, and nothing where all fits', () => {
  const long = (more: Partial<MemoryRecord>) => kept('x'.repeat(1000), more)
  const full = Array.from({ length: 47 }, (_, n) => long({ uses: 5, saidAt: n }))
  const pinned = long({ uses: 0, saidAt: 1, pinned: true })
  const old = long({ uses: 0, saidAt: 2 })
  const newer = long({ uses: 0, saidAt: 3 })
  const replaced = long({ uses: 9, saidAt: 9, supersededBy: 1 })
  const note = kept('n'.repeat(2000), { kind: 'note' })
  const all = [...full, note, pinned, newer, old]
  expect(findToLetGo(all, 100)).toEqual([])
  expect(findToLetGo([...all, replaced], 100)).toEqual([replaced])
  expect(findToLetGo([...all, replaced, long({ uses: 1 })], 100)).toEqual([replaced, old])
  expect(findToLetGo([...all, replaced, long({ uses: 1 })], 1)).toEqual([replaced])
})
