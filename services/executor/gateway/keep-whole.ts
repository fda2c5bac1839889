// The result of a call as it is journaled: up to some thousand characters whole, of a longer one what the question asks for, and the whole as an
// artifact that the model can read on in.
import { toKeptText, type Artifact } from '#shared/run/artifact.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { ToolCall } from '#shared/model/model-port.ts'
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import { cutResult, mostResultChars } from '#services/executor/context/cut-result.ts'
import { eyesOf } from '#services/executor/context/origin.ts'
import { callsOf, stepsDone } from '#services/executor/run/open-turn.ts'
import { boundAbout } from '#services/executor/state/state.ts'
import type { TurnRun } from '#services/executor/turn/turn-run.ts'
import type { ToolOutcome } from './gateway.ts'

type Result = Extract<JournalEntry, { t: 'tool:fin' }>
type Kept = {
  readonly said: Pick<
    Result,
    | 'ok'
    | 'result'
    | 'source'
    | 'ends'
    | 'waits'
    | 'awaits'
    | 'malformed'
    | 'refused'
    | 'unsure'
    | 'taint'
    | 'about'
    | 'artifact'
  >
  readonly artifacts: readonly Artifact[]
}

export function keepWhole(run: TurnRun, call: ToolCall, outcome: ToolOutcome): Kept {
  const { ok, source, ends, waits, awaits, malformed, taint, about = [], artifact: from, failure, refused } = outcome
  const text = outcome.text.toWellFormed()
  const said = {
    ok,
    source,
    ...(ends ? { ends: 'suspended' as const } : {}),
    ...(waits ? { waits } : {}),
    ...(awaits ? { awaits } : {}),
    ...(malformed ? { malformed } : {}),
    ...(refused ? { refused } : {}),
    ...(failure ? { unsure: true as const } : {}),
    ...toTainted(taint),
    ...(about.length > 0 ? { about: boundAbout(about) } : {}),
  }
  if (text.length <= mostResultChars)
    return { said: { ...said, result: text, ...(from ? { artifact: from } : {}) }, artifacts: [] }
  const facts = run.facts()
  const { text: kept, cut } = toKeptText(text)
  const eyes = eyesOf(run.start, run.claim.state)
  const artifact: Artifact = {
    name: toName(run, call),
    kind: 'result',
    text: kept,
    about: boundAbout([...about, ...facts.about]),
    by: run.start.principal,
    source,
    ...toTainted(source === 'others' ? joinTaint([call.name.slice(0, 100)], taint, facts.taint) : taint),
    ...(eyes === undefined ? {} : { for: eyes }),
    session: run.claim.state.session.id,
  }
  const asked = `${facts.text}\n${call.arguments.slice(0, 2000)}`
  const result = cutResult(kept, { asked, artifact: artifact.name, isCut: cut })
  return { said: { ...said, result, artifact: artifact.name }, artifacts: [artifact] }
}

/** The same after a crash: by the tool and the place of the call. */
function toName({ turn, start }: TurnRun, { id, name }: ToolCall): string {
  const at = callsOf(turn()).findIndex((call) => call.id === id)
  const tool = name.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '_')
  return `${tool.replace(/^[_-]/, 't$&').slice(0, 40) || 'tool'}.${start.turn}-${stepsDone(turn())}-${at}`
}
