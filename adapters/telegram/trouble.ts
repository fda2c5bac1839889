// What a refused or failed call means for the operator, in plain words with the fix.
import type { Answer } from './bot-api.ts'

export type Trouble = { readonly text: string; readonly leastMs: number }

/** A wrong token stays wrong until somebody acts. */
const wrongTokenMs = 60_000

export function toTrouble(answer: Exclude<Answer<unknown>, { kind: 'ok' }>): Trouble {
  if (answer.kind !== 'refused') {
    const why = answer.kind === 'not-sent' ? answer.reason : `${answer.reason}; the next try may tell`
    return { text: `Telegram cannot be reached (${why}). Is the network up, and TELEGRAM_API_ROOT right?`, leastMs: 0 }
  }
  if (answer.code === 401 || answer.code === 404) {
    const text = 'Telegram refuses the token. Set TELEGRAM_BOT_TOKEN to the one that @BotFather shows for this bot.'
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
