// A turn while it runs: its journal as far as it is known to be stored, what is written of its answer, and what interrupts it.
import type { Language } from '#shared/chat/message.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import type { ModelFailureKind } from '#shared/model/model-port.ts'
import type { Append, AppendResult } from '#shared/run/step.ts'
import type { ExecutorDeps } from './deps.ts'
import { createGrowingText, findText, type GrowingText } from './growing-text.ts'
import type { Interruption } from './next-move.ts'
import { textOf, toReplyTo, type OpenTurn, type TurnStart } from './open-turn.ts'
import type { Place } from './place.ts'
import { toLanguage } from './state.ts'

/** How a turn came to its end. */
export type End = {
  readonly kind: 'end'
  readonly ending: TurnEnding
  /** The last step's entries, not yet journaled. */
  readonly entries?: readonly JournalEntry[]
  readonly failure?: ModelFailureKind
  /** What an owner can raise where a budget is used up. */
  readonly setting?: string | undefined
}
/** What a move leads to beyond its step; undefined when the turn simply goes on. */
export type Outcome = End | { readonly kind: 'leave' } | undefined

export type TurnRun = {
  readonly deps: ExecutorDeps
  readonly place: Place
  readonly start: TurnStart
  /** The turn as of its last stored step. */
  turn(): OpenTurn
  /** Entries of a turn just begun, to be stored with its first step. */
  unsaved(): readonly JournalEntry[]
  /** Stores a step unless the turn was stopped; then, and when the lease is gone, says what that leads to. */
  save(step: Append): Promise<Outcome>
  /** What each entry begins with. */
  stamp(): Pick<JournalEntry, 'v' | 'at' | 'turn'>
  readonly growing: GrowingText
  /** That a message was too long and is known to the model in part. */
  noticeCut(): void
  isCut(): boolean
  /** Aborts when something interrupts the turn. */
  readonly interrupted: AbortSignal
  interruption(): Interruption | undefined
  close(): void
}

/** Takes up a turn. `unsaved` are entries of a turn just begun. It runs until `close`; `signal` makes it leave. */
export async function openTurnRun(
  deps: ExecutorDeps,
  place: Place,
  begun: { readonly turn: OpenTurn; readonly unsaved: readonly JournalEntry[] },
  signal: AbortSignal,
): Promise<TurnRun> {
  const { store, mailbox } = place
  const { start } = begun.turn
  let { turn, unsaved } = begun
  let cut = false
  const about = await describe(place, begun)
  const watch = watchInterruptions(deps, place, start, signal)
  const growing = createGrowingText(store, about.draft, { before: about.before, now: deps.now })
  return {
    deps,
    place,
    start,
    turn: () => turn,
    unsaved: () => unsaved,
    async save(step) {
      const unlessStopped = { principal: start.principal, firstSeq: start.firstSeq }
      const result = await store.append({ ...step, entries: [...unsaved, ...step.entries], unlessStopped })
      if (result.kind === 'STOPPED') return { kind: 'end', ending: 'stopped' }
      if (!isSaved(result)) return { kind: 'leave' }
      turn = { start, entries: [...turn.entries, ...step.entries] }
      unsaved = []
      mailbox.noticeRouted(result.routedSeq)
      return undefined
    },
    stamp: () => ({ v: 1, at: deps.now(), turn: start.turn }),
    growing,
    noticeCut: () => void (cut = true),
    isCut: () => cut,
    interrupted: watch.interrupted,
    interruption: watch.interruption,
    close() {
      watch.close()
      growing.end()
    },
  }
}

type Saved = Extract<AppendResult, { kind: 'OK' | 'DUP' }>
const isSaved = (result: AppendResult): result is Saved => result.kind === 'OK' || result.kind === 'DUP'

/** What is shown of the turn while it runs, and what an earlier owner of it had shown. */
async function describe(
  { store, mailbox, state }: Place,
  { turn, unsaved }: { readonly turn: OpenTurn; readonly unsaved: readonly JournalEntry[] },
): Promise<{ draft: Omit<Draft, 'text' | 'step'>; before: Draft | undefined }> {
  const taken = turn.start.events.flatMap((seq) => mailbox.find(seq) ?? [])
  const language: Language = toLanguage(state, textOf(turn, taken))
  return {
    draft: { turn: turn.start.turn, ...toStopper(turn.start), language, ...toReplyTo(taken) },
    before: unsaved.length > 0 ? undefined : await findText(store, turn.start.turn),
  }
}

/** A rewritten answer takes the place of the last one, so it does not become a message while it grows. */
const toStopper = ({ class: { rule }, principal }: TurnStart): Partial<Draft> =>
  rule === 'resize' ? {} : { principal }

/** A stop of the turn's person, the limit of time, or `signal`. Cheaper than AbortSignal.any, which every turn would pay. */
function watchInterruptions(
  deps: ExecutorDeps,
  { mailbox }: Place,
  { principal, firstSeq, at }: TurnStart,
  signal: AbortSignal,
): Pick<TurnRun, 'interrupted' | 'interruption' | 'close'> {
  const interrupted = new AbortController()
  let stopped = false
  let late = false
  const abort = (): void => interrupted.abort()
  signal.addEventListener('abort', abort, { once: true })
  const forget = mailbox.onNews(() => {
    if (mailbox.stopSeq(principal) <= firstSeq) return
    stopped = true
    abort()
  })
  const timer = setTimeout(() => ((late = true), abort()), at + deps.limits.maxWallMs - deps.now())
  return {
    interrupted: interrupted.signal,
    interruption: () => (stopped ? 'stopped' : signal.aborted ? 'left' : late ? 'late' : undefined),
    close() {
      forget()
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}
