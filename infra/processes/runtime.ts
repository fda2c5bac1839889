// What every process of the fleet shares, in parts: connections, news of other processes, stores, the gate to the model, hints and the kernel. One set
// per process.
import type { Settings } from '#infra/config/settings.ts'
import type { Log } from '#infra/log/log.ts'
import type { ProcessTold } from '#queues/fleet/process-key.ts'
import { disconnect, endClock, openConnections, type ConnectOptions, type Connections } from './open-connections.ts'
import { openGate, type Gate } from './open-gate.ts'
import { openHints, type HintWays } from './open-hints.ts'
import { openKernel, type KernelWays } from './open-kernel.ts'
import { openMemoryIndex, type OpenIndex } from './memory-search.ts'
import { openNews, type News } from './open-news.ts'
import { openStores, type Stores } from './open-stores.ts'
import { onceAMinute } from './part.ts'
import { openToolPorts, type ToolPorts } from './tool-ports.ts'
import { createUnderway, type Underway } from './underway.ts'

export type Runtime = Omit<Connections, 'producer' | 'ingestCall'> &
  News &
  Stores &
  Gate &
  HintWays &
  KernelWays & {
    readonly settings: Settings
    readonly log: Log
    /** What tools work with outside of the fleet. */
    readonly toolPorts: ToolPorts
    /** The index of memory. It is opened when it is first asked. */
    readonly memoryIndex: OpenIndex
    /** What this process is at. */
    readonly underway: Underway
    close(): Promise<void>
  }

export type RuntimeOptions = ConnectOptions & {
  /** What the process is, for who looks at the fleet. */
  readonly told?: ProcessTold
}

export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { settings, log } = options
  const onTrouble = onceAMinute((text, error) => log.warn(error === undefined ? {} : { err: error }, text))
  const connections = await openConnections(options)
  const ways = openHints(connections, settings)
  const gate = openGate(connections, settings)
  const news = await openNews(connections, options)
  const stores = openStores(connections, news, settings)
  const kernel = openKernel({ ...connections, ...news, ...stores, ...ways, log }, onTrouble)
  const toolPorts = openToolPorts(settings, onTrouble)
  const memoryIndex = openMemoryIndex(settings, onTrouble)
  return {
    settings,
    log,
    ...connections,
    ...news,
    ...stores,
    ...gate,
    ...ways,
    ...kernel.ways,
    toolPorts,
    memoryIndex,
    underway: createUnderway(),
    // Letters and leases first, since they are told by the connections; those end last.
    async close() {
      await kernel.stop()
      await news.liveness.stop()
      await toolPorts.close()
      memoryIndex.close()
      endClock(connections)
      kernel.end()
      await ways.hints.close().catch(() => {})
      gate.modelGate.close()
      news.signals.close()
      news.live.close()
      disconnect(connections)
    },
  }
}
