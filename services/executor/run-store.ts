// What the executor needs of the state kernel for one claimed conversation. `append` and the rest throw only when the store is gone.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Decision } from '#shared/chat/decision.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { OutRow } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'

export type WaitingEvent = { readonly seq: number; readonly event: ChatEvent; readonly decision?: Decision }
export type StoppedSeqs = Readonly<Record<string, number>>

export type Step = {
  readonly key: string
  readonly entries: readonly JournalEntry[]
  readonly unlessStopped?: { readonly principal: PrincipalId; readonly firstSeq: number }
  readonly consume?: readonly number[]
  readonly setAside?: readonly number[]
  readonly rows?: readonly OutRow[]
  readonly questions?: readonly Question[]
  readonly snapshot?: string
  readonly reply?: string
  readonly progress?: boolean
  readonly release?: boolean
}
export type StepResult =
  | { readonly kind: 'OK' | 'DUP'; readonly routedSeq: number; readonly released: boolean }
  | { readonly kind: 'FENCED' }
  | { readonly kind: 'STOPPED' }

export type RunStore = {
  append(step: Step): Promise<StepResult>
  pending(
    afterSeq: number,
  ): Promise<{ readonly events: readonly WaitingEvent[]; readonly routedSeq: number; readonly stops: StoppedSeqs }>
  findEvent(seq: number): Promise<ChatEvent | undefined>
  /** Shows the text so far; may be dropped. */
  draft(turn: string, text: string): void
  /** Calls back when something new may be waiting or someone said stop; returns what ends that. */
  onNews(callback: () => void): () => void
  /** A question id that finds its way home. */
  newQuestionId(): string
}

/** What a claim gave. */
export type ClaimedRun = {
  readonly snapshot?: string
  readonly tail: readonly { readonly seq: number; readonly entry: JournalEntry }[]
  readonly pending: readonly WaitingEvent[]
  readonly routedSeq: number
  readonly attempts: number
  readonly stops: StoppedSeqs
}
