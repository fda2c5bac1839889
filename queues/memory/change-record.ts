// Changes one record, where it is still as it was read; else the change is made anew. One that becomes confirmed takes the place of what says otherwise.
import type { MemoryRecord, MemoryScope } from '#shared/memory/record.ts'
import { list, text } from '#queues/reply.ts'
import { toLikeness } from './like.ts'
import { mostTries, toBusy, toFades, toRecord, type Memory } from './open-memory.ts'
import { scopePrefix } from './scope-key.ts'
import { settleChanged, toChanges } from './settle.ts'

type At = { readonly scope: MemoryScope; readonly number: number }

export async function changeRecord(
  memory: Memory,
  { scope, number }: At,
  change: (record: MemoryRecord) => MemoryRecord | undefined,
): Promise<MemoryRecord | undefined> {
  let [seen, others]: readonly [string, readonly string[]] = [';', []]
  for (let tries = 0; tries < mostTries; tries++) {
    const json = await memory.findJson(scope, number)
    const before = json === undefined ? undefined : toRecord(json)
    const wanted = before && change(before)
    if (json === undefined || !before || !wanted) return undefined
    const { words, slot } = toLikeness(memory.comparing, wanted)
    const mates = others.map((one) => ({ json: one, record: toRecord(one) }))
    const { after, replaces } = settleChanged(
      memory.comparing,
      [before, wanted],
      mates.map(({ record }) => record),
    )
    const args = [scope, number, json, JSON.stringify(after), words, slot, toFades(after), seen]
    const answer = list(
      await memory.call('memoryChange', scopePrefix(scope), [...args, ...toChanges(mates, replaces, after)]),
    )
    const [kind, is = '', , ...found] = answer.map(text)
    if (kind === 'OK') return after
    if (kind === 'LOOK') [seen, others] = [is, found.filter((one) => one !== '')]
  }
  throw toBusy(scope)
}
