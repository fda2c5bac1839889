// Whatever is sent as a file is dealt with at once: its bounds come first, and reading takes time in proportion.
import { expect, test } from 'vitest'
import { findChanges } from '#services/memory/file/diff.ts'
import { readMemory } from '#services/memory/file/read.ts'
import { printMemory, toDocument } from '#services/memory/file/print.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { processorMs } from '#test/rig/processor-ms.ts'
import { standing, toDay } from './round-trip.ts'

const mostChars = 262_144
const fill = (piece: string, head = '# MEMORY\n## Facts\n- '): string =>
  head + piece.repeat(Math.floor((mostChars - head.length) / piece.length))

test.each([
  ['blanks', fill(' ')],
  ['tabs and a sign', fill('\t<!')],
  ['signs that do not end', fill('<!-- 1 ')],
  ['signs that do', fill('<!-- 1 abcdef01 -->')],
  ['brackets', fill('[')],
  ['figures', fill('[2026', '## Facts\n- ')],
  ['accents', fill('\u0301')],
  ['backticks', fill('`', '')],
  ['headings', fill('#', '')],
  ['full-width signs', fill('［２０２６')],
  ['lines of blanks', fill('          \n').slice(0, 50_000)],
  ['short lines', `# MEMORY\n## Facts\n${Array.from({ length: 4990 }, (_, n) => `- word${n}`).join('\n')}`],
  ['below a pattern', `## Patterns\n- x\n${'  - confidence: low\n'.repeat(4900)}`],
])('%s', (_, text) => {
  const begun = processorMs()
  const read = readMemory(text)
  if (read.kind === 'read') findChanges(read, standing([]))
  expect(processorMs() - begun).toBeLessThan(400)
})

test('more than its bounds is not looked at', () => {
  expect(readMemory(`# MEMORY\n${'a'.repeat(mostChars)}`)).toEqual({ kind: 'too-long' })
  expect(readMemory('- x\n'.repeat(5001))).toEqual({ kind: 'too-long' })
  expect(readMemory(`\ufeff\n\n\`\`\`\n${'- x\n'.repeat(5000)}`)).toMatchObject({ kind: 'too-long' })
})

const record = (number: number): MemoryRecord => ({
  v: 1,
  scope: 'user:web:ann',
  number,
  id: `said-${number}`,
  kind: 'fact',
  speaker: 'web:ann',
  text: `Thing ${number} is here`,
  saidAt: 0,
  status: 'confirmed',
  origin: 'said',
  from: [],
  uses: 0,
})

test('of more than a file has room for the newest are printed, and the others stay', () => {
  const records = Array.from({ length: 100 }, (_, at) => record(100 - at))
  const { document, printed, left } = toDocument({
    scope: 'user:web:ann',
    records,
    from: 1,
    toDay,
    mostChars: 1000,
  })
  expect([printed.length + left, printed.at(-1)?.number, document.end?.to]).toEqual([100, 100, 100])
  const text = printMemory(document, 'en', left)
  expect(text).toContain(`> ${left} older ones have no room here`)
  const read = readMemory(text.replace(/- \[.*Thing 100 is here.*\n/, ''))
  if (read.kind !== 'read') throw new Error('It is read.')
  expect(findChanges(read, standing(records)).changes).toMatchObject([{ op: 'drop', number: 100 }])
})
