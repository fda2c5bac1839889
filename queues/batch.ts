// Asks in one go what many ask in the same turn of the event loop. For queries about one key of the whole fleet: under a flood they
// cost one command for dozens of messages, and alone nothing but that turn.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * A query is answered when its batch is; a batch that fails rejects all its queries. `runAll` answers in their order. A batch comes
 * `toPaceMs()` after the last one at the earliest: under a flood batches are larger, and what comes after a rest does not wait.
 */
export function createBatch<Query, Result>(
  most: number,
  runAll: (queries: readonly Query[]) => Promise<readonly Result[]>,
  toPaceMs: () => number = () => 0,
): (query: Query) => Promise<Result> {
  let open: { queries: Query[]; results: Promise<readonly Result[]> } | undefined
  let lastAtMs = -Infinity

  async function gather(queries: readonly Query[]): Promise<readonly Result[]> {
    const restMs = lastAtMs + toPaceMs() - performance.now()
    await (restMs > 0 ? sleep(restMs) : nextTurn())
    lastAtMs = performance.now()
    if (open?.queries === queries) open = undefined
    return await runAll(queries)
  }

  return async (query) => {
    if (!open || open.queries.length >= most) {
      const queries: Query[] = []
      open = { queries, results: gather(queries) }
    }
    const { queries, results } = open
    const index = queries.push(query) - 1
    const result = (await results)[index]
    if (result === undefined) throw new Error(`Of ${queries.length} queries, number ${index + 1} was not answered.`)
    return result
  }
}
