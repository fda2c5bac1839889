// Facts about records: written once with the step that ends a turn, read by cursor, told of what happens to them later, kept for their time.
import { expect, it } from 'vitest'
import { hasStream, type ConversationId } from '#shared/chat/conversation.ts'
import type { DeleteEvent, ReactionEvent } from '#shared/chat/event.ts'
import type { Feedback } from '#shared/run/feedback.ts'
import type { Recorded, RecordLine } from '#shared/run/record.ts'
import type { Append, Letter } from '#shared/run/step.ts'
import { toPartition } from '#queues/partition.ts'
import type { GoneLine } from '#queues/records/records.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { recorded, turnRecord, workRecord } from '#test/rig/records.ts'
import { ann, freshConversation, messageEvent, mustBegin, mustClaim, row, sender, step } from './kernel-fixtures.ts'

const dayMs = 86_400_000

/** Another conversation in the same partition. */
function neighbourOf(c: ConversationId): ConversationId {
  for (let i = 0; ; i++) if (toPartition(`${c}${i}`) === toPartition(c)) return `${c}${i}`
}

export function recordFacts(bench: () => KernelBench): void {
  const store = async (c: ConversationId, key: string, more: Partial<Append>): Promise<unknown> => {
    const { epoch } = await mustClaim(bench().kernel, c)
    return await bench().kernel.append(c, epoch, step(key, more))
  }
  const end = (c: ConversationId, turn: string, about: readonly string[] = [], more: Partial<Append> = {}) =>
    store(c, turn, { records: [recorded(turn, about)], ...more })
  /** Lines of one conversation: other facts share the partition. */
  const read = async (c: ConversationId, after = '0-0'): Promise<readonly (RecordLine | GoneLine)[]> =>
    (await bench().kernel.readRecords(toPartition(c), after, 10_000)).filter(({ conversation }) => conversation === c)
  const brief = (line: RecordLine | GoneLine): string => {
    if (line.kind === 'feedback') return `${line.id} ${line.feedback.what}`
    if (line.kind === 'forgotten')
      return `${line.forgotten.why} ${line.forgotten.messages.join(' ')}: ${line.ids.join(' ')}`
    return 'id' in line ? `${line.kind} ${line.id}` : line.kind
  }
  const told = async (c: ConversationId): Promise<string[]> => (await read(c)).map(brief)
  const said = (what: string, by = ann): Feedback => ({ v: 1, what, by })
  const deletion = (c: ConversationId, messageId: string): DeleteEvent => ({
    v: 1,
    kind: 'delete',
    id: `${c}/del-${messageId}`,
    conversation: c,
    principal: ann,
    at: 1,
    messageId,
  })
  /** Sends the one row that waits. */
  const send = async (c: ConversationId, receipt: string): Promise<void> => {
    const begun = await mustBegin(bench().kernel, sender(c), `begin-${receipt}`)
    await bench().kernel.settle(sender(c), begun.id, { kind: 'sent', receipt }, `settle-${receipt}`)
  }
  const react = async (c: ConversationId, messageId: string, emoji: readonly string[], by = ann): Promise<void> => {
    const { kernel } = bench()
    const { routedSeq } = await kernel.inbox(c, 1)
    const whose = {
      v: 1,
      id: `${c}/r-${messageId}-${emoji.join()}-${routedSeq}`,
      conversation: c,
      principal: ann,
      at: 1,
    } as const
    const event: ReactionEvent = { ...whose, kind: 'reaction', messageId, emoji: [...emoji] }
    await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: false })
    const feedback = { ...said('reaction', by), value: emoji.join(' ') }
    const decision = { v: 1, act: 'ignore', rule: 'reaction', on: messageId, feedback } as const
    expect(await kernel.route(c, routedSeq, [decision])).toEqual({ kind: 'OK', work: false })
    expect(await kernel.route(c, routedSeq, [decision])).toEqual({ kind: 'BEHIND' })
  }

  it('is written once with its step, whatever the repeats of that, and not by one that is refused', async () => {
    const c = freshConversation()
    const { kernel } = bench()
    const { epoch } = await mustClaim(kernel, c)
    const ends = step('a', { records: [recorded('a', ['1'], { answer: '"quoted" \\ 好 \u{1f600}' })] })
    for (let i = 0; i < 3; i++) await kernel.append(c, epoch, ends)
    await kernel.append(c, epoch, step('again', { records: [recorded('a', ['1'])] }))
    await kernel.append(c, epoch - 1, step('b', { records: [recorded('b')] }))
    const lines = await read(c)
    expect(lines.map(brief)).toEqual(['turn a'])
    expect(lines[0]).toMatchObject({ record: turnRecord('a', { answer: '"quoted" \\ 好 \u{1f600}' }) })
  })

  it('is read on from any line, in the order of writing', async () => {
    const c = freshConversation()
    for (const turn of ['a', 'b', 'c']) await end(c, turn)
    const [first] = await read(c)
    expect((await read(c, first?.name)).map(brief)).toEqual(['turn b', 'turn c'])
    const last = (await bench().kernel.lastRecords())[toPartition(c)]
    expect(last).toBe((await read(c)).at(-1)?.name)
  })

  it('is followed by what people do with its answer: named by its turn, or by a message that it came of', async () => {
    const c = freshConversation()
    await end(c, 'a', ['1'])
    await end(c, 'b', ['1', '2'])
    const on = (what: string, where: Extract<Recorded, { kind: 'feedback' }>['on']): Recorded => ({
      kind: 'feedback',
      on: where,
      feedback: said(what),
    })
    const records = [on('shorter', { turn: 'a' }), on('redo', { message: '1' }), on('redo', { message: '9' })]
    await store(c, 'f', { records })
    expect(await told(c)).toEqual(['turn a', 'turn b', 'a shorter', 'b redo'])
  })

  it('is followed by two hundred lines of feedback at most and twenty of one person, and by none once it is gone', async () => {
    const c = freshConversation()
    await end(c, 'a', ['1'], { rows: [row('a-end')] })
    await send(c, 'm7')
    const count = async (): Promise<number> => (await told(c)).filter((line) => line === 'a reaction').length
    for (let i = 0; i < 25; i++) await react(c, 'm7', [String(i)])
    expect(await count()).toBe(20)
    for (let i = 0; i < 25; i++) await react(c, 'm7', ['x'], 'telegram:12')
    await react(c, 'm7', ['y'], 'telegram:2')
    expect(await count()).toBe(41)
    for (let i = 0; i < 170; i++) await react(c, 'm7', [String(i)], `telegram:2${i % 10}`)
    expect(await count()).toBe(200)
    await bench().kernel.forget(deletion(c, '1'), [])
    await react(c, 'm7', ['x'])
    await store(c, 'f', { records: [{ kind: 'feedback', on: { turn: 'a' }, feedback: said('shorter') }] })
    expect((await told(c)).slice(201)).toEqual(['forgotten 1: a'])
  })

  it('is found by the platform’s message of its answer, also of the last of several and of one that is edited', async () => {
    const c = freshConversation()
    await end(c, 'a', ['1'], { rows: [row('a-end')] })
    await send(c, 'm7')
    await end(c, 'b', ['2'], { rows: [row('b-end')] })
    await send(c, 'm8')
    await react(c, 'm7', ['👍'])
    await react(c, 'm8', [])
    await react(c, '1', ['👎'])
    expect(await told(c)).toEqual(['turn a', 'turn b', 'a reaction', 'b reaction'])
    expect((await read(c))[2]).toMatchObject({ feedback: { value: '👍', by: ann } })
  })

  it('is found by each message of an answer in parts, and by one that arrived after nobody knew', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await end(c, 'a', [], { rows: [row('a-end')] })
    const whole = await mustBegin(kernel, sender(c), 'o1')
    const bodies = [row('x', 'one').body, row('x', 'two').body]
    await kernel.settle(sender(c), whole.id, { kind: 'split', bodies }, 'o2')
    await kernel.settle(sender(c), 'a-end.1', { kind: 'sent', receipt: 'm1' }, 'o3')
    await kernel.settle(sender(c), 'a-end.2', { kind: 'unknown', reason: 'lost' }, 'o4')
    await kernel.settle(sender(c), 'a-end.2', { kind: 'sent', receipt: 'm2' }, 'o5')
    await react(c, 'm1', ['a'])
    await react(c, 'm2', ['b'])
    expect(await told(c)).toEqual(['turn a', 'a reaction', 'a reaction'])
  })

  it('is found by the message of its answer and by one that it came of, the last one, and as the last of all', async () => {
    const c = freshConversation()
    const { kernel } = bench()
    const find = async (by: Parameters<typeof kernel.findTurn>[1]): Promise<string | undefined> =>
      (await kernel.findTurn(c, by))?.record.turn
    expect(await find('last')).toBeUndefined()
    await end(c, 'a', ['1'], { rows: [row('a-end')] })
    await send(c, 'm7')
    await end(c, 'b', ['1', '2'])
    await store(c, 'w', { records: [{ kind: 'work', about: ['3'], record: workRecord('w') }] })
    expect(await find({ message: 'm7' })).toBe('a')
    expect(await find({ message: '1' })).toBe('b')
    expect(await find({ message: 'a-end' })).toBe(hasStream(c) ? 'a' : undefined)
    expect(await find({ turn: 'a' })).toBe('a')
    for (const turn of ['w', 'a/', 'a#', '*', '']) expect(await find({ turn })).toBeUndefined()
    expect(await find('last')).toBe('b')
    expect((await kernel.findTurn(c, 'last'))?.about.toSorted()).toEqual(['1', '2'])
    expect((await kernel.findTurn(c, { turn: 'a' }))?.about).toEqual(['1'])
    for (const message of ['3', '', 'm']) expect(await find({ message })).toBeUndefined()
    await kernel.forget(deletion(c, '2'), [])
    expect(await find('last')).toBe('a')
    expect(await find({ message: '1' })).toBe('a')
  })

  it('is found with the others of its session, in order, each with the messages that it came of', async () => {
    const c = freshConversation()
    const { kernel } = bench()
    const session = 's1'
    const find = async (): Promise<unknown> =>
      (await kernel.findTurns(c, session)).map(({ record, about }) => [record.turn, about.toSorted()])
    expect(await find()).toEqual([])
    await end(c, 'a', ['1'], { rows: [row('a-end')] })
    await send(c, 'm7')
    await store(c, 'w', { records: [{ kind: 'work', about: ['3'], record: workRecord('w') }] })
    await end(c, 'b', ['1', '2'])
    await end(c, 'c', [])
    expect(await find()).toEqual([
      ['a', ['1']],
      ['b', ['1', '2']],
      ['c', []],
    ])
    expect(await kernel.findTurns(c, 's2')).toEqual([])
    await kernel.forget(deletion(c, '2'), [])
    expect(await find()).toEqual([
      ['a', ['1']],
      ['c', []],
    ])
  })

  it('is blanked with any message that it came of, and readers are told, also of what they read long ago', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await end(c, 'a', ['1', '2'])
    await end(c, 'b', ['2'])
    await end(c, 'c', ['3'])
    await kernel.forget(deletion(c, '2'), [])
    await kernel.forget(deletion(c, '99'), [])
    expect(await told(c)).toEqual(['gone', 'gone', 'turn c', 'forgotten 2: a b', 'forgotten 99: '])
    await store(c, 'f', { records: [{ kind: 'feedback', on: { message: '1' }, feedback: said('redo') }] })
    expect(await told(c)).toHaveLength(5)
  })

  it('is not missed by a hundred messages that nobody knows any more: they share a line, also when others write between', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const other = neighbourOf(c)
    const all = Array.from({ length: 130 }, (_, i) => `m${i}`)
    for (const message of all) {
      await kernel.forget(deletion(c, message), [])
      if (Number(message.slice(1)) % 7 === 0) await kernel.forget(deletion(other, message), [])
    }
    await kernel.forget(deletion(c, 'm129'), [])
    expect(await told(c)).toEqual([
      `forgotten ${all.slice(0, 100).join(' ')}: `,
      `forgotten ${all.slice(100).join(' ')}: `,
    ])
    expect(await told(other)).toHaveLength(1)
    await end(c, 'a', ['1'])
    await kernel.forget(deletion(c, '99'), [])
    expect((await told(c)).slice(2)).toEqual(['turn a', 'forgotten 99: '])
  })

  it('is blanked with a message that very many came of, and readers are told of some hundred at once', async () => {
    const c = freshConversation()
    const turns = Array.from({ length: 430 }, (_, i) => `t${i}`)
    await store(c, 'all', { records: turns.map((turn) => recorded(turn, ['1', `own ${turn}`])) })
    await bench().kernel.forget(deletion(c, '1'), [])
    const ids = (await read(c)).flatMap((line) => (line.kind === 'forgotten' ? [line.ids] : []))
    expect(ids).toEqual([turns.slice(0, 167), turns.slice(167, 334), turns.slice(334)])
    expect((await told(c)).slice(0, 430).every((line) => line === 'gone')).toBe(true)
  })

  it('is blanked when its message says something else now', async () => {
    const c = freshConversation()
    await end(c, 'a', ['1'])
    await end(c, 'b', ['2'])
    await store(c, 'e', {
      records: [
        { kind: 'edited', message: '1' },
        { kind: 'edited', message: '99' },
      ],
    })
    expect(await told(c)).toEqual(['gone', 'turn b', 'edited 1: a'])
  })

  it('goes with its conversation, and readers are told', async () => {
    const c = freshConversation('web')
    await end(c, 'a', ['1'])
    await bench().kernel.erase(c)
    expect(await told(c)).toEqual(['gone', 'erased'])
    await end(c, 'b', ['1'])
    expect(await told(c)).toEqual(['gone', 'erased', 'turn b'])
  })

  it('is given up when its time is over, with the lines about it, and its messages find nothing any more', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await end(c, 'old', ['1'], { rows: [row('old-end')] })
    await send(c, 'm1')
    await bench().advance(6 * dayMs)
    await end(c, 'new', ['2'])
    await bench().advance(2 * dayMs)
    while ((await kernel.giveUpRecords(toPartition(c), 7 * dayMs)) > 0);
    expect(await told(c)).toEqual(['turn new'])
    await react(c, 'm1', ['👍'])
    await store(c, 'f', { records: [{ kind: 'feedback', on: { message: '1' }, feedback: said('redo') }] })
    expect(await told(c)).toEqual(['turn new'])
  })

  it('is passed by each reader for itself, by one process at a time', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const partition = toPartition(c)
    const reader = `r.${c}`
    await end(c, 'a')
    await end(c, 'b')
    const [first, second] = await read(c)
    const pass = (before = '0-0', name = '', more = {}) =>
      kernel.passRecord({ partition, reader, before, name, goesOn: false, ...more })
    expect(await kernel.startReading(partition, reader, 'w1')).toEqual({ after: '0-0', starts: 1 })
    expect(await kernel.startReading(partition, reader, 'w2')).toEqual({ after: '0-0', starts: 2 })
    expect(await pass('0-0', first?.name, { goesOn: true, by: 'w2' })).toBe('OK')
    expect(await pass('0-0', second?.name)).toBe('BEHIND')
    expect(await kernel.startReading(partition, reader, 'w3')).toEqual({ after: first?.name, starts: 2 })
    expect(await pass(first?.name, second?.name, { setAside: true })).toBe('OK')
    await pass(second?.name, (await bench().kernel.lastRecords())[partition])
    expect((await kernel.startReading(partition, reader, 'w1')).starts).toBe(0)
    expect(await kernel.startReading(partition, `${reader}-2`, 'w1')).toEqual({ after: '0-0', starts: 1 })
    expect((await kernel.lookAtRecords(partition)).aside).toMatchObject({ [reader]: 1 })
  })

  it('counts who begins with it again once, so that who lives and was cut off is told apart from who died', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const [partition, reader] = [toPartition(c), `r.${c}`]
    await end(c, 'a')
    await end(c, 'b')
    for (let i = 0; i < 4; i++) expect((await kernel.startReading(partition, reader, 'w1')).starts).toBe(1)
    expect(await kernel.findPlace(partition, reader, 'w1')).toEqual({ after: '0-0', starts: 0 })
    expect((await kernel.findPlace(partition, reader, 'w2')).starts).toBe(1)
    expect((await kernel.startReading(partition, reader, 'w2')).starts).toBe(2)
    expect((await kernel.findPlace(partition, reader, 'w1')).starts).toBe(1)
    const [first] = await read(c)
    const passing = { partition, reader, before: '0-0', name: first?.name ?? '' }
    await kernel.passRecord({ ...passing, goesOn: true, by: 'w2' })
    expect((await kernel.startReading(partition, reader, 'w2')).starts).toBe(1)
    expect((await kernel.startReading(partition, reader, 'w1')).starts).toBe(2)
    await kernel.passRecord({ ...passing, before: first?.name ?? '', goesOn: false })
    expect((await kernel.findPlace(partition, reader, 'w3')).starts).toBe(0)
  })

  it('may lead to letters, written with the step that passes it: once', async () => {
    const { kernel } = bench()
    const [c, to] = [freshConversation(), freshConversation()]
    await end(c, 'a')
    const [line] = await read(c)
    const letter: Letter = {
      event: {
        v: 1,
        kind: 'letter',
        id: `${c}/p-1`,
        conversation: to,
        principal: ann,
        from: c,
        letter: 'notes.told',
        payload: '好',
      },
    }
    const passing = {
      partition: toPartition(c),
      reader: `l.${c}`,
      before: '0-0',
      name: line?.name ?? '',
      goesOn: false,
    }
    for (let i = 0; i < 2; i++) await kernel.passRecord({ ...passing, from: c, letters: [letter] })
    const written = (await kernel.giveOut(toPartition(c))).letters.filter((one) => one.to === to)
    expect(written.map(({ id }) => id)).toEqual([letter.event.id])
    await kernel.acknowledge(toPartition(c), to, written, 0)
  })

  it('stays where its conversation is put away', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await kernel.ingest({ event: messageEvent(c, 1), dedupeKey: `${c}1`, stop: 'none', echo: false })
    await kernel.route(c, 0, [{ v: 1, act: 'ignore', rule: 'x' }])
    await end(c, 'a', ['1'], { folds: true, snapshot: 's', rest: '', release: true })
    await bench().advance(dayMs)
    await kernel.archive(toPartition(c), dayMs / 2, 10_000)
    expect(await told(c)).toEqual(['turn a'])
  })
}
