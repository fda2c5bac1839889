// The delivery worker: sends a conversation's outbox in order, one request at a time, and shows drafts while there is nothing to send.
// It repeats nothing by itself, and decides nothing about a row but its outcome.
//
// begin -> ROW -> (not its turn: later) | (chat closed: failed) | (too long: settled as parts) | delivered -> settle -> ROW ... -> EMPTY
//   -> while a draft lives: show (which may make it a ROW), wait for news, begin -> end.  WAIT -> asked for again when its time comes.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { BeginResult, BegunRow, Kernel, Outcome, Sender } from '#queues/kernel/kernel.ts'
import type { Liveness } from '#queues/fleet/liveness.ts'
import type { Asked, SendBudget, SendLimits } from '#queues/fleet/send-budget.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import { isCosmetic, isMomentary, toCallKind } from './call-kind.ts'
import { findAddress } from './address.ts'
import type { Address, ChannelDelivery } from './channel-adapter.ts'
import type { GiveBack } from './give-back.ts'
import { createDraftShow, toSendId, type DraftShow } from './draft-show.ts'
import type { Growing } from './plan-show.ts'
import type { News } from './news.ts'
import type { Enter } from './showings.ts'
import type { SentLately } from './sent-lately.ts'
import type { OwnSender } from './own-sender.ts'
import { startWatch } from '#queues/fleet/watch.ts'

export type DeliverDeps = {
  readonly kernel: Pick<Kernel, 'begin' | 'settle' | 'promote'>
  readonly delivery: ChannelDelivery
  readonly budget: SendBudget
  readonly chats: Pick<ChatBook, 'find' | 'close'>
  /** Runs this again after so many ms; the sweeper would, a second later. */
  readonly wake: (conversation: ConversationId, afterMs: number) => void
  readonly hints: Pick<Hints, 'outbound'>
  readonly sent: SentLately
  readonly liveness: Pick<Liveness, 'newOwner' | 'endOwner' | 'leaseMs' | 'sure' | 'isGone' | 'noteLost'>
  readonly giveBack: GiveBack
  /** How often the outbox is looked at while a draft is shown and there are no news, ms; a look renews the sender's lease. */
  readonly draftPollMs: number
  /** Called before the first draft is shown. Nothing is shown when it finds no room: then the conversation is given back. */
  readonly enter: Enter
}

/** A process that is not certain to count as living looks again after that; its next renewal may be answered by then. */
const uncertainForMs = 250

/** Shorter than a sender's lease and than the time a request has. */
const shortWaitMs = 150

/** A reaction that finds no permit for longer is left out: nobody would miss it. */
const momentMs = 2500
const leftOut: Outcome = { kind: 'failed', reason: 'answers need the permits' }

/** A permit is for now: who needs longer to make use of it asks again, twice at most. */
const permitLivesMs = 100

/** How long an outcome is kept trying to be recorded while Redis is away: a lost `sent` would become an alarm to the person. */
const settlePatienceMs = 120_000

/**
 * Delivers until nothing may be sent now. A conversation another sender holds is left to it. After `shutdown` the request in flight
 * is finished and recorded, and nothing more is begun.
 */
export async function deliverRows(
  deps: DeliverDeps,
  conversation: ConversationId,
  shutdown: AbortSignal,
): Promise<void> {
  const { delivery, liveness } = deps
  const sender: OwnSender = {
    conversation,
    owner: liveness.newOwner(),
    ttlMs: liveness.leaseMs,
    sendTimeoutMs: delivery.sendTimeoutMs,
    idempotentForMs: delivery.idempotentForMs,
    certain: liveness.sure(),
  }
  try {
    // What it took, others would take from it.
    const last: BeginResult = sender.certain.holds()
      ? await deliverAll(deps, sender, shutdown)
      : { kind: 'WAIT', forMs: uncertainForMs }
    if (shutdown.aborted) {
      if (last.kind === 'WAIT' && last.forMs === 0) await deps.hints.outbound(conversation).catch(() => {})
    } else if (last.kind === 'WAIT' || !sender.certain.holds()) {
      // 0 is: much was given up, or left, and there is more to look at.
      const forMs = last.kind === 'WAIT' ? last.forMs : 0
      deps.wake(conversation, sender.certain.holds() ? forMs : Math.max(forMs, uncertainForMs))
    }
  } catch (error) {
    deps.giveBack(conversation, sender.owner)
    throw error
  } finally {
    liveness.endOwner(sender.owner)
  }
}

async function deliverAll(deps: DeliverDeps, sender: OwnSender, shutdown: AbortSignal): Promise<BeginResult> {
  const drafts = createDraftShow(deps, sender)
  let news: News | undefined
  let begun = await beginWhereFree(deps, sender)
  for (;;) {
    const { result, ageMs } = begun
    if (result.kind === 'ROW') {
      begun = await deliverRow(deps, sender, { row: result.row, ageMs, shutdown, drafts, news })
      // It had the lease until then.
      if (begun.result.kind === 'HELD') deps.liveness.noteLost()
    } else if (result.kind === 'EMPTY' && result.draft) {
      const growing = { draft: result.draft, plan: result.plan }
      news ??= deps.enter()
      begun = news
        ? await showDraft(deps, sender, { growing, shutdown, drafts, news })
        : await begin(deps, { ...sender, leave: true })
    } else return result
  }
}

/** `ageMs` counts from before the call, so that the request's time ends before the row counts as ambiguous. */
type Begun = { readonly result: BeginResult; readonly ageMs: () => number }

async function begin({ kernel }: Pick<DeliverDeps, 'kernel'>, sender: Sender): Promise<Begun> {
  const ageMs = startWatch()
  return { result: await kernel.begin(sender, randomUUID()), ageMs }
}

/** Where it cannot be told yet whether the holder lives, that is waited for. */
async function beginWhereFree(deps: DeliverDeps, sender: OwnSender): Promise<Begun> {
  const first = await begin(deps, sender)
  const holder = first.result.kind === 'HELD' ? first.result.unsure : undefined
  return holder !== undefined && (await deps.liveness.isGone(holder)) ? await begin(deps, sender) : first
}

/** Whether nothing more is to be begun by this sender. */
const isOver = ({ certain }: OwnSender, shutdown: AbortSignal): boolean => shutdown.aborted || !certain.holds()

type Working = { readonly shutdown: AbortSignal; readonly drafts: DraftShow }
type Sending = Working & { readonly ageMs: () => number; readonly row: BegunRow; readonly news: News | undefined }
type Showing = Working & { readonly growing: Growing; readonly news: News }

/** Shows a reply as it grows, and looks again when a row is there, or a draft that may be shown. */
async function showDraft(
  deps: DeliverDeps,
  sender: OwnSender,
  { growing, shutdown, drafts, news }: Showing,
): Promise<Begun> {
  const { draftPollMs } = deps
  const ageMs = startWatch()
  const result = isOver(sender, shutdown) ? undefined : await drafts.show(growing, shutdown)
  if (result) return { result, ageMs }
  const draftAfterMs = Math.max(drafts.restMs(), draftPollMs / 4)
  await news.heard({ draftAfterMs, mostMs: draftPollMs }, shutdown)
  return await begin(deps, isOver(sender, shutdown) ? { ...sender, leave: true } : sender)
}

async function deliverRow(deps: DeliverDeps, sender: OwnSender, sending: Sending): Promise<Begun> {
  const { row, shutdown } = sending
  const before = deps.sent.find(sender.conversation, row)
  const isEdit = before !== undefined && row.body.kind === 'send'
  const told = isEdit ? { ...sending, row: { ...row, replacesReceipt: before.receipt } } : sending
  const outcome: Outcome = before?.isSame
    ? { kind: 'sent', receipt: before.receipt }
    : await sendInTurn(deps, sender, told)
  if (outcome.kind === 'sent') {
    deps.sent.note(sender.conversation, row, outcome.receipt)
    sending.drafts.notePlan(row)
  }
  const op = randomUUID()
  const until = performance.now() + settlePatienceMs
  for (;;) {
    sending.news?.forget()
    const ageMs = startWatch()
    const next = isOver(sender, shutdown) ? { ...sender, leave: true } : sender
    try {
      return { result: await deps.kernel.settle(next, row.id, outcome, op), ageMs }
    } catch (error) {
      const passing = error instanceof BotError && error.retry !== 'never'
      if (!passing || shutdown.aborted || performance.now() > until) throw error
      await sleep(500, undefined, { signal: shutdown }).catch(() => {})
    }
  }
}

/** Sends when the budget says so: a short wait is waited for, a longer one gives the conversation back. */
async function sendInTurn(deps: DeliverDeps, sender: OwnSender, sending: Sending): Promise<Outcome> {
  const { delivery, budget } = deps
  const { row, drafts } = sending
  const limits = delivery.limits(sender.conversation)
  // Asked with the budget: the two share a round trip.
  const finding = findAddress(deps, sender.conversation)
  const asked = { kind: toCallKind(row), id: toSendId(sender.conversation, row), cameAtMs: row.cameAtMs }
  const acquire = (): Promise<number> => acquireFor(budget, limits, { asked, row })
  let prepared: { readonly address: Address; readonly parts: Awaited<ReturnType<ChannelDelivery['split']>> } | undefined
  for (let late = 0; ;) {
    const permitAgeMs = startWatch()
    const afterMs = await acquire()
    if (afterMs > momentMs && isMomentary(row)) return leftOut
    // A cosmetic row is promised nothing: whoever waited for it here might wait for ever, with the answers behind it.
    if (afterMs > (isCosmetic(row) ? 0 : shortWaitMs)) return { kind: 'later', afterMs }
    if (afterMs > 0) {
      await sleep(afterMs)
      continue
    }
    const address = await finding
    const closed = address.standing?.closed
    if (closed !== undefined) {
      budget.ended(limits, asked)
      return { kind: 'failed', reason: closed, closed: true }
    }
    // Reading a text is what costs, so it is read when it is about to be sent.
    prepared ??= { address, parts: await delivery.split(row.body) }
    // On a busy machine what was allowed at different times would go in one burst.
    if (permitAgeMs() < permitLivesMs || ++late > 2) break
  }
  const { address, parts } = prepared
  if (parts.length > 1) return { kind: 'split', bodies: parts }
  const permit = { limits, asked, address }
  const outcome = await send(deps, sender, { ...sending, ...permit })
  if (outcome.kind === 'retry' && outcome.slowDown && isMomentary(row)) return leftOut
  if (outcome.kind === 'failed' && delivery.closes(outcome.reason)) {
    await deps.chats.close(delivery.chatOf(sender.conversation), outcome.reason).catch(() => {})
    return { ...outcome, closed: true }
  }
  const mayBeOvertaken = drafts.takeUnclear(row) || row.mayBeOvertaken
  if (outcome.kind === 'sent' && row.replacesReceipt && mayBeOvertaken) {
    // Whatever comes of that, the row was sent.
    await sendAgain(deps, sender, { ...sending, ...permit }).catch(() => {})
  }
  return outcome
}

type Permitted = Sending & { readonly limits: SendLimits; readonly asked: Asked; readonly address: Address }

/**
 * An earlier edit of this growing reply may reach the platform after this last one and undo it. So the last one is sent again, by a permit of its own,
 * where the row's time allows.
 */
async function sendAgain(deps: DeliverDeps, sender: OwnSender, permitted: Permitted): Promise<void> {
  const asked = { ...permitted.asked, id: `${permitted.asked.id} again` }
  for (;;) {
    const afterMs = await deps.budget.acquire(permitted.limits, asked)
    if (afterMs === 0) break
    if (afterMs > sender.sendTimeoutMs - permitted.ageMs()) return
    await sleep(afterMs, undefined, { signal: permitted.shutdown }).catch(() => {})
    if (isOver(sender, permitted.shutdown)) return
  }
  await send(deps, sender, { ...permitted, asked })
}

function acquireFor(
  budget: SendBudget,
  limits: SendLimits,
  { asked, row }: { readonly asked: Asked; readonly row: BegunRow },
): Promise<number> {
  if (row.body.kind === 'notice') return budget.acquireForNotice(limits, asked.id)
  return isCosmetic(row) ? budget.acquireCosmetic(limits, asked) : budget.acquire(limits, asked)
}

async function send(
  deps: DeliverDeps,
  sender: OwnSender,
  { row, ageMs, limits, asked, address }: Permitted,
): Promise<Outcome> {
  const { budget, delivery } = deps
  const remainingMs = sender.sendTimeoutMs - ageMs()
  try {
    // A process that was paused meanwhile must not send what others take for lost; nor may it once others can take it for gone.
    if (!sender.certain.holds()) return { kind: 'left', afterMs: 0, reason: 'the sender may count as gone' }
    if (remainingMs < 100) return { kind: 'retry', afterMs: 0, reason: 'the sender was paused before it sent' }
    const signal = AbortSignal.any([sender.certain.signal, AbortSignal.timeout(remainingMs)])
    const outcome = await delivery.deliver(address, row, signal)
    if (outcome.kind === 'retry' && outcome.slowDown) await budget.pause(limits, outcome.slowDown, outcome.afterMs)
    return outcome
  } finally {
    budget.ended(limits, asked)
  }
}
