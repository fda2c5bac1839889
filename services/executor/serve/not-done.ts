// What is not answered: what there is no room for, and what was stopped before it began. Each is told.
import { unbutton } from '#shared/run/out-row.ts'
import { joinCaused, type Caused, type QueuedEvent } from '#shared/run/step.ts'
import { messageIdsOf, type TurnStart } from '#services/executor/run/open-turn.ts'
import type { Action } from '#services/executor/turn/plan.ts'
import { toRows } from '#services/executor/step/carry.ts'
import { finish, spoken, tell, toAsked, type Served, type Serving } from '#services/executor/step/serving.ts'
import { boundAbout, keepPutOff, type PutOff } from '#services/executor/state/state.ts'
import { texts } from '#services/executor/run/texts.ts'

/** So often one person is told that a /retry has to wait too. */
const stillEveryMs = 60_000
/** Of what is kept for a /retry. */
export const keptChars = 4000

/** Drops what was stopped before it was begun. */
export async function dropStopped(
  serving: Serving,
  { events, stop }: Extract<Action, { kind: 'drop' }>,
): Promise<Served | undefined> {
  const items = stop ? [...events, stop] : events
  return await finish(serving, { ...tell(serving, 'dropped', items), seqs: items.map((item) => item.seq) })
}

/**
 * More answers wait than may be sent in time, so one more is not made. Each person is told so once in a while, unless another was told
 * a moment before, and more often when they ask again by /retry.
 */
export async function putOff(
  serving: Serving,
  principal: string,
  items: readonly QueuedEvent[],
  {
    given,
    about: repeated = [],
    last,
    for: eyes,
    ...shown
  }: Pick<TurnStart, 'given' | 'about' | 'last' | 'for'> & Caused,
): Promise<Served | undefined> {
  const { deps, state } = serving
  const nowMs = deps.now()
  const before: PutOff = state.putOff?.[principal] ?? { text: '', toldAt: 0, stillAt: 0 }
  const { text, toldAt: own, stillAt } = before
  // What was said to another person lately stands here for all: it takes the place of an answer.
  const saidAt = Math.max(0, ...Object.values(state.putOff ?? {}).map((one) => one.toldAt))
  const toldAt = nowMs - saidAt < deps.replyExpiresInMs / 5 ? saidAt : own
  const isTold = nowMs - toldAt < deps.replyExpiresInMs
  const isQuiet = isTold && (given === undefined || nowMs - stillAt < stillEveryMs)
  // What a button had done to the last answer is no question: /retry asks the one before.
  const asked = last ? '' : toAsked(items, given).slice(0, keptChars)
  // A /retry that finds no room either is about what it repeats.
  const about = given === undefined ? boundAbout(messageIdsOf(items.map(({ event }) => event))) : repeated
  const kept = {
    text: asked || text,
    about: asked ? about : before.about,
    ...(asked ? (eyes === undefined ? {} : { for: eyes }) : { for: before.for }),
    toldAt: isTold ? toldAt : nowMs,
    stillAt: isQuiet || given === undefined ? stillAt : nowMs,
  }
  serving.keep(keepPutOff(state, principal, kept))
  const [what, language] = [isTold ? 'stillCongested' : 'congested', spoken(serving, items, given)] as const
  const { rows, ...told } = tell(serving, what, items, { text: texts[what][language], language })
  const seqs = items.map((item) => item.seq)
  // The buttons that asked for the turn are of no use any more.
  const off = items.flatMap(({ event }) =>
    event.kind === 'answer' && event.card !== undefined ? [unbutton(event.card, event.messageId)] : [],
  )
  const offRows = toRows(deps, `${told.key}-off`, off)
  return await finish(serving, {
    ...told,
    ...joinCaused(shown, { rows: [...(isQuiet ? [] : (rows ?? [])), ...offRows] }),
    seqs,
  })
}
