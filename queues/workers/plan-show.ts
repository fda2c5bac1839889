// How far a turn is with its plan, as edits of the message that shows the plan: at the pace of drafts, in a group more sparingly, and out of their
// share of the send budget, the newest state only. What refuses an edit is left alone until the turn ends, since the message may be gone.
import { randomUUID } from 'node:crypto'
import type { Draft } from '#shared/run/draft.ts'
import type { ChatBook } from '#queues/fleet/chat-book.ts'
import type { SendBudget } from '#queues/fleet/send-budget.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import type { ChannelDelivery } from './channel-adapter.ts'
import type { OwnSender } from './own-sender.ts'
import { putDraft } from './put-draft.ts'

/** `plan`: receipt of the message that shows the turn's plan, once that was sent. */
export type Growing = { readonly draft: Draft; readonly plan?: string | undefined }

export type PlanShow = {
  /** A row was sent; of a plan it is known then what its message says. */
  note(row: Pick<BegunRow, 'id' | 'body'>): void
  /** Makes one request where the plan is further than its message says, and may be shown; false where it made none. */
  show(growing: Growing, signal: AbortSignal): Promise<boolean>
  /** Whether an edit may still arrive late. Asking forgets it. */
  takeUnclear(): boolean
}

type PlanShowDeps = {
  readonly delivery: ChannelDelivery
  readonly budget: SendBudget
  readonly chats: Pick<ChatBook, 'find'>
}

export function createPlanShow(deps: PlanShowDeps, sender: OwnSender): PlanShow {
  const { conversation } = sender
  const { delivery, budget } = deps
  const { everyMs } = delivery.streaming(conversation)
  const limits = delivery.limits(conversation)
  let shown = { row: '', text: '', atMs: -Infinity }
  let refused = ''
  let unclear = false

  const isDue = ({ row, text }: NonNullable<Draft['plan']>): boolean =>
    row !== refused && !(row === shown.row && text === shown.text) && performance.now() >= shown.atMs + everyMs

  return {
    note({ id, body }) {
      if (body.kind === 'send' && body.plan) shown = { row: id, text: body.text, atMs: performance.now() }
    },
    takeUnclear() {
      const was = unclear
      unclear = false
      return was
    },
    async show({ draft: { turn, plan, language = 'en' }, plan: receipt }, signal) {
      if (!plan || !receipt || !isDue(plan)) return false
      const asked = { kind: 'edit', id: randomUUID() } as const
      if (!(await budget.mayShow(limits, asked))) return false
      shown = { ...plan, atMs: performance.now() }
      const draft = { turn, text: plan.text, message: { receipt, buttons: [], language } }
      const outcome = await putDraft(deps, { sender, draft }, signal)
      budget.ended(limits, asked)
      unclear ||= outcome?.kind === 'unclear'
      if (outcome?.kind !== 'refused') return true
      if (outcome.slowDown) await budget.pause(limits, outcome.slowDown, outcome.afterMs)
      else refused = plan.row
      return true
    },
  }
}
