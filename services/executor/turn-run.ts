// A turn while it runs: its journal as far as it is known to be stored, what is written of its answer, and what interrupts it.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { Tool } from '#shared/model/tool.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import type { TurnFailure } from '#shared/model/model-port.ts'
import { joinCaused, type Append, type AppendResult, type Caused, type QueuedEvent } from '#shared/run/step.ts'
import type { TurnLimits } from '#shared/run/turn-limits.ts'
import { compactFirst } from '#services/executor/compaction/when.ts'
import { gatherContext } from '#services/executor/context/gather.ts'
import type { Prompt, PromptInput } from '#services/executor/context/prompt.ts'
import type { ExecutorDeps } from './deps.ts'
import { createGrowingText, findText, type GrowingText } from '#services/executor/model/growing-text.ts'
import { toShown } from '#services/executor/shown/made-up.ts'
import { unmarkedDrafts } from '#services/executor/marks/marks.ts'
import { planDrafts } from '#services/executor/planning/plan-drafts.ts'
import type { Interruption } from './next-move.ts'
import { isInGroup, toReplyTo } from '#services/executor/context/in-group.ts'
import { languageOf, textOf } from '#services/executor/context/turn-items.ts'
import {
  aboutOf,
  eventsOf,
  messageIdsOf,
  toFollows,
  toLast,
  toAsks,
  type OpenTurn,
  type TurnStart,
} from './open-turn.ts'
import type { Claim } from './claim.ts'
import { watchByItself } from '#services/executor/quiet/hold-back.ts'
import type { Serving } from './serving.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { toStored } from '#services/executor/state/stored.ts'

/** How a turn came to its end. */
export type End = {
  readonly kind: 'end'
  readonly ending: TurnEnding
  /** The last step's entries, not yet journaled. */
  readonly entries?: readonly JournalEntry[]
  readonly failure?: TurnFailure
  /** The command by which an owner raises the budget that is used up. */
  readonly raise?: string | undefined
}
/** What a move leads to beyond its step; undefined when the turn simply goes on. */
export type Outcome = End | { readonly kind: 'leave' } | undefined

/** What a turn begins with that is not stored yet. */
export type Unsaved = Caused & Pick<Append, 'entries' | 'snapshot' | 'parts' | 'rest' | 'forgets' | 'artifacts'>

/** What a loop of model and tools works with. */
export type Engine = {
  /** All that may be called. */
  readonly tools: readonly Tool[]
  /** Those of them that each prompt shows of a model with such a window, tokens. */
  offered(windowTokens: number): readonly Tool[]
  readonly limits: TurnLimits
  assemble(input: PromptInput): Prompt
}

export type TurnRun = {
  readonly deps: ExecutorDeps
  readonly claim: Claim
  readonly start: TurnStart
  /** The turn as of its last stored step. */
  turn(): OpenTurn
  /** What it has taken in. */
  events(): readonly ChatEvent[]
  readonly engine: Engine
  /** Of a turn just begun, what its first step stores besides its own. */
  unsaved(): Unsaved
  /** Asks the features for their parts of the prompt, as a turn just begun; a stop ends the asking. */
  gather(): Promise<void>
  /** Stores a step, and the state if it changes that, unless the turn was stopped; then, and when the lease is gone, says what that leads to. */
  save(step: Append, state?: ConversationState): Promise<Outcome>
  /** What each entry begins with. */
  stamp(): Pick<JournalEntry, 'v' | 'at' | 'turn'>
  readonly growing: GrowingText
  /** Keeps of a prompt that the model is asked with what is told of it later. */
  noticePrompt(prompt: Prompt): void
  /** Whether a message was too long and is known to the model in part. */
  isCut(): boolean
  /** What the last prompt of this process held. */
  held(): Prompt['held'] | undefined
  /** Aborts when something interrupts the turn. */
  readonly interrupted: AbortSignal
  interruption(): Interruption | undefined
  close(): void
}

/** Takes up a turn. It runs until `close`; `signal` makes it leave. */
export async function openTurnRun(
  serving: Serving,
  engine: Engine,
  begun: { readonly turn: OpenTurn; readonly unsaved: Unsaved },
  signal: AbortSignal,
): Promise<TurnRun> {
  const { deps, store, mailbox } = serving
  const { start } = begun.turn
  let { turn, unsaved } = begun
  let asked: Partial<Pick<Prompt, 'cut' | 'held' | 'taint'>> = {}
  let gathered = false
  const events = (): readonly ChatEvent[] => eventsOf(turn).flatMap((seq) => mailbox.find(seq) ?? [])
  const toSafe = (text: string): string => toShown(serving, { turn, taint: asked.taint }, text)
  const growing = await openGrowing(serving, begun, { turn: () => turn, toSafe })
  const watch = watchInterruptions(serving, { engine, turn: () => turn, events }, signal)
  const quiet = await watchByItself(deps, events, watch.hold)
  return {
    deps,
    claim: serving,
    start,
    engine,
    turn: () => turn,
    events,
    unsaved: () => unsaved,
    async gather() {
      if (unsaved.entries.length === 0 || gathered) return
      gathered = true
      unsaved = await withSummary(serving, { turn, unsaved }, watch.interrupted)
    },
    async save(step, state) {
      const unlessStopped = { principal: start.principal, firstSeq: start.firstSeq }
      const saved = state && toStored(deps.features, state)
      const whole = withUnsaved({ ...step, ...saved?.step }, unsaved)
      const about = whole.rows?.length ? aboutOf(turn, events()) : []
      const result = await store.append({ ...whole, about, unlessStopped })
      if (result.kind === 'STOPPED') return { kind: 'end', ending: 'stopped' }
      if (!isSaved(result)) return { kind: 'leave' }
      turn = { start, entries: [...turn.entries, ...step.entries] }
      unsaved = { entries: [] }
      if (saved) serving.keep(saved.state)
      serving.settle(turn)
      mailbox.noticeRouted(result.routedSeq)
      growing.refresh()
      return undefined
    },
    stamp: () => ({ v: 1, at: deps.now(), turn: start.turn }),
    growing,
    noticePrompt(prompt) {
      asked = { cut: asked.cut === true || prompt.cut, held: prompt.held, taint: prompt.taint }
    },
    isCut: () => asked.cut === true,
    held: () => asked.held,
    ...watch,
    close() {
      quiet?.close()
      watch.close()
      growing.end()
    },
  }
}

/** A turn's first step, with what the turn began with. */
export function withUnsaved(step: Append, { entries, forgets = [], ...begun }: Unsaved): Append {
  return {
    ...begun,
    ...step,
    ...(begun.parts || step.parts ? { parts: { ...begun.parts, ...step.parts } } : {}),
    entries: [...entries, ...step.entries],
    ...joinCaused(begun, step),
    forgets: [...forgets, ...(step.forgets ?? [])],
  }
}

type Saved = Extract<AppendResult, { kind: 'OK' | 'DUP' }>
const isSaved = (result: AppendResult): result is Saved => result.kind === 'OK' || result.kind === 'DUP'

/** What stands in the prompt of a turn just begun: sums up what does not fit, then asks the features. It is stored with the first step. */
async function withSummary(
  serving: Serving,
  { turn, unsaved }: { readonly turn: OpenTurn; readonly unsaved: Unsaved },
  signal: AbortSignal,
): Promise<Unsaved> {
  const { principal, turn: work } = turn.start
  const done = await compactFirst(serving.deps, serving, { work, principal }, signal)
  if (!done) return await withContext(serving, { turn, unsaved }, signal)
  const saved = toStored(serving.deps.features, done.state)
  serving.keep(saved.state)
  const caused = joinCaused(unsaved, { records: done.records })
  const parts = { ...unsaved.parts, ...saved.step.parts }
  const summed = { ...unsaved, ...caused, ...saved.step, parts, artifacts: done.artifacts }
  return await withContext(serving, { turn, unsaved: summed }, signal)
}

/** Asks the features what they add to the prompt of a turn just begun; it is stored with the first step. */
async function withContext(
  serving: Serving,
  { turn, unsaved }: { readonly turn: OpenTurn; readonly unsaved: Unsaved },
  signal: AbortSignal,
): Promise<Unsaved> {
  const { deps, conversation, mailbox, state } = serving
  if (!state.context && !deps.features.all.some((feature) => feature.context?.length)) return unsaved
  const { principal, events, class: found } = turn.start
  const asked = textOf(
    turn,
    events.flatMap((seq) => mailbox.find(seq) ?? []),
  )
  const about = { conversation, principal, asked, depth: found.depth }
  const context = await gatherContext(deps, state, about, signal)
  if (context.length === 0 && !state.context) return unsaved
  const saved = toStored(deps.features, { ...state, context })
  serving.keep(saved.state)
  return { ...unsaved, ...saved.step, parts: { ...unsaved.parts, ...saved.step.parts } }
}

/** What is shown of the turn while it runs, after what an earlier owner of it had shown. */
async function openGrowing(
  { deps, store, mailbox, state }: Serving,
  { turn, unsaved }: { readonly turn: OpenTurn; readonly unsaved: Unsaved },
  of: { turn(): OpenTurn; toSafe(text: string): string },
): Promise<GrowingText> {
  const taken = turn.start.events.flatMap((seq) => mailbox.find(seq) ?? [])
  const language: Language = languageOf(state, turn, taken)
  const shownAs = {
    language,
    ...toReplyTo(state, turn.start, taken),
    ...(isInGroup(state, taken) ? { group: true } : {}),
  }
  const about = { turn: turn.start.turn, ...toStopper(turn.start), ...shownAs, ...toAsks(taken), ...toFollows(taken) }
  const before = unsaved.entries.length > 0 ? undefined : await findText(store, turn.start.turn)
  return createGrowingText(planDrafts(unmarkedDrafts(deps, store, of.toSafe), of.turn), about, {
    before,
    now: deps.now,
  })
}

/** A rewritten answer takes the place of the last one, so it does not become a message while it grows. */
const toStopper = (start: TurnStart): Partial<Draft> =>
  toLast(start) === 'rewrite' ? {} : { principal: start.principal }

type Watched = Pick<TurnRun, 'engine' | 'turn' | 'events'>

/** No call was begun that changes something. */
const isUndone = ({ entries }: OpenTurn, { tools }: Engine): boolean =>
  entries.every((entry) => entry.t !== 'tool:req' || tools.find(({ name }) => name === entry.name)?.effect === 'read')

/** Whether all that the turn answers was deleted meanwhile: nobody wants an answer to it. */
function areTakenBack(events: readonly ChatEvent[], waiting: readonly QueuedEvent[]): boolean {
  const gone = new Set(waiting.flatMap(({ event }) => (event.kind === 'delete' ? [event.messageId] : [])))
  const ids = messageIdsOf(events)
  return ids.length > 0 && gone.size > 0 && ids.every((id) => gone.has(id))
}

/** A stop of the turn's person, what it answers taken back, the limit of time, or `signal`. Cheaper than AbortSignal.any, which every turn would pay. */
function watchInterruptions(
  { deps, mailbox }: Serving,
  { engine, turn, events }: Watched,
  signal: AbortSignal,
): Pick<TurnRun, 'interrupted' | 'interruption' | 'close'> & { hold(): void } {
  const { principal, firstSeq, at, given } = turn().start
  const { limits } = engine
  // Whoever pressed, or a letter, still waits for a turn that was begun so.
  const isTakenBack = (): boolean =>
    given === undefined && isUndone(turn(), engine) && areTakenBack(events(), mailbox.waiting())
  const interrupted = new AbortController()
  let stopped = false
  let late = false
  let held = false
  const abort = (): void => interrupted.abort()
  signal.addEventListener('abort', abort, { once: true })
  const hear = (): void => {
    if (mailbox.stopSeq(principal) <= firstSeq && !isTakenBack()) return
    stopped = true
    abort()
  }
  const forget = mailbox.onNews(hear)
  // It may have come before this worker did.
  hear()
  const timer = setTimeout(() => ((late = true), abort()), Math.max(0, at + limits.maxWallMs - deps.now()))
  return {
    interrupted: interrupted.signal,
    interruption: () => (stopped ? 'stopped' : signal.aborted ? 'left' : late ? 'late' : held ? 'quiet' : undefined),
    hold() {
      held = true
      abort()
    },
    close() {
      forget()
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
