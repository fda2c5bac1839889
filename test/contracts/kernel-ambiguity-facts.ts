// Facts about rows of which nobody knows whether they arrived: repeated while the platform dedupes them, and told afterwards.
import { expect, it } from 'vitest'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { toPartition } from '#queues/partition.ts'
import {
  dedupedForMs,
  freshConversation,
  mustBegin,
  queueRows,
  row,
  sender,
  sendTimeoutMs,
  ttlMs,
} from './kernel-fixtures.ts'

const sent = { kind: 'sent', receipt: '77' } as const
const lost = { kind: 'unknown', reason: 'read timeout' } as const
const tellsUnknown = { kind: 'notice', about: 'a', outcome: 'unknown' }
const ambiguousMs = sendTimeoutMs + 2000

export function ambiguityFacts(bench: () => KernelBench): void {
  const dueOut = async (conversation: string): Promise<boolean> => {
    const due = await bench().kernel.due(toPartition(conversation), 0)
    return due.some((found) => found.conversation === conversation && found.what === 'out')
  }

  it('waits with an ambiguous row until its request is over, then ends it unknown', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    await advance(ttlMs + 1)
    const other = sender(c, { owner: 's2' })
    const waiting = await kernel.begin(other, 'op2')
    expect(waiting.kind).toBe('WAIT')
    expect(waiting).toHaveProperty('forMs', expect.closeTo(ambiguousMs - ttlMs, -3))
    expect(await dueOut(c)).toBe(false)
    await advance(ambiguousMs - ttlMs)
    expect(await dueOut(c)).toBe(true)
    expect((await mustBegin(kernel, other, 'op3')).id).toBe('b')
    expect(await kernel.settle(other, 'b', sent, 'op4')).toMatchObject({ row: { body: tellsUnknown } })
  })

  it('sends an ambiguous row again where the platform dedupes', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c, { idempotentForMs: dedupedForMs }), 'op1')
    await advance(ttlMs + 1)
    const other = sender(c, { owner: 's2', idempotentForMs: dedupedForMs })
    expect(await mustBegin(kernel, other, 'op2')).toMatchObject({ id: 'a', attempts: 2 })
  })

  it('ends an ambiguous row unknown once the platform may have forgotten its first attempt', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const from = (owner: string) => sender(c, { owner, idempotentForMs: dedupedForMs })
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, from('s1'), 'op1')
    await advance(70_000)
    expect(await mustBegin(kernel, from('s2'), 'op2')).toMatchObject({ id: 'a', attempts: 2 })
    await advance(70_000)
    expect((await mustBegin(kernel, from('s3'), 'op3')).id).toBe('b')
    expect(await kernel.settle(from('s3'), 'b', sent, 'op4')).toMatchObject({ row: { body: tellsUnknown } })
  })

  it('repeats a row of unknown outcome after its time while the platform dedupes', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const from = sender(c, { idempotentForMs: dedupedForMs })
    const unclear = { ...lost, afterMs: 5000 }
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, from, 'op1')
    const waiting = await kernel.settle(from, 'a', unclear, 'op2')
    expect(waiting).toHaveProperty('forMs', expect.closeTo(5000, -3))
    await advance(5001)
    expect(await mustBegin(kernel, from, 'op3')).toMatchObject({ id: 'a', attempts: 2 })
    await kernel.settle(from, 'a', { kind: 'retry', afterMs: 100_000, reason: '429' }, 'op4')
    await advance(dedupedForMs)
    expect((await mustBegin(kernel, from, 'op5')).id).toBe('b')
    expect(await kernel.settle(from, 'b', sent, 'op6')).toMatchObject({ row: { body: tellsUnknown } })
  })

  it('ends a row unknown at once when its outcome comes after the platform forgot', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const from = sender(c, { idempotentForMs: 1000 })
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, from, 'op1')
    await advance(1001)
    expect(await kernel.settle(from, 'a', { ...lost, afterMs: 1 }, 'op2')).toHaveProperty(
      'forMs',
      expect.closeTo(60_000, -3),
    )
  })

  it('counts from the first attempt that may have arrived, not from refused ones', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const from = sender(c, { idempotentForMs: dedupedForMs })
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, from, 'op1')
    await kernel.settle(from, 'a', { kind: 'retry', afterMs: dedupedForMs, reason: '429' }, 'op2')
    await advance(dedupedForMs + 1)
    await mustBegin(kernel, from, 'op3')
    await advance(ttlMs + 1)
    const other = sender(c, { owner: 's2', idempotentForMs: dedupedForMs })
    expect(await mustBegin(kernel, other, 'op4')).toMatchObject({ id: 'a', attempts: 3 })
  })

  it('makes an edit again of which nobody knows whether it was made, five times at most', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b', 'newer', 'a'), row('c')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', sent, 'op2')
    for (let n = 2; n <= 5; n++) {
      await advance(ambiguousMs)
      const again = await mustBegin(kernel, sender(c, { owner: `s${n}` }), `again${n}`)
      expect(again).toMatchObject({ id: 'b', attempts: n, replacesReceipt: '77' })
    }
    await advance(ambiguousMs)
    const last = sender(c, { owner: 'last' })
    expect((await mustBegin(kernel, last, 'op3')).id).toBe('c')
    expect(await kernel.settle(last, 'c', sent, 'op4')).toMatchObject({
      row: { body: { ...tellsUnknown, about: 'b' } },
    })
  })

  it('does not make an edit again whose message nobody knows: it would be a new one', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a', 'newer', 'gone'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    await advance(ambiguousMs)
    expect((await mustBegin(kernel, sender(c, { owner: 's2' }), 'op2')).id).toBe('b')
  })

  it('waits for a request in flight before it gives up on a row the platform may have forgotten', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c, { idempotentForMs: 1000 }), 'op1')
    await advance(ttlMs + 1)
    const waiting = await kernel.begin(sender(c, { owner: 's2', idempotentForMs: 1000 }), 'op2')
    expect(waiting).toHaveProperty('forMs', expect.closeTo(ambiguousMs - ttlMs, -3))
  })

  it('ends an ambiguous row unknown when it expired, for it may have arrived', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c, { idempotentForMs: dedupedForMs }), 'op1')
    await advance(601_000)
    const from = sender(c, { owner: 's2', idempotentForMs: dedupedForMs })
    expect(await kernel.begin(from, 'op2')).toMatchObject({ kind: 'WAIT' })
    await advance(61_000)
    expect(await kernel.begin(from, 'op3')).toMatchObject({ row: { body: tellsUnknown } })
  })
}
