// `flotilla memory <what>`: answers questions about memory without a fleet and without a model.
import { createInterface } from 'node:readline'
import { candidatesLine } from './candidates-line.ts'

type MemoryCommand = (args: readonly string[]) => Promise<number>

const commands: Readonly<Record<string, MemoryCommand>> = {
  candidates: runCandidates,
}

/** The exit code: 2 where it was called wrongly. */
export async function runMemory([name = '', ...args]: readonly string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return await command(args)
  process.stderr.write(`Write flotilla memory ${Object.keys(commands).join(' or ')}, not "${name.slice(0, 40)}".\n`)
  return 2
}

/**
 * `--jsonl` reads one JSON object per line from stdin and answers each in its place. One that cannot be read is told of there and on stderr,
 * the others go on, and in the end the code is 1.
 */
async function runCandidates(args: readonly string[]): Promise<number> {
  if (args[0] !== '--jsonl' || args.length > 1) {
    process.stderr.write('Write flotilla memory candidates --jsonl, with one object a line on stdin.\n')
    return 2
  }
  let number = 0
  let code = 0
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    number += 1
    if (line.trim() === '') continue
    const { error, out } = candidatesLine(line, number)
    process.stdout.write(`${out}\n`)
    if (error === undefined) continue
    process.stderr.write(`${error}\n`)
    code = 1
  }
  return code
}
