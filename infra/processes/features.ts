// All features of the fleet. A capability is a folder under services, and one line here.
import { createAnswerButtons } from '#services/answer-buttons/answer-buttons.ts'
import { artifacts } from '#services/artifacts/artifacts.ts'
import { createBudget, type BudgetDeps } from '#services/budget/budget.ts'
import { createBrowserFetch, type ReadPage } from '#services/browser-fetch/browser-fetch.ts'
import { createCalculate, type Calculate } from '#services/calculate/calculate.ts'
import { createCommands, type CommandsDeps } from '#services/commands/commands.ts'
import { createConfidence, type ConfidenceDeps } from '#services/confidence/confidence.ts'
import { createConfig } from '#services/config/config.ts'
import { createHttpRequest, type HttpPort } from '#services/http-request/http-request.ts'
import { createModels, type ModelsDeps } from '#services/models/models.ts'
import { notebook } from '#services/notebook/notebook.ts'
import { createPreferences } from '#services/preferences/preferences.ts'
import type { QuestionsDeps } from '#services/questions/human-ask.ts'
import { createQuestions } from '#services/questions/questions.ts'
import { recovery } from '#services/recovery/recovery.ts'
import { redo } from '#services/redo/redo.ts'
import { createQuietFeature, type QuietDeps } from '#services/quiet/quiet.ts'
import { createReminders } from '#services/reminders/reminders.ts'
import { createReplyMode, type ModeDeps } from '#services/reply-mode/reply-mode.ts'
import { sessionSearch } from '#services/session-search/session-search.ts'
import { showAgain } from '#services/show-again/show-again.ts'
import { createToolSearch } from '#services/tool-search/tool-search.ts'
import { createToolRightsFeature, type NotSetUp, type ToolRightsDeps } from '#services/tool-rights/tool-rights.ts'
import { createWhy, type WhyDeps } from '#services/why/why.ts'
import { createWorking, type WorkingDeps } from '#services/working/working.ts'
import { createTimeNow, type TimeNowDeps } from '#services/time-now/time-now.ts'
import { createWebSearch, type SearchWeb } from '#services/web-search/web-search.ts'
import { createZone, type ZoneDeps } from '#services/zone/zone.ts'
import type { Language } from '#shared/chat/message.ts'
import type { CommandInfo, Feature } from '#shared/feature/feature.ts'
import type { Ask } from '#shared/model/ask.ts'
import type { ModelRole } from '#shared/model/model-port.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import type { Tool } from '#shared/model/tool.ts'
import { findNextMoment } from './next-moment.ts'

export type FeatureDeps = Omit<CommandsDeps, 'room'> &
  BudgetDeps &
  ConfidenceDeps &
  ModeDeps &
  ModelsDeps &
  TimeNowDeps &
  QuestionsDeps &
  QuietDeps &
  ToolRightsDeps &
  WhyDeps &
  WorkingDeps &
  ZoneDeps & {
    /** For features and readers that ask a model. */
    readonly ask: Ask
    readonly calculate: Calculate
    /** Undefined where no service is configured: then the tool is not offered. So with pages. */
    readonly searchWeb: SearchWeb | undefined
    readonly readPage: ReadPage | undefined
    readonly http: HttpPort | undefined
    /** What these tools take of the model's window. */
    toRoom(tools: readonly Tool[], role: ModelRole): ToolRoom
    /** Tools that the model itself comes with. */
    readonly modelTools: readonly Tool[]
    /** Whether answers of the model carry buttons, where a chat did not turn them off. */
    readonly answerButtons: boolean
    /** Of chats in which nobody set one. */
    readonly language: Language | undefined
  }

/** `others`: features that are not of this list, whose tools are governed as these are. */
export function createFeatures(deps: FeatureDeps, others: readonly Feature[] = []): readonly Feature[] {
  const features: readonly Feature[] = [
    createCommands({ ...deps, room: (role) => deps.toRoom([...tools, ...(search.tools ?? [])], role) }),
    createPreferences(deps.language),
    createBudget(deps),
    createReplyMode(deps),
    createQuietFeature(deps),
    createZone(deps),
    createReminders({ ...deps, next: findNextMoment }),
    createQuestions(deps),
    createWhy(deps),
    createWorking(deps),
    createTimeNow(deps),
    createCalculate(deps.calculate),
    ...(deps.searchWeb ? [createWebSearch(deps.searchWeb)] : []),
    ...(deps.readPage ? [createBrowserFetch(deps.readPage)] : []),
    ...(deps.http ? [createHttpRequest(deps.http)] : []),
    notebook,
    artifacts,
    createAnswerButtons(deps.answerButtons),
    createModels(deps),
    createConfidence(deps),
    recovery,
    redo,
    sessionSearch,
    showAgain,
    { name: 'model-tools', tools: deps.modelTools },
  ]
  const tools = features.flatMap((feature) => feature.tools ?? [])
  const search = createToolSearch(tools)
  const governed = [...tools, ...others.flatMap((feature) => feature.tools ?? [])]
  return [...features, search, createToolRightsFeature(deps, governed, findNotSetUp(deps)), createConfig(features)]
}

const findNotSetUp = ({ http, searchWeb, readPage }: FeatureDeps): NotSetUp =>
  new Map([
    ...(http ? [] : [['http_request', 'FLOTILLA_HTTP_HOSTS'] as const]),
    ...(searchWeb ? [] : [['search_web', 'FLOTILLA_SEARCH'] as const]),
    ...(readPage ? [] : [['browser_fetch', 'FLOTILLA_BROWSER_FETCH'] as const]),
  ])

/** The commands of all features, for menus and for who may use them. */
export function listCommands(): readonly CommandInfo[] {
  const unused = (): never => {
    throw new Error('The list of commands runs none.')
  }
  const deps: FeatureDeps = {
    ask: unused,
    modelTools: [],
    isDemo: false,
    toRoom: unused,
    timeZone: 'UTC',
    calculate: unused,
    searchWeb: undefined,
    readPage: undefined,
    http: undefined,
    answerButtons: false,
    language: undefined,
    now: unused,
    models: [],
    claimOwner: unused,
    isCodeOpen: unused,
    mayAnswer: unused,
    admit: unused,
    dismiss: unused,
    dismissOwner: unused,
    mayTalk: unused,
    findMode: unused,
    hearsAll: unused,
    setMode: unused,
    setZone: unused,
    findZoneOf: unused,
    findDirect: unused,
    invite: unused,
    toolsOfChat: unused,
    findTurn: unused,
    findTurns: unused,
    costOf: unused,
    setToolForChat: unused,
    setToolForPerson: unused,
    findToolRight: unused,
    findApprovers: unused,
    isOwner: unused,
    isQuiet: unused,
    setQuiet: unused,
    spending: unused,
    platformCalls: unused,
    findBudgets: unused,
    setBudget: unused,
    resetBudgets: unused,
    isPriced: false,
    findNearlyUsed: unused,
  }
  return createFeatures(deps)
    .flatMap(({ commands = [] }) => commands)
    .map(({ name, help, open, admins }) => ({ name, help, ...(open ? { open } : {}), ...(admins ? { admins } : {}) }))
}
