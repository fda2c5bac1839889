// Where the time of an answer went.
import { expect, test } from 'vitest'
import { createStage } from '#test/services/executor/stage.ts'
import type { Timing } from '#services/executor/run/deps.ts'

test('a turn tells how long it waited and how long the model took, and no word of anybody', async () => {
  let nowMs = Date.UTC(2026, 0, 1)
  const told: Timing[] = []
  const stage = createStage({ now: () => (nowMs += 100), onEnded: (_, timing) => void told.push(timing) })
  await stage.ask('a secret question')
  const [timing] = told
  expect(told).toHaveLength(1)
  expect(timing).toMatchObject({ ending: 'answered', modelCalls: 1, toolCalls: 0, toolMs: 0 })
  expect(timing?.modelMs).toBeGreaterThan(0)
  expect(JSON.stringify(told)).not.toContain('secret')
})
