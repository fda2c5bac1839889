// What the units answer, read into the kernel's types: flat lists whose shape is not trusted.
import { isNewer, type BotError } from '#shared/errors.ts'
import { parseBody, parseDecision, parseDraft, parseEntry, parseEvent } from '#queues/stored.ts'
import { groups, integer, list, text } from '#queues/reply.ts'
import type { QueuedEvent, Stops } from '#shared/run/step.ts'
import type { BeginResult, ClaimResult, Due, Swept } from './kernel.ts'

export function toSwept([work, oldestMs, holders, fires, ...flat]: readonly unknown[]): Swept {
  const due = groups(flat, 3).flatMap(([member, sinceMs, dropped]): Due[] => {
    const [what = '', ...rest] = text(member).split(':')
    if (what !== 'route' && what !== 'run' && what !== 'out') return []
    return [{ what, conversation: rest.join(':'), sinceMs: integer(sinceMs), isDropped: integer(dropped) === 1 }]
  })
  return {
    work: integer(work),
    oldestMs: integer(oldestMs),
    holders: list(holders).map(text),
    fires: integer(fires) === 1,
    due,
  }
}

/** Those before the first that only a newer release knows, which is to be left where it is; `newer` is what reading that one threw. */
export function toEvents(flat: readonly unknown[]): { events: QueuedEvent[]; newer?: BotError } {
  const events: QueuedEvent[] = []
  try {
    for (const [seq, event, decision] of groups(flat, 3))
      events.push({
        seq: integer(seq),
        event: parseEvent(text(event)),
        decision: parseDecision(text(decision)),
      })
  } catch (error) {
    if (!isNewer(error)) throw error
    return { events, newer: error }
  }
  return { events }
}

export function toStops(flat: unknown): Stops {
  return Object.fromEntries(groups(list(flat), 2).map(([principal, seq]) => [text(principal), integer(seq)]))
}

export function toClaim(answer: readonly unknown[]): ClaimResult {
  const [kind, epoch, snapshot, attempts, routed, stopped, tail, waiting, at, congested, parts, rest, journalSeq] =
    answer
  if (kind === 'HELD') return { kind }
  if (kind === 'GONE') return { kind }
  if (kind === 'PARKED') return { kind, reason: text(epoch) }
  const { events, newer } = toEvents(list(waiting))
  if (newer && events.length === 0) throw newer
  return {
    kind: 'CLAIMED',
    epoch: integer(epoch),
    ...(text(snapshot) ? { snapshot: text(snapshot) } : {}),
    parts: Object.fromEntries(groups(list(parts), 2).map(([name, part]) => [text(name), text(part)])),
    ...(typeof rest === 'string' ? { rest } : {}),
    journalSeq: integer(journalSeq),
    attempts: integer(attempts),
    routedSeq: integer(routed),
    stops: toStops(stopped),
    isCongested: integer(congested) === 1,
    tail: groups(list(tail), 2).map(([seq, entry]) => ({ seq: integer(seq), entry: parseEntry(text(entry)) })),
    pending: events,
    atMs: integer(at),
  }
}

export function toBegin(answer: readonly unknown[]): BeginResult {
  const [kind, second, stored, attempts, receipt, late, came] = answer
  if (kind === 'ROW') {
    const [id, body] = [text(second), parseBody(text(stored))]
    const begun = { id, body, attempts: integer(attempts), cameAtMs: integer(came) }
    const row = integer(late) === 1 ? { ...begun, mayBeOvertaken: true } : begun
    const replaced = text(receipt)
    return { kind, row: replaced ? { ...row, replacesReceipt: replaced } : row }
  }
  if (kind === 'WAIT') return { kind, forMs: integer(second) }
  if (kind === 'HELD') return { kind }
  const draft = text(second) ? parseDraft(text(second)) : undefined
  const plan = text(stored ?? '')
  return plan ? { kind: 'EMPTY', draft, plan } : { kind: 'EMPTY', draft }
}
