// Facts about commands that only tell something: what is said behind them is still the next thing that is said to a question.
import { expect, it } from 'vitest'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import {
  ann,
  askedQuestion,
  freshConversation,
  messageEvent,
  mustBegin,
  mustClaim,
  sender,
  step,
  turnDecision,
} from './kernel-fixtures.ts'

const tells = (name: string, args = '') =>
  ({ v: 1, act: 'command', rule: 'command.slash', command: { name, args }, aside: true }) as const

export function asideFacts(bench: () => KernelBench): void {
  /** A question whose card was sent. */
  const ask = async (c: ConversationId): Promise<void> => {
    const { kernel } = bench()
    const how = { asker: ann, deadlineMs: 86_400_000, card: 'e1-0', labels: ['Yes', 'No'] }
    const question = { ...askedQuestion(c, ann), ...how }
    const buttons = [[{ id: `${question.id}.yes`, label: 'Yes' }]]
    const rows = [{ id: 'card', body: toBody('Keep it?', { buttons }), expiresInMs: 600_000 }]
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step(question.id, { questions: [question], rows }))
    await kernel.release(c, 'w1', epoch, true)
    const begun = await mustBegin(kernel, sender(c), 'begin')
    await kernel.settle(sender(c, { leave: true }), begun.id, { kind: 'sent', receipt: 'm77' }, 'end')
  }
  const hear = async (c: ConversationId, ...ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      const event = messageEvent(c, id)
      await bench().kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
    }
  }
  const route = async (c: ConversationId, ...rulings: Parameters<KernelBench['kernel']['route']>[2]) => {
    const { routedSeq } = await bench().kernel.pending(c, 0)
    return await bench().kernel.route(c, routedSeq, rulings)
  }
  const afterSeq = async (c: ConversationId) => (await bench().kernel.findCards(c, [])).cards[0]?.afterSeq

  it('passes by commands that only tell something, up to what else is said', async () => {
    const c = freshConversation()
    await ask(c)
    await hear(c, 'm1', 'm2')
    expect(await afterSeq(c)).toBe(0)
    await route(c, tells('questions'), tells('help', ',"aside":true}'))
    expect(await afterSeq(c)).toBe(2)
    await hear(c, 'm3')
    await route(c, turnDecision)
    await hear(c, 'm4')
    await route(c, tells('help'))
    expect(await afterSeq(c)).toBe(2)
  })

  it('passes by no other command, whatever stands behind it', async () => {
    const c = freshConversation()
    await ask(c)
    await hear(c, 'm1')
    const args = ',"aside":true}'
    await route(c, { v: 1, act: 'command', rule: 'command.slash', command: { name: 'new', args } })
    expect(await afterSeq(c)).toBe(0)
  })
}
