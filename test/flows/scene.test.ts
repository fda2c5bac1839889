// The same scene on three platforms, through the whole fleet and the real SDKs: three people, a topic or thread, and everything a bot does there.
import { expect, test } from 'vitest'
import { stages } from './scene-stage.ts'
import { playScene } from './scene.ts'

const opened = { Telegram: () => stages.telegram('brisk'), Discord: stages.discord, Feishu: stages.feishu }

test.concurrent.for(Object.entries(opened))('the scene on %s', { timeout: 180_000 }, async ([, open]) => {
  await using stage = await open()
  await playScene(stage)
  expect(stage.transcript()).toContain('The ferry leaves at nine')
})
