// Facts about what stays of a conversation: once its events are done with, when it is only overheard, and after long silence.
import { expect, it } from 'vitest'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { toPartition } from '#queues/partition.ts'
import {
  ann,
  askedQuestion,
  bob,
  deliverMany,
  freshConversation,
  ignoreDecision,
  answerEvent,
  messageEvent,
  mustBegin,
  mustClaim,
  row,
  sender,
  step,
  turnDecision,
} from './kernel-fixtures.ts'

const dayMs = 86_400_000
const idleMs = 30 * dayMs

export function restFacts(bench: () => KernelBench): void {
  const ingest = async (c: string, id: string, how: { stop?: 'own' | 'all'; who?: string; echo?: boolean } = {}) => {
    const event = messageEvent(c, id, how.who)
    return bench().kernel.ingest({ event, dedupeKey: id, stop: how.stop ?? 'none', echo: how.echo ?? false })
  }
  const putAway = (c: string) => bench().kernel.archive(toPartition(c), idleMs, 1000)
  /** A conversation in which one event was answered and `rest` is what is to stay. */
  async function answered(c: string, rest: string): Promise<void> {
    const { kernel } = bench()
    await ingest(c, 'first', { echo: c.startsWith('web:') })
    await kernel.route(c, 0, [turnDecision])
    const { epoch } = await mustClaim(kernel, c)
    const rows = [row('r1')]
    await kernel.append(
      c,
      epoch,
      step('a', {
        consume: [1],
        rows,
        folds: true,
        snapshot: 'all of it',
        parts: { past: 'long ago' },
        rest,
        reply: 'hi',
        release: true,
      }),
    )
    if (c.startsWith('web:')) return
    await mustBegin(kernel, sender(c), 'op1')
    await kernel.settle(sender(c), 'r1', { kind: 'sent', receipt: '7' }, 'op2')
  }

  it('keeps the counters of what was only overheard once a worker was there', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await ingest(c, 'first')
    await kernel.route(c, 0, [ignoreDecision])
    await mustClaim(kernel, c)
    await ingest(c, 'second')
    await advance(700_000)
    expect(await kernel.inbox(c, 10)).toMatchObject({
      routedSeq: 1,
      events: [{ seq: 2, event: { id: `${c}:second` } }],
    })
  })

  it('forgets a stop once the events before it are done with', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    await ingest(c, 'stop', { stop: 'own', who: bob })
    await ingest(c, 'stop all', { stop: 'all' })
    const { epoch, stops } = await mustClaim(kernel, c)
    expect(stops).toEqual({ [bob]: 2, '*': 3 })
    await kernel.append(c, epoch, step('a', { consume: [1, 2] }))
    await kernel.route(c, 1, [turnDecision])
    expect((await kernel.pending(c, 0)).stops).toEqual({ '*': 3 })
    await kernel.route(c, 2, [ignoreDecision])
    expect((await kernel.pending(c, 0)).stops).toEqual({})
  })

  it('keeps a stop as long as an event before it waits', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    await ingest(c, 'stop', { stop: 'own' })
    await kernel.route(c, 1, [ignoreDecision])
    expect((await kernel.pending(c, 0)).stops).toEqual({ [ann]: 2 })
  })

  it('passes over thousands of ignored events while one waits', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    for (let from = 1; from < 3000; from += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => ingest(c, `e${from + i}`)))
      await kernel.route(
        c,
        from,
        Array.from({ length: 100 }, () => ignoreDecision),
      )
    }
    await ingest(c, 'last')
    await kernel.route(c, 3001, [turnDecision])
    const { epoch, pending } = await mustClaim(kernel, c)
    expect(pending.map(({ seq }) => seq)).toEqual([1, 3002])
    await kernel.append(c, epoch, step('a', { consume: [1] }))
    expect((await kernel.pending(c, 0)).events.map(({ seq }) => seq)).toEqual([3002])
  })

  it('keeps nothing of a chat that is only overheard', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    expect(await ingest(c, 'heard')).toMatchObject({ kind: 'NEW', seq: 1 })
    await kernel.route(c, 0, [ignoreDecision])
    // Its counters stay as long as a router may have its events in its hands.
    expect(await ingest(c, 'more')).toMatchObject({ kind: 'NEW', seq: 2 })
    expect(await kernel.route(c, 0, [turnDecision])).toEqual({ kind: 'BEHIND' })
    await kernel.route(c, 1, [ignoreDecision])
    await advance(601_000)
    expect(await ingest(c, 'again')).toMatchObject({ kind: 'NEW', seq: 1 })
    await kernel.route(c, 0, [turnDecision])
    await advance(3 * 601_000)
    expect(await ingest(c, 'again')).toEqual({ kind: 'DUP', seq: 1 })
    expect((await mustClaim(kernel, c)).pending).toMatchObject([{ seq: 1 }])
  })

  it('still knows an ignored event where something was done', async () => {
    const c = freshConversation()
    await answered(c, '')
    await ingest(c, 'heard')
    await bench().kernel.route(c, 1, [ignoreDecision])
    expect(await ingest(c, 'heard')).toEqual({ kind: 'DUP', seq: 2 })
  })

  it('leaves of a conversation silent for 30 days what was set in it', async () => {
    const { kernel, advance } = bench()
    const [set, plain] = [freshConversation(), freshConversation()]
    await answered(set, 'what was set')
    await answered(plain, '')
    await advance(idleMs - dayMs)
    await Promise.all([putAway(set), putAway(plain)])
    expect(await mustClaim(kernel, set)).toMatchObject({ snapshot: 'all of it' })
    await kernel.release(set, 'w1', (await mustClaim(kernel, set)).epoch, true)
    await advance(2 * dayMs)
    await Promise.all([putAway(set), putAway(plain)])
    expect(await ingest(set, 'back')).toMatchObject({ kind: 'NEW', seq: 1 })
    expect((await kernel.inbox(set, 1)).previousReply).toBeUndefined()
    expect(await mustClaim(kernel, set)).toMatchObject({ snapshot: 'what was set', tail: [], routedSeq: 0 })
    expect(await mustClaim(kernel, set)).not.toHaveProperty('past')
    expect(await mustClaim(kernel, plain)).not.toHaveProperty('snapshot')
  })

  it('keeps what was set through a second silence', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await answered(c, 'what was set')
    await advance(idleMs + dayMs)
    await putAway(c)
    await ingest(c, 'heard')
    await kernel.route(c, 0, [ignoreDecision])
    await advance(idleMs + dayMs)
    await putAway(c)
    expect(await mustClaim(kernel, c)).toMatchObject({ snapshot: 'what was set' })
  })

  it('keeps what web shows, and counts on', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation('web')
    await answered(c, '')
    await advance(idleMs + dayMs)
    await putAway(c)
    expect((await kernel.readOut(c, '0', 10)).map(({ id, role }) => [id, role])).toEqual([
      ['1', 'person'],
      ['2', 'bot'],
    ])
    expect(await ingest(c, 'back', { echo: true })).toMatchObject({ kind: 'NEW', seq: 2 })
    expect((await kernel.readOut(c, '2', 10)).map(({ id }) => id)).toEqual(['3'])
  })

  it('puts nothing away that has work, an open turn or a question', async () => {
    const { kernel, advance } = bench()
    const [waiting, open, queued, asked] = [1, 2, 3, 4].map(() => freshConversation())
    if (!waiting || !open || !queued || !asked) throw new Error('Four conversations are needed.')
    for (const c of [waiting, open, queued, asked]) await answered(c, '')
    await ingest(waiting, 'unread')
    const turn = await mustClaim(kernel, open)
    await kernel.append(open, turn.epoch, step('begun'))
    const sending = await mustClaim(kernel, queued)
    await kernel.append(
      queued,
      sending.epoch,
      step('b', { rows: [row('r2')], folds: true, snapshot: 'more', rest: '', release: true }),
    )
    const asking = await mustClaim(kernel, asked)
    await advance(idleMs - 7 * dayMs)
    const question = { ...askedQuestion(asked), livesMs: 100 * dayMs }
    const more = { questions: [question], folds: true, snapshot: 'more', rest: '', release: true }
    await kernel.append(asked, asking.epoch, step('b', more))
    await advance(8 * dayMs)
    for (const c of [waiting, open, queued, asked]) await putAway(c)
    expect(await kernel.inbox(waiting, 5)).toMatchObject({ routedSeq: 1, events: [{ seq: 2 }] })
    expect((await mustClaim(kernel, open, 'w2')).tail).toHaveLength(1)
    expect((await mustClaim(kernel, queued, 'w2')).snapshot).toBe('more')
    expect((await mustClaim(kernel, asked, 'w2')).snapshot).toBe('more')
    // A question lives for two weeks at most, so that it never outlives its conversation.
    await advance(7 * dayMs)
    const press = { actor: ann, chat: asked, choice: 'yes', event: answerEvent(asked, question.id, 'press') }
    expect(await kernel.resolve({ question: question.id, ...press })).toEqual({ kind: 'UNKNOWN' })
  })

  it('refuses a step that took another event for the one in the mailbox', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 2)
    const { epoch } = await mustClaim(kernel, c)
    const known = [1, 2].map((seq) => ({ seq, id: messageEvent(c, seq).id }))
    const lost = [
      { seq: 1, id: messageEvent(c, 1).id },
      { seq: 2, id: 'another' },
    ]
    expect(await kernel.append(c, epoch, step('a', { consume: [1, 2], known: lost }))).toEqual({ kind: 'FENCED' })
    expect((await kernel.pending(c, 0)).events).toHaveLength(2)
    expect(await kernel.append(c, epoch, step('a', { consume: [1, 2], known }))).toMatchObject({ kind: 'OK' })
    expect(await kernel.append(c, epoch, step('b', { known }))).toMatchObject({ kind: 'OK' })
  })

  it('keeps the hundred newest events set aside, for 30 days', async () => {
    const { kernel, advance } = bench()
    const [many, old] = [freshConversation(), freshConversation()]
    for (const [c, count] of [
      [many, 150],
      [old, 1],
    ] as const) {
      await deliverMany(kernel, c, count)
      const seqs = Array.from({ length: count }, (_, i) => i + 1)
      const { epoch } = await mustClaim(kernel, c)
      await kernel.append(c, epoch, step('a', { consume: seqs, setAside: seqs }))
    }
    expect(await kernel.replay(many)).toBe(100)
    await advance(31 * dayMs)
    expect(await kernel.replay(old)).toBe(0)
  })
}
