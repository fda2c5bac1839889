// Takes up a turn: what its first step stores, what grows of its answer, and what interrupts it.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Draft } from '#shared/run/draft.ts'
import { type AppendResult, type QueuedEvent } from '#shared/run/step.ts'
import { toFacts, type TurnFacts } from '#services/executor/context/turn-facts.ts'
import type { Prompt } from '#services/executor/context/prompt.ts'
import { createGrowingText, findText, type GrowingText } from '#services/executor/turn/growing-text.ts'
import { toShown } from '#services/executor/context/made-up.ts'
import { unmarkedDrafts } from '#services/executor/context/marks.ts'
import { planDrafts } from '#services/executor/planning/plan-drafts.ts'
import { withUnsaved, type Engine, type TurnRun, type Unsaved } from '#services/executor/turn/turn-run.ts'
import { isInGroup, toReplyTo } from '#services/executor/context/in-group.ts'
import { languageOf } from '#services/executor/context/turn-items.ts'
import { messageIdsOf, toAsks, toFollows, type OpenTurn, type TurnStart } from '#services/executor/run/open-turn.ts'
import { withGiven } from './with-given.ts'
import { watchTurn } from '#services/executor/step/hold-back.ts'
import type { Serving } from '#services/executor/step/serving.ts'
import { toStored } from '#services/executor/state/stored.ts'

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
  const facts = keepFacts(serving, () => turn)
  const toSafe = (text: string): string => toShown(serving, { turn, taint: asked.taint }, text)
  const growing = await openGrowing(serving, begun, { turn: () => turn, toSafe })
  const watch = watchInterruptions(serving, { engine, turn: () => turn, facts }, signal)
  const beyond = await watchTurn(serving, () => facts().events, watch)
  return {
    deps,
    claim: serving,
    start,
    engine,
    turn: () => turn,
    facts,
    unsaved: () => unsaved,
    async gather() {
      if (unsaved.entries.length === 0 || gathered) return
      gathered = true
      unsaved = await withGiven(serving, { turn, unsaved }, watch.interrupted)
    },
    async save(step, state) {
      const unlessStopped = { principal: start.principal, firstSeq: start.firstSeq }
      const saved = state && toStored(deps.features, state)
      const whole = withUnsaved({ ...step, ...saved?.step }, unsaved)
      const about = whole.rows?.length ? facts().about : []
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
      beyond.close()
      watch.close()
      growing.end()
    },
  }
}

/** The facts of the turn, made anew once it or the state is another. */
function keepFacts(serving: Serving, turn: () => OpenTurn): () => TurnFacts {
  let known = { state: serving.state, facts: toFacts(turn(), serving) }
  return () => {
    const { state } = serving
    if (known.facts.turn !== turn() || known.state !== state) known = { state, facts: toFacts(turn(), serving) }
    return known.facts
  }
}

type Saved = Extract<AppendResult, { kind: 'OK' | 'DUP' }>
const isSaved = (result: AppendResult): result is Saved => result.kind === 'OK' || result.kind === 'DUP'

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
const toStopper = (start: TurnStart): Partial<Draft> => (start.last === 'rewrite' ? {} : { principal: start.principal })

type Watched = Pick<TurnRun, 'engine' | 'turn' | 'facts'>

/** No call was begun that changes something. */
const isUndone = ({ entries }: OpenTurn, { tools }: Engine): boolean =>
  entries.every((entry) => entry.t !== 'tool:req' || tools().find(({ name }) => name === entry.name)?.effect === 'read')

/** Whether all that the turn answers was deleted meanwhile: nobody wants an answer to it. */
function areTakenBack(events: readonly ChatEvent[], waiting: readonly QueuedEvent[]): boolean {
  const gone = new Set(waiting.flatMap(({ event }) => (event.kind === 'delete' ? [event.messageId] : [])))
  const ids = messageIdsOf(events)
  return ids.length > 0 && gone.size > 0 && ids.every((id) => gone.has(id))
}

/** A stop of the turn's person, what it answers taken back, the limit of time, or `signal`. Cheaper than AbortSignal.any, which every turn would pay. */
function watchInterruptions(
  { deps, mailbox }: Serving,
  { engine, turn, facts }: Watched,
  signal: AbortSignal,
): Pick<TurnRun, 'interrupted' | 'interruption' | 'close'> & { hold(): void; stop(): void } {
  const { principal, firstSeq, at, given } = turn().start
  const { limits } = engine
  // Whoever pressed, or a letter, still waits for a turn that was begun so.
  const isTakenBack = (): boolean =>
    given === undefined && isUndone(turn(), engine) && areTakenBack(facts().events, mailbox.waiting())
  const interrupted = new AbortController()
  let stopped = false
  let late = false
  let held = false
  const abort = (): void => interrupted.abort()
  signal.addEventListener('abort', abort, { once: true })
  const stop = (): void => {
    stopped = true
    abort()
  }
  const hear = (): void => {
    if (mailbox.stopSeq(principal) > firstSeq || isTakenBack()) stop()
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
    stop,
    close() {
      forget()
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
