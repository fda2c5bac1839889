// Opens the ports that features' pages work with: the four of the fleet, and those of stores that a page shows. They need no model.
import { webOwner } from '#adapters/web/conversation-routes.ts'
import { createConversationList } from '#adapters/web/conversation-list.ts'
import { countScopes } from '#queues/memory/count-scopes.ts'
import { createLinkedGraph } from '#queues/memory/linked-graph.ts'
import { createLinkedSearch } from '#queues/memory/linked-search.ts'
import { createTaskReader } from '#queues/tasks/read-tasks.ts'
import type { CuriosityPagePorts } from '#services/curiosity/report/routes.ts'
import type { MemoryPagePorts } from '#services/memory/page-routes.ts'
import type { TaskPagePorts } from '#services/tasks/view/routes.ts'
import { placeNodes } from '#infra/web/place-nodes.ts'
import type { Ports } from '#shared/feature/ports.ts'
import { openDesk } from './open-desk.ts'
import { openFleetPorts } from './open-fleet-ports.ts'
import type { Runtime } from './runtime.ts'

export type PagePorts = Ports & TaskPagePorts & CuriosityPagePorts & MemoryPagePorts

export function openPagePorts(runtime: Runtime): PagePorts {
  const { redis, kernel, clock, settings } = runtime
  const list = createConversationList({ redis, kernel, principal: webOwner, now: clock.now })
  return {
    ...openFleetPorts(runtime),
    tasks: createTaskReader({ redis, kernel }),
    desk: openDesk(runtime),
    isCurious: settings.curiosity,
    memory: runtime.memory,
    graph: createLinkedGraph(runtime.graph, runtime),
    placeNodes,
    countScopes: () => countScopes(redis),
    memoryIndex: createLinkedSearch(redis, runtime.memoryIndex),
    incurious: runtime.incurious,
    conversationsOf: async (principal) => (principal === webOwner ? (await list.ids()).map((id) => `web:${id}`) : []),
  }
}
