// The same scene on two platforms, through the whole fleet and the real SDKs: three people, a topic or thread, and everything a bot does there.
import { expect, test } from 'vitest'
import { openDiscord } from './scene-discord.ts'
import { openTelegram } from './scene-telegram.ts'
import { playScene } from './scene.ts'

const stages = { Telegram: () => openTelegram('brisk'), Discord: openDiscord }

test.concurrent.for(Object.entries(stages))('the scene on %s', { timeout: 180_000 }, async ([, open]) => {
  await using stage = await open()
  await playScene(stage)
  expect(stage.transcript()).toContain('The ferry leaves at nine')
})
