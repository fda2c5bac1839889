// The executor's worker: claims a conversation's lease, serves it, gives it back. Its process keeps the lease alive by living.
import { setTimeout as sleep } from 'node:timers/promises'
import { homeOf, isTask, type Address } from '#shared/chat/address.ts'
import { hasStream } from '#shared/chat/conversation.ts'
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
    run: { address: Address; claimed: Claimed; store: RunStore },
    signal: AbortSignal,
  ): Promise<'RELEASED' | 'EMPTY' | 'LEFT' | 'YIELDED'>
  onParked(address: Address, reason: string): void
  /** It holds what only a newer release can read, and is left to it. */
  onLeft(address: Address, reason: string): void
}

const excuseAgainMs = 1000

/** Serves a conversation, or a task of one, until nothing waits. What another worker holds is left to it. */
export async function executeConversation(deps: ExecuteDeps, address: Address, shutdown: AbortSignal): Promise<void> {
  const visit = await deps.company.enter(shutdown)
  if (!visit) return await deps.hints.execute(address)
  const owner = deps.liveness.newOwner()
  try {
    await serveIn(deps, { address, owner, visit }, shutdown)
  } finally {
    deps.liveness.endOwner(owner)
    visit.leave()
  }
}

async function serveIn(
  deps: ExecuteDeps,
  { address, owner, visit }: { readonly address: Address; readonly owner: string; readonly visit: Visit },
  shutdown: AbortSignal,
): Promise<void> {
  const orReturn = (error: unknown): never => {
    deps.giveBack(address, owner)
    throw error
  }
  const claimed = await claim(deps, address, owner).catch(orReturn)
  if (claimed.kind === 'HELD' || claimed.kind === 'GONE') return
  if (claimed.kind === 'PARKED') return deps.onParked(address, claimed.reason)
  if (claimed.kind === 'NEWER') return deps.onLeft(address, claimed.reason)
  const permit = visit.find(claimed.attempts)
  // Should the process die of another before it has begun, its start does not count.
  if (permit.kind === 'FULL')
    return await deps.kernel.putOff(address, owner, claimed.epoch, permit.afterMs).catch(orReturn)
  const hold = openHold(deps, { address, owner, claimed, onProgress: visit.proved }, shutdown)
  try {
    if (permit.calm && !(await waitForCalm(hold, permit.calm))) return
    await serveAll(hold)
  } catch (error) {
    if (isNewer(error)) return await leaveIt(hold, error.message)
    if (error instanceof BotError && error.retry !== 'never') await takeStartBack(hold)
    if (isHopeless(error)) await putOffFault(hold)
    if (!(error instanceof BotError) || error.code !== 'store-corrupt') throw error
    await deps.kernel.park(address, error.message)
    await giveBack(hold, true)
    deps.onParked(address, error.message)
  } finally {
    hold.close()
    if (!hold.isReturned()) deps.giveBack(address, owner)
  }
}

/** Where it cannot be told yet whether its holder lives, that is waited for. */
async function claim({ kernel, liveness }: ExecuteDeps, address: Address, owner: string): Promise<ClaimResult> {
  const first = await kernel.claim(address, owner, liveness.leaseMs)
  if (first.kind !== 'HELD' || first.unsure === undefined || !(await liveness.isGone(first.unsure))) return first
  return await kernel.claim(address, owner, liveness.leaseMs)
}

/**
 * It was not even set aside. The process lives, so no start is counted: else one conversation would have all others of its process wait
 * for it. It is looked at again later and later.
 */
async function putOffFault(hold: Hold): Promise<void> {
  const { deps, address, owner } = hold
  hold.stopRenewing()
  await deps.kernel.leave('run', address, { owner, epoch: hold.claimed().epoch }).then(hold.noteReturned, () => {})
}

/** What has been done of it stays done. */
async function leaveIt(hold: Hold, reason: string): Promise<void> {
  const { deps, address, owner } = hold
  hold.stopRenewing()
  await deps.kernel.leave('run', address, { owner, epoch: hold.claimed().epoch })
  hold.noteReturned()
  deps.onLeft(address, reason)
}

/** A conversation or a task in this worker's hands, under a lease that is kept alive until `stopRenewing` or `close`. */
type Hold = {
  readonly deps: ExecuteDeps
  readonly address: Address
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
  { address, owner, claimed, onProgress }: Pick<Hold, 'address' | 'owner'> & Opened,
  shutdown: AbortSignal,
): Hold {
  let last = claimed
  let lost = false
  let returned = false
  const left = new AbortController()
  const leave = (): void => left.abort()
  if (shutdown.aborted) leave()
  shutdown.addEventListener('abort', leave, { once: true })
  const renewal = keepLease(deps, { conversation: address, owner, stops: claimed.stops }, () => {
    lost = true
    leave()
  })
  const store = createStore(deps, address, { claimed, onProgress })
  return {
    deps,
    address,
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
  await hold.deps.kernel.excuse(hold.address, hold.claimed().epoch, 'waiting')
  await Promise.race([calm, aborted(hold.left)])
  return await claimAgain(hold)
}

async function serveAll(hold: Hold): Promise<void> {
  const { deps, address, store, left, shutdown } = hold
  for (;;) {
    const served = await deps.serve({ address, claimed: hold.claimed(), store }, left)
    if (served === 'RELEASED') return hold.noteReturned()
    if (served === 'LEFT') {
      const given = hold.isLost() ? 'FENCED' : await giveBack(hold, true)
      if (given === 'FENCED') await takeStartBack(hold)
      if (shutdown.aborted) await deps.hints.execute(address)
      return
    }
    if (served === 'YIELDED') {
      await giveBack(hold, true)
      return await deps.hints.execute(address)
    }
    if ((await giveBack(hold, false)) !== 'MORE') return
    if (!(await claimAgain(hold))) return
  }
}

async function giveBack({ deps, address, owner, claimed, noteReturned }: Hold, force: boolean) {
  const given = await deps.kernel.release(address, owner, claimed().epoch, force)
  if (force || given !== 'MORE') noteReturned()
  return given
}

async function claimAgain(hold: Hold): Promise<boolean> {
  const again = await hold.deps.kernel.claim(hold.address, hold.owner, hold.deps.liveness.leaseMs)
  if (again.kind === 'NEWER') hold.deps.onLeft(hold.address, again.reason)
  if (again.kind !== 'CLAIMED') return false
  hold.useClaim(again)
  return true
}

/** The process lives: an outage or a pause took the lease, not the event. */
async function takeStartBack(hold: Hold): Promise<void> {
  const { deps, address, shutdown } = hold
  hold.stopRenewing()
  while (!shutdown.aborted) {
    const told = await deps.kernel.excuse(address, hold.claimed().epoch, 'lost').then(
      () => true,
      (error: unknown) => !(error instanceof BotError) || error.retry === 'never',
    )
    if (told) return
    await sleep(excuseAgainMs, undefined, { signal: shutdown }).catch(() => {})
  }
}

function createStore(
  deps: ExecuteDeps,
  address: Address,
  first: Opened,
): RunStore & { useClaim(claimed: Claimed): void } {
  const home = homeOf(address)
  const delivered = !hasStream(home)
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
        if (!isTask(address)) await forgetShown(deps.kernel, home, step.forgets ?? [])
        const named = delivered ? step : nameAbout(step)
        const answer = await deps.kernel.append(address, epoch, { ...named, afterSeq: journalSeq })
        if ('journalSeq' in answer) journalSeq = answer.journalSeq
        return answer
      })
      last = result.catch(() => {})
      return result.then((answer) => {
        if (step.progress && answer.kind === 'OK') first.onProgress()
        if (delivered && step.rows?.length && (answer.kind === 'OK' || answer.kind === 'DUP'))
          deps.hints.outbound(home).catch(() => {})
        if (step.letters?.length && answer.kind === 'OK') deps.carry?.(toPartition(address))
        // A question that ends for this one, or is called off, is an event now.
        const ends = step.cancels?.length || step.questions?.some(({ topic }) => topic !== undefined)
        if (ends && answer.kind === 'OK') deps.hints.inbound(address).catch(() => {})
        // What it tells itself it finds in its own mailbox.
        const told = (step.signals ?? []).flatMap(({ to }) => (to === address ? [] : [to]))
        if (answer.kind === 'OK') for (const to of new Set(told)) deps.hints.inbound(to).catch(() => {})
        return answer
      })
    },
    pending: (afterSeq) => deps.kernel.pending(address, afterSeq),
    findEvent: (seq) => deps.kernel.findEvent(address, seq),
    // A task's work shows in its card.
    draft: isTask(address) ? () => {} : createDrafting(deps, address),
    findDraft: async () => (isTask(address) ? undefined : await deps.kernel.findDraft(address)),
    findArtifact: (name) => deps.kernel.findArtifact(address, name),
    listArtifacts: () => deps.kernel.listArtifacts(address),
    onNews: (callback) => deps.signals.listen(address, callback),
    newQuestionId: () => toQuestionId(address, randomId()),
  }
}
