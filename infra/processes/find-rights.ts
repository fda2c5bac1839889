// What people may do with tools in a conversation, and which owners can be asked to approve a call: out of the access list, the rights of tools and what
// is known of people.
import { parseConversation, toChat, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Tool } from '#shared/model/tool.ts'
import { findRight, type Right } from '#shared/run/tool-right.ts'
import type { Runtime } from './runtime.ts'

type Known = Pick<Runtime, 'access' | 'toolRights' | 'people'>

export const createOwnerCheck =
  ({ access }: Pick<Known, 'access'>) =>
  async (principal: PrincipalId, conversation: ConversationId): Promise<boolean> =>
    (await access.find(principal, toChat(conversation))).owner

export const createRightFinder =
  ({ access, toolRights }: Pick<Known, 'access' | 'toolRights'>) =>
  async (tool: Pick<Tool, 'name' | 'effect'>, principal: PrincipalId, conversation: ConversationId): Promise<Right> => {
    const chat = toChat(conversation)
    const [right, { owner }] = await Promise.all([
      toolRights.find(tool.name, chat, principal),
      access.find(principal, chat),
    ])
    return findRight(tool.effect, right, owner)
  }

/** Beyond them nobody is looked for. */
const mostOwners = 20

/**
 * Owners with a direct chat that can be written to, those of this conversation's channel first; who sits at the terminal comes last, since nobody
 * may be there.
 */
export const createApproverFinder =
  ({ access, people }: Pick<Known, 'access' | 'people'>) =>
  async (conversation: ConversationId): Promise<{ principal: PrincipalId; direct: ConversationId }[]> => {
    const { channel } = parseConversation(conversation)
    const rank = (owner: PrincipalId): number => {
      const own = parseConversation(owner).channel
      return own === channel ? 0 : own === 'console' ? 2 : 1
    }
    const owners = (await access.listOwners()).toSorted((a, b) => rank(a) - rank(b)).slice(0, mostOwners)
    const found = await Promise.all(
      owners.map(async (principal) => {
        const { direct, blockedSinceMs } = await people.find(principal)
        const own = direct[parseConversation(principal).channel]
        return own === undefined || blockedSinceMs !== undefined ? [] : [{ principal, direct: own }]
      }),
    )
    return found.flat()
  }
