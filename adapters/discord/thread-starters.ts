// The message that a thread was opened from: it stands in the channel above, and the thread is about it. It is read once for each thread,
// with the first message there that is for the bot. https://docs.discord.com/developers/resources/channel#start-thread-from-message
import type { Limit } from '#adapters/calls/call-result.ts'
import type { Notes } from '#queues/fleet/notes.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import { parseConversation, toChat, type ReplyMode } from '#shared/chat/conversation.ts'
import { message, type DcMessage } from './payloads.ts'
import type { RestApi } from './rest-api.ts'

export type ThreadStarter = {
  /** Absent where the thread has none. */
  readonly message: DcMessage | undefined
  /** The event that it came with is stored: it is not read again. Throws BotError `store-unavailable`. */
  noteRead(): Promise<void>
}

export type ThreadStarters = {
  /** Undefined where it is not needed, was read before, or cannot be told by Discord now. Throws BotError `store-unavailable`. */
  find(event: MessageEvent): Promise<ThreadStarter | undefined>
}

export type ThreadStarterDeps = {
  readonly api: Pick<RestApi, 'call'>
  readonly notes: Notes
  /** When the bot answers in a chat, `channel:chat`. */
  findMode(chat: string): Promise<ReplyMode>
}

const notedForMs = 30 * 24 * 3_600_000
const mostKnown = 10_000

export function createThreadStarters({ api, notes, findMode }: ThreadStarterDeps, limit: Limit): ThreadStarters {
  /** Threads of which it was read, in this process: notes need not be asked. */
  const known = new Set<string>()
  const learn = (thread: string): void => {
    if (known.size >= mostKnown) known.clear()
    known.add(thread)
  }
  async function isForBot(event: MessageEvent): Promise<boolean> {
    if (event.command !== undefined) return false
    return event.addressed || (await findMode(toChat(event.conversation))) === 'always'
  }
  async function fetch(channel: string, thread: string): Promise<DcMessage | 'none' | undefined> {
    const call = { method: 'get', path: `/channels/${channel}/messages/${thread}`, shape: message } as const
    const asked = await api.call(call, limit)
    if (asked.kind === 'ok') return asked.value
    return asked.kind === 'refused' ? 'none' : undefined
  }
  return {
    async find(event) {
      const { chat, thread } = parseConversation(event.conversation)
      if (thread === undefined || known.has(thread) || !(await isForBot(event))) return undefined
      if ((await notes.find(toName(thread))) !== undefined) {
        learn(thread)
        return undefined
      }
      // In a forum it is the thread's own first message.
      const above = event.messageId === thread ? 'none' : await fetch(chat, thread)
      const found = above === 'none' && event.messageId !== thread ? await fetch(thread, thread) : above
      if (found === undefined) return undefined
      return {
        message: found === 'none' ? undefined : found,
        async noteRead() {
          learn(thread)
          await notes.put(toName(thread), 'read', notedForMs)
        },
      }
    },
  }
}

const toName = (thread: string): string => `thread-${thread}`
