// `flotilla memory eval --jsonl <file>`: how much of what answers a question is found among the first five and ten, by category, in an index of its own
// that is gone afterwards. Without a fleet, and without a model that answers; by meaning, too, where FLOTILLA_EMBEDDING_MODEL is set.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { parseConversation, type Conversation } from '#infra/search/conversations.ts'
import { loadSettings } from '#infra/config/settings.ts'
import { askAll, summarize, type Evaluation, type Find } from '#infra/search/evaluate.ts'
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import type { SearchEngine } from '#services/memory/search/engine.ts'
import { createNearIndex } from '#services/memory/search/near.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import type { Entry } from '#shared/memory/entry.ts'
import { openMeaning } from './open-meaning.ts'
import { toReason } from '#shared/errors.ts'

const usage = 'Write flotilla memory eval --jsonl <file>, with one conversation a line.\n'
/** The categories of LoCoMo; others are shown as they are. */
const names: Readonly<Record<string, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open domain',
  4: 'single hop',
  5: 'adversarial',
}

/** The code is 0 where all lines could be read; a line that cannot is told of on stderr, and the others go on. */
export async function runMemoryEval(args: readonly string[]): Promise<number> {
  const file = readFile(args)
  if (file === undefined) {
    process.stderr.write(usage)
    return 2
  }
  if (!existsSync(file)) {
    process.stderr.write(`There is no file ${file}.\n`)
    return 2
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-eval-'))
  const engine = openSqliteEngine({ path: path.join(folder, 'index.sqlite'), onNew: () => undefined })
  try {
    const { evaluation, code } = await evaluate(file, openIndex(engine))
    process.stdout.write(toTable(evaluation))
    return code
  } finally {
    engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function readFile(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { jsonl: { type: 'string' } } }).values.jsonl
  } catch {
    return undefined
  }
}

type Evaluated = { put(entries: readonly Entry[]): Promise<void>; readonly find: Find }

/** Settings are looked at where an embedding model is named, and not otherwise. */
function openIndex(engine: SearchEngine): Evaluated {
  const { signal } = new AbortController()
  const words = createMemoryIndex(engine)
  const isNamed = (process.env['FLOTILLA_EMBEDDING_MODEL'] ?? '').trim() !== ''
  const meaning = isNamed ? openMeaning(loadSettings(process.env, process.cwd())) : undefined
  if (!meaning) return { put: (entries) => words.put(entries), find: (query) => words.find(query, signal) }
  const near = createNearIndex(engine, meaning)
  return {
    put: (entries) => near.vectors.put(entries),
    find: async (query) => await words.find({ ...query, near: await near.findNear(query, signal) }, signal),
  }
}

async function evaluate(file: string, index: Evaluated) {
  const scores: Awaited<ReturnType<typeof askAll>>[number][] = []
  let [number, code] = [0, 0]
  await using lines = await open(file)
  for await (const line of lines.readLines()) {
    number += 1
    if (line.trim() === '') continue
    const one = read(line, number)
    if (one === undefined) {
      code = 1
      continue
    }
    await index.put(one.entries)
    scores.push(...(await askAll(one, index.find)))
  }
  return { evaluation: summarize(scores), code }
}

function read(line: string, number: number): Conversation | undefined {
  try {
    return parseConversation(line)
  } catch (error) {
    process.stderr.write(`Line ${number} is no conversation: ${toReason(error).slice(0, 300)}\n`)
    return undefined
  }
}

/** Of 100; tokens are those of the texts that were found, for a question. */
function toTable({ all, categories }: Evaluation): string {
  const rows = [...categories].map(([name, recall]) => [`${name} ${names[name] ?? ''}`.trim(), recall] as const)
  const lines = [...rows, ['all', all] as const].map(([name, recall]) =>
    [
      name.padEnd(16),
      String(recall.questions).padStart(9),
      recall.r5.toFixed(1).padStart(6),
      recall.r10.toFixed(1).padStart(6),
      String(recall.tokens5).padStart(9),
      String(recall.tokens10).padStart(10),
    ].join(' '),
  )
  return `${['category         questions    R@5   R@10  tokens@5  tokens@10', ...lines].join('\n')}\n`
}
