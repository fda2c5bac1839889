// Facts about claim, renew, append, consume and release.
import { expect, it } from 'vitest'
import { toPartition } from '#queues/partition.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import {
  ann,
  bob,
  conversationApart,
  deliverMany,
  entry,
  freshConversation,
  ingestMany,
  messageEvent,
  mustBegin,
  mustClaim,
  row,
  seqsOf,
  sender,
  step,
  ttlMs,
  turnDecision,
} from './kernel-fixtures.ts'

export function runFacts(bench: () => KernelBench): void {
  const stopBy = (conversation: string, principal: string, stop: 'own' | 'all') =>
    bench().kernel.ingest({ event: messageEvent(conversation, 's', principal), dedupeKey: 's', stop, echo: false })

  it('lets one owner hold a run and raises the epoch with every claim', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const first = await mustClaim(kernel, c, 'w1')
    expect(await kernel.claim(c, 'w2', ttlMs)).toEqual({ kind: 'HELD' })
    const again = await mustClaim(kernel, c, 'w1')
    expect(again.epoch).toBeGreaterThan(first.epoch)
    await advance(ttlMs + 1)
    expect((await mustClaim(kernel, c, 'w2')).epoch).toBeGreaterThan(again.epoch)
  })

  it('lets another one have the run of a process that is gone, and counts that start', async () => {
    const { kernel, gone } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const first = await mustClaim(kernel, c, '@lost/1')
    expect(await kernel.claim(c, '@here/1', ttlMs)).toEqual({ kind: 'HELD' })
    gone.add('lost')
    const second = await mustClaim(kernel, c, '@here/1')
    expect(second.attempts).toBe(2)
    expect(second.epoch).toBeGreaterThan(first.epoch)
    expect(await kernel.append(c, first.epoch, step('late'))).toMatchObject({ kind: 'FENCED' })
    expect(await kernel.renew(c, '@lost/1', ttlMs)).toEqual({ kind: 'LOST' })
    expect(await kernel.claim(c, '@lost/2', ttlMs)).toEqual({ kind: 'HELD' })
    gone.delete('lost')
  })

  it('finds what a process that is gone held, and names the others', async () => {
    const { kernel, advance } = bench()
    const c = await conversationApart(kernel, 'telegram')
    await deliverMany(kernel, c, 1)
    await mustClaim(kernel, c, '@away/1')
    await advance(2000)
    const held = await kernel.sweep(toPartition(c), 1500)
    expect(held).toMatchObject({ due: [], holders: ['away'] })
    const found = await kernel.sweep(toPartition(c), 1500, ['other', 'away'])
    expect(found).toMatchObject({ due: [{ what: 'run', conversation: c, isDropped: true }], holders: [] })
  })

  it('gives back the lease of a run that may have one', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await mustClaim(kernel, c, 'w1')
    await kernel.disown(c, 'w2')
    expect(await kernel.claim(c, 'w2', ttlMs)).toEqual({ kind: 'HELD' })
    await kernel.disown(c, 'w1')
    await mustClaim(kernel, c, 'w2')
  })

  it('starts a new run without a snapshot, a journal or work', async () => {
    const { kernel } = bench()
    const claimed = await mustClaim(kernel, freshConversation())
    expect(claimed).toMatchObject({ tail: [], pending: [], routedSeq: 0, attempts: 1, stops: {} })
    expect(claimed).not.toHaveProperty('snapshot')
  })

  it('shows a claim at most 200 waiting events, and the rest by pending', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 230)
    const { pending, routedSeq } = await mustClaim(kernel, c)
    expect([pending.length, routedSeq]).toEqual([200, 230])
    expect(seqsOf((await kernel.pending(c, 200)).events)).toEqual(Array.from({ length: 30 }, (_, i) => 201 + i))
  })

  it('prolongs a lease by renewal, and only the holder’s', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await mustClaim(kernel, c, 'w1')
    await advance(5000)
    expect(await kernel.renew(c, 'w1', ttlMs)).toEqual({ kind: 'OK', stops: {} })
    expect(await kernel.renew(c, 'w2', ttlMs)).toEqual({ kind: 'LOST' })
    await advance(5000)
    expect(await kernel.claim(c, 'w2', ttlMs)).toEqual({ kind: 'HELD' })
    await advance(5000)
    expect(await kernel.renew(c, 'w1', ttlMs)).toEqual({ kind: 'LOST' })
  })

  it('tells a renewing owner who was stopped', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await mustClaim(kernel, c, 'w1')
    await stopBy(c, bob, 'own')
    expect(await kernel.renew(c, 'w1', ttlMs)).toEqual({ kind: 'OK', stops: { [bob]: 1 } })
  })

  it('counts claims that begin with the same head event and finish nothing', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 2)
    for (const attempt of [1, 2, 3]) {
      expect((await mustClaim(kernel, c, `w${attempt}`)).attempts).toBe(attempt)
      await advance(ttlMs + 1)
    }
  })

  it('does not count the holder claiming again, whose reply may have been lost', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    await mustClaim(kernel, c)
    await mustClaim(kernel, c)
    expect((await mustClaim(kernel, c)).attempts).toBe(1)
  })

  it('counts attempts anew after progress, after a release and for another head', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 2)
    await mustClaim(kernel, c, 'w1')
    await advance(ttlMs + 1)
    const second = await mustClaim(kernel, c, 'w2')
    expect(second.attempts).toBe(2)
    await kernel.append(c, second.epoch, step('a', { progress: true }))
    await advance(ttlMs + 1)
    const third = await mustClaim(kernel, c, 'w3')
    expect(third.attempts).toBe(1)
    await kernel.release(c, 'w3', third.epoch, true)
    const fourth = await mustClaim(kernel, c, 'w4')
    expect(fourth.attempts).toBe(1)
    await kernel.append(c, fourth.epoch, step('b', { consume: [1] }))
    await advance(ttlMs + 1)
    expect((await mustClaim(kernel, c, 'w5')).attempts).toBe(1)
  })

  it('counts no start that was excused, whoever started meanwhile', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const first = await mustClaim(kernel, c, 'w1')
    await advance(ttlMs + 1)
    const second = await mustClaim(kernel, c, 'w2')
    expect(second.attempts).toBe(2)
    await kernel.excuse(c, first.epoch, 'lost')
    await kernel.excuse(c, first.epoch, 'lost')
    await advance(ttlMs + 1)
    const third = await mustClaim(kernel, c, 'w3')
    expect(third.attempts).toBe(2)
    await kernel.excuse(c, third.epoch, 'waiting')
    expect((await mustClaim(kernel, c, 'w3')).attempts).toBe(2)
    await advance(ttlMs + 1)
    expect((await mustClaim(kernel, c, 'w4')).attempts).toBe(3)
  })

  it('counts no start that was put off, whose work is due later and whose lease is free', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const isDue = async (): Promise<boolean> =>
      (await kernel.due(toPartition(c), 0)).some(({ what, conversation }) => what === 'run' && conversation === c)
    await deliverMany(kernel, c, 1)
    await mustClaim(kernel, c, 'w1')
    await advance(ttlMs + 1)
    const second = await mustClaim(kernel, c, 'w2')
    await kernel.putOff(c, 'w2', second.epoch, 4000)
    await kernel.putOff(c, 'w2', second.epoch, 9000)
    expect(await isDue()).toBe(false)
    await advance(4001)
    expect(await isDue()).toBe(true)
    const third = await mustClaim(kernel, c, 'w3')
    expect(third.attempts).toBe(2)
    // Whoever lost the lease gives back none of another's.
    await kernel.putOff(c, 'w2', second.epoch, 4000)
    expect((await kernel.claim(c, 'w4', ttlMs)).kind).toBe('HELD')
  })

  it('leaves work that its process cannot read to another, the longer it waits the more seldom', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const isSwept = async (): Promise<boolean> =>
      (await kernel.sweep(toPartition(c), 0)).due.some(({ conversation }) => conversation === c)
    await deliverMany(kernel, c, 1)
    const first = await mustClaim(kernel, c, 'w1')
    await kernel.leave('run', c, { owner: 'w1', epoch: first.epoch })
    await kernel.leave('run', c, { owner: 'w1', epoch: first.epoch })
    expect(await isSwept()).toBe(false)
    await advance(1001)
    expect(await isSwept()).toBe(true)
    const second = await mustClaim(kernel, c, 'w2')
    expect(second.attempts).toBe(1)
    // Whoever lost the lease gives back none of another's.
    await kernel.leave('run', c, { owner: 'w1', epoch: first.epoch })
    expect((await kernel.claim(c, 'w3', ttlMs)).kind).toBe('HELD')
    await advance(79_000)
    const third = await mustClaim(kernel, c, 'w3')
    expect(third.attempts).toBe(2)
    await kernel.leave('run', c, { owner: 'w3', epoch: third.epoch })
    await advance(9000)
    expect(await isSwept()).toBe(false)
    await advance(2000)
    expect(await isSwept()).toBe(true)
    await kernel.park(c, 'done')
  })

  it('leaves what a router cannot read, and counts no look at it', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const event = messageEvent(c, 1)
    await kernel.ingest({ event, dedupeKey: 'k', stop: 'none', echo: false })
    const look = async (): Promise<number | undefined> => (await kernel.inbox(c, 8, { lostAfterMs: 0 })).looks
    expect([await look(), await look()]).toEqual([1, 2])
    await kernel.leave('route', c)
    const swept = (await kernel.sweep(toPartition(c), 0)).due.map(({ conversation }) => conversation)
    expect(swept).not.toContain(c)
    await advance(1001)
    expect((await kernel.sweep(toPartition(c), 0)).due.map(({ conversation }) => conversation)).toContain(c)
    expect(await look()).toBe(1)
    await kernel.park(c, 'done')
  })

  it('excuses fifty lost leases in a row and no more, and begins anew after progress', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    for (let lost = 1; lost <= 53; lost++) {
      const { epoch, attempts } = await mustClaim(kernel, c, `w${lost}`)
      expect(attempts).toBe(Math.max(1, lost - 50))
      await kernel.excuse(c, epoch, 'lost')
      await advance(ttlMs + 1)
    }
    const { epoch } = await mustClaim(kernel, c, 'last')
    await kernel.append(c, epoch, step('a', { progress: true }))
    expect((await mustClaim(kernel, c, 'last')).attempts).toBe(1)
  })

  it('appends a step once per key', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await mustClaim(kernel, c)
    expect(await kernel.append(c, epoch, step('a', { rows: [row('r')] }))).toMatchObject({ kind: 'OK' })
    expect(await kernel.append(c, epoch, step('b'))).toMatchObject({ kind: 'OK' })
    expect(await kernel.append(c, epoch, step('a', { rows: [row('r')] }))).toMatchObject({ kind: 'DUP' })
    const { tail } = await mustClaim(kernel, c)
    expect(tail).toEqual([
      { seq: 1, entry: entry('a') },
      { seq: 2, entry: entry('b') },
    ])
  })

  it('knows a step again after the snapshot that ended its turn, also one without entries', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await mustClaim(kernel, c)
    const send = step('a', { rows: [row('r')] })
    const end = { key: 'end', entries: [], folds: true, snapshot: 's', rows: [row('q')] }
    await kernel.append(c, epoch, send)
    await kernel.append(c, epoch, end)
    for (const [op, id] of ['r', 'q'].entries()) {
      expect((await mustBegin(kernel, sender(c), `begin${op}`)).id).toBe(id)
      await kernel.settle(sender(c, { owner: 's2' }), id, { kind: 'sent', receipt: '1' }, `settle${op}`)
    }
    expect((await kernel.append(c, epoch, end)).kind).toBe('DUP')
    expect((await kernel.append(c, epoch, send)).kind).toBe('DUP')
    expect(await kernel.begin(sender(c), 'last')).toEqual({ kind: 'EMPTY' })
    expect((await mustClaim(kernel, c)).tail).toEqual([])
  })

  it('queues a row once, whatever step brings it', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { rows: [row('r')] }))
    await kernel.begin(sender(c), 'op1')
    await kernel.settle(sender(c), 'r', { kind: 'sent', receipt: '1' }, 'op2')
    await kernel.append(c, epoch, step('b', { rows: [row('r')] }))
    expect(await kernel.begin(sender(c), 'op3')).toEqual({ kind: 'EMPTY' })
  })

  it('reads the snapshot and the entries after it, with dense seqs', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, { key: 'a', entries: [entry('a1'), entry('a2')] })
    await kernel.append(c, epoch, step('b', { folds: true, snapshot: 'state 1' }))
    await kernel.append(c, epoch, step('c'))
    const claimed = await mustClaim(kernel, c)
    expect(claimed.snapshot).toBe('state 1')
    expect(claimed.tail).toEqual([{ seq: 4, entry: entry('c') }])
    await kernel.append(c, claimed.epoch, { key: 'd', entries: [], folds: true, snapshot: 'state 2' })
    expect(await mustClaim(kernel, c)).toMatchObject({ snapshot: 'state 2', tail: [] })
  })

  it('fences off a run on whose steps the store no longer stands, and knows the last step again', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch, journalSeq } = await mustClaim(kernel, c)
    expect(journalSeq).toBe(0)
    expect(await kernel.append(c, epoch, step('a', { afterSeq: 0 }))).toMatchObject({ kind: 'OK', journalSeq: 1 })
    expect(await kernel.append(c, epoch, step('a', { afterSeq: 0 }))).toMatchObject({ kind: 'DUP', journalSeq: 1 })
    // As a run that wrote two more steps, which Redis lost with its last seconds.
    const lost = step('d', { afterSeq: 3, parts: { menu: 'x' }, rows: [row('lost')] })
    expect(await kernel.append(c, epoch, lost)).toEqual({ kind: 'FENCED' })
    expect((await mustClaim(kernel, c)).parts).toEqual({})
    const folded = step('e', { afterSeq: 1, folds: true, snapshot: 's', rest: 'left' })
    expect(await kernel.append(c, epoch, folded)).toMatchObject({ kind: 'FENCED' })
    const again = await mustClaim(kernel, c)
    expect(await kernel.append(c, again.epoch, folded)).toMatchObject({ kind: 'OK', journalSeq: 2 })
    expect(await mustClaim(kernel, c)).toMatchObject({ rest: 'left', journalSeq: 2 })
  })

  it('keeps snapshot and parts until a step brings others, whether it folds the journal or not', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await mustClaim(kernel, c)
    expect((await mustClaim(kernel, freshConversation())).parts).toEqual({})
    await kernel.append(
      c,
      epoch,
      step('a', { folds: true, snapshot: 'state 1', parts: { past: 'long ago', menu: '1' } }),
    )
    await kernel.append(c, epoch, step('b', { folds: true, snapshot: 'state 2' }))
    const claimed = await mustClaim(kernel, c)
    expect(claimed).toMatchObject({ snapshot: 'state 2', tail: [] })
    expect(claimed.parts).toEqual({ past: 'long ago', menu: '1' })
    await kernel.append(c, claimed.epoch, step('c', { parts: { past: '[]', menu: '' } }))
    const open = await mustClaim(kernel, c)
    expect(open).toMatchObject({ snapshot: 'state 2', tail: [{ seq: 3 }] })
    expect(open.parts).toEqual({ past: '[]' })
    await kernel.append(c, open.epoch, step('d', { folds: true, parts: { menu: '2' } }))
    const folded = await mustClaim(kernel, c)
    expect(folded).toMatchObject({ snapshot: 'state 2', tail: [] })
    expect(folded.parts).toEqual({ past: '[]', menu: '2' })
  })

  it('fences off an owner that another has followed', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const old = await mustClaim(kernel, c, 'w1')
    await advance(ttlMs + 1)
    const next = await mustClaim(kernel, c, 'w2')
    expect(await kernel.append(c, old.epoch, step('a', { rows: [row('r')] }))).toEqual({ kind: 'FENCED' })
    expect(await kernel.release(c, 'w1', old.epoch, true)).toBe('FENCED')
    expect(await kernel.begin(sender(c), 'op')).toEqual({ kind: 'EMPTY' })
    expect((await kernel.append(c, next.epoch, step('a'))).kind).toBe('OK')
  })

  it('refuses a turn stopped by its principal after it began, and no other', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 2)
    const { seq } = await stopBy(c, ann, 'own')
    const { epoch } = await mustClaim(kernel, c)
    const turn = (key: string, principal: string, firstSeq: number) =>
      kernel.append(c, epoch, step(key, { unlessStopped: { principal, firstSeq } }))
    expect(await turn('a', ann, seq - 1)).toEqual({ kind: 'STOPPED' })
    expect((await turn('b', bob, seq - 1)).kind).toBe('OK')
    expect((await turn('c', ann, seq)).kind).toBe('OK')
    expect((await turn('d', ann, seq + 1)).kind).toBe('OK')
    expect((await mustClaim(kernel, c)).tail.map(({ entry: { turn: name } }) => name)).toEqual(['b', 'c', 'd'])
  })

  it('refuses everyone’s turn after a stop for all', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const { seq } = await stopBy(c, bob, 'all')
    const { epoch } = await mustClaim(kernel, c)
    const unlessStopped = { principal: ann, firstSeq: seq - 1 }
    expect(await kernel.append(c, epoch, step('a', { unlessStopped }))).toEqual({ kind: 'STOPPED' })
    expect((await kernel.append(c, epoch, step('b'))).kind).toBe('OK')
  })

  it('consumes out of order and shows only what is left', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 5)
    const { epoch } = await mustClaim(kernel, c)
    const left = async () => seqsOf((await kernel.pending(c, 0)).events)
    await kernel.append(c, epoch, step('a', { consume: [4, 2] }))
    expect(await left()).toEqual([1, 3, 5])
    await kernel.append(c, epoch, step('b', { consume: [1] }))
    expect(await left()).toEqual([3, 5])
    expect(seqsOf((await kernel.pending(c, 3)).events)).toEqual([5])
    await kernel.append(c, epoch, step('c', { consume: [5, 3, 3, 1] }))
    expect(await left()).toEqual([])
    expect(await kernel.findEvent(c, 3)).toBeUndefined()
  })

  it('lets a stop be consumed before the router has seen it', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await ingestMany(kernel, c, 3)
    await kernel.route(c, 0, [turnDecision])
    const { epoch } = await mustClaim(kernel, c)
    await kernel.append(c, epoch, step('a', { consume: [1, 2] }))
    expect(seqsOf((await kernel.inbox(c, 10)).events)).toEqual([2, 3])
    expect(await kernel.route(c, 1, [turnDecision, turnDecision])).toEqual({ kind: 'OK', work: true, wakes: true })
    expect(seqsOf((await kernel.pending(c, 0)).events)).toEqual([3])
    expect(await kernel.findEvent(c, 2)).toBeUndefined()
  })

  it('fences off who would consume an event that is not there, as after moments were lost, and appends nothing', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 1)
    const { epoch } = await mustClaim(kernel, c)
    expect(await kernel.append(c, epoch, step('a', { consume: [1, 2] }))).toEqual({ kind: 'FENCED' })
    expect(await mustClaim(kernel, c)).toMatchObject({ tail: [], pending: [{ seq: 1 }] })
  })

  it('gives the lease back with the last append unless work waits', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    await deliverMany(kernel, c, 2)
    const { epoch } = await mustClaim(kernel, c, 'w1')
    const busy = await kernel.append(c, epoch, step('a', { consume: [1], release: true }))
    expect(busy).toMatchObject({ kind: 'OK', routedSeq: 2, released: false })
    expect(await kernel.claim(c, 'w2', ttlMs)).toEqual({ kind: 'HELD' })
    const done = await kernel.append(c, epoch, step('b', { consume: [2], release: true }))
    expect(done).toMatchObject({ kind: 'OK', routedSeq: 2, released: true })
    const repeated = await kernel.append(c, epoch, step('b', { consume: [2], release: true }))
    expect(repeated).toMatchObject({ kind: 'DUP', routedSeq: 2, released: true })
    expect((await mustClaim(kernel, c, 'w2')).pending).toEqual([])
  })

  it('releases an idle run, keeps a busy one, and hands it over when forced', async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const first = await mustClaim(kernel, c, 'w1')
    expect(await kernel.release(c, 'w1', first.epoch, false)).toBe('RELEASED')
    await deliverMany(kernel, c, 1)
    const second = await mustClaim(kernel, c, 'w2')
    expect(await kernel.release(c, 'w2', second.epoch, false)).toBe('MORE')
    expect(await kernel.claim(c, 'w3', ttlMs)).toEqual({ kind: 'HELD' })
    expect(await kernel.release(c, 'w2', second.epoch, true)).toBe('MORE')
    expect(seqsOf((await mustClaim(kernel, c, 'w3')).pending)).toEqual([1])
  })

  it('promises no lease that has ended', async () => {
    const { kernel, advance } = bench()
    const c = freshConversation()
    const idle = await mustClaim(kernel, c, 'w1')
    expect(await kernel.release(c, 'w1', idle.epoch, false)).toBe('RELEASED')
    expect(await kernel.release(c, 'w1', idle.epoch, false)).toBe('RELEASED')
    await deliverMany(kernel, c, 1)
    expect(await kernel.release(c, 'w1', idle.epoch, false)).toBe('FENCED')
    const late = await mustClaim(kernel, c, 'w2')
    await advance(ttlMs + 1)
    expect(await kernel.release(c, 'w2', late.epoch, false)).toBe('FENCED')
  })
}
