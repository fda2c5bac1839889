// What every Kernel keeps of a forgotten message beside the state of its conversation: nothing.
import { expect, it } from 'vitest'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  deletion,
  freshConversation,
  messageEvent,
  mustClaim,
  row,
  step,
  turnDecision,
} from './kernel-fixtures.ts'

export function forgettingFacts(bench: () => KernelBench): void {
  it('blanks items in their places, closes their questions, and tells who reads on', async () => {
    const { kernel } = bench()
    const c = freshConversation('web')
    for (const n of [1, 2])
      await kernel.ingest({ event: messageEvent(c, n), dedupeKey: `k${n}`, stop: 'none', echo: true })
    const { epoch } = await mustClaim(kernel, c)
    const question = askedQuestion(c, '*')
    const answer = row('r1')
    const buttons = [[{ id: `${question.id}.yes`, label: 'Yes' }]]
    const rows = [{ ...answer, body: { ...answer.body, buttons } }, row('r2')]
    await kernel.append(c, epoch, step('a', { rows, questions: [question], reply: 'said' }))
    const items = await kernel.readOut(c, '0', 10)
    const [first, , third] = items
    const event = deletion(c, 'm1')

    await kernel.forget(event, [`${first?.at}-1`, `${third?.at}-3`, '5-2', '9-77'])
    const left = await kernel.readOut(c, '0', 10)
    expect(left.slice(0, 4)).toEqual([
      { id: '1', at: first?.at, role: 'person', event },
      items[1],
      { id: '3', at: third?.at, role: 'person', event },
      items[3],
    ])
    expect(left[4]).toMatchObject({ id: '5', role: 'person', event })
    expect(left).toHaveLength(5)
    const press = { question: question.id, actor: ann, chat: c, choice: 'yes', event: answerEvent(c, question.id, 'p') }
    expect(await kernel.resolve(press)).toEqual({ kind: 'UNKNOWN' })
    expect(await kernel.inbox(c, 10)).not.toHaveProperty('previousReply')
  })

  it('tells nobody where nothing was blanked', async () => {
    const { kernel } = bench()
    const c = freshConversation('web')
    await kernel.ingest({ event: messageEvent(c, 1), dedupeKey: 'k', stop: 'none', echo: true })
    await kernel.forget(deletion(c, 'other'), [])
    expect(await kernel.readOut(c, '0', 10)).toHaveLength(1)
  })

  it('closes the questions that are open about it, on whatever channel, and tells of the others what they are about', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await kernel.ingest({ event: messageEvent(c, 1), dedupeKey: 'k', stop: 'none', echo: false })
    const { epoch } = await mustClaim(kernel, c)
    const about = (topic: string, ids: string[]) => ({ ...askedQuestion(c), topic, about: ids })
    const [gone, stays] = [about('a', ['m0', 'm1']), about('b', ['m10', 'm2'])]
    await kernel.append(c, epoch, step('a', { questions: [gone, stays] }))
    await kernel.forget(deletion(c, 'm1'), [])
    const press = async (question: string) => {
      const event = answerEvent(c, question, `press ${question}`)
      return await kernel.resolve({ question, actor: ann, chat: c, choice: 'yes', event })
    }
    expect(await press(gone.id)).toEqual({ kind: 'UNKNOWN' })
    expect(await press(stays.id)).toMatchObject({ kind: 'WON' })
    const { events } = await kernel.inbox(c, 10)
    expect(events.at(-1)?.event).toMatchObject({ kind: 'answer', about: 'redo.edited', messages: ['m10', 'm2'] })
  })

  it('keeps what a question carried only until it is answered', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await kernel.ingest({ event: messageEvent(c, 1), dedupeKey: 'k', stop: 'none', echo: false })
    const { epoch } = await mustClaim(kernel, c)
    const asked = { ...askedQuestion(c), payload: 'my own words', deadlineMs: 60_000, asker: ann }
    await kernel.append(c, epoch, step('a', { questions: [asked] }))
    const event = answerEvent(c, asked.id, 'press')
    const press = async () => await kernel.resolve({ question: asked.id, actor: ann, chat: c, choice: 'yes', event })
    expect(await press()).toMatchObject({ kind: 'WON', question: { payload: 'my own words' } })
    expect((await kernel.inbox(c, 10)).events.at(-1)?.event).toMatchObject({ payload: 'my own words' })
    expect(await press()).toMatchObject({ kind: 'WON', question: { payload: '' } })
  })

  it('drops answers that were set aside and came of it', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const answered = { ...answerEvent(c, 'p07-0123456789012345678901', 'press'), messages: ['m1'] }
    for (const [i, event] of [answered, { ...answered, id: 'other', messages: ['m10'] }].entries())
      await kernel.ingest({ event, dedupeKey: `k${i}`, stop: 'none', echo: false })
    await kernel.route(c, 0, [turnDecision, turnDecision])
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { consume: [1, 2], setAside: [1, 2] }))
    await kernel.forget(deletion(c, 'm1'), [])
    expect(await kernel.replay(c)).toBe(1)
    expect((await kernel.inbox(c, 10)).events.map(({ event }) => event.id)).toEqual(['other'])
  })

  it('drops what was set aside of it, and of what replies to it', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const replyTo = { messageId: 'm1', text: 'quoted', fromBot: false }
    const events = [{ messageId: 'm1' }, { messageId: 'm2' }, { messageId: 'm3', replyTo }]
    for (const [i, more] of events.entries())
      await kernel.ingest({ event: { ...messageEvent(c, i), ...more }, dedupeKey: `k${i}`, stop: 'none', echo: false })
    await kernel.route(c, 0, [turnDecision, turnDecision, turnDecision])
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { consume: [1, 2, 3], setAside: [1, 2, 3] }))
    await kernel.forget(deletion(c, 'm1'), [])
    expect(await kernel.replay(c)).toBe(1)
    expect((await kernel.inbox(c, 10)).events.map(({ event }) => event.id)).toEqual([`${c}:1`])
  })
}
