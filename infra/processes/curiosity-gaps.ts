// `flotilla curiosity gaps --jsonl`: what of dialogues is worth asking a person, by rules, without a fleet and without a model.
import { createInterface } from 'node:readline'
import { gapsLine } from './gaps-line.ts'

/**
 * `--jsonl` reads one JSON object per line from stdin and answers each in its place. One that cannot be read is told of there and on stderr,
 * the others go on, and in the end the code is 1.
 */
export async function runCuriosityGaps(args: readonly string[]): Promise<number> {
  if (args[0] !== '--jsonl' || args.length > 1) {
    process.stderr.write('Write flotilla curiosity gaps --jsonl, with one object a line on stdin.\n')
    return 2
  }
  let number = 0
  let code = 0
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    number += 1
    if (line.trim() === '') continue
    const { error, out } = gapsLine(line, number)
    process.stdout.write(`${out}\n`)
    if (error === undefined) continue
    process.stderr.write(`${error}\n`)
    code = 1
  }
  return code
}
