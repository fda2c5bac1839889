// Conversations that are deleted: what goes, and that what was taken before it does not come back, whoever gives it again.
import { expect, it } from 'vitest'
import type { IngestResult } from '#queues/kernel/kernel.ts'
import { toPartition } from '#queues/partition.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  freshConversation,
  messageEvent,
  mustClaim,
  row,
  step,
} from './kernel-fixtures.ts'

const minuteMs = 60_000

export function erasingFacts(bench: () => KernelBench): void {
  const take = async (c: string, id: number, agoMs?: number): Promise<IngestResult['kind']> => {
    const event = messageEvent(c, id)
    const ago = agoMs === undefined ? {} : { agoMs }
    return (await bench().kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: true, ...ago })).kind
  }
  const countShown = async (c: string) => (await bench().kernel.readOut(c, '0', 10)).length

  it('erases a web conversation: nothing is left, and who worked there writes nothing more', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation('web')
    const other = freshConversation('web')
    for (const each of [c, other]) {
      await kernel.ingest({ event: messageEvent(each, 1), dedupeKey: 'k', stop: 'own', echo: true })
    }
    const { epoch } = await mustClaim(kernel, c)
    const question = askedQuestion(c, '*')
    const shown = row('r1')
    const buttons = [[{ id: `${question.id}.yes`, label: 'Yes' }]]
    const rows = [{ ...shown, body: { ...shown.body, buttons } }]
    await kernel.append(c, epoch, step('a', { rows, questions: [question], folds: true, snapshot: '{"kept":1}' }))
    await kernel.saveDraft(c, { turn: 't', text: 'half' })

    await kernel.erase(c)
    await advance(10)
    expect(await kernel.readOut(c, '0', 10)).toEqual([])
    expect((await kernel.inbox(c, 10)).events).toEqual([])
    expect(await kernel.findDraft(c)).toBeUndefined()
    const press = { question: question.id, actor: ann, chat: c, choice: 'yes', event: answerEvent(c, question.id, 'p') }
    expect(await kernel.resolve(press)).toEqual({ kind: 'UNKNOWN' })
    expect(await kernel.append(c, epoch, step('b', { rows: [row('r2')] }))).toMatchObject({ kind: 'FENCED' })
    expect(await kernel.readOut(other, '0', 10)).toHaveLength(1)

    expect(
      await kernel.ingest({ event: messageEvent(c, 2), dedupeKey: 'new', stop: 'none', echo: true }),
    ).toMatchObject({
      kind: 'NEW',
      seq: 1,
    })
    const again = await mustClaim(kernel, c)
    expect(again).not.toHaveProperty('snapshot')
    expect(again.stops).toEqual({})
    expect(await kernel.append(c, epoch, step('b', { rows: [row('r2')] }))).toMatchObject({ kind: 'FENCED' })
    expect(await kernel.readOut(c, '0', 10)).toHaveLength(1)
  })

  it('does not let what was taken before come back, which is given again or sent again', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation('web')
    expect(await take(c, 1)).toBe('NEW')
    await kernel.erase(c)
    for (const agoMs of [undefined, 5, 5000]) expect(await take(c, 1, agoMs)).toBe('DUP')
    expect(await countShown(c)).toBe(0)
    await advance(47 * 60 * minuteMs)
    expect(await take(c, 1)).toBe('DUP')
    expect(await take(c, 2)).toBe('NEW')
    expect(await countShown(c)).toBe(1)
  })

  it('nor what Redis lost of it, given again by another process than the deletion', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation('web')
    await advance(minuteMs)
    await kernel.erase(c)
    await advance(3000)
    expect(await take(c, 1, 3500)).toBe('DUP')
    expect(await take(c, 2, 500)).toBe('NEW')
    expect(await take(c, 3)).toBe('NEW')
    expect(await countShown(c)).toBe(2)
  })

  it('nor letters that it had received', async () => {
    const { kernel, advance } = bench()
    const [from, c] = [freshConversation(), freshConversation('web')]
    const letter = (number: number) => ({
      to: c,
      number,
      id: `l${number}`,
      says: JSON.stringify(messageEvent(c, number)),
    })
    const partition = toPartition(from)
    const { atMs } = await kernel.giveOut(partition)
    const receive = async (number: number, agoMs?: number) =>
      await kernel.receive(c, { partition, atMs }, [letter(number)], agoMs)
    expect(await receive(1)).toEqual({ has: 1, isNew: true })
    await kernel.erase(c)
    expect(await receive(1)).toEqual({ has: 1, isNew: false })
    await advance(3000)
    expect(await receive(2, 3500)).toEqual({ has: 1, isNew: false })
    expect(await receive(3, 500)).toEqual({ has: 1, isNew: true })
    expect((await kernel.inbox(c, 10)).events).toHaveLength(1)
  })

  it('is not deleted anew by a deletion that is given again, unless that was lost', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation('web')
    await take(c, 1)
    const at = await kernel.erase(c)
    await advance(10)
    expect(await take(c, 2)).toBe('NEW')
    expect(await kernel.erase(c, at)).toBe(at)
    expect(await countShown(c)).toBe(1)
    expect(await kernel.erase(c, at + 5)).toBe(at + 5)
    expect(await countShown(c)).toBe(0)
    expect(await kernel.erase(c)).toBeGreaterThan(at + 5)
  })
}
