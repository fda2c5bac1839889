// Sums up the older part of a session (seed 001 §1.2). First the model is silently asked what must not be lost, which the record keeps as
// candidates for memory; then for a summary, which takes the place of what it sums up in prompts. The originals stay as artifacts, where
// they are found by `session_search`. No model, no budget: then rules make the summary. It is pure but for the calls; who asks stores it.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { AskResult } from '#shared/model/ask.ts'
import { modelOf, type ModelBudget, type PromptMessage } from '#shared/model/model-port.ts'
import { anotherMember, joinTaint, toTainted, type Taint } from '#shared/model/taint.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import type { Recorded, WorkRecord } from '#shared/run/record.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { findTaint } from '#services/executor/context/find-taint.ts'
import { aboutHistory, type HistoryItem } from '#services/executor/state/history-item.ts'
import { headAndTail, sumTokens } from '#services/executor/state/fit-items.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { boundAbout, mostAbout, type ConversationState } from '#services/executor/state/state.ts'
import { toCovers, type Summary } from '#services/executor/state/summary.ts'
import { readOriginals, toOriginals } from './originals.ts'
import type { Exchange } from '#services/executor/context/exchanges.ts'
import { splitHistory } from './split.ts'
import { toMaterial, toPlainSummary } from './transcript.ts'
import words from './words.json' with { type: 'json' }

export type Compacted = {
  readonly state: ConversationState
  readonly records: readonly Recorded[]
  readonly artifacts: readonly Artifact[]
}

/** `work` names the step that stores it. Nobody waits for what has a budget of its own; after `until` no model is waited for either. */
type For = {
  readonly work: string
  readonly principal: PrincipalId
  readonly budget?: ModelBudget
  readonly until?: AbortSignal
}

/** Of the history's tokens what is summed up becomes so many at most; and a summary of little is short. */
const summaryShare = 0.15
const leastSummaryTokens = 200
/** What is less is not worth a call. */
const fewTokens = 400
/** After a message was forgotten all that came before is summed up anew, at the expense of whoever speaks next. */
const mostRemadeTokens = 12_000
const mostCandidates = 12
const mostCandidateChars = 200
const flushTokens = 600

/** Undefined where nothing is to be summed up, `signal` aborted, or it may not be asked for now. */
export async function compact(
  deps: ExecutorDeps,
  claim: Claim,
  whose: For,
  signal: AbortSignal,
): Promise<Compacted | undefined> {
  const { work, principal } = whose
  const { state } = claim
  const { estimate, historyTokens } = deps
  const { old, kept } = splitHistory(state.history, historyTokens / 3, estimate)
  const isLost = state.summary?.lost === true
  if (old.length === 0 && !isLost) return undefined
  const before = isLost ? await readOriginals(claim.store, state.session.id) : []
  const exchanges = [...before, ...old]
  if (exchanges.length === 0)
    return {
      state: { ...state, summary: undefined, crowded: undefined, hurried: undefined },
      records: [],
      artifacts: [],
    }
  const named = newestNamed(exchanges)
  const text = await sumUp(deps, { claim, exchanges, named, ...whose }, signal)
  if (!text) return undefined
  const items = exchanges.flat()
  const about = boundAbout(aboutHistory(named.flat()))
  const [by, ...more] = new Set([state.summary?.by, ...items.map(byOf)].filter((one) => one !== undefined))
  // What several wrote is another member's to each of them.
  const others = more.length > 0 ? [anotherMember] : undefined
  const taint = joinTaint(state.summary?.taint, findTaint({ items, parts: [] }, principal), others)
  const summary: Summary = {
    text: text.summary,
    at: deps.now(),
    count: (isLost ? 0 : (state.summary?.count ?? 0)) + items.filter(({ role }) => role !== 'tool').length,
    covers: toCovers(isLost ? '' : (state.summary?.covers ?? ''), aboutHistory(items)),
    ...toTainted(taint),
    ...(by === undefined ? {} : { by }),
  }
  const record = toRecord(deps, { work, principal, at: summary.at, candidates: text.candidates, taint })
  return {
    state: { ...state, summary, history: kept, crowded: undefined, hurried: undefined },
    records: [{ kind: 'work', about, record }],
    artifacts: toOriginals(old, { session: state.session.id, work, principal }),
  }
}

const byOf = (item: HistoryItem): string | undefined => (item.role === 'user' ? item.by : undefined)

type Material = {
  readonly claim: Claim
  readonly exchanges: readonly Exchange[]
  readonly named: readonly Exchange[]
} & For

/** The newest, of which a record can name every message: so nothing is kept as a candidate that is not found when its message is forgotten. */
function newestNamed(exchanges: readonly Exchange[]): readonly Exchange[] {
  let left = mostAbout
  const tooOld = exchanges.findLastIndex((one) => (left -= aboutHistory(one).length) < 0)
  return exchanges.slice(tooOld + 1)
}

async function sumUp(
  deps: ExecutorDeps,
  { claim, exchanges, named, ...whose }: Material,
  signal: AbortSignal,
): Promise<{ readonly summary: string; readonly candidates: readonly string[] } | undefined> {
  const { estimate, historyTokens, model } = deps
  const before = claim.state.summary?.text ?? ''
  const window = Math.floor(modelOf(model, 'fast').contextTokens * 0.7) - flushTokens
  const room = claim.state.summary?.lost ? Math.min(window, mostRemadeTokens) : window
  const material = toMaterial(before, exchanges, { most: room, estimate })
  // Nobody knows any more whose message a part of the summary before came from.
  const fresh = toMaterial('', named, { most: room, estimate })
  const most = Math.max(leastSummaryTokens, Math.floor(Math.min(estimate(material), historyTokens) * summaryShare))
  // A small window is crowded after each turn: the first words of each message do for a while.
  const plain = toPlainSummary(before, exchanges)
  if (sumTokens(exchanges.flat(), estimate) < fewTokens && estimate(plain) <= most)
    return { summary: plain, candidates: [] }
  const { work, principal, budget } = whose
  const payer = { conversation: claim.conversation, principal, budget }
  const limit = whose.until ? AbortSignal.any([signal, whose.until]) : signal
  const ask = async (name: 'flush' | 'summary', maxOutputTokens: number): Promise<AskResult<string> | undefined> => {
    const messages = toMessages(name === 'flush' ? fresh : material, words[name])
    return await deps
      .ask(payer, { id: `${work}/${name}`, messages, maxOutputTokens }, limit)
      .catch((error: unknown) => {
        if (!limit.aborted) throw error
        return undefined
      })
  }
  const found = await ask('flush', flushTokens)
  if (signal.aborted || isHeld(found)) return undefined
  const made = await ask('summary', most)
  if (signal.aborted || isHeld(made)) return undefined
  return { summary: cut(textOf(made) || plain, most, estimate), candidates: toCandidates(textOf(found)) }
}

/** The session is summed up another time: the fleet is quiet, or this process has too much of that under way. */
const isHeld = (result: AskResult<string> | undefined): boolean =>
  result?.kind === 'refused' && (result.why === 'quiet' || result.why === 'too-many')
const textOf = (result: AskResult<string> | undefined): string =>
  result?.kind === 'answered' ? result.value.trim() : ''

const cut = (text: string, most: number, estimate: ExecutorDeps['estimate']): string =>
  estimate(text) <= most ? text.toWellFormed() : headAndTail(text, most, estimate)

const toMessages = (material: string, directive: readonly string[]): readonly PromptMessage[] => [
  { role: 'system', content: words.system.join('\n') },
  { role: 'user', content: `${material}\n\n---\n${directive.join('\n')}` },
]

function toCandidates(text: string): readonly string[] {
  const lines = text.split('\n').flatMap((line) => {
    const said = /^\s{0,8}[-*•]\s/.test(line) ? line.trim().slice(1).trim() : ''
    return said === '' || said === 'NONE' ? [] : [said.slice(0, mostCandidateChars).toWellFormed()]
  })
  return lines.slice(0, mostCandidates)
}

function toRecord(
  deps: Pick<ExecutorDeps, 'now'>,
  of: For & { readonly at: number; readonly candidates: readonly string[]; readonly taint: Taint },
): WorkRecord {
  const { work, principal, at, candidates, taint } = of
  const times = { begunAt: at, endedAt: deps.now() }
  const what = { feature: 'context', ended: 'timer', what: 'compact', answer: '' } as const
  return { v: 1, work, principal, ...times, ...what, candidates: [...candidates], ...toTainted(taint) }
}
