// Who administers a group, asked only when somebody uses a right of administrators, and remembered for five minutes. No answer, no
// administrator; one who hides behind the group's name never counts. It is not asked while the chat is to be left alone.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { toAddress } from './ids.ts'
import { adminList } from './responses.ts'
import type { BotApi } from './bot-api.ts'
import type { ChatBudget } from './chat-budget.ts'

export type Admins = {
  /** Never throws. */
  isAdmin(chat: number, user: number): Promise<boolean>
}

export type AdminsDeps = {
  readonly bot: BotApi
  readonly now: () => number
  readonly budget: Pick<ChatBudget, 'isOpen' | 'pause'>
}

const keepMs = 5 * 60_000
/** After a failure; an outage must not cost a request for every command. */
const keepFailureMs = 10_000
const mostChats = 1000
/** A press of Stop waits for this too, and must act within a second. */
const timeoutMs = 500

type Known = { readonly users: Promise<ReadonlySet<number>>; untilMs: number }

export function createAdmins({ bot, now, budget }: AdminsDeps): Admins {
  const known = new Map<number, Known>()

  async function find(chat: number): Promise<ReadonlySet<number> | undefined> {
    if (!(await budget.isOpen(chat).catch(() => false))) return undefined
    const limit = { timeoutMs, signal: new AbortController().signal }
    const result = await bot.call(adminList, (api, signal) => api.getChatAdministrators(chat, {}, signal), limit)
    if (result.kind === 'ok') return new Set(result.value.filter((one) => !one.is_anonymous).map((one) => one.user.id))
    if (result.kind === 'slow-down') await budget.pause(chat, result.retryAfterMs).catch(() => {})
    return undefined
  }

  /** Asked at once by many, it is one request. */
  function load(chat: number): Known {
    const users = find(chat).then((found) => {
      if (!found) asked.untilMs = now() + keepFailureMs
      return found ?? new Set<number>()
    })
    const asked: Known = { users, untilMs: now() + keepMs }
    if (known.size >= mostChats) known.clear()
    known.set(chat, asked)
    return asked
  }

  return {
    async isAdmin(chat, user) {
      const kept = known.get(chat)
      const { users } = kept && kept.untilMs > now() ? kept : load(chat)
      return (await users).has(user)
    },
  }
}

/** Whether the platform calls this person an administrator of the group that the conversation is part of. */
export async function callsAdmin(
  admins: Admins,
  { conversation, principal }: { readonly conversation: ConversationId; readonly principal: PrincipalId },
): Promise<boolean> {
  const { chat, isGroup } = toAddress(conversation)
  const [, user = ''] = principal.split(':')
  return isGroup && (await admins.isAdmin(chat, Number(user)))
}
