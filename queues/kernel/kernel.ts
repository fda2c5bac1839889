// The state kernel's interface: every change of state in the fleet is one of these units, each atomic and safe to repeat.
// Two implementations pass one contract suite: Redis with Lua (redis-kernel.ts) and the in-memory twin of the tests.
//
// What is done is done under an address: a conversation, or a task of it, whose rows, questions and records are those of its conversation.
// Life of an event:  ingested (seq) -> routed (decision) -> consumed (by the append that answers it). `ignore` decisions consume at once.
// Life of a run:     idle -claim-> leased(epoch) -append*-> idle by release; the next claim takes the lease of a dead process, and raises the epoch.
// Life of a row:     queued -begin-> sending -settle-> sent | failed | unknown | split | queued (retry, or unknown while the platform dedupes);  queued -> expired;  unknown -> sent (late success).
import type { Work } from '#queues/jobs/queue-names.ts'
import type { Address } from '#shared/chat/address.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Ruling } from '#shared/chat/decision.ts'
import type { Artifacts } from '#queues/artifacts/artifacts.ts'
import type { Held } from '#queues/fleet/take-from-gone.ts'
import type { Letters } from '#queues/letters/letters.ts'
import type { Questions } from '#queues/questions/questions.ts'
import type { Records } from '#queues/records/records.ts'
import type { Shown } from '#queues/shown/shown.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Question } from '#shared/run/question.ts'
import type { Append, AppendResult, Claimed, QueuedEvent, Stops, Waiting } from '#shared/run/step.ts'

/** Whose turns a literal stop ends: the sender's, or everyone's when the platform says the sender is an administrator. */
export type Stop = 'none' | 'own' | 'all'

/**
 * `FULL`: not taken, since 20,000 events or 32 MB wait in the conversation; a stop then acts all the same. `wakes`: the router had nothing
 * to look at there before.
 */
export type IngestResult = { readonly kind: 'NEW' | 'DUP' | 'FULL'; readonly seq: number; readonly wakes?: true }

/** What the router sees: unrouted events in order and what a decision needs. */
export type Inbox = {
  readonly routedSeq: number
  readonly events: readonly QueuedEvent[]
  /** Tail of the bot's previous reply, at most 2,000 characters. */
  readonly previousReply?: string
  /** Which look at the first of these events this is, when looks are counted. */
  readonly looks?: number
  /** Words may answer questions that are asked here. */
  readonly asks?: true
  /** A look that takes all or none showed nothing, since more waits than it may show, or a look at the first of them was lost. */
  readonly more?: true
}

export type Look = {
  /** It counts, unless another one began less than that ago; routing ends the count. */
  readonly lostAfterMs: number
  /** Where more than `limit` wait, or a look at the first one was lost, it shows nothing and counts nothing. */
  readonly allOrNone?: boolean
}

/** `work`: events wait, and no executor at work here has been told; `wakes`: none waited before; `tasks`: tasks that have an answer now that was said. */
export type RouteResult =
  | { readonly kind: 'OK'; readonly work: boolean; readonly wakes?: true; readonly tasks?: readonly Address[] }
  | { readonly kind: 'BEHIND' }

export type ClaimResult =
  | Claimed
  /** By another owner, whose process may live. */
  | Held
  | { readonly kind: 'PARKED'; readonly reason: string }
  /** A task that was dropped. */
  | { readonly kind: 'GONE' }
  /** What comes next there only a newer release can read. It is left, as by `leave`. */
  | { readonly kind: 'NEWER'; readonly reason: string }

export type BegunRow = {
  readonly id: string
  readonly body: OutBody
  /** By Redis' clock. */
  readonly cameAtMs: number
  readonly attempts: number
  /** receipt of the row it replaces, if that was delivered */ readonly replacesReceipt?: string
  /** A sender that was lost edited what it replaces: the last of its edits may arrive after this one. */
  readonly mayBeOvertaken?: boolean
}
export type BeginResult =
  | { readonly kind: 'ROW'; readonly row: BegunRow }
  /** `plan`: receipt of the plan that the draft tells of, once that was sent. */
  | { readonly kind: 'EMPTY'; readonly draft?: Draft | undefined; readonly plan?: string } // the sender's lease is given back, unless there is a draft to show
  | { readonly kind: 'WAIT'; readonly forMs: number } // the head may not be sent yet; the lease is given back, `due` tells when
  | Held

export type Sender = {
  readonly conversation: ConversationId
  /** This sender's id, the same over its begins and settles. */
  readonly owner: string
  readonly ttlMs: number
  /** After this long a request is taken for lost. */
  readonly sendTimeoutMs: number
  /**
   * For so long after the first attempt that may have arrived the platform dedupes by row id: an ambiguous row is then sent again, and
   * afterwards it ends `unknown`. 0 is never.
   */
  readonly idempotentForMs: number
  /** Begin nothing more and give the lease back, because the process stops: EMPTY, or WAIT 0 when rows remain for another. */
  readonly leave?: boolean
}
export type Outcome =
  | { readonly kind: 'sent'; readonly receipt: string }
  /** `closed`: nothing can be sent there any more, so that all open questions with a deadline are called off. */
  | { readonly kind: 'failed'; readonly reason: string; readonly closed?: true }
  /** It may have arrived. `afterMs`: when to repeat it, where the platform dedupes; at once when left out. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'split'; /** what to send instead, in order */ readonly bodies: readonly OutBody[] }
  /** `slowDown`: the platform asks for it, for this chat or for the whole bot. */
  | { readonly kind: 'retry'; readonly afterMs: number; readonly reason: string; readonly slowDown?: 'chat' | 'bot' }
  /** Not tried: the row's turn to be sent comes later. */
  | { readonly kind: 'later'; readonly afterMs: number }
  /** Not tried, and whoever sends next tries it, in its place. */
  | { readonly kind: 'left'; readonly afterMs: number; readonly reason: string }

/** Work that is due and has nobody at it. `sinceMs`: how long it waits. `isDropped`: whoever took it is gone, and its hint with them. */
export type Due = {
  readonly what: Work
  readonly conversation: Address
  readonly sinceMs: number
  readonly isDropped: boolean
}

/**
 * `work`: how much the partition has, due or not, taken or not; `oldestMs`: for how long the oldest of it has been due; `holders`: processes
 * that hold some of what is due; `fires`: timers or letters of the partition are due, so that `fire` has something to do.
 */
export type Swept = {
  readonly work: number
  readonly oldestMs: number
  readonly holders: readonly string[]
  readonly fires: boolean
  readonly due: readonly Due[]
}

/** The message that a growing reply becomes; `question` is that of its buttons. */
export type Beginning = { readonly turn: string; readonly body: OutBody; readonly question?: Question | undefined }

/** `SHOWN`: the message is there; its receipt is empty when nobody knows. */
export type PromoteResult = BeginResult | { readonly kind: 'SHOWN'; readonly receipt: string }

export type Kernel = Letters &
  Questions &
  Records &
  Artifacts &
  Shown & {
    /**
     * Appends an event once per `dedupeKey` (remembered 48 h, unless nothing was ever done in the conversation). With `echo` a person's message
     * also enters the conversation's out stream (web, console). `agoMs`: it was taken so long ago, and is given again; DUP where the
     * conversation was erased since.
     */
    ingest(input: {
      event: ChatEvent
      dedupeKey: string
      stop: Stop
      echo: boolean
      agoMs?: number
    }): Promise<IngestResult>
    /**
     * Stops what a principal had begun before an event came in under the key `spares`, or before now: that event and later ones are worked on as if nobody had stopped
     * anything. Unlike a stop that is said it leaves no event, so nothing answers it.
     */
    halt(address: Address, principal: PrincipalId, spares?: string): Promise<void>
    inbox(conversation: ConversationId, limit: number, look?: Look): Promise<Inbox>
    /** Counts the looks anew: who looked last lives, so they ended by something other than what the events say. */
    forgetLooks(conversation: ConversationId): Promise<void>
    /**
     * Writes decisions for the events after `expectedRoutedSeq`, in order; BEHIND when someone else routed meanwhile, or a call whose reply was
     * lost. `ids` are those of the events: BEHIND too when the store lost its last moments and others stand there now. What is ruled to be an
     * answer wins its question in the same unit, if it still can, and its event becomes that answer.
     */
    route(
      conversation: ConversationId,
      expectedRoutedSeq: number,
      decisions: readonly Ruling[],
      ids?: readonly string[],
    ): Promise<RouteResult>
    /**
     * Takes the run's lease for `ttlMs`, also from an owner whose process is gone. Repeating with the same `owner` while it holds the lease
     * succeeds with a new epoch.
     */
    claim(address: Address, owner: string, ttlMs: number): Promise<ClaimResult>
    /** Prolongs the lease and tells who was stopped meanwhile. */
    renew(
      address: Address,
      owner: string,
      ttlMs: number,
    ): Promise<{ readonly kind: 'OK'; readonly stops: Stops } | { readonly kind: 'LOST' }>
    /** Routed, unconsumed events above `afterSeq`, up to what only a newer release can read. */
    pending(address: Address, afterSeq: number): Promise<Waiting>
    /** An event still in the mailbox, routed or not. */
    findEvent(address: Address, seq: number): Promise<ChatEvent | undefined>
    append(address: Address, epoch: number, step: Append): Promise<AppendResult>
    /** Gives the lease back. MORE keeps it because events wait, unless `force`: then the work is left to the next worker at once. */
    release(address: Address, owner: string, epoch: number, force: boolean): Promise<'RELEASED' | 'MORE' | 'FENCED'>
    /**
     * Takes a start back that its process lives to see the end of: it counts as no attempt. `lost`: its lease was lost, which is excused
     * 50 times in a row; `waiting`: it has not begun yet, and claims again when it does.
     */
    excuse(address: Address, epoch: number, why: 'lost' | 'waiting'): Promise<void>
    /** The same for one that has not begun and gives the lease back: its work is due again in `forMs`. */
    putOff(address: Address, owner: string, epoch: number, forMs: number): Promise<void>
    /**
     * Leaves work to another process, since this one cannot read what a newer release stored there: it is due again soon, and the longer it
     * waits the more seldom. The lease of `hold` is given back, and its start counts for nothing; so does a router's look.
     */
    leave(
      work: 'route' | 'run',
      address: Address,
      hold?: { readonly owner: string; readonly epoch: number },
    ): Promise<void>
    /** Latest text of a reply in progress; gone after 60 s. Whether somebody heard of it: on a cluster not all who do are known. */
    saveDraft(conversation: ConversationId, draft: Draft): Promise<boolean>
    findDraft(conversation: ConversationId): Promise<Draft | undefined>
    /** Gives back whatever lease this owner may still have, a run's or a sender's. */
    disown(address: Address, owner: string): Promise<void>
    /** Takes the sender's lease, also from an owner whose process is gone, and the head row if it may be sent now. `op` is the same for every try of one call. */
    begin(sender: Sender, op: string): Promise<BeginResult>
    /**
     * Makes the growing reply of a turn a message, as row `<turn>.first`, while the outbox is empty and the turn has not ended; its last
     * row then replaces it. For the holder of the sender's lease.
     */
    promote(sender: Sender, beginning: Beginning, op: string): Promise<PromoteResult>
    /** Records the outcome and begins the next row, in one unit. */
    settle(sender: Sender, row: string, outcome: Outcome, op: string): Promise<BeginResult>
    /** Puts what was set aside into the mailbox again, as new events. Returns how many. */
    replay(conversation: ConversationId): Promise<number>
    /** Work due for at least `graceMs` without a lease of a process that is not among the `gone`, at most 100 per partition. */
    due(partition: number, graceMs: number, gone?: readonly string[]): Promise<readonly Due[]>
    /** The same for who hints it: what is returned is put off, by half its age and at most 20 s, until somebody takes it or more comes. */
    sweep(partition: number, graceMs: number, gone?: readonly string[]): Promise<Swept>
    /**
     * Puts away conversations in which nothing happened for `idleMs` and nothing is left to do: of each only what its snapshots named as
     * `rest` stays, and what web and console show. Returns how many were looked at, at most `most`.
     */
    archive(partition: number, idleMs: number, most: number): Promise<number>
    /** Takes a conversation out of service with a reason, or puts it back. */
    park(address: Address, reason: string): Promise<void>
    unpark(address: Address): Promise<void>
  }
