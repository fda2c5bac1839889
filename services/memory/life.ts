// What happens to records afterwards: how often turns were given them is counted from the turns' records, so that no turn pays for it, and what nobody
// confirmed goes when its term is over.
import type { Projection } from '#shared/feature/projection.ts'
import { ofAll, ofPerson, type MemoryScope } from '#shared/memory/record.ts'
import type { RecordLine } from '#shared/run/record.ts'
import { partName, readReason } from './part.ts'
import { toPlace } from './place.ts'
import type { MemoryDeps } from './ports.ts'

const hourMs = 3_600_000
/** As records of turns call it. */
const given = `memory.${partName}`

export const createLife = ({ memory, now }: Pick<MemoryDeps, 'memory' | 'now'>): Projection => ({
  name: 'memory-life',
  async take(line) {
    for (const [scope, numbers] of findUsed(line)) await memory.use(scope, numbers, toEnd(line))
    return []
  },
  // The clock has all done at once.
  work: async () => [],
  tick: {
    everyMs: hourMs,
    async run() {
      await memory.fade(now())
      return []
    },
  },
})

const toEnd = (line: RecordLine): number => (line.kind === 'turn' ? line.record.endedAt : 0)

/** The records that a turn was given, by their scopes. */
function findUsed(line: RecordLine): ReadonlyMap<MemoryScope, readonly number[]> {
  if (line.kind !== 'turn') return new Map()
  const { principal, group = false, context } = line.record
  const { own } = toPlace({ conversation: line.conversation, principal, group })
  const scopes = { '': own, g: ofAll, p: ofPerson(principal) }
  const labels = context.flatMap(({ name, reason }) => (name === given ? readReason(reason) : []))
  const used = new Map<MemoryScope, number[]>()
  for (const { mark, number } of labels) used.set(scopes[mark], [...(used.get(scopes[mark]) ?? []), number])
  return used
}
