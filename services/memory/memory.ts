// Memory: what people told the bot to keep, found again when it matters, and only for those whom it concerns.
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { list, memoryCommand } from './list.ts'
import { createMemoryPart } from './part.ts'
import type { MemoryDeps } from './ports.ts'
import { createQueryTool } from './query-tool.ts'
import { createRecall } from './recall.ts'
import { remember, rememberCommand, undo } from './remember.ts'

export const memoryCapability: Capability<Pick<Ports, 'clock'> & { readonly memory: MemoryStore }> = {
  commands: [rememberCommand, memoryCommand],
  create: ({ memory, clock }) => createMemory({ memory, ...clock }),
}

function createMemory(deps: MemoryDeps): Feature {
  const recall = createRecall(deps.memory)
  return {
    name: 'memory',
    commands: [
      { ...rememberCommand, run: (context) => remember(deps, context) },
      { ...memoryCommand, readsOnly: true, run: (context) => list(deps, context) },
    ],
    context: [createMemoryPart(deps, recall)],
    tools: [createQueryTool(deps, recall)],
    questions: { kept: { answer: (context) => undo(deps, context) } },
  }
}
