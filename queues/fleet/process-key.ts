// Names by which processes are known in Redis, and what each says of itself there.
import { z } from 'zod'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

/** A set of all processes that may live. */
export const processesKey = 'fl:{processes}'

/** Stands while the process lives, with its `ProcessFacts` as JSON. */
export const toProcessKey = (process: string): string => `fl:{process-${process}}`

/** The process that an owner names; undefined for one of an older release. */
export const toProcess = (owner: string): string | undefined => /^@([^/]+)\//.exec(owner)?.[1]

const processFacts = z.object({
  v: z.literal(1),
  /** What it was started as; empty when it did not say. */
  role: z.string(),
  host: z.string(),
  pid: z.number(),
  /** How long its key lives without renewal, as it is set and as it is now, ms. */
  usualMs: z.number(),
  lifeMs: z.number(),
})
export type ProcessFacts = z.infer<typeof processFacts>

/** `living`: those whose facts can be read; `silent`: those whose key has ended. Throws BotError `store-unavailable`. */
export async function readProcesses(
  redis: RedisClient,
): Promise<{ readonly living: readonly ProcessFacts[]; readonly silent: readonly string[] }> {
  const names = await fromStore(redis.smembers(processesKey))
  const stored = await Promise.all(names.map((name) => fromStore(redis.get(toProcessKey(name)))))
  return {
    living: stored.flatMap((text) => (text === null ? [] : (readFacts(text) ?? []))),
    silent: names.filter((_, i) => stored[i] === null),
  }
}

function readFacts(text: string): ProcessFacts | undefined {
  try {
    return processFacts.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
