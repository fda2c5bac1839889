// What happens to records afterwards: how often turns were given them is counted from the turns' records, so that no turn pays for it, and what nobody
// confirmed goes when its term is over.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Projection } from '#shared/feature/projection.ts'
import { ofAll, ofPerson, type MemoryScope } from '#shared/memory/record.ts'
import type { RecordLine, TurnRecord } from '#shared/run/record.ts'
import { givenName, readReason } from './part.ts'
import { toPlace } from './place.ts'
import { givenSkills } from './skill-part.ts'
import type { MemoryDeps } from './ports.ts'

const hourMs = 3_600_000

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

const findUsed = (line: RecordLine): ReadonlyMap<MemoryScope, readonly number[]> =>
  line.kind === 'turn' ? findGiven(line.record, line.conversation) : new Map()

/** The records that a turn was given, by their scopes. */
export function findGiven(
  { principal, group, context }: Pick<TurnRecord, 'principal' | 'group' | 'context'>,
  conversation: ConversationId,
): ReadonlyMap<MemoryScope, readonly number[]> {
  const { own } = toPlace({ conversation, principal, group: group === true })
  const scopes = { '': own, g: ofAll, p: ofPerson(principal) }
  const labels = context.flatMap(({ name, reason }) =>
    name === givenName || name === givenSkills ? readReason(reason) : [],
  )
  const given = new Map<MemoryScope, number[]>()
  for (const { mark, number } of labels) given.set(scopes[mark], [...(given.get(scopes[mark]) ?? []), number])
  return given
}
