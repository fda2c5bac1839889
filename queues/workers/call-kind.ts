// What a row costs, as platforms count: which kind of call carries it, and whether anybody would miss it.
import type { CallKind } from '#queues/fleet/send-budget.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'

type Row = Pick<BegunRow, 'body' | 'replacesReceipt'>

export function toCallKind({ body, replacesReceipt }: Row): CallKind {
  if (body.kind === 'react') return 'reaction'
  if (body.kind === 'unbutton') return 'edit'
  // A file is a message of its own, also where its row replaces one.
  return body.kind === 'send' && replacesReceipt && !body.file ? 'edit' : 'send'
}

/** It says nothing that is not said elsewhere: buttons that stay say that they are no longer valid. */
export const isCosmetic = ({ body }: Pick<Row, 'body'>): boolean => body.kind === 'unbutton' || isMomentary({ body })

/** It is worth nothing later. Buttons that do nothing any more are to go, however late. */
export const isMomentary = ({ body }: Pick<Row, 'body'>): boolean => body.kind === 'react'
