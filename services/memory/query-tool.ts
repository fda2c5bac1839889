// The tool by which the model looks further into what is kept for where it answers.
import { z } from 'zod'
import type { Tool } from '#shared/model/tool.ts'
import { toLine, type Looking } from './part.ts'
import { findReads, toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'
import { cameOf, whose } from './words.ts'

const mostFound = 10
const input = z.object({ query: z.string().trim().min(1).max(300) })

export const createQueryTool = (
  { now, timeZone }: Pick<MemoryDeps, 'now' | 'timeZone'>,
  { recall, settings }: Looking,
): Tool => ({
  name: 'memory_query',
  summary: { zh: '在记住的事里查找。', en: 'Looks into what is kept in memory.' },
  description:
    'Looks into what people asked to remember, here and in earlier sessions. Use it when the question is about what was told before and the prompt does not have it.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What is looked for, in the words that were used.' } },
    required: ['query'],
    additionalProperties: false,
  },
  effect: 'read',
  onCrash: 'rerun',
  async run(given, { principal, group, conversation }) {
    const { query } = input.parse(given)
    const where = { principal, group, conversation }
    const place = toPlace(where)
    const found = await recall.find({
      scopes: await findReads(settings, where),
      text: query,
      limit: mostFound,
      nowMs: now(),
    })
    if (found.length === 0) return { text: 'Nothing that is kept here fits these words.', source: 'own' }
    const records = found.map(({ record }) => record)
    const { taint } = whose(records, principal)
    const text = records.map((record) => toLine(record, { principal, timeZone, place })).join('\n')
    return { text, source: taint ? 'others' : 'own', ...(taint ? { taint } : {}), cameOf: cameOf(records) }
  },
})
