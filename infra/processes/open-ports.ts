// Opens the ports that the features of a process work with, once: the fleet's four, and those that few features have.
import type { FoundModel } from '#infra/models/find-model.ts'
import { createPricing } from '#infra/models/pricing.ts'
import type { BudgetDeps } from '#services/budget/budget.ts'
import { createPace, strangers } from '#services/commands/pace.ts'
import type { StatusDeps } from '#services/commands/status.ts'
import { findDirectLine } from '#services/direct-line/direct-line.ts'
import type { QuietDeps } from '#services/quiet/quiet.ts'
import type { NextMoment } from '#services/reminders/resolve.ts'
import { parseConversation, toChat } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Feature } from '#shared/feature/feature.ts'
import type { Access, People, Ports, Records } from '#shared/feature/ports.ts'
import type { Ask } from '#shared/model/ask.ts'
import { listModels, type ModelRole, type NamedModel } from '#shared/model/model-port.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import type { Tool } from '#shared/model/tool.ts'
import { openAsk } from './asking.ts'
import { createApproverFinder, createOwnerCheck, createRightFinder } from './find-rights.ts'
import { findNextMoment } from './next-moment.ts'
import { readCalls } from './read-calls.ts'
import { readSpending } from './read-spending.ts'
import type { Runtime } from './runtime.ts'
import { createBudgetDeps } from './spending.ts'
import type { ToolPorts } from './tool-ports.ts'
import { toRoom } from './tool-room.ts'

export type FeaturePorts = Ports & {
  /** What was spent today, and of which budgets. */
  readonly budgets: BudgetDeps & Pick<StatusDeps, 'spending' | 'platformCalls'>
  readonly quiet: QuietDeps
  /** Asks a model what is no step of a turn. */
  readonly ask: Ask
  /** The models of this process, for who tells of them. */
  readonly model: ModelFacts
  /** What tools work with outside of the fleet. */
  readonly tools: Omit<ToolPorts, 'close'>
  readonly calendar: { readonly next: NextMoment }
  /** What holds in chats in which nobody chose. */
  readonly usual: { readonly language: Language | undefined; readonly answerButtons: boolean }
}

type ModelFacts = {
  /** The main one first. */
  readonly models: readonly NamedModel[]
  readonly isDemo: boolean
  /** Tools that the model itself comes with. */
  readonly tools: readonly Tool[]
  /** What the tools of these take of the model's window. */
  toRoom(features: readonly Feature[], role: ModelRole): ToolRoom
}

export function openPorts(runtime: Runtime, found: FoundModel): FeaturePorts {
  const { settings, clock, quiet, toolPorts } = runtime
  const { port } = found
  return {
    access: openAccess(runtime),
    people: openPeople(runtime),
    records: openRecords(runtime),
    clock: { now: clock.now, timeZone: settings.timeZone },
    budgets: {
      ...createBudgetDeps(runtime),
      spending: (context) => readSpending(runtime, context),
      platformCalls: (context) => readCalls(runtime, context),
    },
    quiet,
    ask: openAsk(runtime, found),
    model: {
      models: listModels(port),
      isDemo: port.describe().offline,
      tools: found.tools,
      toRoom: (features, role) => toRoom(features, found, role),
    },
    tools: toolPorts,
    calendar: { next: findNextMoment },
    usual: { language: settings.language, answerButtons: settings.answerButtons },
  }
}

function openAccess(runtime: Pick<Runtime, 'access' | 'toolRights' | 'people' | 'hearing'>): Access {
  const { access, toolRights, hearing } = runtime
  const pace = createPace(() => performance.now(), strangers)
  return {
    claimOwner: (principal, code) => access.claimOwner(principal, code),
    isCodeOpen: () => access.isCodeOpen(),
    admit: (what, id, by) => access.admit(what, id, by),
    dismiss: (what, id) => access.dismiss(what, id),
    dismissOwner: (id) => access.dismissOwner(id),
    mayTalk: async ({ principal, conversation, server }) => {
      const rights = await access.find(principal, toChat(conversation), server)
      return rights.owner || rights.person || rights.chat
    },
    mayAnswer(stranger) {
      const isAnswered = pace.of(stranger) === 'answer'
      if (isAnswered) pace.note(stranger)
      return isAnswered
    },
    isOwner: createOwnerCheck(runtime),
    findMode: async (chat) => (await access.find('', chat)).mode,
    setMode: (chat, mode) => access.setMode(chat, mode),
    hearsAll: (chat) => hearing.hearsAll(parseConversation(chat).channel),
    findToolRight: createRightFinder(runtime),
    findApprovers: createApproverFinder(runtime),
    toolsOfChat: (tools, chat) => toolRights.ofChat(tools, chat),
    setToolForChat: (tool, chat, audience) => toolRights.setForChat(tool, chat, audience),
    setToolForPerson: (tool, person, right) => toolRights.setForPerson(tool, person, right),
  }
}

function openPeople({ people }: Pick<Runtime, 'people'>): People {
  return {
    findZoneOf: async (principal) => (await people.find(principal)).zone,
    setZone: (principal, zone) => people.setZone(principal, zone),
    findChoice: (principal, setting) => people.findChoice(principal, setting),
    setChoice: (principal, setting, choice) => people.setChoice(principal, setting, choice),
    findDirect: async (principal) => {
      const { direct, blockedSinceMs } = await people.find(principal)
      return blockedSinceMs === undefined ? direct[parseConversation(principal).channel] : undefined
    },
    invite: async (who) => {
      const line = await findDirectLine(people, who)
      return line.kind === 'line' ? line.text : undefined
    },
  }
}

function openRecords({ kernel, settings }: Pick<Runtime, 'kernel' | 'settings'>): Records {
  const { toMicros } = createPricing(settings.model.prices)
  return {
    findTurn: (conversation, by) => kernel.findTurn(conversation, by),
    findTurns: (conversation, session) => kernel.findTurns(conversation, session),
    costOf: (model, { prompt, completion, cached }) =>
      toMicros(model, { promptTokens: prompt, completionTokens: completion, cachedTokens: cached ?? 0 }),
  }
}
