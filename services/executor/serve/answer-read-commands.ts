// Commands that only read are answered as soon as they are routed, also while a turn runs; and so is a stop that cannot reach that turn.
import type { QueuedEvent } from '#shared/run/step.ts'
import { applyEvent, sayOthersWork } from '#services/executor/events/apply.ts'
import { isReadCommand } from '#services/executor/run/read-command.ts'
import type { Serving } from '#services/executor/step/serving.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'

/** Answers what comes from now on while `serving` is busy; `drained` waits for those begun. */
export function answerReadCommands(serving: Serving): { drained(): Promise<void> } {
  const { deps, mailbox } = serving
  let last: Promise<void> = Promise.resolve()
  const begun = new Set<number>()
  mailbox.onNews(() => {
    if (!serving.busy) return
    for (const item of mailbox.waiting()) {
      const isVain = isVainStop(serving, item)
      if (begun.has(item.seq) || !(isVain || isReadCommand(deps, item))) continue
      begun.add(item.seq)
      last = last.then(() => answer(serving, item, isVain)).catch(() => {})
    }
  })
  return { drained: () => last }
}

/** `isVain` as it was when the item came: that turn may have ended by now, and nothing else is to be called off. */
async function answer(serving: Serving, item: QueuedEvent, isVain: boolean): Promise<void> {
  const { deps, store, mailbox } = serving
  const applied = isVain ? sayOthersWork(deps, serving, item) : await applyEvent(deps, serving, item)
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
