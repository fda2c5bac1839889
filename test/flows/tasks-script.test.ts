// The same task on every channel, through the whole fleet and the real SDKs (tasks-script.ts says what happens in it), in English and in Chinese.
import { expect, test } from 'vitest'
import { questionStages } from './questions-stage.ts'
import { createBoard } from './tasks-board.ts'
import { playTask } from './tasks-script.ts'

test.concurrent.for(Object.entries(questionStages))('a task on %s', { timeout: 180_000 }, async ([, open]) => {
  const board = createBoard()
  await using stage = await open('en', { features: [board.feature] })
  await playTask(stage, board)
  expect(await stage.transcript()).toContain('Weaver Street')
})

const { telegram, web } = questionStages
test.concurrent.for(Object.entries({ telegram, web }))(
  'all of it is Chinese where people speak it: %s',
  { timeout: 180_000 },
  async ([, open]) => {
    const board = createBoard()
    await using stage = await open('zh', { features: [board.feature] })
    await playTask(stage, board)
    expect(await stage.transcript()).toContain('织工街')
  },
)
