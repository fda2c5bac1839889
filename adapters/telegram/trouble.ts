// What a refused or failed call means: for the operator, in plain words with the fix, and for the chat it was made in.
import { explainBy, untilSomebodyActsMs } from '#adapters/calls/trouble.ts'
import { oddResponse } from './responses.ts'
import type { Move } from './bot-api.ts'

export const toTrouble = explainBy<Move>({
  name: 'Telegram',
  api: 'its Bot API',
  oddResponse,
  root: 'TELEGRAM_API_ROOT',
  rightRoot: 'leave TELEGRAM_API_ROOT out, or set it to the address of your own Bot API server, without a path',
  ofRefusal({ code }) {
    if (code === 401 || code === 404) {
      const fix = 'Set TELEGRAM_BOT_TOKEN to the one that @BotFather shows for this bot.'
      const where = code === 404 ? ' If it is right, TELEGRAM_API_ROOT is not: it takes no path.' : ''
      return { text: `Telegram refuses the token. ${fix}${where}`, leastMs: untilSomebodyActsMs }
    }
    if (code !== 409) return undefined
    const text =
      'Somebody else fetches this bot\u2019s updates, or a webhook is set. Stop the other program that uses this token.'
    return { text, leastMs: 0 }
  },
})

/** Refusals of the chat itself, not of what was to be sent. https://core.telegram.org/bots/api#making-requests names none; as seen. */
const closing =
  /bot was blocked|user is deactivated|bot was kicked|bot is not a member|chat not found|PEER_ID_INVALID|group chat was deactivated|not enough rights to send|have no rights to send|CHAT_WRITE_FORBIDDEN|need administrator rights|bot can't initiate/i

export function isOfChat(reason: string): boolean {
  return closing.test(reason)
}
