// Who administers a group, asked only when somebody uses a right of administrators, and remembered for five minutes. No answer, no
// administrator; one who hides behind the group's name never counts.
import type { BotApi } from './bot-api.ts'

export type Admins = {
  /** Never throws. */
  isAdmin(chat: number, user: number): Promise<boolean>
}

const keepMs = 5 * 60_000
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
      if (answer.kind !== 'ok') return false
      const users = new Set(answer.result.filter((one) => !one.is_anonymous).map((one) => one.user.id))
      if (known.size >= mostChats) known.clear()
      known.set(chat, { users, untilMs: now() + keepMs })
      return users.has(user)
    },
  }
}
