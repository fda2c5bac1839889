// Facts about a reply that is shown while it grows: when it becomes a message, what its end replaces, and that nothing is said twice.
import { expect, it } from 'vitest'
import { toEndRow, toFirstRow } from '#shared/run/out-row.ts'
import type { Beginning } from '#queues/kernel/kernel.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  dedupedForMs,
  freshConversation,
  mustBegin,
  mustClaim,
  queueRows,
  row,
  sender,
  sendTimeoutMs,
  step,
} from './kernel-fixtures.ts'

const turn = 't1'
const body = toBody('How it begins …', { partial: true })
const beginning: Beginning = { turn, body }
const end = row(toEndRow(turn), 'the whole answer', toFirstRow(turn))

export function growingFacts(bench: () => KernelBench): void {
  /** A turn that writes, and a sender that shows it. */
  async function showing(): Promise<{ conversation: string; epoch: number }> {
    const { kernel } = bench()
    const conversation = freshConversation()
    const { epoch } = await mustClaim(kernel, conversation)
    await kernel.saveDraft(conversation, { turn, text: 'How it begins' })
    await kernel.begin(sender(conversation), 'op0')
    return { conversation, epoch }
  }

  it('makes a growing reply a message once, and knows its receipt afterwards', async () => {
    const { kernel } = bench()
    const { conversation: c } = await showing()
    const promoted = await kernel.promote(sender(c), beginning, 'op1')
    expect(promoted).toEqual({
      kind: 'ROW',
      row: { id: toFirstRow(turn), body, attempts: 1, cameAtMs: expect.any(Number) },
    })
    expect(await kernel.promote(sender(c), beginning, 'op1')).toEqual(promoted)
    await kernel.settle(sender(c), toFirstRow(turn), { kind: 'sent', receipt: '77' }, 'op2')
    expect(await kernel.promote(sender(c), beginning, 'op3')).toEqual({ kind: 'SHOWN', receipt: '77' })
  })

  it('replaces it by the end of the turn', async () => {
    const { kernel } = bench()
    const { conversation: c, epoch } = await showing()
    await kernel.promote(sender(c), beginning, 'op1')
    await kernel.append(c, epoch, step('end', { rows: [end], folds: true }))
    const next = await kernel.settle(sender(c), toFirstRow(turn), { kind: 'sent', receipt: '77' }, 'op2')
    expect(next).toEqual({
      kind: 'ROW',
      row: { id: end.id, body: end.body, attempts: 1, cameAtMs: expect.any(Number), replacesReceipt: '77' },
    })
  })

  it('knows when a sender that edited it was lost, until the next one has ended', async () => {
    const { kernel, advance } = bench()
    const { conversation: c, epoch } = await showing()
    const { ttlMs } = sender(c)
    const [second, third] = ['second', 'third'].map((owner) => ({ ...sender(c), owner }))
    if (!second || !third) throw new Error('There are two.')
    await kernel.promote(sender(c), beginning, 'op1')
    await kernel.settle(sender(c), toFirstRow(turn), { kind: 'sent', receipt: '77' }, 'op2')
    await kernel.promote(sender(c), beginning, 'op3')
    await advance(ttlMs + 1)
    await kernel.begin(second, 'op4')
    expect(await kernel.promote(second, beginning, 'op5')).toEqual({ kind: 'SHOWN', receipt: '77' })
    await kernel.append(c, epoch, step('end', { rows: [end], folds: true }))
    expect(await kernel.begin(second, 'op6')).toMatchObject({ row: { id: end.id, mayBeOvertaken: true } })
    await kernel.settle(second, end.id, { kind: 'later', afterMs: 10 }, 'op7')
    await advance(11)
    const late = {
      id: end.id,
      body: end.body,
      attempts: 1,
      cameAtMs: expect.any(Number),
      replacesReceipt: '77',
      mayBeOvertaken: true,
    }
    expect(await kernel.begin(third, 'op8')).toEqual({ kind: 'ROW', row: late })
    await kernel.settle(third, end.id, { kind: 'sent', receipt: '77' }, 'op9')
    await kernel.append(c, epoch, step('more', { rows: [{ ...end, id: 'again' }] }))
    expect(await kernel.begin(second, 'op10')).toEqual({
      kind: 'ROW',
      row: { ...late, id: 'again', mayBeOvertaken: undefined },
    })
  })

  it('does not begin what has ended, though its draft was saved late', async () => {
    const { kernel } = bench()
    const { conversation: c, epoch } = await showing()
    await kernel.append(c, epoch, step('end', { rows: [end], folds: true }))
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.saveDraft(c, { turn, text: 'How it begins' })
    expect(await kernel.findDraft(c)).toBeUndefined()
    // The next turn's draft keeps the sender at it.
    const draft = { turn: 't2', text: 'The next' }
    await kernel.saveDraft(c, draft)
    await kernel.settle(sender(c), end.id, { kind: 'sent', receipt: '78' }, 'op2')
    expect(await kernel.promote(sender(c), beginning, 'op3')).toEqual({ kind: 'EMPTY', draft })
  })

  it('sends what waits instead, and begins nothing without a draft', async () => {
    const { kernel } = bench()
    const { conversation: c, epoch } = await showing()
    await kernel.append(c, epoch, step('other', { rows: [row('other')] }))
    expect(await kernel.promote(sender(c), beginning, 'op1')).toMatchObject({ row: { id: 'other' } })
    const quiet = freshConversation()
    await kernel.saveDraft(quiet, { turn, text: 'How it begins' })
    await kernel.begin(sender(quiet), 'op2')
    const ended = await mustClaim(kernel, quiet)
    await kernel.append(quiet, ended.epoch, step('end', { folds: true }))
    expect(await kernel.promote(sender(quiet), beginning, 'op3')).toEqual({ kind: 'EMPTY' })
  })

  it('is for the holder of the lease only', async () => {
    const { kernel } = bench()
    const { conversation: c } = await showing()
    expect(await kernel.promote(sender(c, { owner: 's2' }), beginning, 'op1')).toEqual({ kind: 'HELD' })
  })

  it('drops a beginning that has not been sent when the whole answer is there', async () => {
    const { kernel } = bench()
    const { conversation: c, epoch } = await showing()
    await kernel.promote(sender(c), beginning, 'op1')
    await kernel.settle(sender(c), toFirstRow(turn), { kind: 'later', afterMs: 5000 }, 'op2')
    await kernel.append(c, epoch, step('end', { rows: [end], folds: true }))
    expect(await kernel.begin(sender(c), 'op3')).toEqual({
      kind: 'ROW',
      row: { id: end.id, body: end.body, attempts: 1, cameAtMs: expect.any(Number) },
    })
    expect(await kernel.settle(sender(c), end.id, { kind: 'sent', receipt: '9' }, 'op4')).toEqual({ kind: 'EMPTY' })
  })

  it('tells nobody of a beginning that may not have arrived, and says the whole anew', async () => {
    const { kernel, advance } = bench()
    const { conversation: c, epoch } = await showing()
    await kernel.promote(sender(c), beginning, 'op1')
    await advance(sendTimeoutMs + 2001)
    await kernel.append(c, epoch, step('end', { rows: [end], folds: true }))
    const next = await mustBegin(kernel, sender(c, { owner: 's2' }), 'op2')
    expect(next).toEqual({ id: end.id, body: end.body, attempts: 1, cameAtMs: expect.any(Number) })
    expect(await kernel.settle(sender(c, { owner: 's2' }), end.id, { kind: 'sent', receipt: '9' }, 'op3')).toEqual({
      kind: 'EMPTY',
    })
  })

  it('sends a beginning that may have arrived again, where the platform dedupes, so that the end replaces it', async () => {
    const { kernel, advance } = bench()
    const { conversation: c, epoch } = await showing()
    const from = sender(c, { idempotentForMs: dedupedForMs })
    await kernel.promote(from, beginning, 'op1')
    await kernel.append(c, epoch, step('end', { rows: [end], folds: true }))
    await kernel.settle(from, toFirstRow(turn), { kind: 'unknown', reason: 'read timeout', afterMs: 1000 }, 'op2')
    await advance(1001)
    expect(await mustBegin(kernel, from, 'op3')).toMatchObject({ id: toFirstRow(turn), attempts: 2 })
    expect(await kernel.settle(from, toFirstRow(turn), { kind: 'sent', receipt: '77' }, 'op4')).toMatchObject({
      row: { id: end.id, replacesReceipt: '77' },
    })
  })

  it('opens the question of its buttons with it', async () => {
    const { kernel } = bench()
    const { conversation: c } = await showing()
    const question = askedQuestion(c, ann)
    await kernel.promote(sender(c), { ...beginning, question }, 'op1')
    const event = answerEvent(c, question.id, 'press-1')
    const pressed = { question: question.id, actor: ann, chat: c, choice: 'yes', event }
    expect(await kernel.resolve(pressed)).toMatchObject({ kind: 'WON' })
  })

  it('does not count a row whose turn has not come as an attempt', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    const later = await kernel.settle(sender(c), 'a', { kind: 'later', afterMs: 3000 }, 'op2')
    expect(later).toHaveProperty('forMs', expect.closeTo(3000, -3))
    await advance(3001)
    expect(await mustBegin(kernel, sender(c), 'op3')).toMatchObject({ id: 'a', attempts: 1 })
  })
}
