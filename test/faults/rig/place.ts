// A chat of a fault test on any channel, in the same words: people say, see cards as they are shown now, and press their buttons. What is
// pressed need not be shown any more.
import type { Platform } from '#infra/processes/channels.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'

export type Card = {
  readonly id: string
  readonly text: string
  /** Every text it has had, the first one first. */
  readonly texts: readonly string[]
  readonly buttons: readonly { readonly label: string; readonly data: string }[]
}

export type Pressed = {
  /** What the presser alone is told, once the press is acknowledged: empty when nothing. */
  notice(): Promise<string>
  /** How often the bot has asked the platform to acknowledge it. */
  acknowledged(): Promise<number>
}

export type Place = {
  readonly channel: Platform['name'] | 'web'
  readonly conversation: ConversationId
  /** A number names a person, the same everywhere. Whose chat it is says it, where nobody is named. */
  say(text: string, who?: number): Promise<void>
  /** Gives a command, such as `config`, with what stands behind it. */
  command(name: string, who?: number): Promise<void>
  /** The bot's messages as people see them now, oldest first. */
  said(): Promise<readonly Card[]>
  press(card: string, data: string, who?: number): Promise<Pressed>
  /** As the bot names this person in a notice. */
  nameOf(who: number): Promise<string>
}

const patienceMs = 20_000

/** Looks again and again until there is something. */
export async function eventually<T>(
  find: () => Promise<T | undefined>,
  why: string | (() => Promise<string>),
  timeoutMs = patienceMs,
): Promise<T> {
  for (const endMs = performance.now() + timeoutMs; performance.now() < endMs; await pause(50)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`Not within ${timeoutMs} ms: ${typeof why === 'string' ? why : await why()}`)
}
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))
