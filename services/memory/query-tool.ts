// The tool by which the model looks further into what is kept for where it answers.
import { z } from 'zod'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { Tool } from '#shared/model/tool.ts'
import { lookUp, toGraphLine } from '#services/memory/graph/look-up.ts'
import { isExpired } from './anchor-words.ts'
import type { Looking } from './looking.ts'
import { toLine } from './part.ts'
import { findReads, toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import type { Recalled } from './recall.ts'
import { cameOf, toDay, whose } from './words.ts'

const mostFound = 10
const mostOfGraph = 20
/** Beside others of the graph. */
const mostRecordsOfHybrid = 5
const nothing = { found: [], isPart: false, isByWords: false } as const
/** Nobody waits for the first word here. */
const meaningMs = 2000
const modes = ['semantic', 'graph', 'hybrid'] as const
const input = z.object({ query: z.string().trim().min(1).max(300), mode: z.enum(modes).default('semantic') })

/** What is told, and what it rests on. */
type Line = {
  readonly line: string
  readonly items: readonly Pick<MemoryRecord, 'speaker' | 'taint' | 'from'>[]
  readonly score: number
}

type QueryDeps = Pick<MemoryDeps, 'now' | 'timeZone'> & { readonly graph: Pick<MemoryGraph, 'walk'> }

export const createQueryTool = ({ now, timeZone, graph }: QueryDeps, { recall, settings }: Looking): Tool => ({
  name: 'memory_query',
  summary: { zh: '在记住的事里查找。', en: 'Looks into what is kept in memory.' },
  description:
    'Looks into what people asked to remember, here and in earlier sessions. Use it when the question is about what was told before and the prompt does not have it.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What is looked for, in the words that were used.' },
      mode: {
        type: 'string',
        enum: [...modes],
        description:
          'semantic (usual): what was said. graph: how the people and things that the query names belong together. hybrid: both.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  },
  effect: 'read',
  onCrash: 'rerun',
  async run(given, { principal, group, conversation }) {
    const { query, mode } = input.parse(given)
    const where = { principal, group, conversation }
    const place = toPlace(where)
    const reads = await findReads(settings, where)
    const limit = mode === 'hybrid' ? mostRecordsOfHybrid : mostFound
    const recalled =
      mode === 'graph' ? nothing : await recall.find({ ...reads, text: query, limit, nowMs: now(), meaningMs })
    const records = withoutExpired(recalled, toDay(now(), timeZone))
    const text = [query, ...records.map(({ record }) => record.text)].join('\n')
    // Nobody allowed anything of the graph by itself.
    const statements = mode === 'semantic' ? [] : await lookUp(graph, { scopes: reads.scopes, text, principal })
    const most = records[0]?.score ?? 1
    const found: readonly Line[] = [
      ...records.map(({ record, score }) => ({
        line: toLine(record, { principal, timeZone, place }),
        items: [record],
        score: score / most,
      })),
      ...statements.map(({ statement, score }) => ({
        line: toGraphLine(statement, { principal, timeZone }),
        items: statement.items,
        score,
      })),
    ].toSorted((a, b) => b.score - a.score)
    const note = toNote(recalled)
    if (found.length === 0)
      return { text: ['Nothing that is kept here fits these words.', ...note].join(' '), source: 'own' }
    const best = found.slice(0, mode === 'semantic' ? mostFound : mostOfGraph)
    const items = best.flatMap((one) => one.items)
    const { taint } = whose(items, principal)
    return {
      text: [...best.map(({ line }) => line), ...note].join('\n'),
      source: taint ? 'others' : 'own',
      ...(taint ? { taint } : {}),
      cameOf: cameOf(items),
    }
  },
})

const withoutExpired = ({ found }: Pick<Recalled, 'found'>, today: string): Recalled['found'] =>
  found.filter(({ record }) => !isExpired(record, today))

/** Of a search that could not look everywhere. */
const toNote = ({ isPart, isByWords }: Pick<Recalled, 'isPart' | 'isByWords'>): readonly string[] => [
  ...(isPart ? ['Only what was kept last could be looked through now.'] : []),
  ...(isByWords ? ['Only what shares words with the query could be found now.'] : []),
]
