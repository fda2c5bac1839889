// Asks the model for a turn's next step: the prompt, the reservation of its cost, the call, and what its answer leads to.
import type { MessageType } from '#shared/chat/decision.ts'
import { toTainted } from '#shared/model/taint.ts'
import type { ModelResult, ModelRole, ToolSchema, Usage } from '#shared/model/model-port.ts'
import { unwrapCall } from '#shared/model/wrapped-call.ts'
import type { Artifact } from '#shared/run/artifact.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { callModel } from '#services/executor/run/call-model.ts'
import { toOwnCalls } from './own-calls.ts'
import { messageLimit, preparePrompt, toAsked } from './prepare-prompt.ts'
import { isEmpty, mayBeSimpler, toSimpler } from './simpler.ts'
import { depthDecision } from '#services/executor/context/depth.ts'
import { findLong } from '#services/executor/context/long-messages.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { isCorrected, watchCall } from '#services/executor/turn/joining.ts'
import { attemptsAt, stepsDone } from '#services/executor/run/open-turn.ts'
import { handOver } from '#services/executor/planning/hand-over.ts'
import { toPlanned } from '#services/executor/planning/plan-rows.ts'
import type { Prompt } from '#services/executor/context/prompt.ts'
import type { Spending } from '#services/executor/run/deps.ts'
import type { Outcome, TurnRun } from '#services/executor/turn/turn-run.ts'

/** Facts want the likeliest words, work products some freedom. */
const temperatures: Readonly<Record<MessageType, number>> = {
  social: 0.7,
  command: 0.3,
  meta: 0.2,
  query: 0.3,
  task: 0.6,
}
const modelAttemptsPerStep = 12
const nothing: Usage = { promptTokens: 0, completionTokens: 0 }

/** One step of the model, however many attempts it takes; each is journaled before it is made. */
type Step = {
  readonly step: number
  /** The number of its next attempt. */
  readonly attempt: number
  readonly prompt: Prompt
  readonly tools: readonly ToolSchema[]
  readonly maxOutputTokens: number
  readonly eased: Eased
  /** Names the reservation of its cost, and its permit among the fleet's calls. */
  readonly holder: string
  /** To be kept with its first attempt. */
  readonly artifacts: readonly Artifact[]
}

/** For an endpoint whose window is smaller than we were told, or that counts more tokens in a text than we do. */
const trimmedShare = 0.75

/** Undefined where most of what was said would be cut: the rest of the prompt is too long by itself then. */
function toTrimmed({ tokens, held }: Prompt): number | undefined {
  const words = held.reduce((sum, { name, tokens: own }) => sum + (name === 'history' || name === 'turn' ? own : 0), 0)
  const trimmed = Math.floor(tokens * trimmedShare)
  return tokens - trimmed > words / 2 ? undefined : trimmed
}

/** How the prompt differs from the usual one, after that failed; each is tried once in a step. */
export type Eased = {
  /** The most tokens of it, where the usual ones were too many. */
  readonly most?: number | undefined
  /** With less in it (`simpler.ts`). */
  readonly isSimpler?: true
}

/** Asks once, and again where that may help; a turn whose answer calls no tool ends with it. */
export async function askModel(run: TurnRun, eased: Eased = {}): Promise<Outcome> {
  const step = stepsDone(run.turn())
  const attempt = attemptsAt(run.turn(), step) + 1
  // So many workers were lost with this step, or so often the model failed: it is not asked for ever.
  if (attempt > modelAttemptsPerStep) return { kind: 'end', ending: 'model-failed', failure: 'unavailable' }
  await run.gather()
  // The next move says what becomes of a turn that was interrupted or corrected meanwhile.
  if (run.interruption() || isCorrected(run)) return undefined
  const asked = prepare(run, { step, attempt, eased })
  run.noticePrompt(asked.prompt)
  return (await reserve(run, asked)) ?? (await call(run, asked))
}

function prepare(run: TurnRun, at: Pick<Step, 'step' | 'attempt' | 'eased'>): Step {
  const { deps, claim, start, engine } = run
  const facts = run.facts()
  const asked = { ...toAsked(facts, claim.state), most: at.eased.most }
  const { engine: lean, ...simpler } = at.eased.isSimpler ? toSimpler(run, asked) : { ...asked, engine }
  const holder = `${claim.conversation}/${start.turn}/${at.step}/${at.attempt}`
  return { ...at, ...preparePrompt(deps, lean, simpler), holder, artifacts: findNew(run, facts.items) }
}

/** What is kept whole of the messages that the model has not been asked about yet. */
function findNew(run: TurnRun, items: readonly HistoryItem[]): readonly Artifact[] {
  const { entries, start } = run.turn()
  const came = entries.findLastIndex(({ t }) => t === 'turn:start' || t === 'turn:join')
  if (entries.slice(came).some(({ t }) => t === 'llm:req')) return []
  return findLong(run.turn(), items, {
    about: run.facts().about,
    session: run.claim.state.session.id,
    asked: messageLimit(run.deps, start),
  })
}

/** Journals the attempt and reserves its cost, both at once. */
async function reserve(run: TurnRun, asked: Step): Promise<Outcome> {
  const { deps, start } = run
  const { step, attempt, prompt, maxOutputTokens, holder, artifacts } = asked
  const [refusal, raise] = await Promise.all([
    run.save({ ...toRequest(run, { step, attempt, role: roleOf(run) }), artifacts }),
    deps.reserve(payerOf(run), holder, {
      role: roleOf(run),
      promptTokens: prompt.tokens,
      completionTokens: maxOutputTokens,
    }),
  ])
  if (refusal) closeCost(run, holder, raise === undefined ? { ...nothing, role: roleOf(run) } : undefined)
  if (refusal || raise === undefined) return refusal
  // Only an owner can change it.
  const isOwner = await deps.isOwner(start.principal, run.claim.conversation)
  return { kind: 'end', ending: 'over-budget', raise: isOwner ? raise : undefined }
}

async function call(run: TurnRun, asked: Step): Promise<Outcome> {
  const { deps, claim, start, growing } = run
  const { step, attempt, prompt, tools, maxOutputTokens, holder } = asked
  const { depth, type } = start.class
  let refusal: Outcome
  let answering = roleOf(run)
  growing.restart(step)
  const watch = watchCall(run)
  const result = await callModel(
    deps,
    {
      holder,
      principal: start.principal,
      request: {
        role: roleOf(run),
        messages: prompt.messages,
        tools,
        maxOutputTokens,
        temperature: temperatures[type],
        metadata: { depth, conversation: claim.conversation },
      },
      firstAttempt: attempt,
      onText: growing.add,
      onAttempt: async (next, role) => {
        answering = role
        growing.restart(step)
        refusal = await run.save(toRequest(run, { step, attempt: next, role }))
        return refusal === undefined
      },
    },
    watch.signal,
  )
    .catch((error: unknown) => {
      closeCost(run, holder, undefined)
      throw error
    })
    .finally(watch.close)
  closeCost(run, holder, { ...toCost(run, asked, result), role: answering })
  // The next move takes the correction up.
  if (refusal === undefined && result.kind === 'failure' && watch.isCorrected()) return undefined
  return refusal ?? (await takeResult(run, asked, result))
}

async function takeResult(run: TurnRun, { step, prompt, eased }: Step, result: ModelResult): Promise<Outcome> {
  if (result.kind === 'failure') {
    const interruption = run.interruption()
    // The next move says what becomes of a turn that was interrupted.
    if (interruption) return undefined
    const shorter = result.failure === 'too-long' && eased.most === undefined ? toTrimmed(prompt) : undefined
    if (shorter !== undefined) return await askModel(run, { ...eased, most: shorter })
    if (mayBeSimpler(result) && !eased.isSimpler) return await askModel(run, { ...eased, isSimpler: true })
    return result.failure === 'aborted'
      ? { kind: 'leave' }
      : { kind: 'end', ending: 'model-failed', failure: result.failure }
  }
  if (isEmpty(result) && !eased.isSimpler) return await askModel(run, { ...eased, isSimpler: true })
  // What a limit cut before its first word is told as cut.
  if (isEmpty(result) && result.finish !== 'length') return { kind: 'end', ending: 'model-failed', failure: 'empty' }
  const { text, toolCalls, usage, model, finish } = result
  const broke = finish === 'length' || finish === 'filtered' ? { broke: finish } : {}
  const said = {
    text,
    toolCalls: toOwnCalls(toolCalls.map(unwrapCall)),
    ...broke,
    usage,
    model,
    ...toTainted(prompt.taint),
  }
  const finished: Extract<JournalEntry, { t: 'llm:fin' }> = { ...run.stamp(), t: 'llm:fin', step, ...said }
  const handed = await handOver(run, finished)
  if (handed) return { kind: 'end', ending: 'answered', entries: [{ ...finished, toolCalls: [] }], handed }
  if (toolCalls.length === 0) return { kind: 'end', ending: 'answered', entries: [finished] }
  const key = `${run.start.turn}/fin/${step}`
  return await run.save({ key, entries: [finished], progress: true, ...toPlanned(run, finished) })
}

function toRequest(run: TurnRun, request: Pick<Extract<JournalEntry, { t: 'llm:req' }>, 'step' | 'attempt' | 'role'>) {
  const entry: JournalEntry = { ...run.stamp(), t: 'llm:req', ...request }
  return { key: `${run.start.turn}/req/${request.step}/${request.attempt}`, entries: [entry] }
}

/** Which model was chosen for the conversation when the turn began. */
const roleOf = ({ start }: TurnRun): ModelRole => start.role ?? 'main'

const payerOf = ({ claim, start }: TurnRun) => ({ conversation: claim.conversation, principal: start.principal })

/** Not awaited: what is not charged counts in full, so a crash can only overstate what was spent. */
function closeCost(run: TurnRun, holder: string, spent: Spending | undefined): void {
  const closing = spent ? run.deps.charge(payerOf(run), holder, spent) : run.deps.leave(holder)
  closing.catch(() => {})
}

/** Nobody tells what an aborted call cost: no less than it showed, and it may have been thinking of the rest. */
function toCost(
  { deps, start, growing }: TurnRun,
  { step, prompt, maxOutputTokens }: Step,
  result: ModelResult,
): Usage {
  if (result.kind === 'reply') return result.usage
  if (result.failure !== 'aborted') return nothing
  const shown = Math.max(depthDecision(start.class.depth).maxTokens, deps.estimate(growing.written(step)))
  return { promptTokens: prompt.tokens, completionTokens: Math.min(maxOutputTokens, shown) }
}
