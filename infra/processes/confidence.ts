// `flotilla confidence`: prints how sure answers are and why, without a fleet and without a model.
import { confidenceLine } from './confidence-line.ts'
import { answerLines } from './json-lines.ts'

/** One object a line from stdin, and one line each on stdout. Gives the exit code. */
export const runConfidence = (args: readonly string[]): Promise<number> =>
  answerLines(args, 'Write flotilla confidence --jsonl, with one object a line on stdin.', confidenceLine)
