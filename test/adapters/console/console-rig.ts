// What the tests of the console have behind it: a Redis of their own, its kernel, hints and live news.
import { once } from 'node:events'
import { connectProducer, connectSubscriber } from '#queues/connection.ts'
import { createHints, type Hints } from '#queues/jobs/hints.ts'
import { createLive, type Live } from '#queues/workers/live.ts'
import type { RedisOptions } from '#test/rig/redis.ts'
import { openStore, type Store } from '#test/rig/store.ts'

export type ConsoleRig = Omit<Store, typeof Symbol.asyncDispose> & { readonly hints: Hints; readonly live: Live }

export async function openConsoleRig(options: RedisOptions = {}): Promise<ConsoleRig> {
  const store = await openStore({ ...options, patienceMs: 500 })
  const producer = connectProducer(store.server.url)
  if (producer.status !== 'ready') await once(producer, 'ready')
  const hints = createHints(producer)
  const live = createLive(connectSubscriber(store.server.url))
  return {
    ...store,
    hints,
    live,
    async stop() {
      live.close()
      await hints.close().catch(() => {})
      producer.disconnect()
      await store.stop()
    },
  }
}
