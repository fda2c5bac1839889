// Facts about artifacts: texts that a step keeps whole beside the conversation, and what ends them.
import { expect, it } from 'vitest'
import { mostArtifactBytes, type Artifact } from '#shared/run/artifact.ts'
import { toPartition } from '#queues/partition.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { ann, artifact, deletion, deliverMany, freshConversation, mustClaim, step } from './kernel-fixtures.ts'

const dayMs = 86_400_000

export function artifactFacts(bench: () => KernelBench): void {
  let keys = 0
  const begin = async () => {
    const { kernel } = bench()
    const c = freshConversation()
    const { epoch } = await mustClaim(kernel, c)
    const append = async (more: Parameters<typeof step>[1], key = `k${keys++}`) =>
      await kernel.append(c, epoch, step(key, more))
    return {
      c,
      epoch,
      append,
      keep: async (...artifacts: Artifact[]) => await append({ artifacts }),
      names: async () => (await kernel.listArtifacts(c)).map(({ name }) => name),
    }
  }

  it('keeps a text whole under its name, with whose words it is', async () => {
    const { kernel } = bench()
    const { c, keep, append } = await begin()
    const page = artifact('page.t1-0-0', { text: 'Zürich 苏黎世 "a"\n\0b', taint: ['search_web'], about: ['m1', 'm2'] })
    await keep(page, artifact('note', { kind: 'message', source: 'person', about: [] }))
    expect(await kernel.findArtifact(c, 'page.t1-0-0')).toEqual({ ...page, at: expect.any(Number), bytes: 24 })
    const listed = await kernel.listArtifacts(c)
    expect(listed.map(({ name, kind, bytes }) => [name, kind, bytes])).toEqual([
      ['page.t1-0-0', 'result', 24],
      ['note', 'message', 11],
    ])
    expect(listed.every((head) => !('text' in head))).toBe(true)
    expect(await kernel.findArtifact(c, 'none')).toBeUndefined()
    expect(await kernel.findArtifact(c, '')).toBeUndefined()
    // What is kept under the same name takes its place, and is the newest then.
    await append({ artifacts: [{ ...page, text: 'new' }] })
    expect((await kernel.listArtifacts(c)).map(({ name, bytes }) => [name, bytes])).toEqual([
      ['note', 11],
      ['page.t1-0-0', 3],
    ])
    // Of several in one step the last one stays.
    await append({ artifacts: [artifact('note', { text: 'one' }), artifact('note', { text: 'other' })] })
    expect(await kernel.findArtifact(c, 'note')).toMatchObject({ text: 'other' })
    expect((await kernel.listArtifacts(c)).map(({ name }) => name)).toEqual(['page.t1-0-0', 'note'])
  })

  it('keeps it once, in the unit of its step, or not at all', async () => {
    const { kernel } = bench()
    const { c, append, names } = await begin()
    await append({ artifacts: [artifact('a')] }, 'one')
    await append({ artifacts: [artifact('b')] }, 'two')
    expect(await append({ artifacts: [artifact('a')] }, 'one')).toMatchObject({ kind: 'DUP' })
    expect(await names()).toEqual(['a', 'b'])
    await deliverMany(kernel, c, 1)
    await kernel.ingest({
      event: { v: 1, kind: 'leave', id: 'x', conversation: c, principal: ann, at: 1 },
      dedupeKey: 'x',
      stop: 'own',
      echo: false,
    })
    const refused = { artifacts: [artifact('c')], unlessStopped: { principal: ann, firstSeq: 1 } }
    expect(await append(refused)).toEqual({ kind: 'STOPPED' })
    expect(await names()).toEqual(['a', 'b'])
  })

  it('refuses what could not be read again, or is too long, before anything is written', async () => {
    const { append, names } = await begin()
    for (const odd of [
      artifact('../a'),
      artifact('UP'),
      artifact('x', { session: 'a b' }),
      artifact('x', { about: Array.from({ length: 201 }, String) }),
      artifact('x', { text: 'x'.repeat(mostArtifactBytes + 1) }),
    ])
      await expect(append({ artifacts: [artifact('fine'), odd] })).rejects.toThrow(/artifact/)
    expect(await names()).toEqual([])
  })

  it('keeps five hundred of a conversation, the oldest go first', async () => {
    const { kernel } = bench()
    const { c, append, names } = await begin()
    const all = Array.from({ length: 505 }, (_, i) => artifact(`a${i}`))
    for (let i = 0; i < 505; i += 101) await append({ artifacts: all.slice(i, i + 101) })
    expect(await names()).toEqual(all.slice(5).map(({ name }) => name))
    expect(await kernel.findArtifact(c, 'a4')).toBeUndefined()
    expect(await kernel.findArtifact(c, 'a5')).toMatchObject({ text: 'all of a5' })
  })

  it('keeps four megabytes of a conversation', async () => {
    const { append, names } = await begin()
    // Three bytes a sign.
    const long = '长'.repeat(Math.floor(mostArtifactBytes / 3))
    for (let i = 0; i < 18; i++) await append({ artifacts: [artifact(`a${i}`, { text: long })] })
    expect(await names()).toEqual(Array.from({ length: 16 }, (_, i) => `a${i + 2}`))
  })

  it('drops what is about a message that is forgotten, and nothing else', async () => {
    const { kernel } = bench()
    const { c, keep, names } = await begin()
    await keep(
      artifact('gone', { about: ['m0', 'm1'] }),
      artifact('stays', { about: ['m10', 'm2'] }),
      artifact('of-none', { about: [] }),
    )
    await kernel.forget(deletion(c, 'm1'), [])
    expect(await names()).toEqual(['stays', 'of-none'])
    expect(await kernel.findArtifact(c, 'gone')).toBeUndefined()
  })

  it('drops all of a session seven days after its end', async () => {
    const { advance } = bench()
    const { append, keep, names } = await begin()
    await keep(artifact('a'))
    await advance(20 * dayMs)
    expect(await names()).toEqual(['a'])
    await append({ endsSession: true })
    await advance(4 * dayMs)
    // It ended before.
    await append({ endsSession: true })
    await advance(2.9 * dayMs)
    expect(await names()).toEqual(['a'])
    await advance(0.2 * dayMs)
    expect(await names()).toEqual([])
  })

  it('drops what belongs to a session that ended seven days ago while the next one keeps its own', async () => {
    const { kernel, advance } = bench()
    const { c, append, keep, names } = await begin()
    await keep(artifact('old'))
    await append({ endsSession: true })
    await advance(3 * dayMs)
    await keep(artifact('new', { session: 'sess_2' }))
    await advance(3.9 * dayMs)
    expect(await names()).toEqual(['old', 'new'])
    await advance(0.2 * dayMs)
    expect(await names()).toEqual(['new'])
    expect(await kernel.findArtifact(c, 'old')).toBeUndefined()
    await advance(30 * dayMs)
    expect(await names()).toEqual(['new'])
    // A session whose end nobody told ended when the next one kept something, at the latest.
    await keep(artifact('newer', { session: 'sess_3' }))
    await advance(6.9 * dayMs)
    expect(await names()).toEqual(['new', 'newer'])
    await advance(0.2 * dayMs)
    expect(await names()).toEqual(['newer'])
  })

  it('goes with its conversation: deleted, or put away after long silence', async () => {
    const { kernel, advance } = bench()
    const [erased, silent] = [await begin(), await begin()]
    for (const one of [erased, silent]) {
      await one.keep(artifact('a'))
      await one.append({ folds: true, snapshot: 'all', rest: '', release: true })
    }
    await kernel.erase(erased.c)
    expect(await erased.names()).toEqual([])
    await advance(31 * dayMs)
    await kernel.archive(toPartition(silent.c), 30 * dayMs, 1000)
    expect(await silent.names()).toEqual([])
  })
}
