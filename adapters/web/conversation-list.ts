// The conversations the web owner has used, newest first: a small index, so that any browser and process shows the same list.
import type { RedisClient } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'

export type ListedConversation = {
  readonly id: string
  /** When it was last written to, ms since 1970. */
  readonly at: number
  /** Beginning of its first message that is still kept. */
  readonly title: string
}

export type ConversationList = {
  /** Puts a conversation at the top. */
  touch(id: string, atMs: number): Promise<void>
  load(): Promise<readonly ListedConversation[]>
}

const maxListed = 100
const titleChars = 80

export function createConversationList(
  redis: RedisClient,
  kernel: Pick<Kernel, 'readOut'>,
  principal: string,
): ConversationList {
  const key = `fl:{web}:conversations:${principal}`

  /** Read from the conversation itself, so that what is forgotten there is forgotten here. */
  async function findTitle(id: string): Promise<string> {
    const items = await kernel.readOut(`web:${id}`, '0', 3)
    const first = items.find((item) => item.role === 'person' && item.event.kind === 'message')
    const text = first?.role === 'person' && first.event.kind === 'message' ? first.event.text : ''
    return [...text.slice(0, 4 * titleChars).replaceAll(/\s+/g, ' ')].slice(0, titleChars).join('')
  }

  return {
    async touch(id, atMs) {
      await redis.zadd(key, atMs, id)
      await redis.zremrangebyrank(key, 0, -maxListed - 1)
    },
    async load() {
      const flat = await redis.zrevrange(key, 0, maxListed - 1, 'WITHSCORES')
      const listed: { id: string; at: number }[] = []
      for (let i = 0; i + 1 < flat.length; i += 2) listed.push({ id: flat[i] ?? '', at: Number(flat[i + 1]) })
      return await Promise.all(listed.map(async (item) => ({ ...item, title: await findTitle(item.id) })))
    },
  }
}
