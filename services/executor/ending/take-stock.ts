// What a turn that ends took in, and what its end is done with.
import { isTask } from '#shared/chat/address.ts'
import type { AnswerEvent, ChatEvent } from '#shared/chat/event.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import type { PromptPart } from '#shared/run/record.ts'
import { toFacts, type TurnFacts } from '#services/executor/context/turn-facts.ts'
import type { HandedOver } from '#shared/feature/plan-taker.ts'
import type { Unsaved } from '#services/executor/turn/turn-run.ts'
import type { EndedTurn } from './ending-text.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { eventsOf, type OpenTurn } from '#services/executor/run/open-turn.ts'

/** A turn that comes to its end. */
export type EndingTurn = {
  readonly turn: OpenTurn
  /** The last step's entries, not yet journaled. */
  readonly entries: readonly JournalEntry[]
  readonly unsaved: Unsaved
  readonly ending: TurnEnding
  readonly held?: readonly PromptPart[] | undefined
  /** Without what features want done at its end. */
  readonly isBare?: boolean
  /** The feature that asks for approvals could not: without it. */
  readonly isUnasked?: boolean
  /** Which feature takes the work over, and what it says and wants. */
  readonly handed?: HandedOver | undefined
} & Pick<EndedTurn, 'written' | 'cut' | 'failure' | 'raise'>

export type Stock = {
  /** Of the turn with the entries of its last step. */
  readonly facts: TurnFacts
  /** Seqs of its events, and of the stop that ended it. */
  readonly consume: readonly number[]
  /** Ids of what the reply answers. */
  readonly answers: string[]
  readonly tokens: number
  /** The press that had an answer rewritten. */
  readonly rewritten: AnswerEvent | undefined
  /** Nothing was done, and its person was told so often why that it is not said again. */
  readonly isSilent: boolean
}

export async function takeStock(
  deps: Pick<ExecutorDeps, 'pace' | 'noteAnswer'>,
  claim: Claim,
  { turn: before, entries, ending }: Pick<EndingTurn, 'turn' | 'entries' | 'ending'>,
): Promise<Stock> {
  const turn: OpenTurn = { start: before.start, entries: [...before.entries, ...entries] }
  const facts = toFacts(turn, claim)
  const { events } = facts
  const seqs = eventsOf(turn)
  const stop = ending === 'stopped' ? await findStop(claim, turn.start.principal) : undefined
  const { principal } = turn.start
  // An approved call is made before the model is asked.
  const isIdle = ending === 'over-budget' && !turn.entries.some(({ t }) => t === 'llm:fin' || t === 'tool:fin')
  const isSilent = isIdle && (await deps.pace(principal, claim.conversation)) === 'silent'
  if (isIdle && !isSilent) deps.noteAnswer(principal)
  return {
    facts,
    consume: stop ? [...seqs, stop.seq] : seqs,
    answers: [...events, ...(stop ? [stop.event] : [])].map((event) => event.id),
    tokens: turn.entries.reduce(
      (sum, entry) => sum + (entry.t === 'llm:fin' ? entry.usage.promptTokens + entry.usage.completionTokens : 0),
      0,
    ),
    isSilent,
    rewritten: turn.start.last === 'rewrite' ? findPress(events) : undefined,
  }
}

export const findPress = (events: readonly ChatEvent[]): AnswerEvent | undefined =>
  events.find((event) => event.kind === 'answer')

/** The stop that ended the turn is answered with it, even if the router has not seen it yet. Of a task it is more: a pause, or another order. */
async function findStop(claim: Claim, principal: string): Promise<{ seq: number; event: ChatEvent } | undefined> {
  if (isTask(claim.address)) return undefined
  const seq = claim.mailbox.stopSeq(principal)
  const event = seq > 0 ? await claim.store.findEvent(seq) : undefined
  return event ? { seq, event } : undefined
}

/** An answer that was whole when a stop came before it. */
export const toWritten = ({
  entries,
  written,
}: {
  readonly entries: readonly JournalEntry[]
  readonly written: string
}): string => entries.findLast((entry) => entry.t === 'llm:fin')?.text ?? written
