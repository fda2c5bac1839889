// A memory that has no room for more, on a real Redis: its file is printed, and one that rewords, adds and takes away much is applied within the time of an answer.
import { expect, test } from 'vitest'
import { applyProposal } from '#services/memory/file/apply.ts'
import { findChanges } from '#services/memory/file/diff.ts'
import { printMemory, toDocument } from '#services/memory/file/print.ts'
import { readAll } from '#services/memory/file/read-all.ts'
import { readMemory } from '#services/memory/file/read.ts'
import { startFleet } from '#test/rig/fleet.ts'
import { remembered } from '#test/rig/remembered.ts'

const scope = 'user:web:owner'
const letters = 'abcdefghijklmnopqrstuvwxyz'
const noun = (n: number): string => `${letters[n % 26]}${letters[Math.floor(n / 26) % 26]}${n}`
const toDay = (): string => '2026-01-01'

test('a full memory of 5,000 records is taken back', { timeout: 180_000 }, async () => {
  await using fleet = await startFleet({})
  const { memory } = fleet.runtime
  for (let n = 0; n < 5000; n += 1)
    await memory.write(
      scope,
      remembered(
        `My ${noun(n)} stands on shelf ${n} beside the ${noun(n * 7)}`,
        { conversation: 'web:main', message: `m${n}` },
        { speaker: 'web:owner' },
      ),
    )
  const { records, from } = await readAll(memory, scope)
  expect([records.length, from]).toEqual([5000, 1])
  const { document, left } = toDocument({ scope, records, from, toDay, mostChars: 900_000 })
  expect(left).toBe(0)
  // 250 reworded, 250 new, and of the rest 2,000 left out.
  let n = 0
  const wanted = printMemory(document, 'en')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('- ')) return [line]
      n += 1
      if (n <= 250)
        return [line.replace(' <!--', ' now <!--'), `- A quite new thing ${noun(n)} of ${n + 90_000} is here`]
      return n <= 2250 ? [] : n <= 4000 ? [line] : []
    })
    .join('\n')
  const read = readMemory(wanted)
  if (read.kind !== 'read') throw new Error('It is read.')
  const { changes, faults } = findChanges(read, {
    scope,
    records,
    toDay,
    toKind: () => 'fact',
    refuse: () => undefined,
  })
  expect(faults).toEqual([])
  const begun = performance.now()
  const applied = await applyProposal(
    memory,
    { v: 1, scope, event: 'e1', about: ['file'], changes },
    { principal: 'web:owner', conversation: 'web:main', atMs: Date.now() },
  )
  expect(performance.now() - begun).toBeLessThan(30_000)
  const { added, changed, dropped, stale, failed } = applied
  expect([added, changed, dropped, stale, failed].map((numbers) => numbers.length)).toEqual([250, 250, 3000, 0, 0])
  expect((await readAll(memory, scope)).records).toHaveLength(2250)
})
