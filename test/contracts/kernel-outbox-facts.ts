// Facts about begin and settle: order, leases, expiry, notices, retries and splits.
import { unbutton } from '#shared/run/out-row.ts'
import { expect, it } from 'vitest'
import type { OutBody } from '#shared/run/out-row.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import type { BeginResult } from '#queues/kernel/kernel.ts'
import { toPartition } from '#queues/partition.ts'
import {
  ann,
  answerEvent,
  dedupedForMs,
  freshConversation,
  mustBegin,
  mustClaim,
  queueRows,
  row,
  rowWithFile,
  sender,
  sendTimeoutMs,
  step,
  ttlMs,
} from './kernel-fixtures.ts'

const sent = { kind: 'sent', receipt: '77' } as const
const lost = { kind: 'unknown', reason: 'read timeout' } as const
const ambiguousMs = sendTimeoutMs + 2000

export function outboxFacts(bench: () => KernelBench): void {
  const idOf = (result: BeginResult): string => (result.kind === 'ROW' ? result.row.id : result.kind)
  const dueOut = async (conversation: string): Promise<boolean> => {
    const due = await bench().kernel.due(toPartition(conversation), 0)
    return due.some((found) => found.conversation === conversation && found.what === 'out')
  }

  it('sends of the files that wait only the newest', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await queueRows(kernel, c, [row('a'), rowWithFile('f1', 'one'), row('b')])
    for (const n of [2, 3]) await kernel.append(c, epoch, step(`more${n}`, { rows: [rowWithFile(`f${n}`, `${n}`)] }))
    expect(idOf(await kernel.begin(sender(c), 'op0'))).toBe('a')
    expect(idOf(await kernel.settle(sender(c), 'a', sent, 'op1'))).toBe('b')
    expect(idOf(await kernel.settle(sender(c), 'b', sent, 'op2'))).toBe('f3')
    // One that is on its way is not called back.
    await kernel.append(c, epoch, step('more4', { rows: [rowWithFile('f4', '4')] }))
    expect(idOf(await kernel.settle(sender(c), 'f3', sent, 'op3'))).toBe('f4')
    expect(idOf(await kernel.settle(sender(c), 'f4', sent, 'op4'))).toBe('EMPTY')
  })

  it('delivers rows in the order of their appends and then gives the lease back', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await queueRows(kernel, c, [row('a'), row('b')])
    await kernel.append(c, epoch, step('more', { rows: [row('c')] }))
    expect(await mustBegin(kernel, sender(c), 'op0')).toEqual({
      id: 'a',
      body: row('a').body,
      attempts: 1,
      cameAtMs: expect.any(Number),
    })
    expect(idOf(await kernel.settle(sender(c), 'a', sent, 'op1'))).toBe('b')
    expect(idOf(await kernel.settle(sender(c), 'b', { kind: 'failed', reason: '403' }, 'op2'))).toBe('c')
    const notice = await kernel.settle(sender(c), 'c', sent, 'op3')
    expect(idOf(notice)).toMatch(/^notice-/)
    expect(await kernel.settle(sender(c), idOf(notice), sent, 'op4')).toEqual({ kind: 'EMPTY' })
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op5')).toEqual({ kind: 'EMPTY' })
  })

  it('lets one sender at a time deliver a conversation', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op2')).toEqual({ kind: 'HELD' })
  })

  it('lets another one send at once where the sender’s process is gone; what that was sending is unknown', async () => {
    const { kernel, gone, advance } = bench()
    const c = freshConversation()
    const [absent, next] = [sender(c, { owner: '@lost-sender/1' }), sender(c, { owner: '@here/1' })]
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, absent, 'op1')
    expect(await kernel.begin(next, 'op2')).toEqual({ kind: 'HELD' })
    gone.add('lost-sender')
    expect(idOf(await kernel.begin(next, 'op3'))).toBe('b')
    // It was not gone, only slow, and what it sent has arrived.
    expect(await kernel.settle(absent, 'a', sent, 'op4')).toEqual({ kind: 'HELD' })
    expect(await kernel.settle(next, 'b', sent, 'op5')).toEqual({ kind: 'EMPTY' })
    await advance(120_000)
    expect(await kernel.begin(next, 'op6')).toEqual({ kind: 'EMPTY' })
  })

  it('waits for the end of a request whose sender may live, whoever asks', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c, { owner: '@somewhere/1' }), 'op1')
    await advance(ttlMs + 1)
    expect((await kernel.begin(sender(c, { owner: '@here/1' }), 'op2')).kind).toBe('WAIT')
  })

  it('keeps no lease for a sender whose conversation is out of service', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await kernel.saveDraft(c, { turn: 't1', text: 'Hel' })
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c), 'a', sent, 'op2')).toMatchObject({ kind: 'EMPTY', draft: { text: 'Hel' } })
    await kernel.park(c, 'by a test')
    expect(await kernel.begin(sender(c), 'op3')).toEqual({ kind: 'EMPTY' })
    await kernel.unpark(c)
    await queueRows(kernel, c, [row('b')])
    expect(idOf(await kernel.begin(sender(c, { owner: 's2' }), 'op4'))).toBe('b')
  })

  it('leaves a row that was not tried to whoever sends next, in its place', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    const left = { kind: 'left', afterMs: 0, reason: 'not certain' } as const
    expect(await kernel.settle(sender(c, { leave: true }), 'a', left, 'op2')).toEqual({ kind: 'WAIT', forMs: 0 })
    const begun = await mustBegin(kernel, sender(c, { owner: 's2' }), 'op3')
    expect([begun.id, begun.attempts]).toEqual(['a', 1])
  })

  it('gives back the lease of a sender that may have one', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.disown(c, 's2')
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op2')).toEqual({ kind: 'HELD' })
    await kernel.disown(c, sender(c).owner)
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op3')).toMatchObject({ kind: 'WAIT' })
  })

  it('begins nothing for a sender that leaves, and wakes the next one', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c, { leave: true }), 'a', sent, 'op2')).toEqual({ kind: 'WAIT', forMs: 0 })
    expect(await dueOut(c)).toBe(true)
    expect((await mustBegin(kernel, sender(c, { owner: 's2' }), 'op3')).attempts).toBe(1)
  })

  it('excludes neither the sender by a run nor a run by the sender', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    expect((await kernel.claim(c, 'w1', ttlMs)).kind).toBe('CLAIMED')
  })

  it('keeps the lease over an empty outbox while a draft is shown', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const draft = { turn: 't1', text: 'Hel' }
    await kernel.saveDraft(c, draft)
    expect(await kernel.begin(sender(c), 'op1')).toEqual({ kind: 'EMPTY', draft })
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op2')).toEqual({ kind: 'HELD' })
    expect(await kernel.begin(sender(c, { leave: true }), 'op3')).toEqual({ kind: 'EMPTY' })
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op4')).toEqual({ kind: 'EMPTY', draft })
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('end', { folds: true }))
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op5')).toEqual({ kind: 'EMPTY' })
    expect(await kernel.begin(sender(c), 'op6')).toEqual({ kind: 'EMPTY' })
  })

  it('answers a repeated begin or settle with the same row and the same attempt', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b'), row('c')])
    const first = await kernel.begin(sender(c), 'op1')
    expect(await kernel.begin(sender(c), 'op1')).toEqual(first)
    const second = await kernel.settle(sender(c), 'a', sent, 'op2')
    expect(await kernel.settle(sender(c), 'a', sent, 'op2')).toEqual(second)
    expect(second).toMatchObject({ row: { id: 'b', attempts: 1 } })
    const again = await kernel.settle(sender(c), 'b', { kind: 'retry', afterMs: 0, reason: '429' }, 'op3')
    expect(await kernel.settle(sender(c), 'b', { kind: 'retry', afterMs: 0, reason: '429' }, 'op3')).toEqual(again)
    expect(again).toMatchObject({ row: { id: 'b', attempts: 2 } })
  })

  it('gives an edit the receipt of the row it replaces, also when the begin is repeated', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b', 'new', 'a'), row('d', 'say "replaces":"a"'), row('e', 'new', 'zz')])
    await mustBegin(kernel, sender(c), 'op1')
    const begun = await kernel.settle(sender(c), 'a', sent, 'op2')
    expect(begun).toMatchObject({ row: { id: 'b', replacesReceipt: '77' } })
    expect(await kernel.settle(sender(c), 'a', sent, 'op2')).toEqual(begun)
    expect(await kernel.settle(sender(c), 'b', sent, 'op3')).toEqual({
      kind: 'ROW',
      row: { id: 'd', body: row('d', 'say "replaces":"a"').body, attempts: 1, cameAtMs: expect.any(Number) },
    })
    expect(await kernel.settle(sender(c), 'd', sent, 'op4')).not.toHaveProperty('row.replacesReceipt')
  })

  it('gives what takes buttons away the receipt of the last part of a message sent in parts', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const off = { id: 'off', body: unbutton('a'), expiresInMs: 600_000 }
    await queueRows(kernel, c, [row('a'), row('edit', 'new', 'a'), off])
    await mustBegin(kernel, sender(c), 'op1')
    const bodies = [row('p1').body, row('p2').body]
    await kernel.settle(sender(c), 'a', { kind: 'split', bodies }, 'op2')
    await kernel.settle(sender(c), 'a.1', { kind: 'sent', receipt: '1' }, 'op3')
    const edit = await kernel.settle(sender(c), 'a.2', { kind: 'sent', receipt: '2' }, 'op4')
    expect(edit).toMatchObject({ row: { id: 'edit' } })
    expect(edit).not.toHaveProperty('row.replacesReceipt')
    const begun = await kernel.settle(sender(c), 'edit', { kind: 'sent', receipt: '3' }, 'op5')
    expect(begun).toEqual({
      kind: 'ROW',
      row: { id: 'off', body: off.body, attempts: 1, cameAtMs: expect.any(Number), replacesReceipt: '2' },
    })
  })

  it('edits the message that a press named once the row it replaces is forgotten', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const edit = (id: string) => {
      const { body, ...rest } = row(id, 'new', 'a')
      return { ...rest, body: { ...body, replacesMessage: '99' } }
    }
    await queueRows(kernel, c, [row('a'), edit('b')])
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c), 'a', sent, 'op2')).toMatchObject({ row: { id: 'b', replacesReceipt: '77' } })
    await kernel.settle(sender(c), 'b', sent, 'op3')
    await advance(49 * 3_600_000)
    await queueRows(kernel, c, [edit('d'), { id: 'off', body: unbutton('a', '98'), expiresInMs: 600_000 }])
    const late = await mustBegin(kernel, sender(c), 'op4')
    expect(late).toMatchObject({ id: 'd', replacesReceipt: '99' })
    expect(await kernel.settle(sender(c), 'd', sent, 'op5')).toMatchObject({ row: { replacesReceipt: '98' } })
  })

  it('tells nobody that buttons could not be taken away', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [{ id: 'off', body: unbutton('a'), expiresInMs: 600_000 }])
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c), 'off', { kind: 'failed', reason: '403' }, 'op2')).toEqual({ kind: 'EMPTY' })
  })

  it('begins nothing for a sender that leaves, and lets the next one in at once', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    const leaving = sender(c, { leave: true })
    expect(await kernel.settle(leaving, 'a', sent, 'op2')).toEqual({ kind: 'WAIT', forMs: 0 })
    expect(await dueOut(c)).toBe(true)
    const other = sender(c, { owner: 's2' })
    expect((await mustBegin(kernel, other, 'op3')).id).toBe('b')
    expect(await kernel.settle({ ...other, leave: true }, 'b', sent, 'op4')).toEqual({ kind: 'EMPTY' })
    expect(await dueOut(c)).toBe(false)
  })

  it('expires a row not begun in time, goes on, and tells so', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [{ ...row('a'), expiresInMs: 1000 }, row('b')])
    await advance(1500)
    expect((await mustBegin(kernel, sender(c), 'op1')).id).toBe('b')
    const told = { kind: 'notice', about: 'a', outcome: 'expired', language: 'en', count: 1, kept: 1 }
    expect(await kernel.settle(sender(c), 'b', sent, 'op2')).toMatchObject({ row: { body: told } })
  })

  it('holds a notice back for a minute, unless a delivery comes before: then it goes after that', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const { epoch } = await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    const waiting = await kernel.settle(sender(c), 'a', lost, 'op2')
    expect(waiting).toHaveProperty('forMs', expect.closeTo(60_000, -3))
    await advance(1000)
    expect(await kernel.begin(sender(c), 'op3')).toMatchObject({ kind: 'WAIT' })
    await kernel.append(c, epoch, step('more', { rows: [row('b')] }))
    expect((await mustBegin(kernel, sender(c), 'op4')).id).toBe('b')
    const told = await kernel.settle(sender(c), 'b', sent, 'op5')
    expect(told).toMatchObject({ row: { body: { kind: 'notice', about: 'a' } } })
  })

  it('sends a lone notice after a minute', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', lost, 'op2')
    await advance(59_000)
    expect(await dueOut(c)).toBe(false)
    await advance(1500)
    expect(await dueOut(c)).toBe(true)
    expect((await mustBegin(kernel, sender(c), 'op3')).body).toMatchObject({ kind: 'notice', about: 'a' })
  })

  it('reports a row appended behind a head that waits as due at once', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', lost, 'op2')
    expect(await dueOut(c)).toBe(false)
    await kernel.append(c, epoch, step('more', { rows: [row('b')] }))
    expect(await dueOut(c)).toBe(true)
  })

  it('sends no notice about a notice or a reaction', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const reaction: OutBody = { v: 1, kind: 'react', answers: [], language: 'zh', messageId: '5', emoji: '👍' }
    await queueRows(kernel, c, [row('b'), { id: 'a', expiresInMs: 600_000, body: reaction }])
    await mustBegin(kernel, sender(c), 'op1')
    expect(idOf(await kernel.settle(sender(c), 'b', lost, 'op2'))).toBe('a')
    const told = await kernel.settle(sender(c), 'a', lost, 'op3')
    expect(idOf(told)).toMatch(/^notice-/)
    expect(await kernel.settle(sender(c), idOf(told), lost, 'op4')).toEqual({ kind: 'EMPTY' })
  })

  it('lets the button of a notice show the lost text again', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a', 'naïve "quotes" / 你好')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', lost, 'op2')
    await advance(61_000)
    const { body } = await mustBegin(kernel, sender(c), 'op3')
    const id = body.kind === 'notice' ? body.question : ''
    const press = { question: id, actor: ann, chat: c, choice: 'show', event: answerEvent(c, id, 'p') }
    const won = await kernel.resolve(press)
    expect(won).toMatchObject({ kind: 'WON', conversation: c, question: { kind: 'show-again.show' } })
    expect(JSON.parse(won.kind === 'WON' ? won.question.payload : '')).toEqual(row('a', 'naïve "quotes" / 你好').body)
  })

  it('turns unknown into sent when the success comes late, and takes the notice back', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b', 'edit', 'a')])
    await mustBegin(kernel, sender(c), 'op1')
    await advance(ambiguousMs + 1)
    const other = sender(c, { owner: 's2' })
    expect((await mustBegin(kernel, other, 'op3')).id).toBe('b')
    expect(await kernel.settle(sender(c), 'a', sent, 'op4')).toEqual({ kind: 'HELD' })
    expect(await kernel.settle(other, 'b', sent, 'op5')).toEqual({ kind: 'EMPTY' })
  })

  it('lets terminal states absorb what comes later', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', sent, 'op2')
    for (const late of [lost, { kind: 'failed', reason: 'x' }, { kind: 'retry', afterMs: 0, reason: 'x' }] as const) {
      expect(idOf(await kernel.settle(sender(c), 'a', late, 'op2'))).toBe('b')
    }
  })

  it('lets only the sender at a row end it otherwise than sent', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    const [one, two] = [
      sender(c, { idempotentForMs: dedupedForMs }),
      sender(c, { owner: 's2', idempotentForMs: dedupedForMs }),
    ]
    await mustBegin(kernel, one, 'op1')
    await advance(ttlMs + 1)
    await mustBegin(kernel, two, 'op2')
    expect(await kernel.settle(one, 'a', { kind: 'failed', reason: 'aborted' }, 'op3')).toEqual({ kind: 'HELD' })
    expect(idOf(await kernel.settle(two, 'a', sent, 'op4'))).toBe('b')
  })

  it('takes it from anyone that a row was sent, and begins it no more', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c, { idempotentForMs: dedupedForMs }), 'op1')
    await advance(ttlMs + 1)
    const two = sender(c, { owner: 's2', idempotentForMs: dedupedForMs })
    await mustBegin(kernel, two, 'op2')
    expect(await kernel.settle(sender(c, { idempotentForMs: dedupedForMs }), 'a', sent, 'op3')).toEqual({
      kind: 'HELD',
    })
    expect(idOf(await kernel.settle(two, 'a', lost, 'op4'))).toBe('b')
  })

  it('retries after the time asked for, in place, and gives the lease back meanwhile', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    const waiting = await kernel.settle(sender(c), 'a', { kind: 'retry', afterMs: 5000, reason: '429' }, 'op2')
    expect(waiting).toHaveProperty('forMs', expect.closeTo(5000, -3))
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op3')).toMatchObject({ kind: 'WAIT' })
    expect(await dueOut(c)).toBe(false)
    await advance(5001)
    expect(await dueOut(c)).toBe(true)
    expect(await mustBegin(kernel, sender(c, { owner: 's2' }), 'op4')).toMatchObject({ id: 'a', attempts: 2 })
  })

  it('retries a notice after the time asked for', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', lost, 'op2')
    const told = await kernel.settle(sender(c), 'b', sent, 'op2b')
    expect(idOf(told)).toMatch(/^notice-/)
    const later = await kernel.settle(sender(c), idOf(told), { kind: 'retry', afterMs: 5000, reason: '429' }, 'op3')
    expect(later).toHaveProperty('forMs', expect.closeTo(5000, -3))
  })

  it('replaces a row by its parts, in order, and once', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    const split = { kind: 'split', bodies: [row('x').body, row('y').body] } as const
    const first = await kernel.settle(sender(c), 'a', split, 'op2')
    expect(first).toMatchObject({ row: { body: row('x').body, attempts: 1 } })
    expect(await kernel.settle(sender(c), 'a', split, 'op2')).toEqual(first)
    const second = await kernel.settle(sender(c), idOf(first), sent, 'op3')
    expect(second).toMatchObject({ row: { body: row('y').body } })
    expect(idOf(await kernel.settle(sender(c), idOf(second), sent, 'op4'))).toBe('b')
  })

  it('stops delivering when the conversation is parked, and keeps the outcome', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.park(c, 'for a test')
    expect(await kernel.settle(sender(c), 'a', sent, 'op2')).toEqual({ kind: 'EMPTY' })
    await kernel.unpark(c)
    expect((await mustBegin(kernel, sender(c, { owner: 's2' }), 'op3')).id).toBe('b')
  })
}
