// Says before an answer how sure it is, where it is not (seed 000 §3.2.3), and that a tool failed whose success the answer claims (T27). What it
// keeps of a conversation is which tools the last answer came from: a shorter or longer version of it rests on the same ones.
import { storable } from '#shared/feature/slice.ts'
import { z } from 'zod'
import { ours, toOurs } from '#shared/feature/kept.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { EndedTurn, Feature } from '#shared/feature/feature.ts'
import type { Answered } from '#shared/feature/marks.ts'
import { judge } from './judge.ts'
import { doubts, toFailureMark, unmark } from './marks.ts'
import { toMatter } from './matter.ts'
import { toFacts } from './told.ts'
import { findFailed, isReading } from './tool-outcome.ts'

const mostTools = 50
const mostNameChars = 64

const own = z.object({ tools: z.array(z.object({ name: ours, ok: z.boolean() })).readonly() })
type Own = z.infer<typeof own>

export type ConfidenceDeps = {
  /** The demo model says in every answer what it is, and answers by rules: only what its tools did is told of. */
  readonly isDemo: boolean
}

export function createConfidence({ isDemo }: ConfidenceDeps): Feature<Own, Own> {
  return {
    name: 'confidence',
    slice: {
      schema: storable(own),
      fresh: { tools: [] },
      fold: (_, change) => change,
      inNewSession: () => ({ tools: [] }),
    },
    marks: { without: unmark, of: (answered) => toMark(answered, isDemo) },
    ended: keepTools,
  }
}

function toMark(
  { type, language, asked, text, told, slice, ...work }: Answered<Own>,
  isDemo: boolean,
): string | undefined {
  if (type === 'social') return undefined
  const tools = work.last ? [...slice.tools, ...work.tools] : work.tools
  const judged = { question: asked, answer: text, tools, facts: toFacts(told) }
  const { confidence: level, rule } = judge(judged)
  const [failed] = findFailed(tools)
  // What was done stands in the journal, whatever the model says of it.
  const isMisreport = rule.endsWith('.glossed-over') || (rule === 'failed.told' && toMatter(judged).says('done'))
  if (failed && isMisreport && (!isReading(failed) || toMatter(judged).says('done')))
    return toFailureMark(failed, language)
  return level === 'high' || isDemo ? undefined : doubts[level][language]
}

/** A turn that takes up the answer before adds to its tools. */
function keepTools({ tools: used, last, slice }: EndedTurn<Own>): readonly Extract<Effect<Own>, { kind: 'change' }>[] {
  const named = used.map(({ name, ok }) => ({ name: toOurs(name.slice(0, mostNameChars).toWellFormed()), ok }))
  const tools = (last ? [...slice.tools, ...named] : named).slice(-mostTools)
  return tools.length === 0 && slice.tools.length === 0 ? [] : [{ kind: 'change', change: { tools } }]
}
