// Facts about letters: written with a step, carried by anybody, received once and in order, gone once that is acknowledged.
import { describe, expect, it } from 'vitest'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Append, Letter } from '#shared/run/step.ts'
import type { CarriedLetter } from '#queues/letters/letters.ts'
import { partitions, toPartition } from '#queues/partition.ts'
import { carryLetters } from '#queues/workers/carry-letters.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { ann, answerEvent, askedQuestion, freshConversation, mustClaim, row, sender, step } from './kernel-fixtures.ts'

const dayMs = 86_400_000

export function letterFacts(bench: () => KernelBench): void {
  const letter = (from: ConversationId, to: ConversationId, name: string, payload = `"${name}" 好`): Letter => ({
    event: {
      v: 1,
      kind: 'letter',
      id: `${from}/${name}`,
      conversation: to,
      principal: ann,
      from,
      letter: 'notes.told',
      payload,
    },
  })
  const letters = (from: ConversationId, to: ConversationId, names: readonly string[]): Letter[] =>
    names.map((name) => letter(from, to, name))
  const names = (count: number, first = 0): string[] => Array.from({ length: count }, (_, i) => `n${first + i}`)
  const store = async (conversation: ConversationId, key: string, more: Partial<Append>): Promise<unknown> => {
    const { epoch } = await mustClaim(bench().kernel, conversation)
    return await bench().kernel.append(conversation, epoch, step(key, more))
  }
  const write = (from: ConversationId, to: ConversationId, ...which: string[]) =>
    store(from, which.join(), { letters: letters(from, to, which) })
  /** What is given out of the writer's partition for one conversation; other facts leave nothing for it. */
  let givenAtMs = 0
  const given = async (from: ConversationId, to: ConversationId): Promise<readonly CarriedLetter[]> => {
    const { atMs, letters: all } = await bench().kernel.giveOut(toPartition(from))
    givenAtMs = atMs
    return all.filter((one) => one.to === to)
  }
  const receive = (from: ConversationId, to: ConversationId, which: readonly CarriedLetter[]) =>
    bench().kernel.receive(to, { partition: toPartition(from), atMs: givenAtMs }, which)
  const troubles: string[] = []
  const carry = async (from: ConversationId): Promise<void> => {
    const { kernel } = bench()
    const onTrouble = (what: string): unknown => troubles.push(what)
    await carryLetters({ kernel, hints: { inbound: async () => {} }, onTrouble }, toPartition(from))
  }
  /** Another fact may share the partition. */
  const leaveNone = async (from: ConversationId): Promise<void> => {
    await bench().kernel.erase(from)
    await bench().advance(61_000)
    await carry(from)
  }
  const mail = async (conversation: ConversationId, limit = 2000) =>
    (await bench().kernel.inbox(conversation, limit)).events.map(({ event }) => event)
  const came = async (conversation: ConversationId): Promise<string[]> =>
    (await mail(conversation)).map(({ id }) => id.replace(/^.*\//, ''))
  /** Routes and consumes all that waits. */
  const workOff = async (conversation: ConversationId, key: string): Promise<void> => {
    const { kernel } = bench()
    const { routedSeq, events } = await kernel.inbox(conversation, 2000)
    const decisions = events.map(() => ({ v: 1, act: 'apply', rule: 'letter' }) as const)
    await kernel.route(conversation, routedSeq, decisions)
    await store(conversation, key, { consume: events.map(({ seq }) => seq), folds: true, snapshot: 's', rest: '' })
  }
  const isDue = async (from: ConversationId): Promise<boolean> => (await bench().kernel.fire(toPartition(from))).letters

  it('is an event in the other’s mailbox, with the time of its coming, and hinted as work there', async () => {
    const [from, to] = [freshConversation(), freshConversation()]
    expect(await isDue(from)).toBe(false)
    await write(from, to, 'a')
    expect(await isDue(from)).toBe(true)
    await bench().advance(1000)
    await carry(from)
    expect(await isDue(from)).toBe(false)
    const [event] = await mail(to)
    expect(event).toEqual({ ...letter(from, to, 'a').event, at: bench().nowMs() })
    expect((await bench().kernel.due(toPartition(to), 0)).some(({ conversation }) => conversation === to)).toBe(true)
    expect(await came(from)).toEqual([])
  })

  it('is written once, whatever the repeats of its step, and not at all by one that is refused', async () => {
    const { kernel } = bench()
    const [from, to] = [freshConversation(), freshConversation()]
    const { epoch } = await mustClaim(kernel, from)
    const told = step('a', { letters: letters(from, to, ['a']) })
    for (let i = 0; i < 3; i++) await kernel.append(from, epoch, told)
    await kernel.append(from, epoch - 1, step('b', { letters: letters(from, to, ['b']) }))
    expect(await given(from, to)).toHaveLength(1)
    await carry(from)
    await kernel.append(from, epoch, told)
    await carry(from)
    expect(await came(to)).toEqual(['a'])
  })

  it('waits until it is acknowledged, and is received once however often it is carried until then', async () => {
    const { kernel } = bench()
    const [from, to] = [freshConversation(), freshConversation()]
    await write(from, to, 'a', 'b')
    const all = await given(from, to)
    expect(await receive(from, to, all)).toEqual({ has: 2, isNew: true })
    expect(await receive(from, to, all)).toEqual({ has: 2, isNew: false })
    expect(await given(from, to)).toEqual(all)
    await kernel.acknowledge(toPartition(from), to, all.slice(0, 1), 0)
    expect(await given(from, to)).toEqual(all.slice(1))
    await carry(from)
    expect(await given(from, to)).toEqual([])
    expect(await came(to)).toEqual(['a', 'b'])
  })

  it('is not received again from who stood still for a month and carries what was acknowledged', async () => {
    const [from, to] = [freshConversation(), freshConversation()]
    await write(from, to, 'a', 'b')
    const all = await given(from, to)
    await carry(from)
    await workOff(to, 'done')
    for (const ms of [3 * dayMs, 26 * dayMs]) {
      await bench().advance(ms)
      expect(await receive(from, to, all)).toEqual({ has: 0, isNew: false, refused: 'stale' })
      await bench().kernel.acknowledge(toPartition(from), to, all, 0)
    }
    await write(from, to, 'c')
    await carry(from)
    expect(await came(to)).toEqual(['c'])
  })

  it('is not received again where its conversation was put away since who carries it stood still', async () => {
    const { kernel, advance } = bench()
    const [from, to] = [freshConversation(), freshConversation()]
    await write(from, to, 'a', 'b')
    const all = await given(from, to)
    await carry(from)
    await workOff(to, 'done')
    const { epoch } = await mustClaim(kernel, to)
    await kernel.release(to, 'w1', epoch, true)
    await advance(31 * dayMs)
    await kernel.archive(toPartition(to), 30 * dayMs, 1000)
    expect(await receive(from, to, all)).toEqual({ has: 0, isNew: false, refused: 'stale' })
    expect(await came(to)).toEqual([])
  })

  it('comes in the order of writing, from several conversations and by several who carry at once', async () => {
    const [from, to] = [freshConversation(), freshConversation()]
    for (let i = 0; i < 6; i++) {
      await write(from, to, ...names(40, i * 40))
      const early = await given(from, to)
      await Promise.all([carry(from), carry(from), receive(from, to, early), carry(from)])
    }
    expect(await came(to)).toEqual(names(240))
  })

  it('written again by a step that was done again under another number is known by its id', async () => {
    const [from, to] = [freshConversation(), freshConversation()]
    await write(from, to, 'a')
    const [first] = await given(from, to)
    if (!first) throw new Error('Nothing was written.')
    await carry(from)
    expect(await receive(from, to, [{ ...first, number: first.number + 1e6 }])).toEqual({ has: 1, isNew: false })
    expect(await came(to)).toEqual(['a'])
  })

  it('comes also below the number of one that came before it, as after moments were lost, and once', async () => {
    const [from, to] = [freshConversation(), freshConversation()]
    await write(from, to, 'a', 'b')
    const all = await given(from, to)
    const [first] = all
    if (!first) throw new Error('Nothing was written.')
    // One whose number is of a clock that was an hour ahead; and one that was carried before another, which was given again first.
    const ahead = { ...first, id: `${from}/ahead`, number: first.number + 3_600_000_000 }
    expect(await receive(from, to, [ahead])).toEqual({ has: 1, isNew: true })
    for (const isNew of [true, false]) expect(await receive(from, to, all.slice(1))).toEqual({ has: 1, isNew })
    for (const isNew of [true, false]) expect(await receive(from, to, all)).toEqual({ has: 2, isNew })
    expect(await mail(to)).toHaveLength(3)
    // So long after it was written the number alone tells.
    await bench().advance(25 * 3_600_000)
    await given(from, to)
    expect(await receive(from, to, [{ ...first, id: `${from}/late` }])).toEqual({ has: 1, isNew: false })
    await leaveNone(from)
  })

  it('stays where another of its number was carried, as after moments were lost', async () => {
    const { kernel } = bench()
    const [from, to] = [freshConversation(), freshConversation()]
    await write(from, to, 'a', 'b')
    const all = await given(from, to)
    const lost = { ...all[1], id: `${from}/lost` }
    await kernel.acknowledge(toPartition(from), to, [lost], 0)
    expect(await given(from, to)).toEqual(all)
    await kernel.acknowledge(toPartition(from), to, [lost, ...all.slice(0, 1)], 0)
    expect(await given(from, to)).toEqual(all.slice(1))
    await leaveNone(from)
  })

  it('goes to its own conversation too', async () => {
    const c = freshConversation()
    await write(c, c, 'a')
    await carry(c)
    expect(await came(c)).toEqual(['a'])
  })

  it('waits where a thousand events wait, in order, and holds up no others', { timeout: 60_000 }, async () => {
    const [from, full, other] = [freshConversation(), freshConversation(), freshConversation()]
    for (let i = 0; i < 11; i++) {
      await write(from, full, ...names(100, i * 100))
      if (i < 10) await carry(from)
    }
    await write(from, other, 'other')
    await carry(from)
    expect(await came(other)).toEqual(['other'])
    expect(await came(full)).toEqual(names(1000))
    // What was put off is due a second later, and what is written meanwhile stays behind it.
    await workOff(full, 'first')
    await write(from, full, 'last')
    expect(await isDue(from)).toBe(false)
    await bench().advance(1001)
    await carry(from)
    expect(await came(full)).toEqual([...names(100, 1000), 'last'])
  })

  it('waits in the mailbox of one that is out of service, and when that is full a minute longer', async () => {
    const { kernel, advance } = bench()
    const [from, to, other] = [freshConversation(), freshConversation(), freshConversation()]
    await kernel.park(to, 'by a test')
    for (let i = 0; i < 10; i++) {
      await write(from, to, ...names(100, i * 100))
      await carry(from)
    }
    await write(from, to, 'more')
    await write(from, other, 'other')
    await carry(from)
    expect(await came(other)).toEqual(['other'])
    await kernel.unpark(to)
    expect(await came(to)).toHaveLength(1000)
    await workOff(to, 'all')
    await advance(30_000)
    await carry(from)
    expect(await came(to)).toEqual([])
    await advance(31_000)
    await carry(from)
    expect(await came(to)).toEqual(['more'])
  })

  it('refuses a step with which more than a thousand would be on their way, and stores none of it', async () => {
    const { kernel } = bench()
    const [from, to] = [freshConversation(), freshConversation()]
    await write(from, to, ...names(1000))
    await expect(store(from, 'more', { letters: letters(from, to, ['x']), rows: [row('r')] })).rejects.toThrow(
      /letters/,
    )
    expect(await kernel.begin(sender(from), 'op')).toMatchObject({ kind: 'EMPTY' })
    expect(await store(from, 'other', { rows: [row('r')] })).toMatchObject({ kind: 'OK' })
    await carry(from)
    expect(await store(from, 'again', { letters: letters(from, to, ['x']) })).toMatchObject({ kind: 'OK' })
    await leaveNone(from)
  })

  it('refuses a step with which more than some megabytes would be', async () => {
    const [from, to] = [freshConversation(), freshConversation()]
    const many = names(400).map((name) => letter(from, to, name, 'x'.repeat(30_000)))
    await store(from, 'much', { letters: many })
    await expect(write(from, to, 'more')).rejects.toThrow(/letters/)
    await leaveNone(from)
  })

  it('is refused where six thousand of a partition wait for one conversation, not counting what is gone', async () => {
    const { kernel } = bench()
    const to = freshConversation()
    const from: ConversationId[] = []
    for (let n = 0; from.length < 8; n++) if (toPartition(`telegram:${to}${n}`) === 7) from.push(`telegram:${to}${n}`)
    const [first = '', second = '', ...others] = from
    await kernel.park(to, 'by a test')
    // Letters of erased and forgotten ones leave room.
    for (let i = 0; i < 3; i++) {
      await write(first, to, ...names(1000))
      await kernel.erase(first)
    }
    for (const one of others) await write(one, to, ...names(1000))
    await expect(write(second, to, 'more')).rejects.toThrow(/letters/)
    expect(await store(second, 'elsewhere', { letters: letters(second, first, ['x']) })).toMatchObject({ kind: 'OK' })
    for (const one of others) await kernel.erase(one)
    await write(second, to, 'again')
    expect((await given(second, to)).map(({ id }) => id)).toEqual([`${second}/again`])
    await kernel.unpark(to)
    await leaveNone(second)
  })

  it('is given out by the hundred, by fifty to one conversation, and by a megabyte', async () => {
    const { kernel } = bench()
    const from = freshConversation()
    const [first, second, third] = [freshConversation(), freshConversation(), freshConversation()]
    for (const to of [first, second, third]) {
      await write(from, to, ...[...names(70)].map((name) => `${to}-${name}`))
      await bench().advance(10)
    }
    const page = await kernel.giveOut(toPartition(from))
    const own = page.letters.map(({ to }) => to)
    expect([own.length, page.more]).toEqual([100, true])
    expect([first, second].map((to) => own.filter((one) => one === to).length)).toEqual([50, 50])
    // Who had some goes behind the others.
    await receive(from, first, page.letters.slice(0, 50))
    await kernel.acknowledge(toPartition(from), first, page.letters.slice(0, 50), 0)
    expect(new Set((await kernel.giveOut(toPartition(from))).letters.map(({ to }) => to))).toEqual(
      new Set([second, third]),
    )
    await carry(from)
    for (const to of [first, second, third]) expect(await came(to)).toHaveLength(70)
    const many = names(80).map((name) => letter(from, first, `much-${name}`, 'x'.repeat(40_000)))
    await store(from, 'much', { letters: many })
    expect((await kernel.giveOut(toPartition(from))).letters.length).toBeLessThan(30)
    await carry(from)
  })

  it('goes when what it is about is to be forgotten, before it is carried; the others go on', async () => {
    const [from, to] = [freshConversation(), freshConversation()]
    const about = (name: string, regarding: string[]): Letter => ({
      event: { ...letter(from, to, name).event, regarding },
    })
    await store(from, 'a', { letters: [about('gone', ['m0', 'm1']), about('kept', ['m2']), about('late', ['m1'])] })
    const event = { v: 1, kind: 'delete', id: 'd', conversation: from, principal: ann, at: 1, messageId: 'm1' } as const
    await bench().kernel.forget(event, [])
    await write(from, to, 'more')
    await carry(from)
    expect(await came(to)).toEqual(['kept', 'more'])
    expect(await isDue(from)).toBe(false)
  })

  it('goes with the conversation that wrote it; one for an erased conversation begins it anew', async () => {
    const { kernel } = bench()
    const [from, to] = [freshConversation('web'), freshConversation('web')]
    await write(from, to, 'gone')
    await kernel.erase(from)
    await write(from, to, 'kept')
    await kernel.erase(to)
    await carry(from)
    expect(await came(to)).toEqual(['kept'])
    await kernel.erase(to)
    await write(from, to, 'new')
    await carry(from)
    expect(await came(to)).toEqual(['new'])
  })

  it('is carried though its writer was put away', async () => {
    const { kernel, advance } = bench()
    const [from, to] = [freshConversation(), freshConversation()]
    const done = { snapshot: 'state', rest: '', folds: true, release: true }
    await store(from, 'a', { ...done, letters: letters(from, to, ['a']) })
    await advance(31 * dayMs)
    await kernel.archive(toPartition(from), 30 * dayMs, 1000)
    expect((await mustClaim(kernel, from)).snapshot ?? '').toBe('')
    await carry(from)
    expect(await came(to)).toEqual(['a'])
  })

  it('does not wait for others that nobody can receive', async () => {
    const [from, bad, good] = [freshConversation(), freshConversation(), freshConversation()]
    await write(from, bad, 'bad')
    await write(from, good, 'good')
    const { kernel } = bench()
    troubles.length = 0
    const broken = {
      ...kernel,
      receive: async (...[to, ...rest]: Parameters<typeof kernel.receive>) => {
        if (to === bad) throw new Error('It cannot be received.')
        return await kernel.receive(to, ...rest)
      },
    }
    const onTrouble = (what: string): unknown => troubles.push(what)
    await carryLetters({ kernel: broken, hints: { inbound: async () => {} }, onTrouble }, toPartition(from))
    expect([await came(bad), await came(good), troubles.length]).toEqual([[], ['good'], 1])
    await bench().advance(5001)
    await carry(from)
    expect(await came(bad)).toEqual(['bad'])
  })

  describe('a question asked for another conversation', () => {
    it('names it in its answer, and in its end', async () => {
      const { kernel, advance } = bench()
      const [home, from] = [freshConversation(), freshConversation()]
      const ask = { ...askedQuestion(home), deadlineMs: 60_000, asker: ann, from }
      const late = { ...askedQuestion(home), deadlineMs: 60_000, asker: ann, from, about: ['m1'] }
      await store(home, 'ask', { questions: [ask, late] })
      const event = answerEvent(home, ask.id, 'p')
      const won = await kernel.resolve({ question: ask.id, actor: ann, chat: home, choice: 'yes', event })
      expect(won).toMatchObject({ kind: 'WON', question: ask })
      await advance(61 * dayMs)
      // Other facts may have left timers in the partition.
      while ((await kernel.fire(toPartition(home))).due === 100);
      expect(await mail(home)).toMatchObject([
        { kind: 'answer', from },
        { kind: 'expired', from, messages: ['m1'] },
      ])
    })
  })

  it('is due nowhere where none was written', async () => {
    for (let partition = 0; partition < partitions; partition += 7)
      expect(await bench().kernel.giveOut(partition)).toMatchObject({ strange: 0 })
  })
}
