// Facts about resolve: one winner, in the right chat, by the right person, for an option that was offered.
import { expect, it } from 'vitest'
import type { Question } from '#shared/run/question.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { ann, answerEvent, askedQuestion, bob, freshConversation, mustClaim, step } from './kernel-fixtures.ts'

export function questionFacts(bench: () => KernelBench): void {
  const ask = async (conversation: string, owner: Question['owner'] = '*'): Promise<Question> => {
    const { kernel } = bench()
    const question = askedQuestion(conversation, owner)
    const { epoch } = await mustClaim(kernel, conversation)
    await kernel.append(conversation, epoch, step(question.id, { questions: [question] }))
    return question
  }
  const press = (question: Question, conversation: string, more: { actor?: string; chat?: string; id?: string } = {}) =>
    bench().kernel.resolve({
      question: question.id,
      actor: more.actor ?? ann,
      chat: more.chat ?? conversation,
      choice: 'yes',
      event: answerEvent(conversation, question.id, more.id ?? 'p1'),
    })
  const mail = async (conversation: string): Promise<string[]> =>
    (await bench().kernel.inbox(conversation, 10)).events.map(({ event }) => event.id)

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
    expect(await press(question, c)).toEqual(won)
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
}
