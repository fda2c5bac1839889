// The features of the fleet in a process, with what they need of it.
import { parseConversation, toChat } from '#shared/chat/conversation.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { listModels, modelOf, type ModelRole } from '#shared/model/model-port.ts'
import type { FoundModel } from '#infra/models/find-model.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import { estimateTokens } from '#shared/model/token-estimate.ts'
import { findDirectLine } from '#services/direct-line/direct-line.ts'
import { chooseOffer } from '#services/executor/context/offer.ts'
import { createPricing } from '#infra/models/pricing.ts'
import { openAsk } from './asking.ts'
import { createFeatures, type FeatureDeps } from './features.ts'
import { createApproverFinder, createOwnerCheck, createRightFinder } from './find-rights.ts'
import { readCalls } from './read-calls.ts'
import { readSpending } from './read-spending.ts'
import { createBudgetDeps } from './spending.ts'
import type { Runtime } from './runtime.ts'

/** What the tools of these features take of the model's window. Throws BotError `config` where it is too small for any prompt. */
export function toRoom(
  features: readonly Pick<Feature, 'tools'>[],
  { port }: FoundModel,
  role: ModelRole = 'main',
): ToolRoom {
  const tools = features.flatMap((feature) => feature.tools ?? [])
  return chooseOffer(tools, modelOf(port, role).contextTokens, (text) => estimateTokens(text).upperBound).room
}

/** `mayAnswer`: whether a stranger may be answered now. `others`: features that this process has besides. */
export function openFeatures(
  runtime: Runtime,
  found: FoundModel,
  mayAnswer: (stranger: string) => boolean,
  others: readonly Feature[] = [],
): readonly Feature[] {
  const { access, settings, toolPorts, toolRights } = runtime
  const { toMicros } = createPricing(settings.model.prices)
  const deps: FeatureDeps = {
    ask: openAsk(runtime, found),
    modelTools: found.tools,
    isDemo: found.port.describe().offline,
    toRoom: (tools, role) => toRoom([{ tools }], found, role),
    ...toolPorts,
    timeZone: settings.timeZone,
    language: settings.language,
    now: runtime.clock.now,
    models: listModels(found.port),
    answerButtons: settings.answerButtons,
    claimOwner: (principal, code) => access.claimOwner(principal, code),
    isCodeOpen: () => access.isCodeOpen(),
    admit: (what, id, by) => access.admit(what, id, by),
    dismiss: (what, id) => access.dismiss(what, id),
    dismissOwner: (id) => access.dismissOwner(id),
    mayTalk: async ({ principal, conversation, server }) => {
      const rights = await access.find(principal, toChat(conversation), server)
      return rights.owner || rights.person || rights.chat
    },
    mayAnswer,
    findMode: async (chat) => (await access.find('', chat)).mode,
    setMode: (chat, mode) => access.setMode(chat, mode),
    hearsAll: (chat) => runtime.hearing.hearsAll(parseConversation(chat).channel),
    findTurn: (conversation, by) => runtime.kernel.findTurn(conversation, by),
    findTurns: (conversation, session) => runtime.kernel.findTurns(conversation, session),
    costOf: (model, { prompt, completion, cached }) =>
      toMicros(model, { promptTokens: prompt, completionTokens: completion, cachedTokens: cached ?? 0 }),
    toolsOfChat: (tools, chat) => toolRights.ofChat(tools, chat),
    setToolForChat: (tool, chat, audience) => toolRights.setForChat(tool, chat, audience),
    setToolForPerson: (tool, person, right) => toolRights.setForPerson(tool, person, right),
    findZoneOf: async (principal) => (await runtime.people.find(principal)).zone,
    findDirect: async (principal) => {
      const { direct, blockedSinceMs } = await runtime.people.find(principal)
      return blockedSinceMs === undefined ? direct[parseConversation(principal).channel] : undefined
    },
    invite: async (who) => {
      const line = await findDirectLine(runtime.people, who)
      return line.kind === 'line' ? line.text : undefined
    },
    findToolRight: createRightFinder(runtime),
    findApprovers: createApproverFinder(runtime),
    isOwner: createOwnerCheck(runtime),
    ...runtime.quiet,
    ...createBudgetDeps(runtime),
    setZone: (principal, zone) => runtime.people.setZone(principal, zone),
    spending: (context) => readSpending(runtime, context),
    platformCalls: (context) => readCalls(runtime, context),
  }
  return createFeatures(deps, others)
}
