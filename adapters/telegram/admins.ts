// Who administers a group, asked only when somebody uses a right of administrators, and remembered for five minutes. No answer, no
// administrator; one who hides behind the group's name never counts.
import type { BotApi } from './bot-api.ts'

export type Admins = {
  /** Never throws. */
  isAdmin(chat: number, user: number): Promise<boolean>
}

const keepMs = 5 * 60_000
/** After a failure; an outage must not cost a request for every command. */
const keepFailureMs = 10_000
const mostChats = 1000
/** An update that Telegram pushed must be answered soon. */
const timeoutMs = 1500

export function createAdmins(bot: BotApi, now: () => number): Admins {
  const known = new Map<number, { readonly users: ReadonlySet<number>; readonly untilMs: number }>()
  return {
    async isAdmin(chat, user) {
      const kept = known.get(chat)
      if (kept && kept.untilMs > now()) return kept.users.has(user)
      const limit = { timeoutMs, signal: new AbortController().signal }
      const answer = await bot.ask((api, signal) => api.getChatAdministrators(chat, {}, signal), limit)
      const found = answer.kind === 'ok' ? answer.result : []
      const users = new Set(found.filter((one) => !one.is_anonymous).map((one) => one.user.id))
      if (known.size >= mostChats) known.clear()
      known.set(chat, { users, untilMs: now() + (answer.kind === 'ok' ? keepMs : keepFailureMs) })
      return users.has(user)
    },
  }
}
