// What features that remember work with.
import type { Accounts, LinkCodes } from '#shared/memory/accounts.ts'
import type { MemoryIndex } from '#shared/memory/entry.ts'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryLog } from '#shared/memory/log.ts'
import type { MemoryStore } from '#shared/memory/store.ts'

export type MemoryPorts = {
  readonly memory: MemoryStore
  readonly graph: MemoryGraph
  readonly accounts: Accounts
  readonly linkCodes: LinkCodes
  readonly memoryLog: MemoryLog
  readonly memoryIndex: MemoryIndex
}
