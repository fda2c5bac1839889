// Facts about the message of a turn's plan: who may edit it when, what its loss means, and that its end lets answers pass.
import { expect, it } from 'vitest'
import { toEndRow, toPlanEndRow, toPlanRow } from '#shared/run/out-row.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { freshConversation, mustBegin, mustClaim, row, sender, sendTimeoutMs, step } from './kernel-fixtures.ts'

const turn = 't1'
const id = toPlanRow(turn)
const plan = toRow(id, toBody('Plan [1/2]', { plan: true }))
const ended = toRow(toPlanEndRow(turn), toBody('Plan done', { plan: true, replaces: id }))
const answer = row(toEndRow(turn), 'the answer')
const draft = { turn, text: 'a text that says "plan":{"row":"x"}', plan: { row: id, text: 'Plan [2/2]' } }

export function planFacts(bench: () => KernelBench): void {
  /** A turn whose plan waits to be sent, and its draft. */
  async function planned(): Promise<{ conversation: string; epoch: number }> {
    const { kernel } = bench()
    const conversation = freshConversation()
    const { epoch } = await mustClaim(kernel, conversation)
    await kernel.append(conversation, epoch, step('plan', { rows: [plan] }))
    await kernel.saveDraft(conversation, draft)
    return { conversation, epoch }
  }

  it('sends of edits that only tell how far something is the newest alone', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await mustClaim(kernel, c)
    const edit = (n: number, of = 'card') => toRow(`e${n}`, toBody(`${n}`, { plan: true, replaces: of }))
    await kernel.append(c, epoch, step('a', { rows: [row('card'), edit(1), edit(2, 'other'), row('said')] }))
    await kernel.append(c, epoch, step('b', { rows: [edit(3)] }))
    const texts: string[] = []
    for (let n = 0; n < 10; n++) {
      const begun = await kernel.begin(sender(c), `op${n}`)
      if (begun.kind !== 'ROW') break
      texts.push(begun.row.id)
      await kernel.settle(sender(c, { leave: true }), begun.row.id, { kind: 'sent', receipt: `${n}` }, `sent${n}`)
    }
    expect(texts.toSorted()).toEqual(['card', 'e2', 'e3', 'said'])
  })

  it('tells who shows a draft which message its plan is, once that was sent', async () => {
    const { kernel } = bench()
    const { conversation: c } = await planned()
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c), id, { kind: 'sent', receipt: '77' }, 'op2')).toEqual({
      kind: 'EMPTY',
      draft,
      plan: '77',
    })
    expect(await kernel.begin(sender(c), 'op3')).toEqual({ kind: 'EMPTY', draft, plan: '77' })
  })

  it.each([
    { kind: 'unknown', reason: 'read timeout' },
    { kind: 'failed', reason: 'no' },
  ] as const)('edits none whose end is $kind, and tells nobody of it', async (outcome) => {
    const { kernel, advance } = bench()
    const { conversation: c, epoch } = await planned()
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c), id, outcome, 'op2')).toEqual({ kind: 'EMPTY', draft })
    await kernel.append(c, epoch, step('end', { rows: [answer, ended], folds: true }))
    expect(await mustBegin(kernel, sender(c), 'op3')).toMatchObject({ id: answer.id })
    const last = await kernel.settle(sender(c), answer.id, { kind: 'sent', receipt: '78' }, 'op4')
    expect(last).toMatchObject({ row: { id: ended.id } })
    expect(last).not.toHaveProperty('row.replacesReceipt')
    await kernel.settle(sender(c), ended.id, outcome, 'op5')
    await advance(100_000)
    expect(await kernel.begin(sender(c), 'op6')).toEqual({ kind: 'EMPTY' })
  })

  it('tells nobody of one of which nobody knows whether it was sent', async () => {
    const { kernel, advance } = bench()
    const { conversation: c } = await planned()
    await mustBegin(kernel, sender(c), 'op1')
    await advance(sendTimeoutMs + 2001)
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op2')).toEqual({ kind: 'EMPTY', draft })
    await advance(100_000)
    expect(await kernel.begin(sender(c, { owner: 's2' }), 'op3')).toEqual({ kind: 'EMPTY' })
  })

  it('lets the answer pass, and changes its message by the receipt', async () => {
    const { kernel } = bench()
    const { conversation: c, epoch } = await planned()
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), id, { kind: 'sent', receipt: '77' }, 'op2')
    await kernel.append(c, epoch, step('end', { rows: [ended, answer], folds: true }))
    expect(await mustBegin(kernel, sender(c), 'op3')).toMatchObject({ id: answer.id })
    expect(await kernel.settle(sender(c), answer.id, { kind: 'sent', receipt: '78' }, 'op4')).toMatchObject({
      row: { id: ended.id, replacesReceipt: '77' },
    })
  })

  it('knows that the edit of a sender that was lost may come late', async () => {
    const { kernel, advance } = bench()
    const { conversation: c, epoch } = await planned()
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), id, { kind: 'sent', receipt: '77' }, 'op2')
    await advance(sender(c).ttlMs + 1)
    await kernel.append(c, epoch, step('end', { rows: [ended], folds: true }))
    expect(await mustBegin(kernel, sender(c, { owner: 's2' }), 'op3')).toMatchObject({ mayBeOvertaken: true })
  })
}
