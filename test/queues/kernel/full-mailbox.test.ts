// A flood: a conversation's mailbox takes 20,000 events and no more until some are done with. A stop always acts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IngestResult, Stop } from '#queues/kernel/kernel.ts'
import { createIngest } from '#queues/workers/ingest.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { nextAction } from '#services/executor/turn/plan.ts'
import {
  ann,
  freshConversation,
  ignoreDecision,
  messageEvent,
  mustClaim,
  turnDecision,
} from '#test/contracts/kernel-fixtures.ts'
import { openStore, type Store } from '#test/rig/store.ts'

const most = 20_000

let store: Store
beforeAll(async () => void (store = await openStore()))
afterAll(() => store.stop())

test('a flood fills its own mailbox only, and is let in again as it is read', { timeout: 60_000 }, async () => {
  const [c, quiet] = [freshConversation(), freshConversation()]
  const put = (conversation: string, id: number, stop: Stop = 'none'): Promise<IngestResult> =>
    store.kernel.ingest({ event: messageEvent(conversation, id), dedupeKey: `k${id}`, stop, echo: false })
  for (let from = 1; from <= most; from += 1000) {
    const ids = Array.from({ length: 1000 }, (_, i) => from + i)
    for (const { kind } of await Promise.all(ids.map((id) => put(c, id)))) expect(kind).toBe('NEW')
  }
  expect((await put(c, most + 1)).kind).toBe('FULL')
  expect(await put(c, 7)).toEqual({ kind: 'DUP', seq: 7 })
  expect((await put(quiet, 1)).kind).toBe('NEW')
  const stops = await Promise.all(Array.from({ length: 100 }, (_, i) => put(c, most + 10 + i, 'own')))
  expect(stops.every(({ kind }) => kind === 'FULL')).toBe(true)
  expect(await store.server.admin.hlen(`${partitionPrefix(toPartition(c))}in:${c}`)).toBe(most)

  const told: string[] = []
  const hinted: string[] = []
  const ingest = createIngest({
    kernel: store.kernel,
    hints: { inbound: async (conversation) => void hinted.push(conversation) },
    onFull: (conversation) => void told.push(conversation),
  })
  const more = messageEvent(c, most + 3)
  expect((await ingest.take(more, { dedupeKey: more.id })).kind).toBe('FULL')
  expect(told).toEqual([c])
  expect(hinted).toEqual([])

  await store.kernel.route(c, 0, [turnDecision, ...Array.from({ length: 10 }, () => ignoreDecision)])
  const { stops: stopped, pending } = await mustClaim(store.kernel, c)
  const step = { key: 'step', entries: [], unlessStopped: { principal: ann, firstSeq: 1 } }
  expect(await store.kernel.append(c, (await mustClaim(store.kernel, c)).epoch, step)).toEqual({ kind: 'STOPPED' })
  const taken = await ingest.take(more, { dedupeKey: more.id })
  expect(taken).toMatchObject({ kind: 'NEW', seq: most + 1 })
  // What was there is stopped, and nothing that comes after.
  const [first] = pending
  if (!first) throw new Error('The first message waits.')
  expect(nextAction(pending, stopped)).toEqual({ kind: 'drop', events: [first] })
  const later = [{ ...first, seq: most + 1 }]
  expect(nextAction(later, stopped)).toMatchObject({ kind: 'turn', events: later })
  expect(nextAction([first, ...later], stopped)).toEqual({ kind: 'drop', events: [first] })
  expect(told).toEqual([c])
  expect(hinted).toEqual([c])
})
