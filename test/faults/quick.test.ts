// The quick part of the fault tests, in every `npm test`; all of them run with `npm run test:faults`.
import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Scenario } from '#test/faults/rig/scenario.ts'
import { quickCrashPoints } from '#test/faults/scenarios/crash-points.ts'
import { executorKilledMidStream } from '#test/faults/scenarios/kills.ts'
import { redisKilledQuick } from '#test/faults/scenarios/redis-outage.ts'

const quick: readonly Scenario[] = [
  ...quickCrashPoints,
  executorKilledMidStream({ name: 'executor-killed-quick', leaseMs: 1000, kills: 2, boundMs: 12_000 }),
  redisKilledQuick,
]

test.for(quick)('holds its promises: $name', { timeout: 180_000 }, async (scenario) => {
  const notes: string[] = []
  await scenario.run((line) => notes.push(line))
  expect(notes.length).toBeGreaterThan(0)
})

test('the command that runs them all runs one of them', { timeout: 180_000 }, async () => {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['test/faults/main.ts', '--only', 'zombie'])
  expect(stdout.trim().split('\n').at(-1)).toBe('1 passed, 0 failed')
})
