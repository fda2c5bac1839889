// Plays the script of a task and prints what people saw: `node test/flows/print-task.ts telegram|discord|feishu|web|console [zh]`.
import process from 'node:process'
import { questionStages } from './questions-stage.ts'
import { createBoard } from './tasks-board.ts'
import { playTask } from './tasks-script.ts'

const [, , wanted = 'telegram', language] = process.argv
const open = Object.entries(questionStages).find(([name]) => name === wanted)?.[1]
if (!open) throw new Error(`There is no channel ${wanted}: ${Object.keys(questionStages).join(', ')}.`)
const board = createBoard()
const stage = await open(language === 'zh' ? 'zh' : 'en', { features: [board.feature] })
try {
  await playTask(stage, board)
} finally {
  process.stdout.write(`${await stage.transcript()}\n`)
  await stage[Symbol.asyncDispose]()
}
