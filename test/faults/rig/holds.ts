// What a process of the fleet holds at this moment, told to the test over IPC as kernel units answer: a conversation's lease, an
// outbox row, the polling lease, a mailbox being routed, a message being stored. The test believes it only when Redis says the same.
import type { CallUnit } from '#queues/kernel/units.ts'

export type Hold = {
  readonly what: 'lease' | 'row' | 'poll' | 'routing' | 'request'
  /** The conversation, or the key of the polling lease. */
  readonly of: string
  /** As Redis has it; empty for what has no owner there. */
  readonly owner: string
  readonly row?: string
}
export type HoldNews = { readonly set?: Hold; readonly gone?: Pick<Hold, 'what' | 'of'> }

export function tellHolds(call: CallUnit, tell: (news: HoldNews) => void): CallUnit {
  return async (name, key, args) => {
    const [conversation = '', second = ''] = args.map(String)
    if (name === 'ingest') tell({ set: { what: 'request', of: conversation, owner: '' } })
    const answer = await call(name, key, args).finally(() => {
      if (name === 'ingest') tell({ gone: { what: 'request', of: conversation } })
    })
    const reply: readonly unknown[] = Array.isArray(answer) ? answer : [answer]
    switch (name) {
      case 'claim':
        if (reply[0] === 'CLAIMED') tell({ set: { what: 'lease', of: conversation, owner: second } })
        break
      case 'append':
        if (reply[0] === 'FENCED' || reply[2] === 1) tell({ gone: { what: 'lease', of: conversation } })
        break
      case 'release':
        if (reply[0] !== 'MORE' || String(args[3]) === '1') tell({ gone: { what: 'lease', of: conversation } })
        break
      case 'begin':
      case 'settle':
        if (reply[0] === 'ROW') tell({ set: { what: 'row', of: conversation, owner: second, row: String(reply[1]) } })
        else tell({ gone: { what: 'row', of: conversation } })
        break
      case 'inbox':
        if (reply.length > 2) tell({ set: { what: 'routing', of: conversation, owner: '' } })
        break
      case 'route':
        tell({ gone: { what: 'routing', of: conversation } })
        break
      case 'lease':
        if (conversation === 'take' && answer === 1) tell({ set: { what: 'poll', of: key, owner: second } })
        if (conversation === 'release') tell({ gone: { what: 'poll', of: key } })
        break
      default:
    }
    return answer
  }
}
