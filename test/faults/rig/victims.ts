// Finds a process that holds something right now, as Redis confirms, and kills or freezes it.
import type { Child } from './child.ts'
import type { Fleet } from './fleet.ts'
import type { Hold } from './holds.ts'
import { partitionPrefix, toPartition } from '#queues/partition.ts'

export type Killed = {
  readonly role: string
  readonly pid: number
  readonly hold: Hold
  /** Conversations whose turn it was running. */
  readonly turns: number
  /** Outbox rows it was sending. */
  readonly rows: number
}

const lookEveryMs = 3
const frozen = new Set<number>()

/** SIGKILLs a process of this role while it holds something, or freezes it; undefined when none did within `patienceMs`. */
export async function hitHolder(
  fleet: Fleet,
  role: string,
  how: { readonly patienceMs: number; readonly prefer?: Hold['what']; readonly freezeMs?: number },
): Promise<Killed | undefined> {
  const started = Date.now()
  const isFree = ({ name, pid, isRunning }: Child): boolean => name === role && isRunning() && !frozen.has(pid)
  while (Date.now() - started < how.patienceMs) {
    // The preferred hold first, any other in the second half of the time.
    const strict = Date.now() - started < how.patienceMs / 2
    const free = fleet.roles.filter(isFree)
    // Somebody must be left to take over from one that is frozen.
    for (const child of how.freezeMs !== undefined && free.length < 2 ? [] : free) {
      const wanted = child.holds().filter(({ what }) => !strict || how.prefer === undefined || what === how.prefer)
      for (const hold of wanted.toReversed().slice(0, 3)) {
        if (await isTrue(fleet, hold)) return await hit(fleet, child, { hold, freezeMs: how.freezeMs })
      }
    }
    await fleet.pause(lookEveryMs)
  }
  return undefined
}

/** Conversations into which it was sending when it was killed. */
export type KilledHolder = { readonly atMs: number; readonly sendingTo: readonly string[] }

/** SIGKILLs the process of this role that holds the platform's connection: the poller, or the shard. */
export async function killConnected(
  fleet: Fleet,
  role: 'telegram' | 'discord',
  how: { readonly patienceMs: number; readonly whileSending: boolean },
): Promise<KilledHolder | undefined> {
  for (const end = Date.now() + how.patienceMs; Date.now() < end; await fleet.pause(lookEveryMs)) {
    for (const child of fleet.roles.filter(({ name, isRunning }) => name === role && isRunning())) {
      const hold = child.holds().find(({ what, of }) => what === 'poll' && connections[role].test(of))
      if (!hold || !(await isTrue(fleet, hold))) continue
      const sending = child.holds().filter(({ row }) => row)
      if (how.whileSending && sending.length === 0) continue
      const atMs = Date.now()
      await child.kill()
      return { atMs, sendingTo: (await findSending(fleet, child)).map(({ of }) => of) }
    }
  }
  return undefined
}

const connections = { telegram: /poll-telegram/, discord: /gateway-discord-\d+-\d+-lease/ } as const

async function hit(
  fleet: Fleet,
  child: Child,
  { hold, freezeMs }: { readonly hold: Hold; readonly freezeMs: number | undefined },
): Promise<Killed> {
  if (freezeMs === undefined) await child.kill()
  else {
    child.freeze()
    frozen.add(child.pid)
    setTimeout(() => {
      frozen.delete(child.pid)
      child.thaw()
    }, freezeMs)
  }
  const sending = await findSending(fleet, child)
  const turns = child.holds().filter(({ what }) => what === 'lease').length
  return { role: child.name, pid: child.pid, hold, turns, rows: sending.length }
}

/** The rows that a dead process was sending. */
async function findSending(fleet: Fleet, child: Child): Promise<readonly Hold[]> {
  const rows = child.holds().filter(({ what }) => what === 'row')
  const sending = await Promise.all(rows.map((row) => isSending(fleet, row)))
  return rows.filter((_, i) => sending[i])
}

/** Whether Redis has a row of this run of the delivery as being sent: it alone knows of one that was begun as the process died. */
async function isSending({ redis: { admin } }: Fleet, { of, owner }: Hold): Promise<boolean> {
  const keys = await admin.keys(`${partitionPrefix(toPartition(of))}o:${of}:*`)
  const rows = await Promise.all(keys.map((key) => admin.hmget(key, 's', 'ow')))
  return rows.some(([state, sender]) => state === 'sending' && sender === owner)
}

/** What Redis says of it: the lease's owner, the row's state and sender. Requests and routing show nowhere but in the process. */
async function isTrue({ redis: { admin } }: Fleet, { what, of, owner, row }: Hold): Promise<boolean> {
  const prefix = partitionPrefix(toPartition(of))
  switch (what) {
    case 'lease':
      return (await admin.get(`${prefix}lease:${of}`)) === owner
    case 'row': {
      const [state, sender] = await admin.hmget(`${prefix}o:${of}:${row}`, 's', 'ow')
      return state === 'sending' && sender === owner
    }
    case 'poll':
      return (await admin.get(of)) === owner
    case 'routing':
    case 'request':
      return true
    default:
      return what satisfies never
  }
}
