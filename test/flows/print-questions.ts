// Plays the questions and prints what people saw: `node test/flows/print-questions.ts telegram|discord|web|console [zh] [act ...]`.
import process from 'node:process'
import { playQuestions } from './questions-script.ts'
import { questionStages } from './questions-stage.ts'

const [, , wanted = 'telegram', ...more] = process.argv
const acts = more.filter((one) => one !== 'zh')
const open = Object.entries(questionStages).find(([name]) => name === wanted)?.[1]
if (!open) throw new Error(`There is no channel ${wanted}: ${Object.keys(questionStages).join(', ')}.`)
const stage = await open(more.includes('zh') ? 'zh' : 'en')
try {
  await playQuestions(stage, acts)
} finally {
  process.stdout.write(`${await stage.transcript()}\n`)
  await stage[Symbol.asyncDispose]()
}
