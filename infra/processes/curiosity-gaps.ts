// `flotilla curiosity gaps --jsonl`: what of dialogues is worth asking a person, by rules, without a fleet and without a model.
import { gapsLine } from './gaps-line.ts'
import { answerLines } from './json-lines.ts'

/** One object a line from stdin, and one line each on stdout. Gives the exit code. */
export const runCuriosityGaps = (args: readonly string[]): Promise<number> =>
  answerLines(args, 'Write flotilla curiosity gaps --jsonl, with one object a line on stdin.', gapsLine)
