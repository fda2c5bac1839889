// Changes one record, where it is still as it was read; else the change is made anew. One that becomes confirmed takes the place of what says otherwise.
import type { MemoryRecord } from '#shared/memory/record.ts'
import { list, text } from '#queues/reply.ts'
import { toLikeness } from './like.ts'
import { mostTries, toBusy, toFades, toRecord, type Memory } from './open-memory.ts'
import { callAt, type Place } from './place.ts'
import { settleChanged, toChanges } from './settle.ts'

type At = { readonly place: Place; readonly number: number }

export async function changeRecord(
  memory: Memory,
  { place, number }: At,
  change: (record: MemoryRecord) => MemoryRecord | undefined,
): Promise<MemoryRecord | undefined> {
  let [seen, others]: readonly [string, readonly string[]] = [';', []]
  for (let tries = 0; tries < mostTries; tries++) {
    const json = await memory.findJson(place.at, number)
    const before = json === undefined ? undefined : toRecord(json)
    const wanted = before && change(before)
    if (json === undefined || !before || !wanted) return undefined
    const { words, slot } = toLikeness(memory.comparing, wanted, place.at)
    const mates = others.map((one) => ({ json: one, record: toRecord(one) }))
    const { after, replaces } = settleChanged(
      memory.comparing,
      [before, wanted],
      mates.map(({ record }) => record),
    )
    const args = [number, json, JSON.stringify(after), words, slot, toFades(after), seen]
    const answer = list(
      await callAt(memory.call, 'memoryChange', place, [...args, ...toChanges(mates, replaces, after)]),
    )
    const [kind, is = '', , ...found] = answer.map(text)
    if (kind === 'OK') return after
    if (kind === 'LOOK') [seen, others] = [is, found.filter((one) => one !== '')]
  }
  throw toBusy(place.at)
}
