// Lets what is due fire, and hints the conversations that have an event now; where letters are due, has them carried. A hint too many costs little, and one that is lost
// is found by the sweep.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { Carry } from './carry-letters.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

type FireDeps = {
  readonly kernel: Pick<Kernel, 'fire'>
  readonly hints: Pick<Hints, 'inbound'>
  /** Asked where letters are due. */
  readonly carry?: Carry
  /** Whether none is to fire now. */
  isQuiet(): Promise<boolean>
  readonly onTrouble: Tell
}

const fullPage = 100
/** Of each partition in one pass: the rest comes in the next. */
const mostPages = 10

/** Lets what is due in a partition fire. Asks once whether any is to fire now. Never throws. */
export function createFiring(deps: FireDeps): (partition: number) => Promise<void> {
  let holding: Promise<boolean> | undefined
  return async (partition) => {
    // Where nobody can tell, since Redis is away, nothing could fire.
    holding ??= deps.isQuiet().catch(() => true)
    await firePartition(deps, partition, await holding)
  }
}

async function firePartition(
  { kernel, hints, carry, onTrouble }: FireDeps,
  partition: number,
  holdsBack: boolean,
): Promise<void> {
  const fired = new Set<ConversationId>()
  try {
    for (let page = 1; ; page++) {
      const { due, strange, letters, conversations } = await kernel.fire(partition, holdsBack)
      conversations.forEach((conversation) => fired.add(conversation))
      if (strange > 0)
        onTrouble(`Redis held ${strange} timers of something that is no conversation; they are gone.`, undefined)
      if (letters && page === 1) carry?.(partition)
      if (due < fullPage || page === mostPages) break
    }
  } catch (error) {
    tellUnlessAway(onTrouble, 'Timers of a partition cannot fire. See flotilla doctor.', error)
  }
  await Promise.all([...fired].map((conversation) => hints.inbound(conversation))).catch((error: unknown) =>
    tellUnlessAway(onTrouble, 'What timers began cannot be hinted. See flotilla doctor.', error),
  )
}
