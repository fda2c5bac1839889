// What a turn that ends took in, and what its end is done with.
import type { AnswerEvent, ChatEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { languageOf, textOf, toInstructed } from '#services/executor/context/turn-items.ts'
import { aboutOf, eventsOf, toLast, type OpenTurn } from '#services/executor/run/open-turn.ts'

export type Stock = {
  /** With the entries of its last step. */
  readonly turn: OpenTurn
  readonly events: readonly ChatEvent[]
  /** Platform ids of the messages whose texts went into it. */
  readonly about: readonly string[]
  /** Seqs of its events, and of the stop that ended it. */
  readonly consume: readonly number[]
  /** Ids of what the reply answers. */
  readonly answers: string[]
  readonly asked: string
  readonly language: Language
  /** Of the model's instructions, for as long as the session goes. */
  readonly instructed: Language
  readonly tokens: number
  /** The press that had an answer rewritten. */
  readonly rewritten: AnswerEvent | undefined
  /** Nothing was done, and its person was told so often why that it is not said again. */
  readonly isSilent: boolean
}

export async function takeStock(
  deps: Pick<ExecutorDeps, 'pace' | 'noteAnswer'>,
  claim: Claim,
  {
    turn: before,
    entries,
    ending,
  }: { readonly turn: OpenTurn; readonly entries: readonly JournalEntry[]; readonly ending: TurnEnding },
): Promise<Stock> {
  const turn: OpenTurn = { start: before.start, entries: [...before.entries, ...entries] }
  const seqs = eventsOf(turn)
  const events = seqs.flatMap((seq) => claim.mailbox.find(seq) ?? [])
  const stop = ending === 'stopped' ? await findStop(claim, turn.start.principal) : undefined
  const asked = textOf(turn, events)
  const { principal } = turn.start
  // An approved call is made before the model is asked.
  const isIdle = ending === 'over-budget' && !turn.entries.some(({ t }) => t === 'llm:fin' || t === 'tool:fin')
  const isSilent = isIdle && (await deps.pace(principal, claim.conversation)) === 'silent'
  if (isIdle && !isSilent) deps.noteAnswer(principal)
  return {
    turn,
    events,
    about: aboutOf(turn, events),
    consume: stop ? [...seqs, stop.seq] : seqs,
    answers: [...events, ...(stop ? [stop.event] : [])].map((event) => event.id),
    asked,
    language: languageOf(claim.state, turn, events),
    instructed: toInstructed(claim.state, turn, events),
    tokens: turn.entries.reduce(
      (sum, entry) => sum + (entry.t === 'llm:fin' ? entry.usage.promptTokens + entry.usage.completionTokens : 0),
      0,
    ),
    isSilent,
    rewritten: toLast(turn.start) === 'rewrite' ? findPress(events) : undefined,
  }
}

export const findPress = (events: readonly ChatEvent[]): AnswerEvent | undefined =>
  events.find((event) => event.kind === 'answer')

/** The stop that ended the turn is answered with it, even if the router has not seen it yet. */
async function findStop(claim: Claim, principal: string): Promise<{ seq: number; event: ChatEvent } | undefined> {
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
