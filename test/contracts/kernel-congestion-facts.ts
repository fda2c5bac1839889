// Facts about an outbox with more answers than may be sent: new ones come first, one notice tells what was lost, courtesies yield, and
// no more turns are to be begun.
import { expect, it } from 'vitest'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { unbutton, type OutBody } from '#shared/run/out-row.ts'
import type { BeginResult, Kernel } from '#queues/kernel/kernel.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'
import { ann, answerEvent, freshConversation, mustBegin, mustClaim, queueRows, row, sender } from './kernel-fixtures.ts'

const sent = { kind: 'sent', receipt: '77' } as const
const failed = { kind: 'failed', reason: '403' } as const
/** What a budget says that has a permit for this conversation only every so often. */
const later = (afterMs: number) => ({ kind: 'later', afterMs }) as const
const off = (id: string, card: string) => ({ id, body: unbutton(card), expiresInMs: 600_000 })

export function congestionFacts(bench: () => KernelBench): void {
  const idOf = (result: BeginResult): string => (result.kind === 'ROW' ? result.row.id : result.kind)

  /** Sends what there is, each row at once, and says in which order. */
  async function drain(kernel: Kernel, c: ConversationId, begun: BeginResult): Promise<string[]> {
    const order: string[] = []
    let next = begun
    while (next.kind === 'ROW' && order.length < 300) {
      order.push(next.row.body.kind === 'notice' ? 'notice' : next.row.id)
      next = await kernel.settle(sender(c), next.row.id, sent, `sent ${next.row.id}`)
    }
    return order
  }

  it('lets new answers pass old ones that the budget keeps waiting, and keeps the order among the new and the old', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b'), row('c')])
    await advance(20_000)
    await queueRows(kernel, c, [row('x'), row('y')])
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c), 'a', later(12_000), 'op2')).toMatchObject({ kind: 'WAIT' })
    await advance(12_001)
    await mustBegin(kernel, sender(c), 'op3')
    expect(idOf(await kernel.settle(sender(c), 'a', sent, 'op4'))).toBe('x')
    await kernel.settle(sender(c), 'x', later(12_000), 'op5')
    await advance(12_001)
    expect(await drain(kernel, c, await kernel.begin(sender(c), 'op6'))).toEqual(['x', 'y', 'b', 'c'])
  })

  it('keeps the order while all that waits can be sent soon', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b'), row('c')])
    await advance(20_000)
    await queueRows(kernel, c, [row('x')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', later(1000), 'op2')
    await advance(1001)
    expect(await drain(kernel, c, await kernel.begin(sender(c), 'op3'))).toEqual(['a', 'b', 'c', 'x'])
  })

  it('keeps the parts of a message together when newer answers pass', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', { kind: 'split', bodies: [row('p').body, row('q').body, row('r').body] }, 'op2')
    await advance(20_000)
    await queueRows(kernel, c, [row('x'), row('y')])
    await kernel.settle(sender(c), 'a.1', later(12_000), 'op3')
    await advance(12_001)
    expect(await drain(kernel, c, await kernel.begin(sender(c), 'op4'))).toEqual(['a.1', 'a.2', 'a.3', 'b', 'x', 'y'])
  })

  it('expires what grew too old behind a row that waits for its permit, and tells all of it in one notice at the end', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(
      kernel,
      c,
      [row('z'), row('a'), row('b'), row('c')].map((one) => ({ ...one, expiresInMs: 100_000 })),
    )
    await mustBegin(kernel, sender(c), 'op1')
    await advance(100_001)
    await queueRows(kernel, c, [row('x'), row('y')])
    await kernel.settle(sender(c), 'z', sent, 'op2')
    await mustBegin(kernel, sender(c), 'op2')
    await kernel.settle(sender(c), 'x', later(12_000), 'op3')
    await advance(12_001)
    const begun = await kernel.begin(sender(c), 'op4')
    expect(idOf(begun)).toBe('x')
    await kernel.settle(sender(c), 'x', sent, 'op5')
    const told = await kernel.settle(sender(c), 'y', sent, 'op6')
    expect(told).toMatchObject({ row: { body: { kind: 'notice', about: 'c', outcome: 'expired', count: 3, kept: 3 } } })
    expect(await kernel.settle(sender(c), idOf(told), sent, 'op7')).toEqual({ kind: 'EMPTY' })
  })

  it('sends a notice before answers that never end, once it is as old as they may become', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', failed, 'op2')
    await advance(500_000)
    await queueRows(kernel, c, [row('d')])
    expect(idOf(await kernel.begin(sender(c), 'op2'))).toBe('b')
    expect(idOf(await kernel.settle(sender(c), 'b', sent, 'op3'))).toBe('d')
    await advance(100_001)
    await queueRows(kernel, c, [row('e')])
    const told = await kernel.settle(sender(c), 'd', sent, 'op4')
    expect(told).toMatchObject({ row: { body: { kind: 'notice', about: 'a' } } })
    expect(idOf(await kernel.settle(sender(c), idOf(told), later(30_000), 'op5'))).toBe('e')
  })

  it('says of messages with different ends that they may not have arrived, and takes back what did arrive', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [row('a'), row('b'), row('d')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', failed, 'op2')
    await kernel.settle(sender(c), 'b', { kind: 'unknown', reason: 'read timeout' }, 'op3')
    await kernel.settle(sender(c), 'b', sent, 'op4')
    const told = await kernel.settle(sender(c), 'd', sent, 'op5')
    expect(told).toMatchObject({ row: { body: { kind: 'notice', outcome: 'unknown', count: 1 } } })
  })

  it('keeps the newest five of the lost messages, and no more than 16,000 bytes, to be shown again', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const texts = ['one', 'two', 'x'.repeat(20_000), 'three', 'four', 'y'.repeat(9000), 'z'.repeat(6000), 'five']
    await queueRows(
      kernel,
      c,
      texts.map((text, i) => row(`r${i}`, text)),
    )
    let next = await kernel.begin(sender(c), 'op')
    for (const [i] of texts.entries()) next = await kernel.settle(sender(c), `r${i}`, failed, `op${i}`)
    const body = next.kind === 'ROW' ? next.row.body : row('').body
    expect(body).toMatchObject({ kind: 'notice', count: 8, kept: 5 })
    const id = body.kind === 'notice' ? body.question : ''
    const press = { question: id, actor: ann, chat: c, choice: 'show', event: answerEvent(c, id, 'p') }
    const won = await kernel.resolve(press)
    const shown: unknown = JSON.parse(won.kind === 'WON' ? won.question.payload : '')
    expect(shown).toEqual(['three', 'four', texts[5], texts[6], 'five'].map((text) => row('', text).body))
  })

  it.each(['x', '水', '\n\u0001水'])(
    'keeps of a lost message that is too long what fits, between two characters: %j',
    async (unit) => {
      const { kernel } = bench()
      const c = freshConversation()
      const text = unit.repeat(20_000)
      await queueRows(kernel, c, [row('a'), row('b', text)])
      await mustBegin(kernel, sender(c), 'op1')
      await kernel.settle(sender(c), 'a', failed, 'op2')
      const told = await kernel.settle(sender(c), 'b', failed, 'op3')
      const body = told.kind === 'ROW' ? told.row.body : row('').body
      expect(body).toMatchObject({ kind: 'notice', count: 2, kept: 1 })
      const id = body.kind === 'notice' ? body.question : ''
      const press = { question: id, actor: ann, chat: c, choice: 'show', event: answerEvent(c, id, 'p') }
      const won = await kernel.resolve(press)
      const payload = won.kind === 'WON' ? won.question.payload : ''
      expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(16_000)
      expect(Buffer.byteLength(payload)).toBeGreaterThan(15_990)
      const shown: OutBody = JSON.parse(payload)
      const kept = shown.kind === 'send' ? shown.text : ''
      expect(kept.endsWith('…') && text.startsWith(kept.slice(0, -1))).toBe(true)
      expect({ ...shown, text }).toEqual(row('b', text).body)
    },
  )

  it('offers no button for a lost message whose file alone is too long to be kept', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const file = { name: 'a.txt', caption: 'a', text: 'x'.repeat(20_000) }
    await queueRows(kernel, c, [toRow('a', toBody('a', { file }))])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', failed, 'op2')
    await advance(61_000)
    const { body } = await mustBegin(kernel, sender(c), 'op3')
    expect(body).toMatchObject({ kind: 'notice', count: 1, kept: 0, question: '' })
  })

  it('lets answers pass what takes buttons away, once, and gives it up when it has grown old behind them', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [off('off-1', 'p'), row('a'), off('off-2', 'a'), row('b')])
    const order = await drain(kernel, c, await kernel.begin(sender(c), 'op1'))
    expect(order).toEqual(['a', 'b', 'off-1', 'off-2'])
    await queueRows(kernel, c, [off('off-3', 'b'), row('d')])
    await mustBegin(kernel, sender(c), 'op2')
    await advance(15_001)
    await queueRows(kernel, c, [row('e'), off('off-4', 'd')])
    expect(idOf(await kernel.settle(sender(c), 'd', sent, 'op3'))).toBe('e')
    expect(await drain(kernel, c, await kernel.begin(sender(c), 'op3'))).toEqual(['e', 'off-4'])
  })

  it('lets answers pass what takes buttons away whenever it was told to wait, and keeps it where nothing else is sent', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [off('off-1', 'p')])
    await mustBegin(kernel, sender(c), 'op1')
    expect(await kernel.settle(sender(c), 'off-1', later(40_000), 'op2')).toMatchObject({ kind: 'WAIT' })
    for (const text of ['a', 'b']) {
      await queueRows(kernel, c, [row(text)])
      expect(await drain(kernel, c, await kernel.begin(sender(c), `at ${text}`))).toEqual([text])
    }
    await advance(40_001)
    await queueRows(kernel, c, [off('off-2', 'q')])
    expect(await drain(kernel, c, await kernel.begin(sender(c), 'op3'))).toEqual(['off-1', 'off-2'])
  })

  it('gives up what takes buttons away where answers keep coming, and the oldest where thirty wait', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [off('off-1', 'p'), row('a')])
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'a', sent, 'op2')
    await kernel.settle(sender(c), 'off-1', later(20_000), 'op3')
    await advance(20_001)
    await queueRows(kernel, c, [row('b')])
    expect(await drain(kernel, c, await kernel.begin(sender(c), 'op4'))).toEqual(['b'])
    await queueRows(
      kernel,
      c,
      Array.from({ length: 40 }, (_, i) => off(`more-${i}`, 'p')),
    )
    for (let next = await kernel.begin(sender(c), 'op5'); next.kind === 'ROW';)
      next = await kernel.settle(sender(c), next.row.id, later(5000), `later ${next.row.id}`)
    await advance(5001)
    const rest = await drain(kernel, c, await kernel.begin(sender(c), 'op6'))
    expect(rest.toSorted()).toEqual(Array.from({ length: 30 }, (_, i) => `more-${i + 10}`))
  })

  it('shows an answer in the making, and its first message, while what takes buttons away waits', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await queueRows(kernel, c, [off('off-1', 'p')])
    await mustBegin(kernel, sender(c), 'op1')
    const draft = { turn: 't', text: 'it begins' }
    await kernel.saveDraft(c, draft)
    expect(await kernel.settle(sender(c), 'off-1', later(40_000), 'op2')).toMatchObject({ kind: 'EMPTY', draft })
    const beginning = { turn: 't', body: toBody('it begins', { partial: true }) }
    expect(await kernel.promote(sender(c), beginning, 'op3')).toMatchObject({ row: { id: 't-first' } })
    expect(await kernel.settle(sender(c), 't-first', sent, 'op4')).toMatchObject({ kind: 'EMPTY', draft })
  })

  it('tells whoever claims or looks that more answers wait than may be sent, until a permit later', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(
      kernel,
      c,
      Array.from({ length: 52 }, (_, i) => row(`r${i}`)),
    )
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'r0', later(11_000), 'op2')
    expect((await kernel.pending(c, 0)).isCongested).toBe(false)
    await mustClaim(kernel, c)
    await advance(11_001)
    await queueRows(kernel, c, [row('new'), row('newer')])
    await mustBegin(kernel, sender(c), 'op3')
    await kernel.settle(sender(c), 'r0', later(12_000), 'op4')
    expect((await kernel.pending(c, 0)).isCongested).toBe(true)
    expect((await mustClaim(kernel, c)).isCongested).toBe(true)
    await advance(24_001)
    expect((await kernel.pending(c, 0)).isCongested).toBe(false)
  })

  it('keeps no answer from being made when the load is over, since a new one goes first', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await queueRows(
      kernel,
      c,
      Array.from({ length: 52 }, (_, i) => row(`r${i}`)),
    )
    await mustBegin(kernel, sender(c), 'op1')
    await advance(15_001)
    await kernel.settle(sender(c), 'r0', later(12_000), 'op2')
    expect((await kernel.pending(c, 0)).isCongested).toBe(false)
  })
}
