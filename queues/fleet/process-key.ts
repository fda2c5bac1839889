// Names by which processes are known in Redis, and what each says of itself there.
import { z } from 'zod'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

/** A set of all processes that may live. */
export const processesKey = 'fl:{processes}'

/** Stands while the process lives, with its `ProcessFacts` as JSON. */
export const toProcessKey = (process: string): string => `fl:{process-${process}}`

/** The process that an owner names; undefined for one that names none, as a sign does. */
export const toProcess = (owner: string): string | undefined => /^@([^/]+)\//.exec(owner)?.[1]

const processFacts = z.object({
  v: z.literal(1),
  /** What it was started as; empty when it did not say. */
  role: z.string(),
  /** Each role that it has: one that is started as `all` has several. */
  does: z.array(z.string()),
  /** What it shares with the others and was started with, by name, secrets by their hash. */
  settings: z.record(z.string(), z.string()),
  host: z.string(),
  pid: z.number(),
  /** How long its key lives without renewal, as it is set and as it is now, ms. */
  usualMs: z.number(),
  lifeMs: z.number(),
})
type StoredFacts = z.infer<typeof processFacts>
/** `process`: its name in Redis. */
export type ProcessFacts = Readonly<StoredFacts & { process: string }>
/** What a process says of itself beside its address. */
export type ProcessTold = Readonly<Pick<StoredFacts, 'role' | 'does' | 'settings'>>

/** In the form in which it is stored. */
export const toStoredFacts = (facts: StoredFacts): string => JSON.stringify(facts)

/** `living`: those whose facts can be read; `silent`: those whose key has ended. Throws BotError `store-unavailable`. */
export async function readProcesses(
  redis: RedisClient,
): Promise<{ readonly living: readonly ProcessFacts[]; readonly silent: readonly string[] }> {
  const names = await fromStore(redis.smembers(processesKey))
  const stored = await Promise.all(names.map((name) => fromStore(redis.get(toProcessKey(name)))))
  return {
    living: names.flatMap((process, i) => {
      const facts = readFacts(stored[i])
      return facts ? [{ ...facts, process }] : []
    }),
    silent: names.filter((_, i) => stored[i] === null),
  }
}

function readFacts(text: string | null | undefined): StoredFacts | undefined {
  try {
    return text === undefined || text === null ? undefined : processFacts.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
