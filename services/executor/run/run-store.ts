// What the executor needs of the state kernel for one claimed conversation. The rest throws only when the store is gone; `append` also what
// it refuses for good, before anything is written.
import type { ChatEvent } from '#shared/chat/event.ts'
import type { KeptArtifact, KeptHead } from '#shared/run/artifact.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { Append, AppendResult, Waiting } from '#shared/run/step.ts'

export type RunStore = {
  append(step: Append): Promise<AppendResult>
  pending(afterSeq: number): Promise<Waiting>
  findEvent(seq: number): Promise<ChatEvent | undefined>
  /** Shows the text so far; may be dropped. */
  draft(draft: Draft): void
  /** The last text that was shown, by whatever worker; it is kept for a minute. */
  findDraft(): Promise<Draft | undefined>
  /** Of the conversation, while it is kept. */
  findArtifact(name: string): Promise<KeptArtifact | undefined>
  /** All that are kept, oldest first, without their texts. */
  listArtifacts(): Promise<readonly KeptHead[]>
  /** Calls back when something new may be waiting or someone said stop; returns what ends that. */
  onNews(callback: () => void): () => void
  /** A question id that finds its way home. */
  newQuestionId(): string
}
