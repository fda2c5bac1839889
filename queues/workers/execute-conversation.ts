// The executor's worker: claims a conversation's lease, serves it, gives it back. Its process keeps the lease alive by living.
import { setTimeout as sleep } from 'node:timers/promises'
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import { BotError, isHopeless, isNewer } from '#shared/errors.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { Liveness } from '#queues/fleet/liveness.ts'
import type { ClaimResult, Kernel } from '#queues/kernel/kernel.ts'
import type { Claimed } from '#shared/run/step.ts'
import { randomId, toPartition, toQuestionId } from '#queues/partition.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import type { Carry } from './carry-letters.ts'
import { aborted, type Company, type Visit } from './company.ts'
import { forgetShown, nameAbout } from '#queues/shown/forget-shown.ts'
import { createDrafting } from './drafting.ts'
import type { GiveBack } from './give-back.ts'
import type { Signals } from '#queues/fleet/signals.ts'
import { keepLease, type KeepDeps } from './keep-lease.ts'

export type ExecuteDeps = {
  readonly kernel: Kernel
  readonly hints: Pick<Hints, 'inbound' | 'outbound' | 'execute'>
  readonly signals: KeepDeps['signals'] & Pick<Signals, 'listen'>
  readonly liveness: KeepDeps['liveness'] & Pick<Liveness, 'newOwner' | 'endOwner' | 'isGone'>
  readonly giveBack: GiveBack
  readonly company: Company
  /** Asked where letters were written. */
  readonly carry?: Carry
  serve(
    run: { conversation: ConversationId; claimed: Claimed; store: RunStore },
    signal: AbortSignal,
  ): Promise<'RELEASED' | 'EMPTY' | 'LEFT'>
  onParked(conversation: ConversationId, reason: string): void
  /** It holds what only a newer release can read, and is left to it. */
  onLeft(conversation: ConversationId, reason: string): void
}

const excuseAgainMs = 1000

/** Serves a conversation until nothing waits. A conversation held by another worker is left to it. */
export async function executeConversation(
  deps: ExecuteDeps,
  conversation: ConversationId,
  shutdown: AbortSignal,
): Promise<void> {
  const visit = await deps.company.enter(shutdown)
  if (!visit) return await deps.hints.execute(conversation)
  const owner = deps.liveness.newOwner()
  try {
    await serveIn(deps, { conversation, owner, visit }, shutdown)
  } finally {
    deps.liveness.endOwner(owner)
    visit.leave()
  }
}

async function serveIn(
  deps: ExecuteDeps,
  {
    conversation,
    owner,
    visit,
  }: { readonly conversation: ConversationId; readonly owner: string; readonly visit: Visit },
  shutdown: AbortSignal,
): Promise<void> {
  const orReturn = (error: unknown): never => {
    deps.giveBack(conversation, owner)
    throw error
  }
  const claimed = await claim(deps, conversation, owner).catch(orReturn)
  if (claimed.kind === 'HELD') return
  if (claimed.kind === 'PARKED') return deps.onParked(conversation, claimed.reason)
  if (claimed.kind === 'NEWER') return deps.onLeft(conversation, claimed.reason)
  const permit = visit.find(claimed.attempts)
  // Should the process die of another before it has begun, its start does not count.
  if (permit.kind === 'FULL')
    return await deps.kernel.putOff(conversation, owner, claimed.epoch, permit.afterMs).catch(orReturn)
  const hold = openHold(deps, { conversation, owner, claimed, onProgress: visit.proved }, shutdown)
  try {
    if (permit.calm && !(await waitForCalm(hold, permit.calm))) return
    await serveAll(hold)
  } catch (error) {
    if (isNewer(error)) return await leaveIt(hold, error.message)
    if (error instanceof BotError && error.retry !== 'never') await takeStartBack(hold)
    if (isHopeless(error)) await putOffFault(hold)
    if (!(error instanceof BotError) || error.code !== 'store-corrupt') throw error
    await deps.kernel.park(conversation, error.message)
    await giveBack(hold, true)
    deps.onParked(conversation, error.message)
  } finally {
    hold.close()
    if (!hold.isReturned()) deps.giveBack(conversation, owner)
  }
}

/** Where it cannot be told yet whether its holder lives, that is waited for. */
async function claim(
  { kernel, liveness }: ExecuteDeps,
  conversation: ConversationId,
  owner: string,
): Promise<ClaimResult> {
  const first = await kernel.claim(conversation, owner, liveness.leaseMs)
  if (first.kind !== 'HELD' || first.unsure === undefined || !(await liveness.isGone(first.unsure))) return first
  return await kernel.claim(conversation, owner, liveness.leaseMs)
}

/**
 * It was not even set aside. The process lives, so no start is counted: else one conversation would have all others of its process wait
 * for it. It is looked at again later and later.
 */
async function putOffFault(hold: Hold): Promise<void> {
  const { deps, conversation, owner } = hold
  hold.stopRenewing()
  await deps.kernel.leave('run', conversation, { owner, epoch: hold.claimed().epoch }).then(hold.noteReturned, () => {})
}

/** What has been done of it stays done. */
async function leaveIt(hold: Hold, reason: string): Promise<void> {
  const { deps, conversation, owner } = hold
  hold.stopRenewing()
  await deps.kernel.leave('run', conversation, { owner, epoch: hold.claimed().epoch })
  hold.noteReturned()
  deps.onLeft(conversation, reason)
}

/** A conversation in this worker's hands, under a lease that is kept alive until `stopRenewing` or `close`. */
type Hold = {
  readonly deps: ExecuteDeps
  readonly conversation: ConversationId
  readonly owner: string
  readonly shutdown: AbortSignal
  /** As of the last claim. */
  claimed(): Claimed
  useClaim(claimed: Claimed): void
  readonly store: RunStore
  /** Aborts when the lease is lost or the process stops. */
  readonly left: AbortSignal
  isLost(): boolean
  /** Whether it is known that the lease was given back, or is another's. */
  isReturned(): boolean
  noteReturned(): void
  stopRenewing(): void
  close(): void
}

function openHold(
  deps: ExecuteDeps,
  { conversation, owner, claimed, onProgress }: Pick<Hold, 'conversation' | 'owner'> & Opened,
  shutdown: AbortSignal,
): Hold {
  let last = claimed
  let lost = false
  let returned = false
  const left = new AbortController()
  const leave = (): void => left.abort()
  if (shutdown.aborted) leave()
  shutdown.addEventListener('abort', leave, { once: true })
  const renewal = keepLease(deps, { conversation, owner, stops: claimed.stops }, () => {
    lost = true
    leave()
  })
  const store = createStore(deps, conversation, { claimed, onProgress })
  return {
    deps,
    conversation,
    owner,
    shutdown,
    claimed: () => last,
    useClaim(again) {
      last = again
      store.useClaim(again)
    },
    store,
    left: left.signal,
    isLost: () => lost,
    isReturned: () => returned,
    noteReturned: () => {
      returned = true
    },
    stopRenewing: () => renewal.stop(),
    close() {
      renewal.stop()
      shutdown.removeEventListener('abort', leave)
    },
  }
}
type Opened = { readonly claimed: Claimed; onProgress(): void }

/** Waits until it may be alone here; false when it is no longer its own then. */
async function waitForCalm(hold: Hold, calm: Promise<void>): Promise<boolean> {
  await hold.deps.kernel.excuse(hold.conversation, hold.claimed().epoch, 'waiting')
  await Promise.race([calm, aborted(hold.left)])
  return await claimAgain(hold)
}

async function serveAll(hold: Hold): Promise<void> {
  const { deps, conversation, store, left, shutdown } = hold
  for (;;) {
    const served = await deps.serve({ conversation, claimed: hold.claimed(), store }, left)
    if (served === 'RELEASED') return hold.noteReturned()
    if (served === 'LEFT') {
      const given = hold.isLost() ? 'FENCED' : await giveBack(hold, true)
      if (given === 'FENCED') await takeStartBack(hold)
      if (shutdown.aborted) await deps.hints.execute(conversation)
      return
    }
    if ((await giveBack(hold, false)) !== 'MORE') return
    if (!(await claimAgain(hold))) return
  }
}

async function giveBack({ deps, conversation, owner, claimed, noteReturned }: Hold, force: boolean) {
  const given = await deps.kernel.release(conversation, owner, claimed().epoch, force)
  if (force || given !== 'MORE') noteReturned()
  return given
}

async function claimAgain(hold: Hold): Promise<boolean> {
  const again = await hold.deps.kernel.claim(hold.conversation, hold.owner, hold.deps.liveness.leaseMs)
  if (again.kind === 'NEWER') hold.deps.onLeft(hold.conversation, again.reason)
  if (again.kind !== 'CLAIMED') return false
  hold.useClaim(again)
  return true
}

/** The process lives: an outage or a pause took the lease, not the event. */
async function takeStartBack(hold: Hold): Promise<void> {
  const { deps, conversation, shutdown } = hold
  hold.stopRenewing()
  while (!shutdown.aborted) {
    const told = await deps.kernel.excuse(conversation, hold.claimed().epoch, 'lost').then(
      () => true,
      (error: unknown) => !(error instanceof BotError) || error.retry === 'never',
    )
    if (told) return
    await sleep(excuseAgainMs, undefined, { signal: shutdown }).catch(() => {})
  }
}

function createStore(
  deps: ExecuteDeps,
  conversation: ConversationId,
  first: Opened,
): RunStore & { useClaim(claimed: Claimed): void } {
  const delivered = !hasStream(conversation)
  let { epoch, journalSeq } = first.claimed
  // One append at a time: only the last one can be in doubt, and its key tells whether it was written.
  let last: Promise<unknown> = Promise.resolve()
  return {
    useClaim(again) {
      epoch = again.epoch
      journalSeq = again.journalSeq
    },
    append(step) {
      const result = last.then(async () => {
        await forgetShown(deps.kernel, conversation, step.forgets ?? [])
        const named = delivered ? step : nameAbout(step)
        const answer = await deps.kernel.append(conversation, epoch, { ...named, afterSeq: journalSeq })
        if ('journalSeq' in answer) journalSeq = answer.journalSeq
        return answer
      })
      last = result.catch(() => {})
      return result.then((answer) => {
        if (step.progress && answer.kind === 'OK') first.onProgress()
        if (delivered && step.rows?.length && (answer.kind === 'OK' || answer.kind === 'DUP'))
          deps.hints.outbound(conversation).catch(() => {})
        if (step.letters?.length && answer.kind === 'OK') deps.carry?.(toPartition(conversation))
        // A question that ends for this one, or is called off, is an event now.
        const ends = step.cancels?.length || step.questions?.some(({ topic }) => topic !== undefined)
        if (ends && answer.kind === 'OK') deps.hints.inbound(conversation).catch(() => {})
        return answer
      })
    },
    pending: (afterSeq) => deps.kernel.pending(conversation, afterSeq),
    findEvent: (seq) => deps.kernel.findEvent(conversation, seq),
    draft: createDrafting(deps, conversation),
    findDraft: () => deps.kernel.findDraft(conversation),
    findArtifact: (name) => deps.kernel.findArtifact(conversation, name),
    listArtifacts: () => deps.kernel.listArtifacts(conversation),
    onNews: (callback) => deps.signals.listen(conversation, callback),
    newQuestionId: () => toQuestionId(conversation, randomId()),
  }
}
