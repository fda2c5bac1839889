// What a refused or failed call means: for the operator, in plain words with the fix, and for the chat it was made in.
import { oddAnswer } from './answers.ts'
import type { Answer } from './bot-api.ts'

export type Trouble = { readonly text: string; readonly leastMs: number }

/** A wrong token stays wrong until somebody acts. */
const wrongTokenMs = 60_000

export function toTrouble(answer: Exclude<Answer<unknown>, { kind: 'ok' }>): Trouble {
  if (answer.kind !== 'refused') {
    if (answer.reason === oddAnswer) {
      const text =
        'Telegram cannot be reached: what answers is not its Bot API. If it stays so, leave TELEGRAM_API_ROOT out, or set it to the address of your own Bot API server, without a path; and see that no proxy or log-in page answers in its place.'
      return { text, leastMs: 0 }
    }
    const why = answer.kind === 'not-sent' ? answer.reason : `${answer.reason}; the next try may tell`
    return { text: `Telegram cannot be reached (${why}). Is the network up, and TELEGRAM_API_ROOT right?`, leastMs: 0 }
  }
  if (answer.code === 401 || answer.code === 404) {
    const fix = 'Set TELEGRAM_BOT_TOKEN to the one that @BotFather shows for this bot.'
    const where = answer.code === 404 ? ' If it is right, TELEGRAM_API_ROOT is not: it takes no path.' : ''
    const text = `Telegram refuses the token. ${fix}${where}`
    return { text, leastMs: wrongTokenMs }
  }
  if (answer.code === 409) {
    const text =
      'Somebody else fetches this bot\u2019s updates, or a webhook is set. Stop the other program that uses this token.'
    return { text, leastMs: 0 }
  }
  if (answer.code === 429) return { text: 'Telegram asks to slow down.', leastMs: answer.retryAfterMs ?? 1000 }
  return { text: `Telegram refused: ${answer.code} ${answer.reason}`.slice(0, 200), leastMs: 5000 }
}

/** Refusals of the chat itself, not of what was to be sent. https://core.telegram.org/bots/api#making-requests names none; as seen. */
const closing =
  /bot was blocked|user is deactivated|bot was kicked|bot is not a member|chat not found|PEER_ID_INVALID|group chat was deactivated|not enough rights to send|have no rights to send|CHAT_WRITE_FORBIDDEN|need administrator rights|bot can't initiate/i

export function isOfChat(reason: string): boolean {
  return closing.test(reason)
}
