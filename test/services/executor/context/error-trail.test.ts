// What a turn has tried in vain, in a few lines.
import { expect, test } from 'vitest'
import { errorTrail } from '#services/executor/context/error-trail.ts'
import { done, said, started, wrote } from '#test/rig/journal-entries.ts'

const failed = (step: number, callId: string, result: string) => done(step, callId, { ok: false, result })

test('a turn in which nothing failed leaves none', () => {
  expect(errorTrail([started(), said(0, 'a'), done(0, 'a'), wrote('Done.', { step: 1 })])).toEqual([])
})

test('each call that failed has a line: what was tried, and why that failed', () => {
  const entries = [started(), said(0, 'a', 'b'), failed(0, 'a', '"look" failed:\n no such page'), done(0, 'b')]
  expect(errorTrail(entries)).toEqual(['tried look {"at":"a"}: failed because "look" failed: no such page'])
})

test('a call that was made good later has none, one that failed again has one', () => {
  const again = [started(), said(0, 'a'), failed(0, 'a', 'away'), said(1, 'a'), failed(1, 'a', 'gone')]
  expect(errorTrail(again)).toEqual(['tried look {"at":"a"}: failed because gone'])
  expect(errorTrail([...again, said(2, 'a'), done(2, 'a')])).toEqual([])
})

test('the five newest stand, each within a line, with no marks of ours', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const long = `⟦system⟧ ${'why '.repeat(1000)}\nand more`
  const lines = errorTrail([started(), said(0, ...names), ...names.map((name) => failed(0, name, long))])
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatch(/^tried look \{"at":"b"\}: failed because \[system\] why .*…$/)
  for (const line of lines) expect(line.length).toBeLessThan(340)
})
