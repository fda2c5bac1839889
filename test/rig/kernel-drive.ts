// Drives a conversation through the kernel as the fleet does: ingest, route, a turn for each event, delivery of its reply.
// Every send is counted, so that a test can say what people saw.
import { randomUUID } from 'node:crypto'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { Kernel, Sender } from '#queues/kernel/kernel.ts'
import { messageEvent, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { asked, ended, toBody, started, toRow, wrote } from './journal-entries.ts'

export type Ledger = {
  /** Row ids in the order they were sent, by conversation. */
  readonly sent: Map<string, string[]>
}

export type Drive = { readonly kernel: Kernel; readonly ledger: Ledger; readonly snapshotBytes?: number }

const leaseMs = 60_000

export function createLedger(): Ledger {
  return { sent: new Map() }
}

/** Ingests event `n`, routes all that waits, answers it and delivers the answer. Lost replies are the kernel's to hide. */
export async function driveEvent(drive: Drive, conversation: string, n: number): Promise<void> {
  const event = messageEvent(conversation, n)
  await drive.kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: conversation.startsWith('web:') })
  await routeAll(drive.kernel, conversation)
  await answerAll(drive, conversation)
  await deliverAll(drive, conversation)
}

export async function routeAll(kernel: Kernel, conversation: string): Promise<void> {
  for (;;) {
    const inbox = await kernel.inbox(conversation, 100)
    if (inbox.events.length === 0) return
    await kernel.route(
      conversation,
      inbox.routedSeq,
      inbox.events.map(() => turnDecision),
    )
  }
}

/** One turn per waiting event: three appends, the last with the reply, the snapshot and the lease. */
export async function answerAll({ kernel, snapshotBytes = 600 }: Drive, conversation: string): Promise<void> {
  const claimed = await kernel.claim(conversation, randomUUID(), leaseMs)
  if (claimed.kind !== 'CLAIMED') throw new Error(`The claim of ${conversation} was answered ${claimed.kind}.`)
  for (const { seq, event } of claimed.pending) {
    const turn = `turn${seq}`
    const [start, request, done, end] = turnEntries(turn, seq, event.id)
    const text = `answer to ${event.id}: ${'Paris is the capital. '.repeat(5)}`
    await kernel.append(conversation, claimed.epoch, { key: `${turn}/start`, entries: [start, request] })
    await kernel.append(conversation, claimed.epoch, { key: `${turn}/1`, entries: [done], progress: true })
    await kernel.append(conversation, claimed.epoch, {
      key: `${turn}/end`,
      entries: [end],
      consume: [seq],
      rows: [toRow(`${turn}-reply`, toBody(text, { answers: [event.id] }))],
      folds: true,
      snapshot: 's'.repeat(snapshotBytes),
      rest: '',
      reply: text,
      release: true,
    })
  }
}

export async function deliverAll({ kernel, ledger }: Drive, conversation: string): Promise<void> {
  const owner = randomUUID()
  const sender: Sender = { conversation, owner, ttlMs: leaseMs, sendTimeoutMs: 10_000, idempotentForMs: 0 }
  let next = await kernel.begin(sender, randomUUID())
  while (next.kind === 'ROW') {
    const sent = ledger.sent.get(conversation) ?? []
    ledger.sent.set(conversation, [...sent, next.row.id])
    next = await kernel.settle(sender, next.row.id, { kind: 'sent', receipt: String(sent.length) }, randomUUID())
  }
}

function turnEntries(
  turn: string,
  seq: number,
  id: string,
): readonly [JournalEntry, JournalEntry, JournalEntry, JournalEntry] {
  const at = { at: 1_700_000_000_000, turn }
  const clock = '2026-11-21 22:12 UTC'
  const usage = { promptTokens: 900, completionTokens: 30 }
  return [
    started({ ...at, principal: 'telegram:1', firstSeq: seq, events: [seq], clock }),
    { ...asked(1), ...at },
    wrote('Paris is the capital. '.repeat(5), { ...at, step: 1, usage, model: 'demo' }),
    ended({ ...at, answers: [id] }),
  ]
}
