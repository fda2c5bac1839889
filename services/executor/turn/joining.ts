// What joins a turn that runs: further words of its person between two steps, and a correction of what it is asked at once. The answer to a
// question that its person has just corrected is not waited for: the model is asked again, with the correction.
import { mayJoin } from './next-move.ts'
import { attemptsAt, eventsOf, stepsDone } from '#services/executor/run/open-turn.ts'
import { joinable } from './plan.ts'
import type { TurnRun } from './turn-run.ts'

/** Each of them costs a call: whoever corrects more often is answered first. */
const mostCorrectedCalls = 3

/** Seqs of what waits and joins now, as far as it is known. */
export function findJoining(run: Pick<TurnRun, 'claim' | 'start' | 'turn'>): readonly number[] {
  const { waitingBeside, taken } = run.claim.mailbox
  const { principal, about, given, events } = run.start
  const own = eventsOf(run.turn())
  // The command or the press that it was begun by says nothing that could be corrected.
  const said = given === undefined ? own : own.slice(events.length)
  const items = joinable(waitingBeside(own), principal, { own: taken(said), about })
  const isCorrected = items.some(({ event }) => event.kind === 'edit')
  return mayJoin(run.turn(), isCorrected) ? items.map(({ seq }) => seq) : []
}

/** Whether a correction of what the turn is asked waits. */
export const isCorrected = (run: Pick<TurnRun, 'claim' | 'start' | 'turn'>): boolean =>
  findJoining(run).some((seq) => run.claim.mailbox.find(seq)?.kind === 'edit')

export type CallWatch = { readonly signal: AbortSignal; readonly isCorrected: () => boolean; close(): void }

/** Watches one call of the model: aborts when the turn is interrupted, or corrected. */
export function watchCall(run: TurnRun): CallWatch {
  const ended = new AbortController()
  const abort = (): void => ended.abort()
  const mayEnd = attemptsAt(run.turn(), stepsDone(run.turn())) <= mostCorrectedCalls
  let corrected = false
  const hear = (): void => {
    if (!mayEnd || !isCorrected(run)) return
    corrected = true
    abort()
  }
  run.interrupted.addEventListener('abort', abort, { once: true })
  if (run.interrupted.aborted) abort()
  const forget = run.claim.mailbox.onNews(hear)
  // It may have come before anybody listened.
  hear()
  return {
    signal: ended.signal,
    isCorrected: () => corrected,
    close() {
      forget()
      run.interrupted.removeEventListener('abort', abort)
    },
  }
}
