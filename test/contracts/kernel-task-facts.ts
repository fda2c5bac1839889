// Facts about tasks of a conversation: they begin with a signal, have a mailbox and a state of their own, speak and ask in their conversation, and go with it.
import { expect, it } from 'vitest'
import { toTask, type Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Append } from '#shared/run/step.ts'
import { toPartition } from '#queues/partition.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import {
  ann,
  answerEvent,
  artifact,
  askedQuestion,
  bob,
  deletion,
  deliverMany,
  freshConversation,
  ingestMany,
  mustBegin,
  mustClaim,
  row,
  sender,
  signalTo,
  step,
  ttlMs,
} from './kernel-fixtures.ts'

export function taskFacts(bench: () => KernelBench): void {
  const store = async (address: Address, key: string, more: Partial<Append>) => {
    const { epoch } = await mustClaim(bench().kernel, address)
    const done = await bench().kernel.append(address, epoch, step(key, more))
    await bench().kernel.release(address, 'w1', epoch, true)
    return done
  }
  /** A conversation with a task that has begun. */
  const begun = async (channel?: string, of: readonly string[] = ['m1']): Promise<[ConversationId, Address]> => {
    const home = freshConversation(channel)
    const task = toTask(home, 3)
    await store(home, 'begin', { signals: [signalTo(home, task, 'begin', { begins: of })] })
    return [home, task]
  }
  const ids = async (address: Address): Promise<string[]> =>
    (await bench().kernel.pending(address, 0)).events.map(({ event }) => event.id)
  const dueAt = async (home: ConversationId): Promise<string[]> =>
    (await bench().kernel.due(toPartition(home), 0)).map(({ what, conversation }) => `${what} ${conversation}`)

  it('begins by a signal, once; what it is told is decided already', async () => {
    const [home, task] = await begun()
    expect(await dueAt(home)).toContain(`run ${task}`)
    const { pending } = await mustClaim(bench().kernel, task)
    expect(pending).toMatchObject([{ seq: 1, event: { id: `${home}/begin` }, decision: { act: 'apply' } }])
    expect((await bench().kernel.inbox(home, 10)).events).toEqual([])
  })

  it('is none before it begins: nothing is told to it, and nobody claims it', async () => {
    const home = freshConversation()
    const task = toTask(home, 1)
    await store(home, 'a', { signals: [signalTo(home, task, 'note')] })
    expect(await ids(task)).toEqual([])
    expect(await bench().kernel.claim(task, 'w1', ttlMs)).toEqual({ kind: 'GONE' })
  })

  it('has a journal, a state and artifacts of its own', async () => {
    const [home, task] = await begun()
    await store(task, 'a', { folds: true, snapshot: 'of the task', artifacts: [artifact('plan-1')], consume: [1] })
    expect((await mustClaim(bench().kernel, task)).snapshot).toBe('of the task')
    expect((await mustClaim(bench().kernel, home)).snapshot).toBeUndefined()
    expect(await bench().kernel.findArtifact(task, 'plan-1')).toMatchObject({ name: 'plan-1' })
    expect(await bench().kernel.findArtifact(home, 'plan-1')).toBeUndefined()
  })

  it('tells itself and its conversation in the step that it stores', async () => {
    const [home, task] = await begun()
    const told = [signalTo(home, task, 'next'), signalTo(home, home, 'done')]
    const done = await store(task, 'a', { signals: told, consume: [1], folds: true, release: true })
    expect(done).toMatchObject({ kind: 'OK', released: false, routedSeq: 2 })
    expect(await ids(task)).toEqual([`${home}/next`])
    expect((await bench().kernel.inbox(home, 10)).events.map(({ event }) => event.id)).toEqual([`${home}/done`])
    expect(await dueAt(home)).toEqual(expect.arrayContaining([`run ${task}`, `route ${home}`]))
  })

  it('stores a step with its signals once, however often it is tried', async () => {
    const [home, task] = await begun()
    const { epoch } = await mustClaim(bench().kernel, task)
    const told = step('a', { signals: [signalTo(home, task, 'next')] })
    expect(await bench().kernel.append(task, epoch, told)).toMatchObject({ kind: 'OK' })
    expect(await bench().kernel.append(task, epoch, told)).toMatchObject({ kind: 'DUP' })
    expect(await ids(task)).toEqual([`${home}/begin`, `${home}/next`])
  })

  it('says what it says in its conversation, behind what is said there', async () => {
    const [home, task] = await begun()
    await store(home, 'h', { rows: [row('h-0', 'of the chat')] })
    await store(task, 'a', { rows: [row('a-0', 'of the task')], consume: [1] })
    const from = sender(home)
    const first = await mustBegin(bench().kernel, from, 'op1')
    expect(first.body).toMatchObject({ text: 'of the chat' })
    expect(await bench().kernel.settle(from, first.id, { kind: 'sent', receipt: '5' }, 'op2')).toMatchObject({
      kind: 'ROW',
      row: { body: { text: 'of the task' } },
    })
  })

  it('shows in a stream what it says', async () => {
    const [home, task] = await begun('web')
    await store(task, 'a', { rows: [row('a-0', 'of the task')], consume: [1] })
    expect(await bench().kernel.readOut(home, '0', 10)).toMatchObject([{ body: { text: 'of the task' } }])
  })

  it('asks in its conversation, and has the answer in its own mailbox', async () => {
    const [home, task] = await begun()
    const question = askedQuestion(home)
    await store(task, 'a', { questions: [question], consume: [1] })
    const won = await bench().kernel.resolve({
      question: question.id,
      actor: ann,
      chat: home,
      choice: 'yes',
      event: answerEvent(home, question.id, 'p1'),
    })
    expect(won).toMatchObject({ kind: 'WON', conversation: home, task })
    expect(await ids(task)).toEqual(['p1'])
    expect((await bench().kernel.inbox(home, 10)).events).toEqual([])
  })

  const deadline = { deadlineMs: 1000, asker: ann } as const

  it('is told of the end of its question, by its deadline or as its card was not sent', async () => {
    const [home, task] = await begun()
    const question = { ...askedQuestion(home), ...deadline }
    const button = { id: `${question.id}.0`, label: 'Yes' }
    const body = { ...row('a-0').body, buttons: [[button]] }
    await store(task, 'a', { questions: [question], rows: [{ ...row('a-0'), body }], consume: [1] })
    const from = sender(home)
    const card = await mustBegin(bench().kernel, from, 'op1')
    await bench().kernel.settle(from, card.id, { kind: 'sent', receipt: '5' }, 'op2')
    await bench().advance(2000)
    expect((await bench().kernel.fire(toPartition(home))).conversations).toContain(task)
    expect(await ids(task)).toEqual([`${question.id}.deadline`])
    expect((await bench().kernel.inbox(home, 10)).events).toEqual([])
  })

  it('keeps its questions where its conversation calls off its own, and calls off none but its own', async () => {
    const [home, task] = await begun()
    const [ofTask, ofHome] = [askedQuestion(home), askedQuestion(home)]
    await store(task, 'a', { questions: [{ ...ofTask, ...deadline }], consume: [1] })
    await store(home, 'h', { questions: [{ ...ofHome, ...deadline }] })
    await store(home, 'i', { cancels: [{ all: true }] })
    expect(await ids(task)).toEqual([])
    expect((await bench().kernel.inbox(home, 10)).events.map(({ event }) => event.id)).toEqual([
      `${ofHome.id}.cancelled`,
    ])
    await store(task, 'b', { cancels: [{ asker: ann }] })
    expect(await ids(task)).toEqual([`${ofTask.id}.cancelled`])
  })

  it('has the words that answer it, in place of its conversation', async () => {
    const [home, task] = await begun()
    const question = { ...askedQuestion(home), ...deadline, deadlineMs: 60_000 }
    const body = { ...row('a-0').body, buttons: [[{ id: `${question.id}.0`, label: 'Yes' }]] }
    await store(task, 'a', { questions: [question], rows: [{ ...row('a-0'), body }], consume: [1] })
    const from = sender(home)
    const card = await mustBegin(bench().kernel, from, 'op1')
    await bench().kernel.settle(from, card.id, { kind: 'sent', receipt: '5' }, 'op2')
    await ingestMany(bench().kernel, home, 1)
    const { routedSeq } = await bench().kernel.inbox(home, 10)
    const answer = { ...answerEvent(home, question.id, 'said'), said: true as const }
    if (answer.kind !== 'answer') throw new Error('An answer is one.')
    const otherwise = { v: 1, act: 'ignore', rule: 'none' } as const
    const ruled = { act: 'answer', rule: 'words', answer, asAdmin: false, otherwise } as const
    expect(await bench().kernel.route(home, routedSeq, [ruled])).toMatchObject({ kind: 'OK', tasks: [task] })
    expect(await ids(task)).toEqual(['said'])
    expect(await ids(home)).toEqual([])
  })

  it('is stopped by a signal, for whom it says; a step for another goes on', async () => {
    const [home, task] = await begun()
    const { epoch } = await mustClaim(bench().kernel, task)
    await store(home, 'h', { signals: [signalTo(home, task, 'pause', { stops: ann })] })
    const of = (principal: string) => ({ unlessStopped: { principal, firstSeq: 1 } })
    expect(await bench().kernel.append(task, epoch, step('a', of(ann)))).toEqual({ kind: 'STOPPED' })
    expect(await bench().kernel.append(task, epoch, step('b', of(bob)))).toMatchObject({ kind: 'OK' })
    await deliverMany(bench().kernel, home, 1)
    expect((await mustClaim(bench().kernel, home)).stops).toEqual({})
  })

  const timerOf = (home: ConversationId) =>
    ({
      name: 'tasks.later',
      inMs: 1000,
      event: {
        v: 1,
        kind: 'timer',
        id: 'later',
        conversation: home,
        principal: ann,
        timer: 'tasks.later',
        payload: '',
      },
    }) as const

  it('has timers of its own', async () => {
    const [home, task] = await begun()
    await store(task, 'a', { timers: [timerOf(home)], consume: [1] })
    await bench().advance(1500)
    expect((await bench().kernel.fire(toPartition(home))).conversations).toContain(task)
    expect(await ids(task)).toEqual(['later'])
  })

  it('goes with all that it has: who works there finds that it is theirs no more', async () => {
    const [home, task] = await begun()
    const question = { ...askedQuestion(home), ...deadline }
    const kept = { questions: [question], timers: [timerOf(home)], artifacts: [artifact('plan-1')] }
    await store(task, 'a', { ...kept, folds: true, snapshot: 's', consume: [1] })
    const { epoch } = await mustClaim(bench().kernel, task)
    await store(home, 'h', { drops: [3] })
    expect(await bench().kernel.append(task, epoch, step('b'))).toMatchObject({ kind: 'FENCED' })
    expect(await bench().kernel.claim(task, 'w2', ttlMs)).toEqual({ kind: 'GONE' })
    expect(await bench().kernel.findArtifact(task, 'plan-1')).toBeUndefined()
    await bench().advance(2000)
    expect((await bench().kernel.fire(toPartition(home))).conversations).not.toContain(task)
    const event = answerEvent(home, question.id, 'p1')
    const press = { question: question.id, actor: ann, chat: home, choice: 'yes', event }
    expect(await bench().kernel.resolve(press)).toEqual({ kind: 'UNKNOWN' })
    expect(await dueAt(home)).not.toContain(`run ${task}`)
  })

  it('has work where a step of its own calls off its question, and is not given back', async () => {
    const [home, task] = await begun()
    const question = askedQuestion(home)
    await store(task, 'a', { questions: [{ ...question, ...deadline }], consume: [1] })
    const over = { cancels: [{ all: true }], folds: true, release: true } as const
    expect(await store(task, 'b', over)).toMatchObject({ released: false, routedSeq: 2 })
    expect(await ids(task)).toEqual([`${question.id}.cancelled`])
    expect(await dueAt(home)).toContain(`run ${task}`)
  })

  it('takes no answer any more once it is gone, to whatever it asked', async () => {
    const [home, task] = await begun()
    const question = askedQuestion(home)
    await store(task, 'a', { questions: [question], consume: [1] })
    await store(home, 'h', { drops: [3] })
    const event = answerEvent(home, question.id, 'p1')
    const press = { question: question.id, actor: ann, chat: home, choice: 'yes', event }
    expect(await bench().kernel.resolve(press)).toEqual({ kind: 'UNKNOWN' })
  })

  it('goes with its conversation, and with a message that it came of; of another it is told', async () => {
    const [home, task] = await begun('web', ['m1', 'm2'])
    await store(task, 'a', { artifacts: [artifact('of-m9', { about: ['m9'] }), artifact('own')], consume: [1] })
    await bench().kernel.forget(deletion(home, 'm9'), [])
    expect(await bench().kernel.findArtifact(task, 'of-m9')).toBeUndefined()
    expect(await bench().kernel.findArtifact(task, 'own')).toMatchObject({ name: 'own' })
    expect(await ids(task)).toEqual(['forgotten-m9'])
    await bench().kernel.forget(deletion(home, 'm2'), [])
    expect(await bench().kernel.claim(task, 'w1', ttlMs)).toEqual({ kind: 'GONE' })
    const [other, its] = await begun('web')
    await bench().kernel.erase(other)
    expect(await bench().kernel.claim(its, 'w1', ttlMs)).toEqual({ kind: 'GONE' })
    expect(await bench().kernel.findArtifact(its, 'own')).toBeUndefined()
  })

  it('forgets what is kept beside it of a message, as its conversation does', async () => {
    const [home, task] = await begun()
    const other = freshConversation()
    const letter = (id: string, about: string) => ({
      event: { ...signalTo(home, task, id).event, conversation: other, regarding: [about] },
    })
    const timer = (name: string, about: string) => ({
      ...timerOf(home),
      name: `tasks.${name}`,
      event: { ...timerOf(home).event, id: name, messages: [about] },
    })
    await store(task, 'a', {
      timers: [timer('x', 'm9'), timer('y', 'm8')],
      letters: [letter('l1', 'm9'), letter('l2', 'm8')],
      consume: [1],
    })
    await bench().kernel.forget(deletion(home, 'm9'), [])
    const given = await bench().kernel.giveOut(toPartition(home))
    expect(given.letters.flatMap(({ to, id }) => (to === other ? [id] : []))).toEqual([`${home}/l2`])
    await bench().advance(1500)
    await bench().kernel.fire(toPartition(home))
    expect(await ids(task)).toEqual(['forgotten-m9', 'y'])
  })

  it('is told with its conversation that its questions are off where nothing can be sent any more', async () => {
    const [home, task] = await begun()
    const [ofTask, ofHome] = [askedQuestion(home), askedQuestion(home)]
    await store(task, 'a', { questions: [{ ...ofTask, ...deadline }], rows: [row('a-0')], consume: [1] })
    await store(home, 'h', { questions: [{ ...ofHome, ...deadline }] })
    const from = sender(home)
    const card = await mustBegin(bench().kernel, from, 'op1')
    await bench().kernel.settle(from, card.id, { kind: 'failed', reason: 'blocked', closed: true }, 'op2')
    expect(await ids(task)).toEqual([`${ofTask.id}.cancelled`])
    expect((await bench().kernel.inbox(home, 10)).events.map(({ event }) => event.id)).toEqual([
      `${ofHome.id}.cancelled`,
    ])
  })

  it('keeps its conversation from being put away', async () => {
    const [home, task] = await begun()
    await store(task, 'a', { folds: true, snapshot: 'of the task', rest: '', consume: [1] })
    await bench().advance(40 * 86_400_000)
    await bench().kernel.archive(toPartition(home), 30 * 86_400_000, 100)
    expect((await mustClaim(bench().kernel, task)).snapshot).toBe('of the task')
  })
}
