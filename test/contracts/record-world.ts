// Records in the world of the property tests: what steps, decisions, receipts and forgetting leave is the same on the real kernel and on its twin,
// and each reader is given each line once, in order, whoever else believes to read for it.
import { expect } from 'vitest'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { Feedback } from '#shared/run/feedback.ts'
import type { Recorded } from '#shared/run/record.ts'
import type { GoneLine } from '#queues/records/records.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { toPartition } from '#queues/partition.ts'
import type { KernelBench } from '#test/rig/kernel-bench.ts'
import { recorded } from '#test/rig/records.ts'

export type RecordShape = {
  /** Of a small set of messages. */
  readonly about: readonly number[]
  readonly later: 'nothing' | 'on a turn' | 'on a message' | 'edited'
}

/** How many of what was read are passed; `late`: by who knows an older place. */
export type Reading = {
  readonly reader: number
  readonly pass: number
  readonly late: boolean
  readonly aside: boolean
}

export type RecordWorld = {
  toRecords(id: string, shape: RecordShape): readonly Recorded[]
  /** What an ignored event may say of an earlier answer. */
  toFeedback(c: string, n: number): { readonly on: string; readonly feedback: Feedback }
  sent(c: string, receipt: string): void
  read(c: string, how: Reading): Promise<void>
  giveUp(c: string, olderThanMs: number): Promise<void>
  /** All lines are the same, in the same order within each conversation. */
  compare(): Promise<void>
}

const page = 6
const said = (what: string): Feedback => ({ v: 1, what, by: 'telegram:1' })

export function createRecordWorld(real: KernelBench, twin: KernelBench, conversations: readonly string[]): RecordWorld {
  const kernels: readonly Kernel[] = [real.kernel, twin.kernel]
  const receipts = new Map<string, string[]>()
  const ended: string[] = []
  /** By reader and partition: the last name that it passed on the real kernel. */
  const passed = new Map<string, string>()

  async function pass(partition: number, { reader, pass: most, late, aside }: Reading): Promise<void> {
    const name = `notes.r${reader}`
    const starts = await Promise.all(kernels.map((kernel) => kernel.startReading(partition, name, aside ? 'w1' : 'w2')))
    expect(starts[0]?.starts).toBe(starts[1]?.starts)
    if (starts[0]?.starts === 0) return
    const pages = await Promise.all(
      kernels.map((kernel, i) => kernel.readRecords(partition, starts[i]?.after ?? '', page)),
    )
    expect(pages[0]?.map(unnamed)).toEqual(pages[1]?.map(unnamed))
    const count = Math.min(most, pages[0]?.length ?? 0)
    for (let line = 0; line < count; line++) {
      const answers = await Promise.all(
        kernels.map(async (kernel, i) => {
          const before = line === 0 ? starts[i]?.after : pages[i]?.[line - 1]?.name
          const to = pages[i]?.[line]?.name ?? ''
          const step = { partition, reader: name, name: to, goesOn: line + 1 < count, by: 'w1' }
          const older = late ? await kernel.passRecord({ ...step, before: '1-1' }) : 'BEHIND'
          return [older, await kernel.passRecord({ ...step, before: before ?? '', setAside: aside })]
        }),
      )
      expect(answers[0]).toEqual(answers[1])
      expect(answers[0]).toEqual(['BEHIND', 'OK'])
      const [key, taken] = [`${partition} ${name}`, pages[0]?.[line]?.name ?? '']
      expect(isAfter(taken, passed.get(key) ?? '0-0'), `${taken} comes after ${passed.get(key)}`).toBe(true)
      passed.set(key, taken)
    }
  }

  return {
    toRecords(id, { about, later }) {
      const message = String(about[0] ?? 9)
      const before = ended.at(-2) ?? 'none'
      ended.push(id)
      const own = recorded(id, about.map(String))
      if (later === 'on a turn') return [own, { kind: 'feedback', on: { turn: before }, feedback: said('shorter') }]
      if (later === 'on a message') return [{ kind: 'feedback', on: { message }, feedback: said('redo') }, own]
      return later === 'edited' ? [{ kind: 'edited', message }, own] : [own]
    },
    toFeedback: (c, n) => ({ on: receipts.get(c)?.at(-1 - (n % 4)) ?? 'none', feedback: said('reaction') }),
    sent: (c, receipt) => void receipts.set(c, [...(receipts.get(c) ?? []), receipt]),
    read: (c, how) => pass(toPartition(c), how),
    async giveUp(c, olderThanMs) {
      const [first, second] = await Promise.all(
        kernels.map((kernel) => kernel.giveUpRecords(toPartition(c), olderThanMs)),
      )
      expect(first).toBe(second)
    },
    async compare() {
      for (const c of conversations) {
        const [found, wanted] = await Promise.all(
          kernels.map(async (kernel) => (await kernel.readRecords(toPartition(c), '0-0', 10_000)).filter(isOf(c))),
        )
        expect(found?.map(unnamed)).toEqual(wanted?.map(unnamed))
      }
    },
  }
}

type Line = RecordLine | GoneLine
const isOf = (c: string) => (line: Line) => line.conversation === c
/** Messages of a record have no order. */
const unnamed = (line: Line): unknown => ({
  ...line,
  name: '',
  ...('messages' in line ? { messages: line.messages.toSorted() } : {}),
})

function isAfter(name: string, other: string): boolean {
  const [ms = 0, n = 0] = name.split('-').map(Number)
  const [otherMs = 0, otherN = 0] = other.split('-').map(Number)
  return ms > otherMs || (ms === otherMs && n > otherN)
}
