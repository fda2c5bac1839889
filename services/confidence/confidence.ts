// Says before an answer how sure it is, where it is not (seed 000 §3.2.3), and that a tool failed whose success the answer claims (T27). What it
// keeps of a conversation is which tools the last answer came from: a shorter or longer version of it rests on the same ones.
import { storable } from '#shared/feature/slice.ts'
import { z } from 'zod'
import type { Language } from '#shared/chat/message.ts'
import { ours, toOurs } from '#shared/feature/kept.ts'
import type { Effect } from '#shared/feature/effect.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { EndedTurn, Feature } from '#shared/feature/feature.ts'
import type { Answered } from '#shared/feature/marks.ts'
import { judge } from './judge.ts'
import { doubts, toFailureMark, toUndoneMark, unmark } from './marks.ts'
import { toMatter, type Judged } from './matter.ts'
import { toFacts } from './told.ts'
import { findFailed, isReading } from './tool-outcome.ts'

const mostTools = 50
const mostNameChars = 64

const own = z.object({ tools: z.array(z.object({ name: ours, ok: z.boolean() })).readonly() })
type Own = z.infer<typeof own>

type ConfidenceDeps = {
  /** The demo model says in every answer what it is, and answers by rules: only what its tools did is told of. */
  readonly isDemo: boolean
}

export const confidenceCapability: Capability<{ readonly model: ConfidenceDeps }> = {
  create: ({ model }) => createConfidence(model),
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

/** Verdicts that it speaks of an act which nobody made. */
const undone: ReadonlySet<string> = new Set(['promises-act', 'affirms-order', 'claims-act', 'worked.other'])

/** The mark before an answer, and nothing where it needs none. */
export function findMark(judged: Judged, language: Language): string | undefined {
  const { confidence: level, rule } = judge(judged)
  const notDone = findFailureMark(judged, rule, language)
  if (notDone !== undefined || level === 'high') return notDone
  if (undone.has(rule)) return toUndoneMark(judged, language)
  // A question back says of itself that something is missing.
  return rule === 'asks-back' ? undefined : doubts[level][language]
}

function toMark(
  { type, language, asked, text, told, slice, ...work }: Answered<Own>,
  isDemo: boolean,
): string | undefined {
  if (type === 'social') return undefined
  const tools = work.last ? [...slice.tools, ...work.tools] : work.tools
  const judged = { question: asked, answer: text, tools, facts: toFacts(told) }
  return isDemo ? findFailureMark(judged, judge(judged).rule, language) : findMark(judged, language)
}

/** What was done stands in the journal, whatever the model says of it. */
function findFailureMark(judged: Judged, rule: string, language: Language): string | undefined {
  const [failed] = findFailed(judged.tools)
  const isMisreport = rule.endsWith('.glossed-over') || (rule === 'failed.told' && toMatter(judged).says('done'))
  if (failed && isMisreport && (!isReading(failed) || toMatter(judged).says('done')))
    return toFailureMark(failed, language)
  return undefined
}

/** A turn that takes up the answer before adds to its tools. */
function keepTools({ tools: used, last, slice }: EndedTurn<Own>): readonly Extract<Effect<Own>, { kind: 'change' }>[] {
  const named = used.map(({ name, ok }) => ({ name: toOurs(name.slice(0, mostNameChars).toWellFormed()), ok }))
  const tools = (last ? [...slice.tools, ...named] : named).slice(-mostTools)
  return tools.length === 0 && slice.tools.length === 0 ? [] : [{ kind: 'change', change: { tools } }]
}
