// How records are shown to people: whatever they say, they are one line of plain text; and what stands behind something newer says so.
import { expect, test } from 'vitest'
import { tellBehind } from '#services/memory/replaced.ts'
import { describe as tell, toShown } from '#services/memory/words.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { remembered } from '#test/rig/remembered.ts'

const scope = 'chat:telegram:-1'
const record: MemoryRecord = {
  ...remembered('I live in Lyon', { conversation: 'telegram:-1', message: 'm1' }, { name: '*Ann* @all' }),
  v: 1,
  scope,
  number: 2,
  uses: 0,
}

test('nothing in a record or a name is markup, calls anybody or breaks a line', () => {
  expect(toShown('a\n# b [c](http://d.example) **e**')).toBe(String.raw`a # b \[c\](http://d.example) \*\*e\*\*`)
  expect(toShown('ask @everyone')).not.toContain('@e')
  expect(toShown('half \ud83d sign').isWellFormed()).toBe(true)
  const told = tell(record, { principal: 'telegram:2', language: 'en', zone: 'UTC' })
  expect(told).toContain(String.raw`\*Ann\*`)
  expect(told).not.toContain('@all')
})

test('of a record whose place something newer has already it is told', () => {
  expect(tellBehind(record, { scope, language: 'en' })).toBe('')
  expect(tellBehind({ ...record, supersededBy: 1 }, { scope, language: 'en' })).toContain(
    'number 1 is newer and counts',
  )
  expect(tellBehind({ ...record, supersededBy: 1 }, { scope, language: 'zh' })).toContain('第 1 条')
})
