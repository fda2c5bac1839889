// Sends one outbox row by a platform's own requests: a reply, a notice, a reaction, or the buttons taken off a card that is answered.
// Nothing that may have arrived is sent twice.
import type { BegunRow, Outcome } from '#queues/kernel/kernel.ts'
import { withoutFile } from '#adapters/markup/split-body.ts'
import type { CallResult, Refused } from '#adapters/calls/call-result.ts'
import { toNoticeMessage, type SendBody } from './notice.ts'
import { done, toOutcome, type OutcomeWords } from './outcome.ts'

/** `split`: it does not fit in the end; what to send instead. */
export type Sent<T, More> = CallResult<T, More> | Extract<Outcome, { kind: 'split' }>

/** The requests of one row, all within one limit; none of them throws. */
export type RowRequests<T, More> = OutcomeWords<T, More> & {
  react(messageId: string, emoji: string): Promise<unknown>
  /** Undefined when the message can no longer be referred to. */
  takeButtonsOff(receipt: string): Promise<CallResult<T, More> | undefined>
  /** Whether what was to lose its buttons is gone, or has none. */
  isGone(refused: Refused<More>): boolean
  /** Changes the message of this receipt; sends a new one where there is none, or where it is gone and said no plan. */
  send(body: SendBody, receipt?: string): Promise<Sent<T, More>>
  /** Whether the same without its file may be taken. */
  mayBeFile(refused: Refused<More>): boolean
}

/** Never throws. */
export async function deliverRow<T, More>(requests: RowRequests<T, More>, row: BegunRow): Promise<Outcome> {
  const { body, replacesReceipt: receipt } = row
  switch (body.kind) {
    case 'react':
      // A courtesy: whether it shows or not, nobody must be told.
      await requests.react(body.messageId, body.emoji)
      return done
    case 'unbutton': {
      const shown = receipt ? await requests.takeButtonsOff(receipt) : undefined
      if (!shown || (shown.kind === 'refused' && requests.isGone(shown))) return done
      return toOutcome(shown, row, requests)
    }
    case 'notice':
    case 'send': {
      const message = body.kind === 'notice' ? toNoticeMessage(body) : body
      const isPlanEdit = message.plan === true && message.replaces !== undefined
      if (isPlanEdit && !receipt) return done
      const sent = await requests.send(message, receipt)
      if (isPlanEdit && sent.kind === 'refused' && requests.isGone(sent)) return done
      // A chat may take texts and no files.
      const isFileRefused = message.file !== undefined && sent.kind === 'refused' && requests.mayBeFile(sent)
      if (isFileRefused) return { kind: 'split', bodies: [withoutFile(message)] }
      return sent.kind === 'split' ? sent : toOutcome(sent, row, requests)
    }
    default:
      return body satisfies never
  }
}
