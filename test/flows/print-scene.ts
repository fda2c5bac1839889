// Plays the scene and prints what people saw: `node test/flows/print-scene.ts telegram|discord|feishu`, at the pace that the platform documents.
import process from 'node:process'
import { stages } from './scene-stage.ts'
import { playScene } from './scene.ts'

const [, , name, pace] = process.argv
const stage =
  name === 'discord' || name === 'feishu'
    ? await stages[name]()
    : await stages.telegram(pace === 'brisk' ? 'brisk' : 'documented')
try {
  await playScene(stage)
} finally {
  process.stdout.write(`${stage.transcript()}\n`)
  await stage[Symbol.asyncDispose]()
}
