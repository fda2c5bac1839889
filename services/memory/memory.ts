// Memory: what people told the bot to keep, and what they confirmed, found again when it matters, and only for those whom it concerns.
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Ports } from '#shared/feature/ports.ts'
import type { MemoryGraph } from '#shared/memory/graph.ts'
import type { MemoryLog } from '#shared/memory/log.ts'
import type { Ask } from '#shared/model/ask.ts'
import { createEntities } from '#services/memory/graph/entities.ts'
import { anchorCommand, createAnchors } from './anchors.ts'
import { answerCard } from './card-press.ts'
import { createEpisodes, logCommand, tellLog } from './episodes.ts'
import { createForget, forgetCommand } from './forget-command.ts'
import { forgetFound, forgetMessages, type ForgetDeps } from './forget-words.ts'
import { createGiven } from './given.ts'
import { createLife } from './life.ts'
import { list, memoryCommand, onlyLooks } from './list.ts'
import { createLooking, type LookingDeps } from './looking.ts'
import { createNotice, type NoticeDeps } from './notice.ts'
import { bringsFile, createFileQuestion } from './memory-file.ts'
import { createNight, type NightDeps } from './night-feature.ts'
import { createQueryTool } from './query-tool.ts'
import { remember, rememberCommand, undo } from './remember.ts'
import { createSkills, skillCommands, type SkillFeatureDeps } from './skill-feature.ts'
import { answerSource, showSources, underAnswer } from './sources.ts'
import { createSuggestTool } from './suggest-tool.ts'
import type { MemoryPagePorts } from './page-routes.ts'

type MemoryPorts = Pick<Ports, 'clock' | 'people' | 'records'> & {
  readonly access: Pick<Ports['access'], 'mayTalk' | 'isClosed'>
  readonly graph: MemoryGraph
  readonly accounts: ForgetDeps['accounts']
  readonly projects: ForgetDeps['projects']
  readonly ask: Ask
  readonly memory: NoticeDeps['memory']
  readonly memoryLog: MemoryLog
  readonly memoryIndex: LookingDeps['memoryIndex']
  readonly isIndexed: ForgetDeps['isIndexed']
  readonly desks: NoticeDeps['desks']
  readonly readYaml: SkillFeatureDeps['readYaml']
}

export const memoryCapability: Capability<MemoryPorts, MemoryPagePorts> = {
  commands: [rememberCommand, logCommand, memoryCommand, anchorCommand, forgetCommand, ...skillCommands],
  page: {
    name: 'memory',
    title: { zh: '记忆', en: 'Memory' },
    files: new URL('page/', import.meta.url),
    open: async (ports) => (await import('./page-routes.ts')).toRoutes(ports),
  },
  create: ({ memory, memoryLog: log, memoryIndex, desks, access, clock, people, readYaml, ...rest }) =>
    createMemory({ memory, log, memoryIndex, desks, readYaml, ...access, ...clock, ...people }, rest),
}

/** What the steps of a task have of memory: what is kept is read, and nothing is kept. */
export const memoryOfTasks: Capability<
  Omit<MemoryPorts, 'access' | 'desks' | 'accounts' | 'projects' | 'readYaml' | 'isIndexed'>
> = {
  create: ({ memory, memoryIndex, clock, people, graph }) => {
    const deps = { memory, memoryIndex, ...clock, ...people }
    const looking = createLooking(deps)
    return {
      name: 'memory',
      context: createGiven(deps, looking),
      tools: [createQueryTool({ ...deps, graph }, looking)],
    }
  },
}

type GraphDeps = Pick<MemoryPorts, 'graph' | 'ask' | 'records' | 'accounts' | 'projects' | 'isIndexed'>

function createMemory(
  deps: NoticeDeps &
    Omit<NightDeps, 'accounts'> &
    LookingDeps &
    Pick<MemoryPorts, 'readYaml'> & { readonly log: MemoryLog },
  { graph, ask, records, accounts, projects, isIndexed }: GraphDeps,
): Feature {
  const looking = createLooking(deps)
  const { settings } = looking
  const looked = { ...deps, recall: looking.recall }
  const skills = createSkills({ ...looked, records })
  const anchors = createAnchors(looked)
  const night = createNight({ ...deps, accounts })
  return {
    name: 'memory',
    settings: [settings.notice.setting, settings.askAfter.setting, settings.confirm.setting, settings.groups.setting],
    commands: [
      { ...rememberCommand, run: (context) => remember(deps, context) },
      { ...logCommand, readsOnly: true, run: (context) => tellLog(deps, context) },
      {
        ...memoryCommand,
        readsOnly: (args) => onlyLooks(args) && !bringsFile(args),
        run: (context) => list({ ...looked, ...records }, context),
      },
      anchors.command,
      createForget({ ...looked, ...records, graph, accounts, projects, isIndexed }),
      ...skills.commands,
    ],
    context: createGiven(deps, looking),
    tools: [createQueryTool({ ...deps, graph }, looking), createSuggestTool(deps)],
    questions: {
      card: { answer: (context) => answerCard(looked, context) },
      kept: { answer: (context) => undo(deps, context) },
      sources: { answer: (context) => showSources(deps, context) },
      source: { answer: (context) => answerSource(deps, context) },
      forget: { answer: (context) => forgetFound({ ...deps, graph, accounts, projects, isIndexed }, context) },
      file: createFileQuestion(deps),
      ...skills.questions,
      ...anchors.questions,
      ...night.questions,
    },
    under: underAnswer,
    letters: { ...anchors.letters, ...night.letters, forget: { came: forgetMessages } },
    after: [
      createEpisodes(deps),
      createNotice(deps, settings),
      anchors.after,
      createEntities({ graph, ask, records, people: deps }),
      createLife(deps),
      ...skills.after,
      ...night.after,
    ],
  }
}
