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
/** A press of Stop waits for this too, and must act within a second. */
const timeoutMs = 500

type Known = { readonly users: Promise<ReadonlySet<number>>; untilMs: number }

export function createAdmins(bot: BotApi, now: () => number): Admins {
  const known = new Map<number, Known>()

  /** Asked at once by many, it is one request. */
  function ask(chat: number): Known {
    const limit = { timeoutMs, signal: new AbortController().signal }
    const users = bot
      .ask((api, signal) => api.getChatAdministrators(chat, {}, signal), limit)
      .then((answer) => {
        if (answer.kind !== 'ok') asked.untilMs = now() + keepFailureMs
        const found = answer.kind === 'ok' ? answer.result : []
        return new Set(found.filter((one) => !one.is_anonymous).map((one) => one.user.id))
      })
    const asked: Known = { users, untilMs: now() + keepMs }
    if (known.size >= mostChats) known.clear()
    known.set(chat, asked)
    return asked
  }

  return {
    async isAdmin(chat, user) {
      const kept = known.get(chat)
      const { users } = kept && kept.untilMs > now() ? kept : ask(chat)
      return (await users).has(user)
    },
  }
}
