// Facts about what waits: timers that fire once and not early, and questions with a deadline, which end one way and tell of it.
import { expect, it } from 'vitest'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Question } from '#shared/run/question.ts'
import type { Append, Timer } from '#shared/run/step.ts'
import { partitions, toPartition } from '#queues/partition.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import {
  ann,
  answerEvent,
  askedQuestion,
  bob,
  deliverMany,
  freshConversation,
  mustBegin,
  mustClaim,
  row,
  sender,
  step,
} from './kernel-fixtures.ts'
import { toBody, toRow } from '#test/rig/journal-entries.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

export function timerFacts(bench: () => KernelBench): void {
  const timer = (conversation: ConversationId, name: string, inMs = minuteMs): Timer => ({
    name: `notes.${name}`,
    inMs,
    event: {
      v: 1,
      kind: 'timer',
      id: `of-${name}`,
      conversation,
      principal: ann,
      timer: 'notes.remind',
      payload: `"${name}" 好`,
    },
  })
  const store = async (conversation: ConversationId, key: string, more: Partial<Append>): Promise<unknown> => {
    const { epoch } = await mustClaim(bench().kernel, conversation)
    return await bench().kernel.append(conversation, epoch, step(key, more))
  }
  /** Lets all fire that is due in its partition, which it shares with other facts; whether something of its own did. */
  const fire = async (conversation: ConversationId): Promise<boolean> => {
    for (let isOwn = false; ;) {
      const { due, conversations } = await bench().kernel.fire(toPartition(conversation))
      isOwn ||= conversations.includes(conversation)
      if (due < 100) return isOwn
    }
  }
  const mail = async (conversation: ConversationId) =>
    (await bench().kernel.inbox(conversation, 100)).events.map(({ event }) => event)
  const ids = async (conversation: ConversationId): Promise<string[]> => (await mail(conversation)).map(({ id }) => id)

  it('fires once, when it is due and not before, as an event with the time of its firing', async () => {
    const c = freshConversation()
    await store(c, 'arm', { timers: [timer(c, 'a')] })
    await bench().advance(minuteMs - 1000)
    expect(await fire(c)).toBe(false)
    await bench().advance(1500)
    expect(await fire(c)).toBe(true)
    expect(await fire(c)).toBe(false)
    const [event] = await mail(c)
    expect(event).toMatchObject({ kind: 'timer', id: 'of-a', timer: 'notes.remind', payload: '"a" 好' })
    expect(event?.at).toBe(bench().nowMs())
    expect((await bench().kernel.due(toPartition(c), 0)).some(({ conversation }) => conversation === c)).toBe(true)
  })

  it('is armed anew by its name, and not at all once it is disarmed', async () => {
    const c = freshConversation()
    await store(c, 'arm', { timers: [timer(c, 'a'), timer(c, 'b'), timer(c, 'c')] })
    await store(c, 'again', { timers: [timer(c, 'a', 3 * minuteMs)], disarms: ['notes.b', 'notes.unknown'] })
    await bench().advance(2 * minuteMs)
    await fire(c)
    expect(await ids(c)).toEqual(['of-c'])
    await bench().advance(2 * minuteMs)
    await fire(c)
    expect(await ids(c)).toEqual(['of-c', 'of-a'])
  })

  it('is armed anew, and a session’s end is armed, where there are as many as may be', async () => {
    const c = freshConversation()
    const most = Array.from({ length: 1000 }, (_, i) => timer(c, `t${i}`, 40 * dayMs))
    await store(c, 'most', { timers: most })
    const end = {
      name: 'session',
      inMs: minuteMs,
      event: { v: 1, kind: 'session_end', id: 's', conversation: c, principal: ann },
    } as const
    expect(await store(c, 'again', { timers: [timer(c, 't7'), end] })).toMatchObject({ kind: 'OK' })
    await bench().advance(2 * minuteMs)
    await fire(c)
    expect((await ids(c)).toSorted()).toEqual(['of-t7', 's'])
  })

  it('is armed once, whatever the repeats of its step', async () => {
    const c = freshConversation()
    await store(c, 'arm', { timers: [timer(c, 'a')] })
    await bench().advance(2 * minuteMs)
    await fire(c)
    await store(c, 'arm', { timers: [timer(c, 'a')] })
    await bench().advance(2 * minuteMs)
    expect(await fire(c)).toBe(false)
    expect(await ids(c)).toEqual(['of-a'])
  })

  it('fires a hundred at once, in the order in which they are due, and the rest when asked again', async () => {
    const c = freshConversation()
    const timers = Array.from({ length: 130 }, (_, i) => timer(c, `t${i}`, minuteMs - i * 10))
    await store(c, 'arm', { timers })
    await bench().advance(minuteMs)
    expect((await bench().kernel.fire(toPartition(c))).due).toBe(100)
    expect(await fire(c)).toBe(true)
    expect(await fire(c)).toBe(false)
    const found = (await bench().kernel.inbox(c, 200)).events.map(({ event }) => event.id)
    expect(found).toEqual(timers.map(({ event }) => event.id).toReversed())
  })

  it('meets no full mailbox', { timeout: 60_000 }, async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await store(c, 'arm', { timers: [timer(c, 'a')] })
    const text = 'x'.repeat(600_000)
    for (let i = 0; i < 80; i++) {
      const event = {
        v: 1,
        kind: 'message',
        id: `m${i}`,
        conversation: c,
        principal: ann,
        at: 1,
        text,
        addressed: true,
        group: false,
      } as const
      await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
    }
    const full = { v: 1, kind: 'leave', id: 'full', conversation: c, principal: ann, at: 1 } as const
    expect((await kernel.ingest({ event: full, dedupeKey: 'full', stop: 'none', echo: false })).kind).toBe('FULL')
    await bench().advance(2 * minuteMs)
    expect(await fire(c)).toBe(true)
  })

  it('refuses a step with which they would say more than some megabytes, but what says no more, or is a session’s end', async () => {
    const c = freshConversation()
    const heavy = (name: string, chars: number): Timer => {
      const { event, ...rest } = timer(c, name)
      return { ...rest, event: { ...event, payload: 'x'.repeat(chars) } as Timer['event'] }
    }
    const all = Array.from({ length: 190 }, (_, i) => heavy(`t${i}`, 10_000))
    await store(c, 'much', { timers: all })
    const more = Array.from({ length: 20 }, (_, i) => heavy(`more${i}`, 10_000))
    await expect(store(c, 'more', { timers: more, rows: [row('r')] })).rejects.toThrow(/bytes/)
    await expect(store(c, 'larger', { timers: all.map(({ name }) => heavy(name.slice(6), 20_000)) })).rejects.toThrow(
      /bytes/,
    )
    const end = { v: 1, kind: 'session_end', id: 'end', conversation: c, principal: ann } as const
    const session = { name: 'session', inMs: minuteMs, event: end }
    expect(await store(c, 'same', { timers: [...all, session] })).toMatchObject({ kind: 'OK' })
    await bench().kernel.erase(c)
  })

  it('refuses a step with which a conversation would have more than a thousand, and stores none of it', async () => {
    const c = freshConversation()
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => timer(c, `t${from + i}`, 40 * dayMs))
    await store(c, 'most', { timers: many(0, 1000) })
    await expect(store(c, 'more', { timers: many(1000, 1), rows: [row('r')] })).rejects.toThrow(/timers/)
    expect(await bench().kernel.begin(sender(c), 'op')).toMatchObject({ kind: 'EMPTY' })
    expect(await store(c, 'other', { disarms: ['notes.t0'] })).toMatchObject({ kind: 'OK' })
    expect(await store(c, 'last', { timers: many(1000, 1) })).toMatchObject({ kind: 'OK' })
  })

  it('makes room for a question, where there are very many, by the one that would be the first to expire', async () => {
    const c = freshConversation()
    const many = Array.from({ length: 895 }, (_, i) => timer(c, `t${i}`, 40 * dayMs))
    await store(c, 'many', { timers: many })
    const questions = Array.from({ length: 8 }, (_, i): Question => {
      return { ...askedQuestion(c), deadlineMs: dayMs, asker: ann, kind: `notes.k${i}` }
    })
    for (const question of questions) {
      await store(c, question.id, { questions: [question] })
      await bench().advance(10)
    }
    const gone = (await mail(c)).map((event) => event.kind === 'expired' && [event.about, event.why])
    const first = questions.slice(0, 3).map(({ kind }) => [kind, 'replaced'])
    expect(gone).toEqual(first)
    expect(await store(c, 'more', { timers: [timer(c, 'more')] })).toMatchObject({ kind: 'OK' })
  })

  it('keeps the conversation from being put away', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await store(c, 'arm', {
      snapshot: 'state',
      rest: '',
      folds: true,
      release: true,
      timers: [timer(c, 'a', 45 * dayMs)],
    })
    const putAway = () => kernel.archive(toPartition(c), 30 * dayMs, 1000)
    await advance(40 * dayMs)
    await putAway()
    expect((await mustClaim(kernel, c)).snapshot).toBe('state')
    await advance(6 * dayMs)
    expect(await fire(c)).toBe(true)
  })

  it('waits in a conversation that is out of service, and is there when it is repaired', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await store(c, 'arm', { timers: [timer(c, 'a')] })
    await kernel.park(c, 'by a test')
    await advance(2 * minuteMs)
    await fire(c)
    expect(await kernel.due(toPartition(c), 0)).not.toContainEqual(expect.objectContaining({ conversation: c }))
    await kernel.unpark(c)
    expect(await ids(c)).toEqual(['of-a'])
  })

  type Asked = { readonly question: Question; readonly card: string }
  /** Asks with a card of two buttons; the deadline is an hour from when it was sent. */
  const ask = async (c: ConversationId, more: Partial<Question> = {}): Promise<Asked> => {
    const made = askedQuestion(c)
    const card = `card-${made.id}`
    const question: Question = { ...made, deadlineMs: 60 * minuteMs, asker: ann, card, about: ['m1'], ...more }
    const buttons = question.options.map((option) => ({ id: `${question.id}.${option}`, label: option }))
    const shown = { ...toRow(card, toBody('keep it?', { buttons: [buttons] })), expiresInMs: 10 * minuteMs }
    await store(c, question.id, { questions: [question], rows: [shown] })
    return { question, card }
  }
  const send = async (c: ConversationId, receipt = 'p77'): Promise<void> => {
    const begun = await mustBegin(bench().kernel, sender(c), `begin-${receipt}`)
    await bench().kernel.settle(sender(c), begun.id, { kind: 'sent', receipt }, `settle-${receipt}`)
  }
  const press = ({ question }: Asked, c: ConversationId, id = 'p1') =>
    bench().kernel.resolve({
      question: question.id,
      actor: bob,
      chat: c,
      choice: 'yes',
      event: answerEvent(c, question.id, id),
    })

  it('expires a question at its deadline, counted from when its card was sent, and takes no answer then', async () => {
    const c = freshConversation()
    const taint = ['a page', '"messages":[', ',"payload":"']
    const asked = await ask(c, { taint })
    await bench().advance(5 * minuteMs)
    await send(c)
    await bench().advance(58 * minuteMs)
    expect(await fire(c)).toBe(false)
    await bench().advance(3 * minuteMs)
    expect(await fire(c)).toBe(true)
    const { question, card } = asked
    expect(await mail(c)).toMatchObject([
      {
        kind: 'expired',
        principal: ann,
        question: question.id,
        why: 'deadline',
        payload: question.payload,
        about: question.kind,
        messages: ['m1'],
        taint,
        card,
        messageId: 'p77',
      },
    ])
    expect(await press(asked, c)).toEqual({ kind: 'UNKNOWN' })
    expect(await ids(c)).toHaveLength(1)
  })

  it('tells with its answer what others wrote that it was asked after', async () => {
    const [c, taint] = [freshConversation(), ['a page', '"messages":[', ',"payload":"']]
    const asked = await ask(c, { taint })
    await send(c)
    expect(await press(asked, c)).toMatchObject({ kind: 'WON', question: { taint } })
    expect(await mail(c)).toMatchObject([{ kind: 'answer', taint, payload: asked.question.payload, messages: ['m1'] }])
  })

  it('takes no answer after its deadline, though nobody has seen to it yet', async () => {
    const c = freshConversation()
    const asked = await ask(c)
    await send(c)
    await bench().advance(61 * minuteMs)
    expect(await press(asked, c)).toEqual({ kind: 'UNKNOWN' })
    await fire(c)
    expect(await mail(c)).toMatchObject([{ kind: 'expired', why: 'deadline' }])
  })

  it('is kept while topics whose questions have ended make room for a new one', async () => {
    const c = freshConversation()
    const kept = await ask(c, { topic: 'approval' })
    for (let i = 0; i < 120; i++) {
      const other = await ask(c, { topic: `redo ${i}` })
      await press(other, c, `p${i}`)
    }
    expect((await mail(c)).filter(({ kind }) => kind === 'expired')).toEqual([])
    expect((await press(kept, c, 'kept')).kind).toBe('WON')
  })

  it('does not expire what was answered before, and tells who did for two weeks', async () => {
    const c = freshConversation()
    const asked = await ask(c)
    await send(c)
    expect((await press(asked, c)).kind).toBe('WON')
    await bench().advance(2 * 60 * minuteMs)
    expect(await fire(c)).toBe(false)
    expect(await ids(c)).toEqual(['p1'])
    expect(await press(asked, c, 'p2')).toEqual({ kind: 'ALREADY', by: bob, choice: 'yes' })
    await bench().advance(15 * dayMs)
    expect(await press(asked, c, 'p2')).toEqual({ kind: 'UNKNOWN' })
  })

  it('can be answered before its card is known to be there, and lies open for sixty days at most', async () => {
    const c = freshConversation()
    const [first, other] = [await ask(c, { deadlineMs: 70 * dayMs }), await ask(c, { deadlineMs: 70 * dayMs })]
    expect((await press(first, c)).kind).toBe('WON')
    await bench().advance(59 * dayMs)
    expect(await fire(c)).toBe(false)
    await bench().advance(2 * dayMs)
    await fire(c)
    expect(await mail(c)).toMatchObject([
      { id: 'p1' },
      { kind: 'expired', question: other.question.id, why: 'deadline' },
    ])
  })

  it('is called off with all others where nothing can be sent any more', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const [first, second] = [await ask(c), await ask(c)]
    const begun = await mustBegin(kernel, sender(c), 'begin')
    await kernel.settle(sender(c), begun.id, { kind: 'sent', receipt: 'm1' }, 'settle')
    await kernel.settle(sender(c), second.card, { kind: 'failed', reason: 'blocked', closed: true }, 'close')
    const ended = (await mail(c)).flatMap((event) =>
      event.kind === 'expired' ? [`${event.question} ${event.why}`] : [],
    )
    expect(ended.toSorted()).toEqual([`${first.question.id} cancelled`, `${second.question.id} unsent`].toSorted())
  })

  it.each(['failed', 'expired'] as const)('expires at once when its card ended %s', async (end) => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await ask(c)
    if (end === 'failed') {
      const begun = await mustBegin(kernel, sender(c), 'begin')
      await kernel.settle(sender(c), begun.id, { kind: 'failed', reason: '403' }, 'settle')
    } else {
      await advance(11 * minuteMs)
      await kernel.begin(sender(c), 'begin')
    }
    const found = (await mail(c)).filter(({ kind }) => kind === 'expired')
    expect(found).toMatchObject([{ why: 'unsent' }])
    // What is kept to be shown again has no dead buttons.
    await advance(61_000)
    const told = await kernel.begin(sender(c), 'tell')
    const notice = told.kind === 'ROW' && told.row.body.kind === 'notice' ? told.row.body.question : ''
    const event = answerEvent(c, notice, 'again')
    const again = await kernel.resolve({ question: notice, actor: bob, chat: c, choice: 'show', event })
    expect(again.kind === 'WON' && JSON.parse(again.question.payload)).not.toHaveProperty('buttons')
    expect(again).toMatchObject({ question: { payload: expect.stringContaining('"text":"keep it?"') } })
    await advance(61 * dayMs)
    expect(await fire(c)).toBe(false)
  })

  it('counts from when nobody knew whether its card arrived, and knows its message once that is told', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await ask(c)
    const begun = await mustBegin(kernel, sender(c), 'begin')
    await kernel.settle(sender(c), begun.id, { kind: 'unknown', reason: 'read timeout' }, 'unknown')
    await advance(30 * minuteMs)
    await kernel.settle(sender(c), begun.id, { kind: 'sent', receipt: 'late' }, 'late')
    await advance(31 * minuteMs)
    await fire(c)
    expect(await mail(c)).toMatchObject([{ kind: 'expired', why: 'deadline', messageId: 'late' }])
  })

  it('knows the message of the last part of a card that was sent in parts, and of one that is shown again', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const asked = await ask(c)
    const begun = await mustBegin(kernel, sender(c), 'begin')
    const bodies = [row('one').body, row('two').body]
    await kernel.settle(sender(c), begun.id, { kind: 'split', bodies }, 'split')
    await kernel.settle(sender(c), `${asked.card}.1`, { kind: 'sent', receipt: 'first' }, 'one')
    await kernel.settle(sender(c), `${asked.card}.2`, { kind: 'sent', receipt: 'second' }, 'two')
    await advance(30 * minuteMs)
    const buttons = [[{ id: `${asked.question.id}.yes`, label: 'yes' }]]
    await store(c, 'again', { rows: [toRow('again', toBody('again', { buttons }))] })
    await send(c, 'third')
    await advance(31 * minuteMs)
    await fire(c)
    expect(await mail(c)).toMatchObject([{ kind: 'expired', messageId: 'third' }])
  })

  it('is not ended by a message that could not show it again, nor are buttons without a deadline', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const [asked, quiet] = [await ask(c), askedQuestion(c)]
    await send(c)
    await store(c, 'quiet', { questions: [quiet] })
    const buttons = [[asked.question.id, quiet.id].map((id) => ({ id: `${id}.yes`, label: 'yes' }))]
    await store(c, 'again', { rows: [toRow('again', toBody('again', { buttons }))] })
    const begun = await mustBegin(kernel, sender(c), 'begin')
    await kernel.settle(sender(c), begun.id, { kind: 'failed', reason: '403' }, 'settle')
    expect(await ids(c)).toEqual([])
    expect((await press(asked, c)).kind).toBe('WON')
    expect((await press({ question: quiet, card: '' }, c, 'p2')).kind).toBe('WON')
  })

  it('without a deadline is not called off by its topic', async () => {
    const c = freshConversation()
    const quiet = { ...askedQuestion(c), topic: 'menu' }
    await store(c, 'quiet', { questions: [quiet] })
    await store(c, 'cancel', { cancels: [{ topic: 'menu' }, { all: true }] })
    expect((await press({ question: quiet, card: '' }, c)).kind).toBe('WON')
  })

  it('is asked as soon as it stands in a stream that is read', async () => {
    const c = freshConversation('web')
    await ask(c)
    await bench().advance(61 * minuteMs)
    await fire(c)
    expect(await mail(c)).toMatchObject([{ kind: 'expired', why: 'deadline' }])
  })

  it('ends for a newer one on its topic, which is told, unless it was answered', async () => {
    const c = freshConversation()
    const first = await ask(c, { topic: 'menu' })
    const second = await ask(c, { topic: 'menu' })
    expect(await mail(c)).toMatchObject([{ kind: 'expired', why: 'replaced', question: first.question.id }])
    await press(second, c)
    await ask(c, { topic: 'menu' })
    expect(await mail(c)).toHaveLength(2)
  })

  it('is called off with all others, by its asker, or by its topic', async () => {
    const c = freshConversation()
    const other = freshConversation()
    const elsewhere = await ask(other)
    const [anns, bobs, menu] = [await ask(c), await ask(c, { asker: bob }), await ask(c, { topic: 'menu', asker: bob })]
    const gone = async (): Promise<unknown[]> =>
      (await mail(c)).map((event) => event.kind === 'expired' && [event.why, event.question])
    await store(c, 'ann', { cancels: [{ asker: ann }] })
    expect(await gone()).toEqual([['cancelled', anns.question.id]])
    await store(c, 'menu', { cancels: [{ topic: 'menu' }, { topic: 'unknown' }] })
    expect(await gone()).toContainEqual(['cancelled', menu.question.id])
    await store(c, 'all', { cancels: [{ all: true }] })
    expect(await gone()).toHaveLength(3)
    expect(await gone()).toContainEqual(['cancelled', bobs.question.id])
    expect(await press(bobs, c)).toEqual({ kind: 'UNKNOWN' })
    expect((await press(elsewhere, other)).kind).toBe('WON')
  })

  it('goes, with what it keeps, when what it is about is to be forgotten; so does a timer', async () => {
    const c = freshConversation()
    const asked = await ask(c)
    const kept = timer(c, 'kept')
    const gone = { ...timer(c, 'gone'), event: { ...timer(c, 'gone').event, messages: ['m0', 'm1'] } }
    await store(c, 'arm', { timers: [kept, gone] })
    const event = { v: 1, kind: 'delete', id: 'd', conversation: c, principal: ann, at: 1, messageId: 'm1' } as const
    await bench().kernel.forget(event, [])
    expect(await mail(c)).toMatchObject([{ kind: 'expired', why: 'forgotten', payload: '', card: asked.card }])
    await bench().advance(2 * minuteMs)
    await fire(c)
    expect(await ids(c)).toEqual([`${asked.question.id}.forgotten`, 'of-kept'])
  })

  it('has one end of a hundred presses, deadlines and cancellations at once', { timeout: 60_000 }, async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const asked: Asked[] = []
    for (let i = 0; i < 20; i++) asked.push(await ask(c, { deadlineMs: minuteMs }))
    let begun = await kernel.begin(sender(c), 'begin')
    for (let i = 0; begun.kind === 'ROW'; i++)
      begun = await kernel.settle(sender(c), begun.row.id, { kind: 'sent', receipt: `r${i}` }, `settle${i}`)
    await advance(2 * minuteMs)
    const { epoch } = await mustClaim(kernel, c)
    const races = asked.flatMap((one, i) => [
      press(one, c, `press${i}`),
      kernel.fire(toPartition(c)),
      kernel.append(c, epoch, step(`cancel${i}`, { cancels: [{ asker: ann }] })),
      press(one, c, `other${i}`),
    ])
    await Promise.all(races)
    const ended = (await mail(c)).map((event) => ('question' in event ? event.question : ''))
    expect(ended.toSorted()).toEqual(asked.map(({ question }) => question.id).toSorted())
  })

  it('fires nothing where nothing is due', async () => {
    await deliverMany(bench().kernel, freshConversation(), 1)
    for (let partition = 0; partition < partitions; partition += 7)
      expect((await bench().kernel.fire(partition)).strange).toBe(0)
  })
}
