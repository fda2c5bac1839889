// Commands that only read are answered as soon as they are routed, also while a turn runs; and so is a stop that cannot reach that turn.
import type { QueuedEvent } from '#shared/run/step.ts'
import { applyEvent, isReader, sayOthersWork } from '#services/executor/effects/apply.ts'
import type { Serving } from './serving.ts'
import { toWorkId } from './work-id.ts'

/** Answers what comes from now on while `serving` is busy; `drained` waits for those begun. */
export function answerReaders(serving: Serving): { drained(): Promise<void> } {
  const { deps, mailbox } = serving
  let last: Promise<void> = Promise.resolve()
  const begun = new Set<number>()
  mailbox.onNews(() => {
    if (!serving.busy) return
    for (const item of mailbox.waiting()) {
      if (begun.has(item.seq) || !(isReader(deps, item) || isVainStop(serving, item))) continue
      begun.add(item.seq)
      last = last.then(() => answer(serving, item)).catch(() => {})
    }
  })
  return { drained: () => last }
}

async function answer(serving: Serving, item: QueuedEvent): Promise<void> {
  const { deps, store, mailbox } = serving
  const applied = isVainStop(serving, item) ? sayOthersWork(deps, serving, item) : await applyEvent(deps, serving, item)
  const { rows, questions, turn } = applied
  if (turn) return
  const key = toWorkId('e', item)
  const seqs = [item.seq]
  // Nothing is journaled, so that any number of them leaves nothing behind in the turn.
  await store.append({ key, entries: [], consume: seqs, rows, questions, known: mailbox.known(seqs) })
  mailbox.drop(seqs)
}

/** Of somebody who has nothing under way, waiting or open here, while the work of another person runs. */
function isVainStop({ busy, mailbox, state }: Serving, { seq, event, decision }: QueuedEvent): boolean {
  if (!busy || decision?.act !== 'command' || decision.command.name !== 'stop') return false
  const { principal } = event
  if (principal === busy.principal || seq <= mailbox.stopSeq(busy.principal)) return false
  const isAsked = state.asking?.shown.some(({ to }) => to === principal) ?? false
  return !isAsked && mailbox.waitingBeside([seq]).every((other) => other.event.principal !== principal)
}
