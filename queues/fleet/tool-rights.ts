// What owners said of tools: by chat and by person, beside the access list, since both are looked at together by whoever runs the fleet.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { audiences, type Audience, type ToolRight } from '#shared/run/tool-right.ts'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'

/** All throw BotError `store-unavailable` while Redis is away. `chat` is `channel:chat`. */
export type ToolRights = {
  find(tool: string, chat: string, principal: PrincipalId): Promise<ToolRight>
  /** What is said of each of these tools in a chat, in their order. */
  ofChat(tools: readonly string[], chat: string): Promise<readonly (Audience | undefined)[]>
  /** Undefined: as usual. */
  setForChat(tool: string, chat: string, audience: Audience | undefined): Promise<void>
  setForPerson(tool: string, person: PrincipalId, right: 'allow' | 'deny' | undefined): Promise<void>
}

const key = 'fl:{access}'
const chatField = (tool: string, chat: string): string => `tool-chat:${tool}:${chat}`
const personField = (tool: string, person: PrincipalId): string => `tool-person:${tool}:${person}`
const toAudience = (stored: unknown): Audience | undefined => audiences.find((one) => one === stored)

export function createToolRights(redis: RedisClient): ToolRights {
  const set = async (field: string, value: string | undefined): Promise<void> => {
    await fromStore(value === undefined ? redis.hdel(key, field) : redis.hset(key, field, value))
  }
  return {
    async find(tool, chat, principal) {
      const [audience, right] = await fromStore(redis.hmget(key, chatField(tool, chat), personField(tool, principal)))
      const person = right === 'allow' || right === 'deny' ? right : undefined
      return { chat: toAudience(audience), person }
    },
    async ofChat(tools, chat) {
      if (tools.length === 0) return []
      return (await fromStore(redis.hmget(key, ...tools.map((tool) => chatField(tool, chat))))).map(toAudience)
    },
    setForChat: (tool, chat, audience) => set(chatField(tool, chat), audience),
    setForPerson: (tool, person, right) => set(personField(tool, person), right),
  }
}
