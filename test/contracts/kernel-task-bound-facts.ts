// Facts about how much tasks of a conversation may keep, and how many there are: what would be too much is refused before anything is written.
import { expect, it } from 'vitest'
import { toTask, type Address } from '#shared/chat/address.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { mostArtifactBytes, type Artifact } from '#shared/run/artifact.ts'
import type { Append, AppendResult } from '#shared/run/step.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { artifact, deletion, freshConversation, mustClaim, signalTo, step } from './kernel-fixtures.ts'

const dayMs = 86_400_000
const long = 'x'.repeat(mostArtifactBytes)
const work = (name: string, more: Partial<Artifact> = {}): Artifact => artifact(name, { kind: 'work', ...more })
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n)

export function taskBoundFacts(bench: () => KernelBench): void {
  let keys = 0
  const store = async (address: Address, more: Partial<Append>): Promise<AppendResult> => {
    const { epoch } = await mustClaim(bench().kernel, address)
    return await bench().kernel.append(address, epoch, step(`k${keys++}`, more))
  }
  const begun = async (): Promise<[ConversationId, Address]> => {
    const home = freshConversation()
    const task = toTask(home, 1)
    await store(home, { signals: [signalTo(home, task, 'begin', { begins: [] })] })
    return [home, task]
  }
  const names = async (address: Address): Promise<readonly string[]> =>
    (await bench().kernel.listArtifacts(address)).map(({ name }) => name)

  it('keeps two thousand texts of a task, and refuses the step that has one more', async () => {
    const [, task] = await begun()
    for (const hundred of range(20))
      await store(task, { artifacts: range(100).map((n) => work(`a${hundred * 100 + n}`)) })
    const odd = { artifacts: [work('a0', { text: 'new' }), work('more')], parts: { f_x: 'changed' } }
    await expect(store(task, odd)).rejects.toMatchObject({ code: 'internal', retry: 'never' })
    expect(await bench().kernel.findArtifact(task, 'a0')).toMatchObject({ text: 'all of a0' })
    expect((await mustClaim(bench().kernel, task)).parts).toEqual({})
    // One that takes the place of another, or of what is dropped, has room.
    await store(task, { artifacts: [work('a0', { text: 'new' })] })
    await store(task, { artifacts: [work('more')], dropsArtifacts: ['a1'] })
    expect(await names(task)).toEqual(
      range(2000)
        .map((n) => `a${n}`)
        .slice(2)
        .concat('a0', 'more'),
    )
  })

  it('keeps twenty-four megabytes of a task: what it does not work with goes first', async () => {
    const [, task] = await begun()
    await store(task, { artifacts: [artifact('page', { text: long }), work('w0', { text: long })] })
    for (const n of range(95)) await store(task, { artifacts: [work(`w${n + 1}`, { text: long })] })
    expect(await names(task)).toEqual(range(96).map((n) => `w${n}`))
    await expect(store(task, { artifacts: [work('w')] })).rejects.toMatchObject({ code: 'internal' })
    // A long result that finds no room is not kept.
    expect(await store(task, { artifacts: [artifact('other', { text: 'page' })] })).toMatchObject({ kind: 'OK' })
    expect(await names(task)).toEqual(range(96).map((n) => `w${n}`))
  })

  it('drops a text by its name, and keeps what the same step writes under it', async () => {
    const home = freshConversation()
    await store(home, { artifacts: [artifact('a'), artifact('b')] })
    await store(home, { dropsArtifacts: ['a', 'none'] })
    expect(await names(home)).toEqual(['b'])
    await store(home, { dropsArtifacts: ['b'], artifacts: [artifact('b', { text: 'new' })] })
    expect(await bench().kernel.findArtifact(home, 'b')).toMatchObject({ text: 'new' })
    await store(home, { dropsArtifacts: ['b'] })
    expect(await names(home)).toEqual([])
  })

  it('keeps the texts of a task over the end of its session, and its conversation’s goes', async () => {
    const [home, task] = await begun()
    for (const address of [home, task]) {
      await store(address, { artifacts: [work('old')] })
      await store(address, { endsSession: true })
      await store(address, { artifacts: [work('new', { session: 'sess_2' })] })
    }
    await bench().advance(8 * dayMs)
    expect(await names(home)).toEqual(['new'])
    expect(await names(task)).toEqual(['old', 'new'])
  })

  it('begins forty tasks of a conversation, and refuses the step that begins one more', async () => {
    const home = freshConversation()
    const begin = (...numbers: readonly number[]) => ({
      signals: numbers.map((n) => signalTo(home, toTask(home, n), `begin-${n}`, { begins: [] })),
    })
    await store(home, begin(...range(38).map((n) => n + 1)))
    await expect(store(home, { ...begin(39, 40, 41), parts: { f_x: 'changed' } })).rejects.toMatchObject({
      code: 'internal',
      retry: 'never',
    })
    expect((await mustClaim(bench().kernel, home)).parts).toEqual({})
    expect(await bench().kernel.claim(toTask(home, 39), 'w1', 1000)).toEqual({ kind: 'GONE' })
    await store(home, begin(39, 40, 40))
    let refused = 0
    for (const n of range(20)) await store(home, begin(41 + n)).catch(() => (refused += 1))
    expect(refused).toBe(20)
    // One that is there is only told.
    await store(home, begin(40))
    await store(home, { drops: [7] })
    await store(home, begin(1000))
    expect((await mustClaim(bench().kernel, toTask(home, 1000))).pending).toHaveLength(1)
  })

  it('goes as a whole where it kept and asked much, with its conversation’s erasing', async () => {
    const home = freshConversation('web')
    const tasks = range(40).map((n) => toTask(home, n + 1))
    await store(home, {
      signals: tasks.map((task) => signalTo(home, task, `begin-${task}`, { begins: ['m1'] })),
    })
    for (const task of tasks) await store(task, { artifacts: [work('plan')], consume: [1], parts: { f_x: 'x' } })
    await bench().kernel.forget(deletion(home, 'm2'), [])
    expect((await bench().kernel.pending(toTask(home, 40), 0)).events).toHaveLength(1)
    await bench().kernel.erase(home)
    for (const task of tasks) {
      expect(await bench().kernel.claim(task, 'w2', 1000)).toEqual({ kind: 'GONE' })
      expect(await names(task)).toEqual([])
    }
  })
}
