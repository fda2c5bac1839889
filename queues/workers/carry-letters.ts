// Carries letters from the partitions in which they were written into the mailboxes that they are for. Any process does it, for any partition, also
// beside others: what is carried twice is received once, in order. Letters that cannot be received hold up none to other conversations.
//
// A letter here:  given out -received-> hinted, acknowledged  |  -refused, or its target is away-> put off, with all others to it.
import { BotError } from '#shared/errors.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import type { CarriedLetter, Letters, Origin } from '#queues/letters/letters.ts'
import type { LastSeconds } from './last-seconds.ts'
import { startWatch } from '#queues/fleet/watch.ts'
import { tellUnlessAway, type Tell } from './tell-unless-away.ts'

export type CarryDeps = {
  readonly kernel: Letters
  readonly hints: Pick<Hints, 'inbound'>
  /** What Redis loses of its last seconds where they were received is given to it again: where they were written they are gone. */
  readonly lastSeconds?: Pick<LastSeconds, 'remember'>
  readonly onTrouble: Tell
}

/** Carries what is due in a partition, soon and in the background: at most once at a time in this process, and once more when asked meanwhile. */
export type Carry = (partition: number) => void

/** A mailbox in which a thousand events wait is worked off meanwhile. */
const fullMs = 1000
const awayMs = 5000
/** Somebody has to see to it. */
const parkedMs = 60_000
/** The rest comes when the sweeper looks again. */
const mostPages = 100

export type Carrier = {
  readonly carry: Carry
  /** Begins nothing more; resolves when what is being carried has come to an end. */
  stop(): Promise<void>
}

export function createCarrier(deps: CarryDeps): Carrier {
  const stopping = new AbortController()
  const running = new Map<number, Promise<void>>()
  const again = new Set<number>()
  const run = async (partition: number): Promise<void> => {
    do {
      again.delete(partition)
      await carryLetters(deps, partition, stopping.signal)
    } while (again.has(partition))
    running.delete(partition)
  }
  return {
    carry(partition) {
      if (stopping.signal.aborted) return
      if (running.has(partition)) again.add(partition)
      else running.set(partition, run(partition))
    },
    async stop() {
      stopping.abort()
      again.clear()
      await Promise.all(running.values())
    },
  }
}

/** Until nothing more is due, or `signal` aborts. Never throws. */
export async function carryLetters(deps: CarryDeps, partition: number, signal?: AbortSignal): Promise<void> {
  const { kernel, onTrouble } = deps
  try {
    for (let page = 1; page <= mostPages; page++) {
      if (signal?.aborted) return
      const { more, strange, atMs, letters } = await kernel.giveOut(partition)
      if (strange > 0) onTrouble(`Letters to ${strange} conversations cannot be read. See flotilla doctor.`, undefined)
      const byTarget = Map.groupBy(letters, ({ to }) => to)
      await Promise.all([...byTarget].map(([to, all]) => carryTo(deps, { partition, atMs }, { to, letters: all })))
      if (!more) return
    }
  } catch (error) {
    tellUnlessAway(onTrouble, 'Letters of a partition cannot be carried. See flotilla doctor.', error)
  }
}

type Mail = { readonly to: ConversationId; readonly letters: readonly CarriedLetter[] }

async function carryTo(deps: CarryDeps, from: Origin, mail: Mail): Promise<void> {
  const { received, putOffMs } = await deliver(deps, from, mail)
  await deps.kernel.acknowledge(from.partition, mail.to, received, putOffMs)
}

/** `received`: what the mailbox has now. What failed is put off: whatever the reason is, the others go on. */
async function deliver(
  { kernel, hints, lastSeconds, onTrouble }: CarryDeps,
  from: Origin,
  { to, letters }: Mail,
): Promise<{ readonly received: readonly CarriedLetter[]; readonly putOffMs: number }> {
  try {
    const ageMs = startWatch()
    const { has, isNew, refused } = await kernel.receive(to, from, letters)
    const received = letters.slice(0, has)
    if (isNew) {
      const giveAgain = async (): Promise<void> => {
        await kernel.receive(to, from, received, ageMs())
        lastSeconds?.remember(giveAgain)
      }
      lastSeconds?.remember(giveAgain)
      // They are safe; without its hint the sweeper finds them.
      hints.inbound(to).catch(() => {})
    }
    return { received, putOffMs: refused === 'parked' ? parkedMs : refused === 'full' ? fullMs : 0 }
  } catch (error) {
    tellUnlessAway(onTrouble, 'Letters cannot be received by their conversation. See flotilla doctor.', error)
    const isCorrupt = error instanceof BotError && error.code === 'store-corrupt'
    return { received: [], putOffMs: isCorrupt ? parkedMs : awayMs }
  }
}
