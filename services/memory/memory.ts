// Memory: what people told the bot to keep, and what they confirmed, found again when it matters, and only for those whom it concerns.
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import type { Ask } from '#shared/model/ask.ts'
import { createEntities } from '#services/memory/graph/entities.ts'
import { list, memoryCommand } from './list.ts'
import { createNotice } from './notice.ts'
import { createMemoryPart } from './part.ts'
import type { MemoryDeps } from './ports.ts'
import { createQueryTool } from './query-tool.ts'
import { createRecall } from './recall.ts'
import { remember, rememberCommand, undo } from './remember.ts'
import { createMemorySettings } from './settings.ts'
import { answerSuggested, suggest } from './suggest.ts'

type MemoryPorts = Pick<Ports, 'clock' | 'people' | 'records'> & {
  readonly memory: MemoryStore
  readonly graph: MemoryGraph
  readonly ask: Ask
}

export const memoryCapability: Capability<MemoryPorts> = {
  commands: [rememberCommand, memoryCommand],
  create: ({ memory, clock, people, ...more }) => createMemory({ memory, ...clock, ...people }, more),
}

function createMemory(
  deps: MemoryDeps,
  { graph, ask, records }: Omit<MemoryPorts, 'memory' | 'clock' | 'people'>,
): Feature {
  const settings = createMemorySettings(deps)
  const looking = { recall: createRecall(deps.memory), settings }
  return {
    name: 'memory',
    settings: [settings.notice.setting, settings.groups.setting],
    commands: [
      { ...rememberCommand, run: (context) => remember(deps, context) },
      { ...memoryCommand, readsOnly: true, run: (context) => list(deps, context) },
    ],
    context: [createMemoryPart(deps, looking)],
    tools: [createQueryTool({ ...deps, graph }, looking)],
    questions: {
      kept: { answer: (context) => undo(deps, context) },
      suggested: { answer: (context) => answerSuggested(deps, context) },
    },
    letters: { suggest: { came: (context) => suggest(deps, context) } },
    after: [createNotice(deps, settings), createEntities({ graph, ask, records, settings })],
  }
}
