// Facts about answers by words: what is asked in a conversation, the one unit that routes what was said and wins its question, and approvals
// that are stale.
import { expect, it } from 'vitest'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { SaidAnswer } from '#shared/chat/decision.ts'
import type { Question } from '#shared/run/question.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { edit, toApply } from '#test/rig/events.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  bob,
  freshConversation,
  ignoreDecision,
  messageEvent,
  mustBegin,
  mustClaim,
  sender,
  step,
  turnDecision,
} from './kernel-fixtures.ts'

const dayMs = 86_400_000
const labels = ['Yes, "all" of it', '不']

export function wordsFacts(bench: () => KernelBench): void {
  const toQuestion = (c: ConversationId, more: Partial<Question> = {}): Question => ({
    ...askedQuestion(c, ann),
    kind: 'notes.keep',
    asker: ann,
    deadlineMs: dayMs,
    card: 'e1-0',
    labels,
    ...more,
  })
  const append = async (c: ConversationId, question: Question, row = `row-${question.id}`): Promise<void> => {
    const buttons = [[{ id: `${question.id}.yes`, label: 'Yes' }]]
    const rows = [{ id: row, body: toBody('Keep it?', { buttons }), expiresInMs: 600_000 }]
    const { epoch } = await mustClaim(bench().kernel, c)
    await bench().kernel.append(c, epoch, step(question.id, { questions: [question], rows }))
    await bench().kernel.release(c, 'w1', epoch, true)
  }
  /** Asks, and its card is sent with this receipt. */
  const ask = async (c: ConversationId, more: Partial<Question> = {}, receipt = 'm77'): Promise<Question> => {
    const question = toQuestion(c, more)
    await append(c, question)
    const begun = await mustBegin(bench().kernel, sender(c), `begin ${question.id}`)
    await bench().kernel.settle(sender(c, { leave: true }), begun.id, { kind: 'sent', receipt }, `end ${question.id}`)
    return question
  }
  const hear = async (c: ConversationId, id: string, who = ann): Promise<number> => {
    const event = messageEvent(c, id, who)
    return (await bench().kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })).seq
  }
  const said = (question: Question, c: ConversationId, more: Partial<SaidAnswer['answer']> = {}): SaidAnswer => ({
    act: 'answer',
    rule: 'answer.reply',
    answer: { ...answerEvent(c, question.id, `${c}:1`), said: true, choice: 'yes', messages: ['m5'], ...more },
    asAdmin: false,
    otherwise: turnDecision,
  })
  const route = async (c: ConversationId, ...rulings: Parameters<KernelBench['kernel']['route']>[2]) => {
    const { routedSeq } = await bench().kernel.pending(c, 0)
    return await bench().kernel.route(c, routedSeq, rulings)
  }
  const waiting = async (c: ConversationId) => (await bench().kernel.pending(c, 0)).events
  const find = async (c: ConversationId, messages: readonly string[] = []) =>
    await bench().kernel.findCards(c, messages)

  it('tells which questions are asked, by the message that shows them, from when their card was sent', async () => {
    const c = freshConversation()
    await hear(c, 'before')
    expect(await bench().kernel.inbox(c, 10)).not.toHaveProperty('asks')
    expect(await find(c, ['m77'])).toEqual({ cards: [], isAll: true })
    const question = await ask(c, { words: true, stales: true, topic: 'keep' })
    const { payload: _, labels: _2, ...record } = question
    expect(await find(c)).toEqual({
      cards: [
        { question: record, labels, card: 'm77', receipt: 'm77', afterSeq: 1, askedAtMs: expect.any(Number) as number },
      ],
      isAll: true,
    })
    expect(await bench().kernel.inbox(c, 10)).toMatchObject({ asks: true })
    const press = {
      question: question.id,
      actor: ann,
      chat: c,
      choice: 'yes',
      event: answerEvent(c, question.id, 'p1'),
    }
    // What is told of a question that was won says nothing of its labels.
    const { labels: _3, ...won } = question
    expect(await bench().kernel.resolve(press)).toEqual({ kind: 'WON', question: won, conversation: c })
    expect(await find(c, ['m77'])).toEqual({ cards: [], isAll: true })
    expect(await bench().kernel.inbox(c, 10)).not.toHaveProperty('asks')
  })

  it('knows a card whose message nobody knows, one in a stream by its row, and one that was shown anew', async () => {
    const [unknown, web, again] = [freshConversation(), freshConversation('web'), freshConversation()]
    const lost = toQuestion(unknown)
    await append(unknown, lost)
    const begun = await mustBegin(bench().kernel, sender(unknown), 'op1')
    await bench().kernel.settle(sender(unknown), begun.id, { kind: 'unknown', reason: 'timeout' }, 'op2')
    expect((await find(unknown)).cards).toMatchObject([{ question: { id: lost.id }, afterSeq: 0 }])
    expect((await find(unknown)).cards[0]).not.toHaveProperty('card')
    await hear(unknown, 'meanwhile')
    await bench().kernel.settle(sender(unknown), begun.id, { kind: 'sent', receipt: 'm3' }, 'op3')
    // What was said until then was said by somebody who may not have seen it.
    expect((await find(unknown, ['m3'])).cards).toMatchObject([{ question: { id: lost.id }, card: 'm3', afterSeq: 1 }])

    const shown = toQuestion(web)
    await append(web, shown, 'e1-0')
    expect((await find(web, ['e1-0'])).cards).toMatchObject([{ question: { id: shown.id }, card: 'e1-0' }])
    expect((await find(web)).cards[0]).not.toHaveProperty('receipt')

    const moved = await ask(again)
    await hear(again, 'between')
    const { epoch } = await mustClaim(bench().kernel, again)
    const buttons = [[{ id: `${moved.id}.yes`, label: 'Yes' }]]
    const rows = [{ id: 'anew', body: toBody('Keep it?', { buttons }), expiresInMs: 600_000 }]
    await bench().kernel.append(again, epoch, step('anew', { rows }))
    const other = await mustBegin(bench().kernel, sender(again), 'op4')
    await bench().kernel.settle(sender(again), other.id, { kind: 'sent', receipt: 'm99' }, 'op5')
    expect((await find(again, ['m77', 'm99'])).cards).toMatchObject([{ card: 'm99', receipt: 'm99', afterSeq: 0 }])
  })

  it('finds the question of a card among very many, and says that there are others', async () => {
    const c = freshConversation()
    const first = await ask(c, {}, 'm1')
    for (let i = 2; i <= 21; i++) await ask(c, {}, `m${i}`)
    expect(await find(c)).toEqual({ cards: [], isAll: false })
    const found = await find(c, ['m1', 'm500', 'm1'])
    expect(found).toMatchObject({ cards: [{ question: { id: first.id } }], isAll: false })
    expect(found.cards).toHaveLength(1)
  })

  it('knows no card whose question expired, was called off, or was asked for what is forgotten', async () => {
    const [late, off, forgotten] = [freshConversation(), freshConversation(), freshConversation()]
    await ask(late, { deadlineMs: 60_000 })
    await ask(off)
    await ask(forgotten, { about: ['m5'] })
    await bench().kernel.forget(
      { v: 1, kind: 'delete', id: 'd1', conversation: forgotten, principal: ann, at: 1, messageId: 'm5' },
      [],
    )
    const { epoch } = await mustClaim(bench().kernel, off)
    await bench().kernel.append(off, epoch, step('off', { cancels: [{ all: true }] }))
    await bench().advance(61_000)
    while ((await bench().kernel.fire(Number((await find(late)).cards[0]?.question.id.slice(1, 3) ?? 0))).due > 0);
    for (const c of [late, off, forgotten]) expect(await find(c, ['m77'])).toEqual({ cards: [], isAll: true })
  })

  it('answers a question by what was said, in the unit that routes it, as an event in the place of the message', async () => {
    const c = freshConversation()
    const question = await ask(c, { about: ['m1', 'm2'], from: 'telegram:elsewhere' })
    await hear(c, '1')
    await hear(c, '2')
    expect(await route(c, said(question, c, { words: 'Yes', messageId: 'm77' }), turnDecision)).toEqual({
      kind: 'OK',
      work: true,
      wakes: true,
    })
    const [answer, message, ...more] = await waiting(c)
    expect(more).toEqual([])
    expect(answer).toEqual({
      seq: 1,
      event: {
        ...answerEvent(c, question.id, `${c}:1`),
        choice: 'yes',
        said: true,
        words: 'Yes',
        messageId: 'm77',
        payload: question.payload,
        about: 'notes.keep',
        card: 'e1-0',
        from: 'telegram:elsewhere',
        messages: ['m5', 'm1', 'm2'],
        asker: ann,
      },
      decision: { v: 1, act: 'apply', rule: 'answer.reply' },
    })
    expect(message).toMatchObject({ seq: 2, event: { kind: 'message' }, decision: turnDecision })
    const press = { question: question.id, actor: bob, chat: c, choice: 'no', event: answerEvent(c, question.id, 'p1') }
    expect(await bench().kernel.resolve({ ...press, actor: ann })).toEqual({ kind: 'ALREADY', by: ann, choice: 'yes' })
    // Its deadline is no more.
    await bench().advance(2 * dayMs)
    await bench().kernel.fire(Number(question.id.slice(1, 3)))
    expect((await bench().kernel.inbox(c, 10)).events).toEqual([])
  })

  it('says of what was said only which message it was, where its question is about none', async () => {
    const c = freshConversation()
    const question = await ask(c)
    await hear(c, '1')
    await route(c, said(question, c))
    expect((await waiting(c))[0]?.event).toMatchObject({ messages: ['m5'], payload: question.payload })
    const other = await ask(c, {}, 'm78')
    await hear(c, '2')
    const { messages: _, ...bare } = said(other, c).answer
    await route(c, { ...said(other, c), answer: bare })
    expect((await waiting(c))[1]?.event).not.toHaveProperty('messages')
  })

  it('changes nothing when it is routed once more, or by a second router', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = await ask(c)
    await hear(c, '1')
    const told = await Promise.all(Array.from({ length: 5 }, () => kernel.route(c, 0, [said(question, c)], [`${c}:1`])))
    expect(told.filter(({ kind }) => kind === 'OK')).toHaveLength(1)
    expect(await waiting(c)).toMatchObject([{ seq: 1, event: { kind: 'answer' }, decision: { act: 'apply' } }])
    expect((await kernel.inbox(c, 10)).events).toEqual([])
  })

  it('leaves the message as it is, by its other decision, where the question cannot be answered by it', async () => {
    const cases: readonly [string, Partial<Question>, Partial<SaidAnswer['answer']>][] = [
      ['somebody else’s', { owner: bob }, {}],
      ['an option it has not', {}, { choice: 'maybe' }],
      ['words where it takes none', {}, { choice: '' }],
      ['a question that is none', {}, { question: askedQuestion('telegram:x').id }],
    ]
    for (const [what, more, answer] of cases) {
      const c = freshConversation()
      const question = await ask(c, more)
      await hear(c, '1')
      await route(c, said(question, c, answer))
      expect(await waiting(c), what).toMatchObject([{ event: { kind: 'message' }, decision: turnDecision }])
      expect((await find(c)).cards, what).toHaveLength(1)
    }
    const [c, elsewhere] = [freshConversation(), freshConversation()]
    await ask(c)
    const foreign = await ask(elsewhere)
    await hear(c, '1')
    expect(await route(c, { ...said(foreign, c), otherwise: ignoreDecision })).toEqual({ kind: 'OK', work: false })
    expect(await waiting(c)).toEqual([])
    expect((await find(elsewhere)).cards).toHaveLength(1)
  })

  it('takes no answer by words before the card was sent, after the deadline, or after another answer', async () => {
    const [early, late, twice, before] = [
      freshConversation(),
      freshConversation(),
      freshConversation(),
      freshConversation(),
    ]
    await hear(before, '1')
    await route(before, said(await ask(before), before))
    expect(await waiting(before)).toMatchObject([{ event: { kind: 'message' } }])

    const open = toQuestion(early)
    await append(early, open)
    await hear(early, '1')
    await route(early, said(open, early))
    expect(await waiting(early)).toMatchObject([{ event: { kind: 'message' } }])

    const over = await ask(late, { deadlineMs: 60_000 })
    await hear(late, '1')
    await bench().advance(60_500)
    await route(late, said(over, late))
    expect(await waiting(late)).toMatchObject([{ event: { kind: 'message' } }])

    const once = await ask(twice)
    await hear(twice, '1')
    await hear(twice, '2')
    await route(twice, said(once, twice), said(once, twice, { id: `${twice}:2` }))
    expect((await waiting(twice)).map(({ event }) => event.kind)).toEqual(['answer', 'message'])
  })

  it('takes an administrator’s words, and any words, where the question says so', async () => {
    const c = freshConversation()
    const question = await ask(c, { owner: bob, admins: true, words: true })
    await hear(c, '1')
    await hear(c, '2')
    const words = { choice: '', words: 'next "week"\n好' }
    await route(c, said(question, c, words), { ...said(question, c, { ...words, id: `${c}:2` }), asAdmin: true })
    expect(await waiting(c)).toMatchObject([
      { event: { kind: 'message' } },
      { event: { kind: 'answer', choice: '', words: 'next "week"\n好' } },
    ])
  })

  it('takes words to what acts at once as a remark: it stays open, and nothing stops', async () => {
    const c = freshConversation()
    const question = await ask(c, { words: true, acts: 'stop' })
    for (const n of ['1', '2', '3']) await hear(c, n)
    const remark = (n: number) => said(question, c, { choice: '', words: `remark ${n}`, id: `${c}:${n}` })
    await route(c, remark(1), remark(2), said(question, c, { id: `${c}:3` }))
    expect(await waiting(c)).toMatchObject([
      { event: { kind: 'answer', choice: '', words: 'remark 1' } },
      { event: { kind: 'answer', choice: '', words: 'remark 2' } },
      { event: { kind: 'message' } },
    ])
    expect((await bench().kernel.pending(c, 0)).stops).toEqual({})
    expect((await find(c)).cards).toHaveLength(1)
    const press = { question: question.id, chat: c, choice: 'yes', event: answerEvent(c, question.id, 'p1') }
    expect(await bench().kernel.resolve({ ...press, actor: ann })).toMatchObject({ kind: 'WON' })
    expect((await bench().kernel.pending(c, 0)).stops).toEqual({ [ann]: 4 })
  })

  it('takes remarks by the card that people see while a new look of it is on its way', async () => {
    const [c, how] = [freshConversation(), { words: true, acts: 'stop', topic: 'card' } as const]
    const { id: old } = await ask(c, how)
    const before = (await find(c)).cards
    const { id } = toQuestion(c, how)
    await append(c, { ...toQuestion(c, how), id })
    expect(await waiting(c)).toEqual([])
    const cards = (await find(c)).cards.map(({ question, ...card }) => ({ id: question.id, ...card }))
    expect(cards).toEqual(before.map(({ question, ...card }) => ({ ...card, id: question.id && id })))
    const press = { question: old, actor: ann, chat: c, choice: 'yes', event: answerEvent(c, old, 'p1') }
    expect((await bench().kernel.resolve(press)).kind).toBe('WON')
  })

  it('takes no answer of what a stop was done with before it was routed', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = await ask(c)
    await hear(c, '1')
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('early', { consume: [1] }))
    await route(c, said(question, c))
    expect(await waiting(c)).toEqual([])
    expect((await find(c)).cards).toHaveLength(1)
  })

  it('takes an empty choice of what asks for words, or for more than an option, and of nothing else', async () => {
    for (const [more, kind] of [
      [{ loose: 'number' }, 'answer'],
      [{ loose: 'option' }, 'message'],
      [{ words: true, loose: 'option' }, 'answer'],
      [{}, 'message'],
    ] as const) {
      const c = freshConversation()
      const question = await ask(c, more)
      await hear(c, '1')
      await route(c, said(question, c, { choice: '', words: '42' }))
      expect(await waiting(c), JSON.stringify(more)).toMatchObject([{ event: { kind } }])
    }
  })

  const stale = (conversation: ConversationId) => ({ kind: 'STALE', conversation })

  it('ends an approval that is pressed while its person’s words since then are unread, once, and names the newest of them', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await hear(c, 'before')
    const question = await ask(c, { stales: true, owner: '*' })
    const press = (id: string, actor: string) =>
      kernel.resolve({ question: question.id, actor, chat: c, choice: 'yes', event: answerEvent(c, question.id, id) })
    await hear(c, '1', 'telegram:3')
    await route(c, turnDecision, turnDecision)
    await hear(c, '2')
    // It is answered by no words that others of hers stand beside.
    await hear(c, '3')
    await route(c, said(question, c, { id: `${c}:2` }), turnDecision)
    expect((await waiting(c)).map(({ event }) => event.kind)).toEqual(['message', 'message', 'message', 'message'])
    // Whoever presses: it is Ann’s matter, and she has said something.
    const pressed = await Promise.all(Array.from({ length: 20 }, (_, n) => press(`p${n}`, n % 2 ? ann : bob)))
    expect(new Set(pressed.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(stale(c))]))
    await route(c, toApply('expired'))
    const [end, ...more] = (await waiting(c)).slice(4)
    const { id, kind, payload, card } = question
    const { messageId, ...newest } = messageEvent(c, '3')
    const unread = { event: newest.id, by: ann, kind: 'message', ...(messageId ? { message: messageId } : {}) }
    const wanted = { v: 2, kind: 'expired', why: 'stale', question: id, about: kind, payload, card, messageId: 'm77' }
    expect(end?.event).toMatchObject({ ...wanted, principal: ann, unread })
    expect(more).toEqual([])
    // What was read since changes nothing: it is over, and says so until another is asked.
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('read', { consume: [1, 2, 3, 4, 5] }))
    expect(await press('p21', bob)).toEqual(stale(c))
    expect((await find(c)).cards).toEqual([])
    expect((await waiting(c)).length).toBe(0)
  })

  it('takes an approval once what was said since is read, and lets nobody end it who may not press', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = await ask(c, { stales: true, owner: ann })
    const press = (id: string, actor: string) =>
      kernel.resolve({ question: question.id, actor, chat: c, choice: 'yes', event: answerEvent(c, question.id, id) })
    await hear(c, '1')
    expect(await press('p1', bob)).toEqual({ kind: 'FORBIDDEN' })
    await route(c, turnDecision)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('read', { consume: [1] }))
    await hear(c, '2', bob)
    expect((await press('p2', ann)).kind).toBe('WON')
  })

  it('tells of the words of an answer as of a message, and is told the same when the call is made again', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const [plain, guarded] = [await ask(c, {}, 'm1'), await ask(c, { stales: true }, 'm2')]
    await hear(c, '1')
    await route(c, said(plain, c))
    const press = { question: guarded.id, actor: ann, chat: c, choice: 'yes' }
    for (const _ of [1, 2])
      expect(await kernel.resolve({ ...press, event: answerEvent(c, guarded.id, 'p') })).toEqual(stale(c))
    await route(c, toApply('expired'))
    const [, end] = await waiting(c)
    expect(end?.event).toMatchObject({
      why: 'stale',
      unread: { event: `${c}:1`, by: ann, kind: 'answer', message: 'm5' },
    })
    expect(await waiting(c)).toHaveLength(2)
  })

  it('takes the words of who has said nothing else since as an approval', async () => {
    const c = freshConversation()
    const question = await ask(c, { stales: true })
    await hear(c, '1')
    await route(c, said(question, c))
    expect(await waiting(c)).toMatchObject([{ event: { kind: 'answer' } }])
  })

  it('refuses an approval while who may give it, or who edits what they said, is unread, and from its raising on', async () => {
    const { kernel } = bench()
    const press = (c: ConversationId, { id }: Question, actor: string) =>
      kernel.resolve({ question: id, actor, chat: c, choice: 'yes', asAdmin: true, event: answerEvent(c, id, 'p') })
    const [owned, edited, early] = [freshConversation(), freshConversation(), freshConversation()]
    const owners = await ask(owned, { stales: true, owner: bob, admins: true })
    await hear(owned, '1', bob)
    expect(await press(owned, owners, 'telegram:3')).toEqual(stale(owned))

    const changed = await ask(edited, { stales: true })
    const event = edit('not all of it', { conversation: edited, principal: ann })
    await kernel.ingest({ event, dedupeKey: 'edit', stop: 'none', echo: false })
    expect(await press(edited, changed, ann)).toEqual(stale(edited))

    const raised = toQuestion(early, { stales: true })
    await append(early, raised)
    await hear(early, '1')
    const begun = await mustBegin(kernel, sender(early), 'op1')
    await kernel.settle(sender(early), begun.id, { kind: 'sent', receipt: 'm1' }, 'op2')
    expect(await press(early, raised, ann)).toEqual(stale(early))
  })

  it('counts what was ignored, or was an answer to something else, as it is', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const [plain, guarded] = [await ask(c, {}, 'm1'), await ask(c, { stales: true }, 'm2')]
    const other = await ask(c, { stales: true }, 'm3')
    const press = (id: string, { id: question }: Question) =>
      kernel.resolve({
        question,
        actor: ann,
        chat: c,
        choice: 'yes',
        event: answerEvent(c, question, id),
      })
    for (let i = 1; i <= 205; i++) {
      await hear(c, `${i}`, ann)
      await route(c, ignoreDecision)
    }
    await hear(c, 'yes')
    await route(c, said(plain, c, { id: `${c}:yes`, principal: ann }))
    expect(await waiting(c)).toMatchObject([{ event: { kind: 'answer' } }])
    expect(await press('p1', guarded)).toEqual(stale(c))
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('read', { consume: [206] }))
    expect((await press('p2', other)).kind).toBe('WON')
  })

  it('takes an approval for stale where long texts wait, and looks at none of them', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const question = await ask(c, { stales: true })
    for (let i = 1; i <= 9; i++) {
      const event = { ...messageEvent(c, `${i}`, bob), text: 'x'.repeat(30_000) }
      await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
    }
    const press = { question: question.id, actor: ann, chat: c, choice: 'yes' }
    expect(await kernel.resolve({ ...press, event: answerEvent(c, question.id, 'p1') })).toEqual(stale(c))
  })

  it('takes an approval for stale where too much waits to be looked at', async () => {
    const c = freshConversation()
    const [question, other] = [await ask(c, { stales: true }), await ask(c, { stales: true }, 'm2')]
    for (let i = 1; i <= 201; i++) await hear(c, `${i}`, bob)
    const press = ({ id }: Question) =>
      bench().kernel.resolve({ question: id, actor: ann, chat: c, choice: 'yes', event: answerEvent(c, id, 'p1') })
    expect(await press(question)).toEqual(stale(c))
    await bench().kernel.route(c, 0, [turnDecision])
    const { epoch } = await mustClaim(bench().kernel, c)
    await bench().kernel.append(c, epoch, step('read', { consume: [1] }))
    // Nothing is told of what was not looked at.
    await bench().kernel.route(
      c,
      1,
      Array.from({ length: 200 }, () => ignoreDecision),
    )
    await bench().kernel.route(c, 201, [toApply('expired')])
    const [end] = await waiting(c)
    expect(end?.event).toMatchObject({ kind: 'expired', why: 'stale' })
    expect(end?.event).not.toHaveProperty('unread')
    expect((await press(other)).kind).toBe('WON')
  })
}
