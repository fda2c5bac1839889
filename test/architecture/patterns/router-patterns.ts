// Every regular expression that the router builds from its grammar and the default configuration.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Builds the router in a thread of its own, where no module has been loaded yet and no expression built unseen. */
export async function buildRouterPatterns(): Promise<readonly RegExp[]> {
  const worker = new Worker(new URL('router-patterns-thread.ts', import.meta.url), { execArgv: [] })
  const [patterns]: RegExp[][] = await once(worker, 'message')
  return patterns ?? []
}
