// `flotilla memory candidates --jsonl`: what of messages is worth remembering, by rules, without a fleet and without a model.
import { candidatesLine } from './candidates-line.ts'
import { answerLines } from './json-lines.ts'

/** One object a line from stdin, and one line each on stdout. Gives the exit code. */
export const runMemoryCandidates = (args: readonly string[]): Promise<number> =>
  answerLines(args, 'Write flotilla memory candidates --jsonl, with one object a line on stdin.', candidatesLine)
