// Letters in the world of the property tests: carried on the real kernel and on its twin alike, with interruptions at each place and by who
// stood still meanwhile, and what came held against what was written.
import { expect } from 'vitest'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { CarriedLetter, GivenOut } from '#queues/letters/letters.ts'
import type { Append, Letter } from '#shared/run/step.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import type { RedisBench } from '#test/rig/kernel-bench.ts'

/** How far somebody gets with what was given out; `late`: with what was given out the time before. */
export type Carrying = 'read' | 'received' | 'one' | 'all' | 'late' | 'put off'

export type LetterWorld = {
  carry(c: string, how: Carrying): Promise<void>
  wrote(c: string, step: Append): void
  /** Carries all there is; each letter has come once, and in order. */
  finish(): Promise<void>
}

type Pages = { readonly real: GivenOut; readonly twin: GivenOut }

export function createLetterWorld(
  { kernel: real, redis }: RedisBench,
  twin: Kernel,
  conversations: readonly string[],
): LetterWorld {
  const written: Letter['event'][] = []
  const came = new Map<string, string[]>()
  const before = new Map<string, Pages>()

  /** Notes what is new in a mailbox: it was put behind all that waits. */
  async function note(to: string): Promise<void> {
    const events = await redis.hgetall(`${partitionPrefix(toPartition(to))}in:${to}`)
    const known = came.get(to) ?? []
    const letters = Object.entries(events)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .flatMap(([, event]) => /"kind":"letter","id":"([^"]+)"/.exec(event)?.[1] ?? [])
    came.set(to, [...known, ...letters.filter((id) => !known.includes(id))])
  }

  async function carry(c: string, how: Carrying): Promise<void> {
    const partition = toPartition(c)
    const now = { real: await real.giveOut(partition), twin: await twin.giveOut(partition) }
    expect(plain(now.real.letters)).toEqual(plain(now.twin.letters))
    const pages = how === 'late' ? before.get(c) : now
    before.set(c, now)
    if (!pages || how === 'read') return
    for (const to of new Set(pages.real.letters.map((letter) => letter.to))) {
      const put = async (kernel: Kernel, { atMs, letters }: GivenOut) => {
        const own = letters.filter((letter) => letter.to === to).slice(0, how === 'one' ? 1 : undefined)
        const answer = await kernel.receive(to, { partition, atMs }, own)
        const has = own.slice(0, answer.has)
        if (how !== 'received') await kernel.acknowledge(partition, to, has, how === 'put off' ? 5000 : 0)
        return answer
      }
      expect(await put(real, pages.real)).toEqual(await put(twin, pages.twin))
      await note(to)
    }
  }

  return {
    carry,
    wrote: (_, { letters = [] }) => void written.push(...letters.map(({ event }) => event)),
    async finish() {
      for (const c of conversations) await carry(c, 'all')
      for (const to of conversations)
        for (const from of conversations) {
          const ids = written.filter((one) => one.conversation === to && one.from === from).map(({ id }) => id)
          const found = (came.get(to) ?? []).filter((id) => ids.includes(id))
          expect(found, `letters from ${from} to ${to}`).toEqual(ids)
        }
    },
  }
}

/** By whom they are for: who is due at the same time comes in any order. Numbers are of the clock. */
const plain = (letters: readonly CarriedLetter[]): unknown =>
  letters.map(({ to, id, says }) => ({ to, id, says })).toSorted((a, b) => (a.to < b.to ? -1 : a.to > b.to ? 1 : 0))
