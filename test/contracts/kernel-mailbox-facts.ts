// Facts about ingest, inbox, route, set aside and replay, park, due and the out stream.
import { expect, it } from 'vitest'
import { toPartition } from '#queues/partition.ts'
import type { Due } from '#queues/kernel/kernel.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import {
  conversationApart,
  ann,
  bob,
  deliverMany,
  freshConversation,
  ignoreDecision,
  ingestMany,
  messageEvent,
  mustClaim,
  row,
  seqsOf,
  sender,
  step,
  ttlMs,
  turnDecision,
} from './kernel-fixtures.ts'

export function mailboxFacts(bench: () => KernelBench): void {
  const ingest = (conversation: string, id: number, more: { principal?: string; stop?: 'own' | 'all' } = {}) =>
    bench().kernel.ingest({
      event: messageEvent(conversation, id, more.principal ?? ann),
      dedupeKey: `k${id}`,
      stop: more.stop ?? 'none',
      echo: false,
    })
  const dueOf = async (conversation: string, graceMs = 500): Promise<Due['what'][]> => {
    const all = await bench().kernel.due(toPartition(conversation), graceMs)
    return all.filter((due) => due.conversation === conversation).map((due) => due.what)
  }

  it('appends an event once per dedupe key and tells a duplicate the first seq', async () => {
    const c = freshConversation()
    expect(await ingest(c, 1)).toMatchObject({ kind: 'NEW', seq: 1 })
    expect(await ingest(c, 2)).toMatchObject({ kind: 'NEW', seq: 2 })
    expect(await ingest(c, 1)).toEqual({ kind: 'DUP', seq: 1 })
    expect((await bench().kernel.inbox(c, 10)).events).toHaveLength(2)
  })

  it('says of an event whether the router had nothing to look at before', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    expect(await ingest(c, 1)).toEqual({ kind: 'NEW', seq: 1, wakes: true })
    expect(await ingest(c, 2)).toEqual({ kind: 'NEW', seq: 2 })
    // What comes while it decides is no news: whoever decides may not see it.
    await kernel.route(c, 0, [turnDecision])
    expect(await ingest(c, 3)).toEqual({ kind: 'NEW', seq: 3 })
    await kernel.route(c, 1, [turnDecision, turnDecision])
    expect(await ingest(c, 4)).toEqual({ kind: 'NEW', seq: 4, wakes: true })
    await kernel.park(c, 'by a test')
    expect(await ingest(c, 5)).toEqual({ kind: 'NEW', seq: 5 })
    await kernel.unpark(c)
  })

  it('remembers a dedupe key for 48 hours and not for ever', async () => {
    const c = freshConversation()
    await ingest(c, 1)
    await bench().advance(47 * 3_600_000)
    expect((await ingest(c, 1)).kind).toBe('DUP')
    await bench().advance(2 * 3_600_000)
    await ingest(c, 2)
    expect(await ingest(c, 1)).toMatchObject({ kind: 'NEW', seq: 3 })
  })

  it('shows unrouted events in order, at most as many as asked for', async () => {
    const c = freshConversation()
    await ingestMany(bench().kernel, c, 5)
    const inbox = await bench().kernel.inbox(c, 3)
    expect(inbox.routedSeq).toBe(0)
    expect(seqsOf(inbox.events)).toEqual([1, 2, 3])
    expect(inbox.events[0]?.event).toEqual(messageEvent(c, 1))
  })

  it('counts looks at the first unrouted event until it is routed', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 2)
    const look = async (lostAfterMs: number): Promise<number | undefined> =>
      (await kernel.inbox(c, 10, { lostAfterMs })).looks
    expect(await look(0)).toBe(1)
    expect(await look(60_000), 'one that begins beside another').toBe(1)
    expect(await look(0)).toBe(2)
    expect(await kernel.inbox(c, 10), 'one that is not counted').not.toHaveProperty('looks')
    expect(await look(0)).toBe(3)
    await kernel.forgetLooks(c)
    expect(await look(60_000), 'after they were given back').toBe(1)
    await kernel.route(c, 0, [turnDecision])
    expect(await look(60_000)).toBe(1)
    await kernel.route(c, 1, [turnDecision])
    expect(await kernel.inbox(c, 10, { lostAfterMs: 0 })).not.toHaveProperty('looks')
  })

  it('a look that takes all or none shows and counts nothing where more waits', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 3)
    expect(await kernel.inbox(c, 2, { lostAfterMs: 0, allOrNone: true })).toEqual({
      routedSeq: 0,
      events: [],
      more: true,
    })
    const all = await kernel.inbox(c, 3, { lostAfterMs: 0, allOrNone: true })
    expect([seqsOf(all.events), all.looks, all.more]).toEqual([[1, 2, 3], 1, undefined])
    const again = { lostAfterMs: 0, allOrNone: true }
    expect(await kernel.inbox(c, 3, again), 'after a look that was lost').toMatchObject({ events: [], more: true })
    expect(await kernel.inbox(c, 3, { lostAfterMs: 60_000, allOrNone: true }), 'beside another').toMatchObject({
      looks: 1,
    })
    expect(await kernel.inbox(c, 3, { lostAfterMs: 0 })).toMatchObject({ looks: 2 })
  })

  it('routes in order and refuses a router that is behind', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 3)
    expect(await kernel.route(c, 0, [turnDecision])).toEqual({ kind: 'OK', work: true, wakes: true })
    expect(await kernel.route(c, 0, [turnDecision])).toEqual({ kind: 'BEHIND' })
    expect(await kernel.route(c, 1, [turnDecision, turnDecision])).toEqual({ kind: 'OK', work: true })
    const { pending } = await mustClaim(kernel, c)
    expect(pending.map(({ seq, event, decision }) => [seq, event.id, decision])).toEqual(
      [1, 2, 3].map((n) => [n, `${c}:${n}`, turnDecision]),
    )
  })

  it('writes no decision for another event than the one that was decided', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 2)
    const [first, second] = (await kernel.inbox(c, 8)).events.map(({ event }) => event.id)
    if (first === undefined || second === undefined) throw new Error('Two events were put in.')
    const route = async (...ids: readonly string[]): Promise<unknown> =>
      await kernel.route(
        c,
        0,
        ids.map(() => turnDecision),
        ids,
      )
    for (const ids of [['other'], [first, 'other'], ['other', second], [first, second, 'third']])
      expect(await route(...ids), ids.join(' ')).toEqual({ kind: 'BEHIND' })
    expect((await kernel.inbox(c, 8)).routedSeq).toBe(0)
    expect(await route(first, second)).toEqual({ kind: 'OK', work: true, wakes: true })
  })

  it('refuses more decisions than there are events, and writes none of them', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 1)
    await expect(kernel.route(c, 0, [turnDecision, turnDecision])).rejects.toMatchObject({ code: 'internal' })
    expect((await kernel.inbox(c, 10)).routedSeq).toBe(0)
    expect((await kernel.pending(c, 0)).events).toEqual([])
  })

  it('consumes ignored events at once, so that they are no work', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 3)
    expect(await kernel.route(c, 0, [ignoreDecision])).toEqual({ kind: 'OK', work: false })
    expect(await kernel.route(c, 1, [turnDecision, ignoreDecision])).toEqual({ kind: 'OK', work: true, wakes: true })
    expect(seqsOf((await kernel.pending(c, 0)).events)).toEqual([2])
    expect(await kernel.findEvent(c, 1)).toBeUndefined()
  })

  it('tells the router the tail of the previous reply, at most 2,000 characters', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    expect(await kernel.inbox(c, 1)).not.toHaveProperty('previousReply')
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { reply: `${'x'.repeat(3000)}shall I go on?` }))
    const { previousReply } = await kernel.inbox(c, 1)
    expect(previousReply).toHaveLength(2000)
    expect(previousReply).toMatch(/shall I go on\?$/)
  })

  it('records the seq of a stop for its sender, or for everyone', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingest(c, 1)
    await ingest(c, 2, { stop: 'own', principal: bob })
    await ingest(c, 3, { stop: 'all' })
    expect((await kernel.pending(c, 0)).stops).toEqual({ [bob]: 2, '*': 3 })
  })

  it('stops what came before an event or before now, without an event of its own', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await kernel.halt(c, bob)
    expect((await kernel.pending(c, 0)).stops).toEqual({})
    for (const n of [1, 2, 3]) await ingest(c, n, { principal: bob })
    await kernel.halt(c, bob, 'k2')
    expect((await kernel.pending(c, 0)).stops).toEqual({ [bob]: 1.5 })
    expect((await kernel.inbox(c, 10)).events).toHaveLength(3)
    await kernel.halt(c, bob)
    await kernel.halt(c, bob, 'k2')
    expect((await kernel.pending(c, 0)).stops).toEqual({ [bob]: 3.5 })
    await kernel.halt(c, '*', 'unknown')
    expect((await kernel.pending(c, 0)).stops).toEqual({ [bob]: 3.5, '*': 3.5 })
  })

  it('finds an event in the mailbox, routed or not', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 2)
    await kernel.route(c, 0, [turnDecision])
    expect(await kernel.findEvent(c, 1)).toEqual(messageEvent(c, 1))
    expect(await kernel.findEvent(c, 2)).toEqual(messageEvent(c, 2))
    expect(await kernel.findEvent(c, 3)).toBeUndefined()
  })

  it('puts what was set aside into the mailbox again, in order and once', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 2)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { consume: [1, 2], setAside: [2, 1] }))
    expect(await kernel.replay(c)).toBe(2)
    expect(await kernel.replay(c)).toBe(0)
    const { events } = await kernel.inbox(c, 10)
    expect(events.map(({ seq, event }) => [seq, event.id, event.replayed])).toEqual([
      [3, `${c}:1`, 1],
      [4, `${c}:2`, 2],
    ])
    await kernel.route(c, 2, [turnDecision, turnDecision])
    const again = await mustClaim(kernel, c)
    await kernel.append(c, again.epoch, step('b', { consume: [3, 4], setAside: [4] }))
    expect(await kernel.replay(c)).toBe(1)
    expect((await kernel.inbox(c, 10)).events).toMatchObject([{ seq: 5, event: { id: `${c}:2`, replayed: 4 } }])
  })

  it('reports what waits for the router, the executor and the sender, after the grace', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { rows: [row('r')] }))
    await kernel.release(c, 'w1', epoch, true)
    await ingest(c, 9)
    expect(await dueOf(c)).toEqual([])
    await advance(1000)
    expect((await dueOf(c)).toSorted()).toEqual(['out', 'route', 'run'])
    const [due] = (await kernel.due(toPartition(c), 500)).filter((found) => found.conversation === c)
    expect(due?.sinceMs).toBeGreaterThanOrEqual(1000)
    expect(due?.sinceMs).toBeLessThan(3000)
  })

  it('reports no work under a live lease, and reports it again once the lease ended', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { rows: [row('r')] }))
    await kernel.begin(sender(c), 'op1')
    await advance(1000)
    expect(await dueOf(c)).toEqual([])
    await advance(ttlMs)
    expect((await dueOf(c)).toSorted()).toEqual(['out', 'run'])
  })

  it('reports nothing once all is done', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { rows: [row('r')], consume: [1], release: true }))
    await kernel.begin(sender(c), 'op1')
    await kernel.settle(sender(c), 'r', { kind: 'sent', receipt: '7' }, 'op2')
    await advance(60_000)
    expect(await dueOf(c)).toEqual([])
  })

  it('does not let ignored events hide how long older work waits', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    await advance(1000)
    await ingest(c, 7)
    await kernel.route(c, 1, [ignoreDecision])
    expect(await dueOf(c)).toEqual(['run'])
  })

  it('reports at most 100 of a partition, the oldest among them', async () => {
    const { kernel, advance } = bench()
    const home = await conversationApart(kernel, 'discord')
    const names = Array.from({ length: 20_000 }, (_, i) => `discord:many${i}`)
    const same = [home, ...names.filter((name) => toPartition(name) === toPartition(home)).slice(0, 149)]
    for (const c of same) await ingest(c, 1)
    await advance(1000)
    const found = await kernel.due(toPartition(home), 500)
    expect(found).toHaveLength(100)
    expect(new Set(found.map((due) => `${due.what} ${due.conversation}`)).size).toBe(100)
    for (const c of same) await kernel.park(c, 'done')
  })

  it('puts off what was swept, ever longer, and shows it to others as before', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const sweep = async (): Promise<number[]> =>
      (await kernel.sweep(toPartition(c), 500)).due.flatMap((due) => (due.conversation === c ? [due.sinceMs] : []))
    const expectDueFor = async (ms: number): Promise<void> => expect(await sweep()).toEqual([ms])
    await advance(20_000)
    await expectDueFor(20_000)
    expect(await sweep()).toEqual([])
    expect(await dueOf(c)).toEqual(['run'])
    await advance(7000)
    expect(await sweep()).toEqual([])
    await advance(5000)
    await expectDueFor(32_000)
    await advance(12_000)
    expect(await sweep()).toEqual([])
    await advance(3_600_000)
    await expectDueFor(3_644_000)
    await advance(61_000)
    expect(await sweep()).toHaveLength(1)
    await kernel.park(c, 'done')
  })

  it('tells once of a run that somebody took and never gave back', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const dropped = async (): Promise<boolean[]> =>
      (await kernel.sweep(toPartition(c), 500)).due.flatMap((due) => (due.conversation === c ? [due.isDropped] : []))
    await deliverMany(kernel, c, 1)
    await advance(20_000)
    expect(await dropped()).toEqual([false])
    const given = await mustClaim(kernel, c)
    await kernel.release(c, 'w1', given.epoch, true)
    await advance(120_000)
    expect(await dropped()).toEqual([false])
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { progress: true }))
    await advance(120_000)
    expect(await dropped()).toEqual([true])
    await advance(120_000)
    expect(await dropped()).toEqual([false])
    await kernel.park(c, 'done')
  })

  it('sweeps at once what somebody took and left, and what more came to', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const sweep = async (): Promise<string[]> =>
      (await kernel.sweep(toPartition(c), 500)).due.flatMap((due) => (due.conversation === c ? [due.what] : []))
    await deliverMany(kernel, c, 1)
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { rows: [row('r')] }))
    await kernel.release(c, 'w1', epoch, true)
    await ingest(c, 9)
    await advance(500_000)
    expect((await sweep()).toSorted()).toEqual(['out', 'route', 'run'])
    expect(await sweep()).toEqual([])
    await mustClaim(kernel, c, 'w2')
    await kernel.inbox(c, 10)
    await kernel.begin(sender(c), 'op1')
    expect(await sweep()).toEqual(['route'])
    await advance(ttlMs + 2000)
    expect((await sweep()).toSorted()).toEqual(['out', 'run'])
    await ingest(c, 10)
    await advance(1000)
    expect(await sweep()).toEqual(['route'])
    await kernel.park(c, 'done')
  })

  it('lets others come up behind what nobody takes, and counts all the work there is', async () => {
    const { kernel, advance } = bench()
    const home = await conversationApart(kernel, 'discord')
    const names = Array.from({ length: 20_000 }, (_, i) => `discord:stuck${i}`)
    const stuck = names.filter((name) => toPartition(name) === toPartition(home)).slice(0, 150)
    for (const c of stuck) await ingest(c, 1)
    await advance(1000)
    await ingest(home, 1)
    await advance(1000)
    const first = await kernel.sweep(toPartition(home), 500)
    const second = await kernel.sweep(toPartition(home), 500)
    expect(first.due).toHaveLength(100)
    expect(second.due.map((due) => due.conversation)).toContain(home)
    const found = new Set([...first.due, ...second.due].map((due) => due.conversation))
    expect([home, ...stuck].filter((c) => !found.has(c))).toEqual([])
    expect(first.work).toBeGreaterThanOrEqual(1 + stuck.length)
    // Also when what is oldest was put off.
    const oldest = Math.max(...[...first.due, ...second.due].map(({ sinceMs }) => sinceMs))
    expect(Math.abs((await kernel.sweep(toPartition(home), 500)).oldestMs - oldest)).toBeLessThan(1000)
    for (const c of [home, ...stuck]) await kernel.park(c, 'done')
  })

  it('takes a parked conversation out of service and keeps what comes meanwhile', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    await kernel.park(c, 'for a test')
    expect(await kernel.claim(c, 'w1', ttlMs)).toEqual({ kind: 'PARKED', reason: 'for a test' })
    expect(await ingest(c, 8)).toEqual({ kind: 'NEW', seq: 2 })
    expect((await kernel.inbox(c, 10)).events).toEqual([])
    expect(await kernel.begin(sender(c), 'op1')).toEqual({ kind: 'EMPTY' })
    await advance(1000)
    expect(await dueOf(c)).toEqual([])
    await kernel.unpark(c)
    await advance(1000)
    expect(await dueOf(c)).toEqual(expect.arrayContaining(['route', 'run']))
    expect(seqsOf((await mustClaim(kernel, c)).pending)).toEqual([1])
    expect(seqsOf((await kernel.inbox(c, 10)).events)).toEqual([2])
  })

  it('shows a web conversation its messages and replies, oldest first, from any item on', async () => {
    const { kernel } = bench()
    const c = freshConversation('web')
    const event = messageEvent(c, 1)
    await kernel.ingest({ event, dedupeKey: 'k', stop: 'none', echo: true })
    await kernel.ingest({ event, dedupeKey: 'k', stop: 'none', echo: true })
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { rows: [row('r1'), row('r2')] }))
    await kernel.append(c, epoch, step('a', { rows: [row('r1'), row('r2')] }))
    const items = await kernel.readOut(c, '0', 10)
    expect(items.map((item) => (item.role === 'person' ? item.event : item.body))).toEqual([
      event,
      { ...row('r1').body, row: 'r1' },
      { ...row('r2').body, row: 'r2' },
    ])
    expect(await kernel.readOut(c, items[0]?.id ?? '', 1)).toEqual([items[1]])
    expect(await kernel.readOut(c, items[2]?.id ?? '', 10)).toEqual([])
    expect(await kernel.begin(sender(c), 'op')).toEqual({ kind: 'EMPTY' })
  })

  it('keeps the last 1,000 items of a web conversation under their old ids', async () => {
    const { kernel } = bench()
    const c = freshConversation('console')
    const { epoch } = await mustClaim(kernel, c)
    for (let page = 0; page < 11; page++) {
      const rows = Array.from({ length: 100 }, (_, i) => row(`r${page}-${i}`))
      await kernel.append(c, epoch, step(`p${page}`, { rows }))
    }
    const items = await kernel.readOut(c, '0', 2000)
    expect(items).toHaveLength(1000)
    expect(items[0]).toMatchObject({ body: row('r1-0').body })
    expect(await kernel.readOut(c, items[998]?.id ?? '', 10)).toEqual([items[999]])
    // What was to follow is gone: the oldest that are kept do.
    for (const after of ['0', '7', '99']) expect(await kernel.readOut(c, after, 10)).toEqual(items.slice(0, 10))
  })

  it('reads a web conversation from its end, page by page, up to the oldest item that is kept', async () => {
    const { kernel } = bench()
    const c = freshConversation('web')
    expect(await kernel.readOutBefore(c, '0', 10)).toEqual([])
    const { epoch } = await mustClaim(kernel, c)
    for (let page = 0; page < 21; page++) {
      const rows = Array.from({ length: 50 }, (_, i) => row(`r${page}-${i}`))
      await kernel.append(c, epoch, step(`p${page}`, { rows }))
    }
    const items = await kernel.readOut(c, '0', 2000)
    expect(await kernel.readOutBefore(c, '0', 30)).toEqual(items.slice(-30))
    expect(await kernel.readOutBefore(c, items[970]?.id ?? '', 30)).toEqual(items.slice(940, 970))
    expect(await kernel.readOutBefore(c, items[10]?.id ?? '', 30)).toEqual(items.slice(0, 10))
    expect(await kernel.readOutBefore(c, items[0]?.id ?? '', 30)).toEqual([])
    expect(await kernel.readOutBefore(c, '99999', 2)).toEqual(items.slice(-2))
    expect(await kernel.readOutBefore(c, '7', 2)).toEqual([])
  })

  it('keeps the latest draft for a minute, and none after the turn has ended', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    expect(await kernel.findDraft(c)).toBeUndefined()
    await kernel.saveDraft(c, { turn: 't1', text: 'Hel' })
    await kernel.saveDraft(c, { turn: 't1', text: 'Hello' })
    expect(await kernel.findDraft(c)).toEqual({ turn: 't1', text: 'Hello' })
    await advance(61_000)
    expect(await kernel.findDraft(c)).toBeUndefined()
    await kernel.saveDraft(c, { turn: 't2', text: 'Bye' })
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('end', { folds: true, snapshot: 's' }))
    expect(await kernel.findDraft(c)).toBeUndefined()
  })
}
