// `flotilla route`: prints the decision and its rule for any text, or for messages that come in one go, without a fleet.
import { createInterface } from 'node:readline'
import { findMeant } from './find-meant.ts'
import { routeLine } from './route-line.ts'
import { createClassifier } from '#services/router/classify.ts'
import { listOpenCommands, loadRouting } from './router.ts'

/** `--jsonl` reads one JSON object per line from stdin; otherwise the arguments are the text. */
export async function runRoute(args: readonly string[]): Promise<number> {
  const deps = {
    classify: createClassifier(loadRouting(process.cwd())),
    openCommands: listOpenCommands(),
    findMeant,
  }
  if (args[0] !== '--jsonl') {
    process.stdout.write(`${routeLine(deps, JSON.stringify({ text: args.join(' ') }))}\n`)
    return 0
  }
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() !== '') process.stdout.write(`${routeLine(deps, line)}\n`)
  }
  return 0
}
