// Opens the four ports of the fleet. They need no model, so that a process without one has them too: they are all that a page works with.
import { createPricing } from '#infra/models/pricing.ts'
import { createPace, strangers } from '#services/commands/pace.ts'
import { findDirectLine } from '#services/direct-line/direct-line.ts'
import { parseConversation, toChat } from '#shared/chat/conversation.ts'
import type { Access, People, Ports, Records } from '#shared/feature/ports.ts'
import { createApproverFinder, createOwnerCheck, createRightFinder } from './find-rights.ts'
import type { Runtime } from './runtime.ts'

export function openFleetPorts(runtime: Runtime): Ports {
  const { settings, clock } = runtime
  return {
    access: openAccess(runtime),
    people: openPeople(runtime),
    records: openRecords(runtime),
    clock: { now: clock.now, timeZone: settings.timeZone },
  }
}

function openAccess(runtime: Pick<Runtime, 'access' | 'toolRights' | 'people' | 'hearing' | 'chats'>): Access {
  const { access, toolRights, hearing, chats } = runtime
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
    async isClosed(where) {
      // A thread of a chat may refuse by itself.
      const found = await Promise.all([...new Set([toChat(where), where])].map((chat) => chats.find(chat)))
      return found.some(({ closed }) => closed !== undefined)
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
    invite: async ({ unlessBlocked, ...who }) => {
      if (unlessBlocked && (await people.find(who.principal)).blockedSinceMs !== undefined) return undefined
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
