// `recall`: how much of what answers a question the memory search finds, what each step of its ranking gives, and how long a search and a whole new index
// take. The conversations are read from files that are no part of the repository: LOCOMO=<file>, CMRC=<file>.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseConversation, type Conversation } from '#infra/search/conversations.ts'
import { askAll, summarize, type Evaluation, type Find } from '#infra/search/evaluate.ts'
import { openSqliteEngine } from '#infra/search/sqlite-engine.ts'
import { createMemoryIndex } from '#services/memory/search/memory-search.ts'
import type { MemoryIndex, MemoryIndexWriter } from '#shared/memory/entry.ts'
import { withMeilisearch } from './recall-meilisearch.ts'
import { measureSteps } from './recall-steps.ts'
import { measureSearch } from './recall-times.ts'
import { measureTurns } from './recall-turn.ts'

const files = {
  LOCOMO: '../shared/data/locomo-dev.jsonl',
  CMRC: '../shared/data/cmrc-dev.jsonl',
} as const
const chineseQuestions = 300

export type RecallSize = {
  readonly records: number
  readonly scopes: number
  readonly queries: number
  readonly turns: number
}

/** Figures of a missing file are missing; stderr says which. */
export async function measureRecall(size: RecallSize): Promise<object> {
  const english = readConversations('LOCOMO')
  const chinese = readConversations('CMRC')?.map((one) => ({
    ...one,
    questions: one.questions.slice(0, chineseQuestions),
  }))
  const found = english && (await withIndex(async (index) => await evaluate(english, index)))
  const foundChinese = chinese && (await withIndex(async (index) => await evaluate(chinese, index)))
  return {
    ...(found && { ...toFigures('', found), categories: Object.fromEntries(found.categories) }),
    ...(foundChinese && toFigures('zh', foundChinese)),
    ...(english && toFigures('meili', await withMeilisearch(async (index) => await evaluate(english, index)))),
    ...(await withIndex(async (index) => await measureSearch(index, size))),
    ...(await measureTurns(size.turns)),
    ...(english && chinese && { steps: await measureSteps(english, chinese) }),
  }
}

function readConversations(name: keyof typeof files): readonly Conversation[] | undefined {
  const file = process.env[name] ?? files[name]
  if (!existsSync(file)) {
    process.stderr.write(`recall: ${file} is missing, so nothing is said of it. Name the file by ${name}=<file>.\n`)
    return undefined
  }
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map(parseConversation)
}

async function withIndex<T>(work: (index: MemoryIndex & MemoryIndexWriter) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flotilla-recall-'))
  const engine = openSqliteEngine({ path: path.join(folder, 'index.sqlite'), onNew: () => undefined })
  try {
    return await work(createMemoryIndex(engine))
  } finally {
    engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function evaluate(all: readonly Conversation[], index: MemoryIndex & MemoryIndexWriter): Promise<Evaluation> {
  const { signal } = new AbortController()
  const find: Find = async (query) => await index.find(query, signal)
  const scores: Awaited<ReturnType<typeof askAll>>[number][] = []
  for (const one of all) {
    await index.put(one.entries)
    scores.push(...(await askAll(one, find)))
  }
  return summarize(scores)
}

function toFigures(prefix: '' | 'zh' | 'meili', { all }: Evaluation): Record<string, number> {
  const toName = (name: string): string =>
    prefix === '' ? name : `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return Object.fromEntries(Object.entries(all).map(([name, figure]) => [toName(name), figure]))
}
