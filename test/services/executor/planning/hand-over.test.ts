// A feature takes over the work of a plan: what it wants is done with the turn's end, or, where that cannot be, the turn ends as it would have.
import { expect, test } from 'vitest'
import type { Feature } from '#shared/feature/feature.ts'
import { toTurn } from '#test/rig/events.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { createStage, look } from '#test/services/executor/stage.ts'

const deep = toTurn({ complex: true, depth: 'deep', type: 'task' })
const plan = 'Plan:\n1. Note the one\n2. Note the other'

test('a feature takes the plan, whichever worker ends the turn', async () => {
  for (const side of ['before', 'after'] as const) {
    const stage = createStage({ features: [sampleFeature] })
    stage.answers(plan, plan)
    stage.loseAt(2, side)
    const asked = await stage.ask('First the one, then the other', { as: deep })
    // The lease of the lost worker ends.
    const said = `${asked}${await stage.wait(60_000)}`
    expect(said).toBe('Noted the plan of "First the one, then the other".')
    expect(JSON.stringify(await stage.state())).toMatch(/Note the one[^]*Note the other/)
  }
})

test('where what the feature wants cannot be done, it begins nothing, and nobody is told that it did', async () => {
  const failed: string[] = []
  const wrong: Feature = {
    name: 'wrong',
    tools: [look],
    plans: {
      tool: 'look',
      take: () => ({ says: 'I have begun.', effects: [{ kind: 'choose', setting: 'none', choice: 'none' }] }),
    },
  }
  const stage = createStage({ features: [wrong], onFeatureFailed: (name) => void failed.push(name) })
  stage.answers(plan)
  expect(await stage.ask('First the one, then the other', { as: deep })).toBe(plan)
  expect(failed).toEqual(['wrong'])
})
