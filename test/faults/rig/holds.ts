// What a process of the fleet holds at this moment, told to the test over IPC as kernel units answer: a conversation's lease, an
// outbox row, the lease of a poller or a shard, a mailbox being routed, a message being stored. The test believes it only when Redis
// says the same. And when an event was stored, and its answer ready to be sent.
import { z } from 'zod'
import type { CallUnit, UnitName } from '#queues/units.ts'

export type Hold = {
  readonly what: 'lease' | 'row' | 'poll' | 'routing' | 'request'
  /** The conversation, or the key of the poller's or the shard's lease. */
  readonly of: string
  /** As Redis has it; empty for what has no owner there. */
  readonly owner: string
  /** Empty while it is asked for. */
  readonly row?: string
}
/** A row is held by one run of the delivery, of which a process may begin several for a conversation; the others by the process. */
export const toHoldKey = ({ what, of, owner }: Pick<Hold, 'what' | 'of' | 'owner'>): string =>
  what === 'row' ? `${what} ${of} ${owner}` : `${what} ${of}`

export type HoldNews = {
  readonly set?: Hold
  readonly gone?: Pick<Hold, 'what' | 'of' | 'owner'>
  /** An event that is in its mailbox. */
  readonly stored?: string
  /** Events whose answer is in the outbox. */
  readonly due?: readonly string[]
}

type Answered = {
  readonly key: string
  readonly args: readonly string[]
  readonly reply: readonly unknown[]
  readonly tell: (news: HoldNews) => void
}

const answers = z.object({ answers: z.array(z.string()) })
const named = z.object({ id: z.string() })

const row = ({ args: [of = '', owner = ''], reply, tell }: Answered): void => {
  if (reply[0] === 'ROW') tell({ set: { what: 'row', of, owner, row: String(reply[1]) } })
  else tell({ gone: { what: 'row', of, owner } })
}

const units: Partial<Record<UnitName, (call: Answered) => void>> = {
  claim({ args: [of = '', owner = ''], reply, tell }) {
    if (reply[0] === 'CLAIMED') tell({ set: { what: 'lease', of, owner } })
  },
  ingest({ args: [, , event = '{}'], tell }) {
    tell({ stored: named.parse(JSON.parse(event)).id })
  },
  append({ args, reply, tell }) {
    const [of = ''] = args
    const due = args
      .filter((arg) => arg.startsWith('{"v":1,') && arg.includes('"kind":"send"'))
      .flatMap((arg) => answers.safeParse(JSON.parse(arg)).data?.answers ?? [])
    if (due.length > 0) tell({ due })
    if (reply[0] === 'FENCED' || reply[2] === 1) tell({ gone: { what: 'lease', of, owner: '' } })
  },
  release({ args: [of = '', , , force], reply, tell }) {
    if (reply[0] !== 'MORE' || force === '1') tell({ gone: { what: 'lease', of, owner: '' } })
  },
  begin: row,
  promote: row,
  settle: row,
  inbox({ args: [of = ''], reply, tell }) {
    if (reply.length > 3) tell({ set: { what: 'routing', of, owner: '' } })
  },
  route({ args: [of = ''], tell }) {
    tell({ gone: { what: 'routing', of, owner: '' } })
  },
  lease({ key, args: [action, owner = ''], reply, tell }) {
    if (action === 'take' && reply[0] === 1) tell({ set: { what: 'poll', of: key, owner } })
    if (action === 'release') tell({ gone: { what: 'poll', of: key, owner: '' } })
  },
}

export function tellHolds(call: CallUnit, tell: (news: HoldNews) => void): CallUnit {
  return async (name, key, given) => {
    const args = given.map(String)
    const [of = '', owner = ''] = args
    const request = { what: 'request', of, owner: '' } as const
    if (name === 'ingest') tell({ set: request })
    // From now on a row may be begun, of which a killed process hears no more.
    if (name === 'begin') tell({ set: { what: 'row', of, owner, row: '' } })
    const answer = await call(name, key, given).finally(() => {
      if (name === 'ingest') tell({ gone: request })
    })
    units[name]?.({ key, args, reply: Array.isArray(answer) ? answer : [answer], tell })
    return answer
  }
}
