// Plays the scene of the desk and prints what people saw: `node test/flows/print-desk.ts telegram|discord|feishu|web|console [zh]`.
import process from 'node:process'
import { playDesk } from './desk-script.ts'
import { questionStages } from './questions-stage.ts'

const [, , wanted = 'telegram', language] = process.argv
const open = Object.entries(questionStages).find(([name]) => name === wanted)?.[1]
if (!open) throw new Error(`There is no channel ${wanted}: ${Object.keys(questionStages).join(', ')}.`)
const stage = await open(language === 'zh' ? 'zh' : 'en')
try {
  await playDesk(stage)
} finally {
  process.stdout.write(`${await stage.transcript()}\n`)
  await stage[Symbol.asyncDispose]()
}
