// Plays the scene and prints what people saw: `node test/flows/print-scene.ts telegram|discord`, at the pace that the platform documents.
import process from 'node:process'
import { openDiscord } from './scene-discord.ts'
import { openTelegram } from './scene-telegram.ts'
import { playScene } from './scene.ts'

const stage =
  process.argv[2] === 'discord'
    ? await openDiscord()
    : await openTelegram(process.argv[3] === 'brisk' ? 'brisk' : 'documented')
try {
  await playScene(stage)
} finally {
  process.stdout.write(`${stage.transcript()}\n`)
  await stage[Symbol.asyncDispose]()
}
