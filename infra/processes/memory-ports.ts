// What features that remember work with.
import { readYaml } from '#infra/yaml/read-yaml.ts'
import { createIndexProgress, type IsIndexed } from '#queues/memory/index-progress.ts'
import { createLinkedGraph } from '#queues/memory/linked-graph.ts'
import { createLinkedSearch } from '#queues/memory/linked-search.ts'
import type { Accounts, LinkCodes } from '#shared/memory/accounts.ts'
import type { MemoryIndex } from '#shared/memory/entry.ts'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryLog } from '#shared/memory/log.ts'
import type { Projects } from '#shared/memory/projects.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import type { ReadYaml } from '#services/memory/skills/yaml-tree.ts'
import type { Runtime } from './runtime.ts'

export type MemoryPorts = {
  readonly memory: MemoryStore
  readonly graph: MemoryGraph
  readonly accounts: Accounts
  readonly linkCodes: LinkCodes
  readonly projects: Projects
  readonly memoryLog: MemoryLog
  readonly memoryIndex: MemoryIndex
  readonly isIndexed: IsIndexed
  /** Reads the YAML of skills that people teach. */
  readonly readYaml: ReadYaml
}

export function openMemoryPorts({
  memory,
  memoryLog,
  memoryIndex,
  graph,
  accounts,
  linkCodes,
  projects,
  redis,
}: Runtime): MemoryPorts {
  return {
    memory,
    graph: createLinkedGraph(graph, { accounts, projects }),
    accounts,
    linkCodes,
    projects,
    memoryLog,
    memoryIndex: createLinkedSearch(redis, memoryIndex),
    isIndexed: createIndexProgress(redis, () => memoryIndex.identify()),
    readYaml,
  }
}
