// Facts about resolve: one winner, in the right chat, by the right person, for an option that was offered.
import { expect, it } from 'vitest'
import type { Question } from '#shared/run/question.ts'
import type { Timer } from '#shared/run/step.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { createStop } from '#queues/workers/create-stop.ts'
import { toEndRow } from '#shared/run/out-row.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  bob,
  deliverMany,
  freshConversation,
  ingestMany,
  mustClaim,
  row,
  step,
} from './kernel-fixtures.ts'

export function questionFacts(bench: () => KernelBench): void {
  const ask = async (
    conversation: string,
    owner: Question['owner'] = '*',
    more: Partial<Question> = {},
  ): Promise<Question> => {
    const { kernel } = bench()
    const question = { ...askedQuestion(conversation, owner), ...more }
    const { epoch } = await mustClaim(kernel, conversation)
    await kernel.append(conversation, epoch, step(question.id, { questions: [question] }))
    return question
  }
  type Press = { actor?: string; chat?: string; id?: string; asAdmin?: boolean; choice?: string }
  const press = (question: Question, conversation: string, more: Press = {}) =>
    bench().kernel.resolve({
      question: question.id,
      actor: more.actor ?? ann,
      chat: more.chat ?? conversation,
      choice: more.choice ?? 'yes',
      asAdmin: more.asAdmin ?? false,
      event: answerEvent(conversation, question.id, more.id ?? 'p1'),
    })
  const mail = async (conversation: string): Promise<string[]> =>
    (await bench().kernel.inbox(conversation, 10)).events.map(({ event }) => event.id)

  it('has one open question on each topic: a new one closes the one before', async () => {
    const c = freshConversation()
    const [first, other, elsewhere] = [
      await ask(c, '*', { topic: 'redo 1' }),
      await ask(c, '*', { topic: 'redo 2' }),
      await ask(freshConversation(), '*', { topic: 'redo 1' }),
    ]
    const second = await ask(c, '*', { topic: 'redo 1' })
    expect(await press(first, c)).toEqual({ kind: 'UNKNOWN' })
    expect(await press(other, c)).toMatchObject({ kind: 'WON' })
    expect(await press(elsewhere, c)).toMatchObject({ kind: 'FORBIDDEN' })
    expect(await press(second, c, { id: 'p2' })).toMatchObject({ kind: 'WON' })
  })

  const ended = async (conversation: string): Promise<unknown[]> =>
    (await bench().kernel.inbox(conversation, 100)).events.map(
      ({ event }) => event.kind === 'expired' && [event.about, event.why],
    )

  it('makes room, where there are very many, by what was asked for the same person', async () => {
    const c = freshConversation()
    const { epoch } = await mustClaim(bench().kernel, c)
    const timers = Array.from({ length: 898 }, (_, i) => toTimer(c, `t${i}`))
    await bench().kernel.append(c, epoch, step('many', { timers }))
    for (const [kind, asker] of Object.entries({ first: bob, second: ann, third: ann, fourth: ann })) {
      await ask(c, '*', { deadlineMs: 86_400_000, asker, kind: `notes.${kind}` })
      await bench().advance(10)
    }
    expect(await ended(c)).toEqual([
      ['notes.second', 'replaced'],
      ['notes.third', 'replaced'],
    ])
  })

  it('lets all questions of a conversation keep no more than 4 MB', async () => {
    const c = freshConversation()
    const payload = 'x'.repeat(100_000)
    for (let i = 0; i < 42; i++) {
      await ask(c, '*', { deadlineMs: 86_400_000, asker: ann, kind: `notes.k${i}`, payload })
      await bench().advance(10)
    }
    // One that is small takes nobody’s place.
    await ask(c, '*', { deadlineMs: 86_400_000, asker: ann, kind: 'notes.small' })
    expect(await ended(c)).toEqual([['notes.k0', 'replaced']])
  })

  it('tells for an hour who answered a question that was closed by the next one', async () => {
    const c = freshConversation()
    const question = await ask(c, '*', { topic: 'menu' })
    await press(question, c)
    await ask(c, '*', { topic: 'menu' })
    expect(await press(question, c, { id: 'p2', actor: bob })).toEqual({ kind: 'ALREADY', by: ann, choice: 'yes' })
    expect(await press(question, c)).toMatchObject({ kind: 'WON' })
    await bench().advance(3_600_001)
    expect(await press(question, c, { id: 'p2', actor: bob })).toEqual({ kind: 'UNKNOWN' })
  })

  it('asks anew what was called off, where its step is repeated after nobody knows it any more', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = { ...askedQuestion(c), topic: 'menu', deadlineMs: 60_000, asker: ann }
    const { epoch } = await mustClaim(kernel, c)
    const asking = { key: 'ask', entries: [], questions: [question] }
    await kernel.append(c, epoch, asking)
    await kernel.append(c, epoch, { key: 'fold', entries: [], folds: true })
    await kernel.append(c, epoch, { key: 'off', entries: [], cancels: [{ all: true }] })
    await kernel.append(c, epoch, asking)
    expect(await press(question, c)).toEqual({ kind: 'WON', question, conversation: c })
  })

  it('has one winner, whose answer enters the mailbox', async () => {
    const c = freshConversation()
    const question = await ask(c)
    expect(await press(question, c, { id: 'p1' })).toEqual({ kind: 'WON', question, conversation: c })
    expect(await press(question, c, { id: 'p2', actor: bob })).toEqual({ kind: 'ALREADY', by: ann, choice: 'yes' })
    expect(await mail(c)).toEqual(['p1'])
  })

  it('tells the winner’s own press the same again, without a second answer', async () => {
    const c = freshConversation()
    const question = await ask(c)
    const won = await press(question, c)
    expect(won.kind).toBe('WON')
    expect(await press(question, c)).toEqual({ ...won, question: { ...question, payload: '' } })
    expect(await mail(c)).toEqual(['p1'])
  })

  it('lets only its owner answer', async () => {
    const c = freshConversation()
    const question = await ask(c, bob)
    expect(await press(question, c, { actor: ann })).toEqual({ kind: 'FORBIDDEN' })
    expect(await mail(c)).toEqual([])
    expect((await press(question, c, { actor: bob })).kind).toBe('WON')
  })

  it('can be answered from another thread of its chat, and from no other chat', async () => {
    const c = `${freshConversation()}:7`
    const question = await ask(c)
    expect(await press(question, c, { chat: 'telegram:elsewhere' })).toEqual({ kind: 'FORBIDDEN' })
    expect(await press(question, c, { chat: c.split(':', 2).join(':').slice(0, -1) })).toEqual({ kind: 'FORBIDDEN' })
    expect((await press(question, c, { chat: c.replace(/:7$/, ':8') })).kind).toBe('WON')
  })

  it('does not know a forged option, a forged id or a question never asked', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = await ask(c)
    const event = answerEvent(c, question.id, 'p1')
    const forge = (id: string, choice: string) => kernel.resolve({ question: id, actor: ann, chat: c, choice, event })
    expect(await forge(question.id, 'maybe')).toEqual({ kind: 'UNKNOWN' })
    for (const id of [askedQuestion(c).id, 'p99-aaaaaaaaaaaaaaaaaaaaaa', 'nonsense', '']) {
      expect(await forge(id, 'yes')).toEqual({ kind: 'UNKNOWN' })
    }
    expect(await mail(c)).toEqual([])
  })

  it('asks a question once, whatever the repeats of its step', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = askedQuestion(c)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('q', { questions: [question] }))
    await press(question, c, { id: 'p1' })
    await kernel.append(c, epoch, step('q', { questions: [question] }))
    expect((await press(question, c, { id: 'p2' })).kind).toBe('ALREADY')
  })

  it('has one winner of twenty who press at once', async () => {
    const c = freshConversation()
    const question = await ask(c)
    const people = Array.from({ length: 20 }, (_, i) => `telegram:${100 + i}`)
    const told = await Promise.all(people.map((actor, i) => press(question, c, { actor, id: `p${i}` })))
    expect(told.filter(({ kind }) => kind === 'WON')).toHaveLength(1)
    expect(told.filter(({ kind }) => kind === 'ALREADY')).toHaveLength(19)
    const winner = people[told.findIndex(({ kind }) => kind === 'WON')]
    for (const result of told) if (result.kind === 'ALREADY') expect(result.by).toBe(winner)
    expect(await mail(c)).toHaveLength(1)
  })

  it('lets administrators answer where the question says so, and nowhere else', async () => {
    const c = freshConversation()
    const theirs = await ask(c, bob)
    expect(await press(theirs, c, { actor: ann, asAdmin: true })).toEqual({ kind: 'FORBIDDEN' })
    const shared = await ask(c, bob, { admins: true })
    expect(await press(shared, c, { actor: ann })).toEqual({ kind: 'FORBIDDEN' })
    expect(await press(shared, c, { actor: ann, asAdmin: true, chat: 'telegram:elsewhere' })).toEqual({
      kind: 'FORBIDDEN',
    })
    expect(await mail(c)).toEqual([])
    expect((await press(shared, c, { actor: ann, asAdmin: true })).kind).toBe('WON')
  })

  it('tells the answer what was asked and where it is shown', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = await ask(c, '*', { kind: 'config.menu', card: 'e1-0' })
    await press(question, c)
    const { events } = await kernel.inbox(c, 10)
    expect(events[0]?.event).toMatchObject({ about: 'config.menu', card: 'e1-0', payload: question.payload })
  })

  it('answers for 14 days, or as long as the question says, and then no more', async () => {
    const c = freshConversation()
    const [brief, asked, long] = [await ask(c, '*', { livesMs: 60_000 }), await ask(c), await ask(c)]
    await bench().advance(61_000)
    expect(await press(brief, c, { id: 'late' })).toEqual({ kind: 'UNKNOWN' })
    await bench().advance(7 * 86_400_000)
    expect((await press(asked, c, { id: 'a week later' })).kind).toBe('WON')
    await bench().advance(7 * 86_400_000)
    expect(await press(long, c, { id: 'two weeks later' })).toEqual({ kind: 'UNKNOWN' })
    expect(await mail(c)).toEqual(['a week later'])
  })

  it('takes no answer to a question that a step closed, nor does a repeat of the step close another', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const [first, second] = [await ask(c), await ask(c)]
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('close', { closes: [first.id] }))
    await kernel.append(c, epoch, step('close', { closes: [second.id] }))
    expect(await press(first, c, { id: 'p1' })).toEqual({ kind: 'UNKNOWN' })
    expect((await press(second, c, { id: 'p2' })).kind).toBe('WON')
    expect(await mail(c)).toEqual(['p2'])
  })

  it('stops nothing when the turn of a stop has ended', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const { question } = createStop(askedQuestion(c).id, { owner: ann, turn: 't1', language: 'en' })
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('first', { questions: [question] }))
    await kernel.append(c, epoch, step('end', { rows: [row(toEndRow('t1'))] }))
    await ingestMany(kernel, c, 1)
    expect(await press(question, c, { choice: 'stop' })).toEqual({ kind: 'UNKNOWN' })
    expect((await kernel.pending(c, 0)).stops).toEqual({})
  })

  it('stops the turn of whom a stop was made for, in the unit that resolves the press', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const stop = createStop(askedQuestion(c).id, { owner: ann, turn: 't1', language: 'en' })
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('first', { questions: [stop.question] }))
    expect(stop.buttons).toEqual([[{ id: `${stop.question.id}.stop`, label: 'Stop' }]])
    expect((await press(stop.question, c, { actor: bob, choice: 'stop' })).kind).toBe('FORBIDDEN')
    expect((await kernel.pending(c, 0)).stops).toEqual({})
    expect((await press(stop.question, c, { actor: bob, choice: 'stop', asAdmin: true })).kind).toBe('WON')
    expect((await kernel.pending(c, 0)).stops).toEqual({ [ann]: 2 })
    expect(await kernel.findEvent(c, 2)).toMatchObject({ kind: 'answer', about: 'turn.stop' })
    const end = step('end', { unlessStopped: { principal: ann, firstSeq: 1 } })
    expect(await kernel.append(c, epoch, end)).toEqual({ kind: 'STOPPED' })
    // A redelivered press stops nothing that came later.
    await ingestMany(kernel, c, 1)
    await press(stop.question, c, { actor: bob, choice: 'stop', asAdmin: true })
    expect((await kernel.pending(c, 0)).stops).toEqual({ [ann]: 2 })
  })
}

const toTimer = (conversation: string, name: string): Timer => ({
  name: `notes.${name}`,
  inMs: 40 * 86_400_000,
  event: { v: 1, kind: 'timer', id: name, conversation, principal: ann, timer: 'notes.remind', payload: '' },
})
