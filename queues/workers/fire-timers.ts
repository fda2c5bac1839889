// Lets what is due fire, in all partitions, and hints the conversations that have an event now. A hint too many costs little, and one that is lost
// is found by the sweep.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import { partitions } from '#queues/partition.ts'

type FireDeps = {
  readonly kernel: Pick<Kernel, 'fire'>
  readonly hints: Pick<Hints, 'inbound'>
  readonly onTrouble: Tell
}
type Tell = (what: string, error: unknown) => void

const fullPage = 100
/** Of each partition in one pass: the rest comes in the next. */
const mostPages = 10

/** Never throws. */
export async function fireTimers(deps: FireDeps): Promise<void> {
  await Promise.all(Array.from({ length: partitions }, (_, partition) => firePartition(deps, partition)))
}

async function firePartition({ kernel, hints, onTrouble }: FireDeps, partition: number): Promise<void> {
  const fired = new Set<ConversationId>()
  try {
    for (let page = 1; ; page++) {
      const { due, strange, conversations } = await kernel.fire(partition)
      conversations.forEach((conversation) => fired.add(conversation))
      if (strange > 0)
        onTrouble(`Redis held ${strange} timers of something that is no conversation; they are gone.`, undefined)
      if (due < fullPage || page === mostPages) break
    }
  } catch (error) {
    tellUnlessAway(onTrouble, 'Timers of a partition cannot fire. See flotilla doctor.', error)
  }
  await Promise.all([...fired].map((conversation) => hints.inbound(conversation))).catch((error: unknown) =>
    tellUnlessAway(onTrouble, 'What timers began cannot be hinted. See flotilla doctor.', error),
  )
}

/** While Redis is away everything says so. */
export function tellUnlessAway(onTrouble: Tell, what: string, error: unknown): void {
  if (!(error instanceof BotError) || error.code !== 'store-unavailable') onTrouble(what, error)
}
