// Makes one record of several, which a person agreed to. They stay, and hold again where it goes: because one of its messages is forgotten, nobody
// confirmed it in time, or somebody wants them apart.
import type { MemoryRecord } from '#shared/memory/record.ts'
import type { Joined, Merged } from '#shared/memory/store.ts'
import { list, text } from '#queues/reply.ts'
import { toLikeness } from './like.ts'
import { mostTries, toBusy, toFades, toRecord, type Memory } from './open-memory.ts'
import { callAt, type Place } from './place.ts'
import { point } from './pointers.ts'
import { toChanges } from './settle.ts'
import { mostRecords } from './write-record.ts'

export type Wanted = {
  readonly numbers: readonly number[]
  readonly id: string
  join(records: readonly MemoryRecord[]): Joined | undefined
}

export async function mergeRecords(memory: Memory, place: Place, { numbers, id, join }: Wanted): Promise<Merged> {
  let seen = ';'
  for (let tries = 0; tries < mostTries; tries++) {
    const [there] = await memory.findBy(place.at, [id])
    if (there) return { kind: 'merged', record: there }
    const jsons = await Promise.all(numbers.map((number) => memory.findJson(place.at, number)))
    const parts = jsons.flatMap((json) => (json === undefined ? [] : [{ json, record: toRecord(json) }]))
    const records = parts.map(({ record }) => record)
    const joined = parts.length === numbers.length ? join(records) : undefined
    if (!joined) return { kind: 'changed' }
    const made = { ...joined, id, merged: records.map((one) => one.id) }
    const pointed = await point(memory.call, place.at, made)
    if (pointed !== 'pointed') return { kind: pointed === 'full' ? 'full' : 'changed' }
    const { words, slot } = toLikeness(memory.comparing, made, place.at)
    const json = JSON.stringify({ v: 1, scope: place.at, ...made })
    const args = [id, mostRecords, `${json.slice(0, -1)},"number":`, '}', words, slot, toFades(made), seen]
    const changes = toChanges(parts, records, { saidAt: made.saidAt, number: 0 })
    const answer = list(await callAt(memory.call, 'memoryWrite', place, [...args, ...changes]))
    const [kind, is = ''] = answer.map(text)
    if (kind === 'FULL') return { kind: 'full' }
    if (kind === 'GONE') return { kind: 'changed' }
    // Written by now, or one of them changed: both are seen by who looks once more.
    if (kind === 'LOOK') seen = is
  }
  throw toBusy(place.at)
}

/** What these have the place of, and what that has. */
export async function findUnder(
  memory: Memory,
  place: Place,
  named: readonly MemoryRecord[],
): Promise<readonly MemoryRecord[]> {
  const found = new Map<number, MemoryRecord>()
  let above = named
  while (above.length > 0) {
    const ids = above.flatMap(({ merged = [] }) => merged)
    const holders = new Set(above.map(({ number }) => number))
    const below = (await memory.findBy(place.at, ids)).filter(
      ({ number, supersededBy = 0 }) => holders.has(supersededBy) && !found.has(number),
    )
    for (const one of below) found.set(one.number, one)
    above = below
  }
  return named.length === 0
    ? []
    : [...found.values()].filter((one) => !named.some(({ number }) => number === one.number))
}
