// The same questions on every channel, through the whole fleet and the real SDKs: asked, answered, approved, denied and gone on with.
import { expect, test } from 'vitest'
import { playQuestions } from './questions-script.ts'
import { questionStages } from './questions-stage.ts'

test.concurrent.for(Object.entries(questionStages))('the questions on %s', { timeout: 120_000 }, async ([, open]) => {
  await using stage = await open()
  await playQuestions(stage)
  expect(await stage.transcript()).toContain('Which ferry')
})
