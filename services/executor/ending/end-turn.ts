// Ends a turn: journal, new snapshot, consumed events and the reply's row are one unit, so a crash leaves all of it or none.
import { isTask } from '#shared/chat/address.ts'
import { toQuote } from '#shared/chat/spoken.ts'
import { isHopeless } from '#shared/errors.ts'
import { askFeatures, type AfterFeatures } from './ask-features.ts'
import { decideEnd, toReplyRows, type DecidedEnd } from './decide-end.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { joinCaused, type Append } from '#shared/run/step.ts'
import { withCompactionTimer } from '#services/executor/compaction/when.ts'
import { withSessionTimer } from '#services/executor/events/session-end.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { planEndRow } from '#services/executor/planning/plan-rows.ts'
import { recordTurn } from '#services/executor/step/record.ts'
import { takeStock, toWritten, type EndingTurn, type Stock } from './take-stock.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { withoutTold } from './waits-for.ts'
import type { ConversationState } from '#services/executor/state/state.ts'
import { toStored } from '#services/executor/state/stored.ts'
import { withUnsaved } from '#services/executor/turn/turn-run.ts'

/** LEFT: the lease is gone or the process stops; the turn stays open for its next owner. */
export type Ended =
  | { readonly kind: 'ENDED'; readonly state: ConversationState; readonly released: boolean }
  | { readonly kind: 'LEFT' }

/** Ends it as well as can be: where a try does not hold, the next one wants less. */
export async function endTurn(deps: ExecutorDeps, claim: Claim, first: EndingTurn): Promise<Ended> {
  let input = first
  for (;;) {
    const result = await tryToEnd(deps, claim, input)
    if (result.kind !== 'AGAIN') return result
    input = { ...input, ...result.with }
  }
}

/**
 * AGAIN: `isUnasked` where who asks for approvals failed to; without `handed` where its work could not be handed over; `isBare` where the store refuses for
 * good what features want; as stopped where its person stopped it meanwhile.
 */
type Tried = Ended | { readonly kind: 'AGAIN'; readonly with: Partial<EndingTurn> }

async function tryToEnd(deps: ExecutorDeps, claim: Claim, input: EndingTurn): Promise<Tried> {
  const ended = await takeStock(deps, claim, input)
  const decided = decideEnd(deps, claim, input, ended)
  const after = await askFeatures(deps, claim, { input, ended, ...decided })
  if (after.isUntaken) return { kind: 'AGAIN', with: { handed: undefined } }
  if (after.isUnasked && !input.isUnasked) return { kind: 'AGAIN', with: { isUnasked: true } }
  const { start } = ended.facts.turn
  const whose = { principal: start.principal, step: start.turn }
  const { state, caused } = isTask(claim.address)
    ? after
    : withCompactionTimer(claim, withSessionTimer(deps, claim, { ...after, ...whose }), whose)
  const saved = toStored(deps.features, state)
  const step = { ...toStep(deps, claim, { input, ended, decided, after: { state, caused } }), ...saved.step }
  const result = await claim.store.append(withUnsaved(step, input.unsaved)).catch((error: unknown) => {
    if (input.isBare || after.wanted.length === 0 || !isHopeless(error)) throw error
    for (const name of after.wanted) deps.onFeatureFailed(name, error)
    return undefined
  })
  if (!result) return { kind: 'AGAIN', with: { isBare: true, handed: undefined } }
  if (result.kind === 'STOPPED') {
    await claim.mailbox.refresh()
    return { kind: 'AGAIN', with: { entries: [], ending: 'stopped', written: toWritten(input), handed: undefined } }
  }
  if (result.kind === 'FENCED') return { kind: 'LEFT' }
  claim.mailbox.drop(ended.consume)
  claim.mailbox.noticeRouted(result.routedSeq)
  return { kind: 'ENDED', state: saved.state, released: result.released }
}

type Planned = {
  readonly input: EndingTurn
  readonly ended: Stock
  readonly decided: DecidedEnd
  readonly after: Pick<AfterFeatures, 'state' | 'caused'>
}

function toStep(deps: ExecutorDeps, claim: Claim, { input, ended, decided, after }: Planned): Append {
  const { ending, held } = input
  const { facts, consume, answers, isSilent } = ended
  const { said, reply } = decided
  const { turn, about, language } = facts
  const { start } = turn
  const endedAt = deps.now()
  const finish: JournalEntry = { v: 1, at: endedAt, turn: start.turn, t: 'turn:fin', ending, answers }
  // What was asked of a person stands with what they said to it.
  const asked = start.response ? `${toQuote(start.response.asked)}\n${facts.text}` : facts.text
  const record = recordTurn(claim.state, { facts, asked, mark: reply.mark, answer: said.text, ending, held, endedAt })
  const plan = isTask(claim.address) ? [] : planEndRow({ turn, language, ending, expiresInMs: deps.replyExpiresInMs })
  const shown = withoutTold(deps, after.state, {
    ...input,
    turn,
    ...said,
    caused: after.caused,
    rows: toReplyRows(deps, reply),
  })
  const rows = [...plan, ...shown].filter(({ id }) => !isSilent || id !== reply.card)
  return {
    key: `${start.turn}/end`,
    entries: [...input.entries, finish],
    ...(ending === 'answered' ? { unlessStopped: { principal: start.principal, firstSeq: start.firstSeq } } : {}),
    consume,
    ...joinCaused(
      { rows, questions: reply.under.map(({ question }) => question), records: isTask(claim.address) ? [] : [record] },
      after.caused,
    ),
    about,
    closes: claim.state.under?.questions ?? [],
    known: claim.mailbox.known(consume),
    folds: true,
    reply: said.text,
    progress: true,
    release: true,
  }
}
