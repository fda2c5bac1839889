// `flotilla memory <word>`: what can be asked of memory, and done to it, without a chat.

type Word = { readonly help: string; run(args: readonly string[]): Promise<number> }

/** Each loads what it needs when it is asked for. */
const words: Readonly<Record<string, Word>> = {
  eval: {
    help: 'how much of what answers questions is found: memory eval --jsonl <file>',
    run: async (args) => (await import('./memory-eval.ts')).runMemoryEval(args),
  },
  reindex: {
    help: 'has the index of memory made anew from Redis, while the fleet goes on',
    run: async (args) => (await import('./memory-reindex.ts')).runMemoryReindex(args),
  },
  log: {
    help: 'what was asked and answered on a day: memory log <conversation> [yesterday|2026-03-01]',
    run: async (args) => (await import('./memory-log.ts')).runMemoryLog(args),
  },
  candidates: {
    help: 'what of a message is worth keeping: memory candidates --jsonl with lines on stdin',
    run: async (args) => (await import('./memory-candidates.ts')).runMemoryCandidates(args),
  },
}

/** What `flotilla help` says of it. */
export const memoryHelp = `what is remembered, from outside a chat: memory ${Object.keys(words).join('|')}`

export async function runMemory([name = '', ...args]: readonly string[]): Promise<number> {
  const word = Object.hasOwn(words, name) ? words[name] : undefined
  if (word) return await word.run(args)
  const lines = Object.entries(words).map(([one, { help }]) => `  ${one.padEnd(10)} ${help}`)
  process.stderr.write(['Write flotilla memory with one of these words.', '', ...lines, ''].join('\n'))
  return 2
}
