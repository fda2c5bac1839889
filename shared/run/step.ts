// The vocabulary between the executor and the state kernel: what a claim gives, what a step writes, what becomes of it.
import type { Address } from '#shared/chat/address.ts'
import type { ChatEvent, ExpiredEvent, LetterEvent, SessionEndEvent, TimerEvent } from '#shared/chat/event.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Decision } from '#shared/chat/decision.ts'
import type { Artifact } from './artifact.ts'
import type { JournalEntry } from './journal.ts'
import type { OutRow } from './out-row.ts'
import type { Question } from './question.ts'
import type { Recorded } from './record.ts'

/** An event with its number in the mailbox; `decision` is absent until it is routed. */
export type QueuedEvent = { readonly seq: number; readonly event: ChatEvent; readonly decision?: Decision }

/** Highest seq of a literal stop, by principal; `*` holds for everyone. One that found no room in the mailbox lies between two events. */
export type Stops = Readonly<Record<string, number>>

export type Claimed = {
  readonly kind: 'CLAIMED'
  /** Fencing token: greater than every earlier one of this run. */
  readonly epoch: number
  /** The folded state, absent for a new run. */
  readonly snapshot?: string
  /** The parts of the state that stand beside it, by name. */
  readonly parts: Readonly<Record<string, string>>
  /** What long silence would leave of all this; absent where no step said it. */
  readonly rest?: string
  /** The seq of the last journal entry. */
  readonly journalSeq: number
  /** Journal entries since the last fold, with dense seqs. */
  readonly tail: readonly { readonly seq: number; readonly entry: JournalEntry }[]
  /** Routed events not yet consumed, in order, at most 200. */
  readonly pending: readonly QueuedEvent[]
  readonly routedSeq: number
  /** How many claims in a row began with the same head event, finished no step and were not excused: 1 is a normal start. */
  readonly attempts: number
  readonly stops: Stops
  /** When it was claimed, in Redis' time. */
  readonly atMs: number
  /** More answers wait to be sent than may be before they expire: no turn is to be begun. */
  readonly isCongested: boolean
}

/** What waits in a mailbox now. */
export type Waiting = Pick<Claimed, 'routedSeq' | 'stops' | 'isCongested'> & { readonly events: readonly QueuedEvent[] }

/** What a timer says when it fires: the event, but for its time. */
type Later<E> = E extends unknown ? Omit<E, 'at'> : never
export type Timer = {
  /** Unique in its conversation: one that is armed again is armed anew. `a-z`, `0-9`, `.`, `_` and `-`. */
  readonly name: string
  /** In Redis' time. */
  readonly inMs: number
  readonly event: Later<TimerEvent | SessionEndEvent | ExpiredEvent | LetterEvent>
}

/** To another conversation, `event.conversation`: the event that it is there, but for its time. Its id is like no other's. */
export type Letter = { readonly event: Later<LetterEvent> }

/**
 * To a task of this conversation, or from a task to its conversation or to itself: the event is there with this step, but for its time. `begins`: a task that is not
 * there yet begins, and goes when one of these messages, by their platform's ids, is forgotten. `stops`: what the task does for this principal ends. For a task that
 * is gone nothing is done.
 */
export type Signal = {
  readonly to: Address
  readonly event: Later<LetterEvent>
  readonly begins?: readonly string[]
  readonly stops?: PrincipalId
}

/** Which open questions with a deadline end: all of the conversation, those asked for one person, or the one on a topic. */
export type Cancel = { readonly all: true } | { readonly asker: PrincipalId } | { readonly topic: string }

export type Append = {
  /** The same for every try of this step; a second append under it changes nothing. Unique within the turn and its generation. */
  readonly key: string
  readonly entries: readonly JournalEntry[]
  /** The last journal seq as the run knows it: FENCED when the journal has another, as after Redis lost its last moments. */
  readonly afterSeq?: number
  /** Refuse with STOPPED when this principal, or everyone, was stopped after `firstSeq`. */
  readonly unlessStopped?: { readonly principal: PrincipalId; readonly firstSeq: number }
  /** Events done with by this step: FENCED when one is not there. */
  readonly consume?: readonly number[]
  /** Of those, the ones kept for a replay because their turn crashed its worker too often. */
  readonly setAside?: readonly number[]
  readonly rows?: readonly OutRow[]
  /** Platform ids of the messages whose texts went into the rows. */
  readonly about?: readonly string[]
  /** Platform ids of messages that this step forgets: what is kept of them beside the state goes before it is stored. */
  readonly forgets?: readonly string[]
  /** What a page offers as the newest file of the conversation from now on, as its reader understands it. */
  readonly file?: string
  readonly questions?: readonly Question[]
  /** Events of the mailbox as the run knows them: FENCED when others stand there, as after Redis lost its last moments. */
  readonly known?: readonly { readonly seq: number; readonly id: string }[]
  /** Questions, by id, that nobody may answer any more. */
  readonly closes?: readonly string[]
  /** Timers to be armed; no conversation has more than a thousand, deadlines of questions included. */
  readonly timers?: readonly Timer[]
  /** Names of timers that are not to fire any more. */
  readonly disarms?: readonly string[]
  readonly cancels?: readonly Cancel[]
  /** To be carried once each, those to one conversation in this order; no conversation has more than a thousand on their way. */
  readonly letters?: readonly Letter[]
  readonly signals?: readonly Signal[]
  /** Numbers of tasks of this conversation that go, with all that they keep. */
  readonly drops?: readonly number[]
  /** What is kept of what ended with this step, for those who read later. */
  readonly records?: readonly Recorded[]
  /** Texts kept whole beside the conversation, each under a name of its own; the oldest go where there are many, but for a task's work (queues/artifacts). */
  readonly artifacts?: readonly Artifact[]
  /** Names of those that go; what this step keeps under one of them stays. */
  readonly dropsArtifacts?: readonly string[]
  /** The session is over: what is kept of it as artifacts goes in seven days, unless one that comes after it keeps some. */
  readonly endsSession?: boolean
  /** Folds the journal: snapshot and parts now stand for all that it said. Ends a turn. */
  readonly folds?: boolean
  /** The folded state from now on, with `folds`; what is stored stays when this is left out. */
  readonly snapshot?: string
  /** Parts of the state that changed, by name (`a-z` first); an empty one goes, those not named stay as they are. */
  readonly parts?: Readonly<Record<string, string>>
  /** The snapshot that is left of all this when the conversation is put away after long silence, empty for none; as it was when left out. */
  readonly rest?: string
  /** Tail of what the bot said, for the router; an empty one goes. */
  readonly reply?: string
  /** A finished step: attempts start anew. */
  readonly progress?: boolean
  /** Give the lease back in the same unit if nothing waits. */
  readonly release?: boolean
}

/** What a step causes beside its state. */
export type Caused = Pick<
  Append,
  | 'rows'
  | 'questions'
  | 'timers'
  | 'disarms'
  | 'cancels'
  | 'letters'
  | 'signals'
  | 'drops'
  | 'records'
  | 'artifacts'
  | 'dropsArtifacts'
  | 'endsSession'
>

/** Both, in order. */
export const joinCaused = (a: Caused, b: Caused): Required<Caused> => ({
  rows: join(a.rows, b.rows),
  questions: join(a.questions, b.questions),
  timers: join(a.timers, b.timers),
  disarms: join(a.disarms, b.disarms),
  cancels: join(a.cancels, b.cancels),
  letters: join(a.letters, b.letters),
  signals: join(a.signals, b.signals),
  drops: join(a.drops, b.drops),
  records: join(a.records, b.records),
  ...joinKept(a, b),
  endsSession: a.endsSession === true || b.endsSession === true,
})

type Kept = Pick<Append, 'artifacts' | 'dropsArtifacts'>
/** What is dropped later is not kept. */
export const joinKept = (a: Kept, b: Kept): Required<Kept> => ({
  artifacts: join(without(a.artifacts, b.dropsArtifacts), b.artifacts),
  dropsArtifacts: join(a.dropsArtifacts, b.dropsArtifacts),
})

const without = (artifacts: readonly Artifact[] = none, names: readonly string[] = none): readonly Artifact[] =>
  names.length === 0 ? artifacts : artifacts.filter(({ name }) => !names.includes(name))

/** Most are empty, and every message joins some. */
const none: readonly never[] = []
function join<T>(a: readonly T[] = none, b: readonly T[] = none): readonly T[] {
  if (a.length === 0) return b
  return b.length === 0 ? a : [...a, ...b]
}

export type AppendResult =
  | { readonly kind: 'OK' | 'DUP'; readonly routedSeq: number; readonly released: boolean; readonly journalSeq: number }
  | { readonly kind: 'FENCED' }
  | { readonly kind: 'STOPPED' }
