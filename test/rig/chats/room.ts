// A place where people talk with the bot, in the same words on every channel, also where only one person is and nobody is told by the platform
// when something comes: what is expected is looked for again and again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationId } from '#shared/chat/conversation.ts'
import { bot, labels, type Seen, type SimulatedChat } from './chat.ts'
import type { WebChat } from './web-chat.ts'

export type Room = {
  /** What it is called in a transcript. */
  readonly title: string
  readonly conversation: ConversationId
  /** Gives the message's id. Where others are it is not said to the bot. */
  say(who: string, text: string, replyTo?: string): Promise<string>
  /** Says it to the bot. */
  ask(who: string, text: string, replyTo?: string): Promise<string>
  /** Presses a button that the message shows; gives what the presser alone is told. */
  press(who: string, message: string, label: string): Promise<string>
  /** Oldest first. A message keeps its id, whatever takes its place. */
  seen(): Promise<readonly Seen[]>
  /** On a terminal: the numbers that stand out, as those of choices do, from above, with what stands beside each. */
  choices?(): Promise<readonly { readonly number: string; readonly label: string }[]>
}

export const toRoom = (title: string, chat: SimulatedChat): Room => ({
  title,
  conversation: chat.conversation,
  say: async (who, text, replyTo) => chat.say(who, text, { replyTo }),
  ask: async (who, text, replyTo) => chat.ask(who, text, { replyTo }),
  press: async (who, message, label) => await chat.press(who, message, label).notice(),
  seen: async () => chat.seen(),
})

export function toWebRoom(title: string, chat: WebChat): Room {
  const seen = async (): Promise<readonly Seen[]> => (await chat.seen()).map((one) => ({ ...one, id: one.first }))
  const say = async (who: string, text: string, replyTo?: string): Promise<string> => {
    const card = replyTo === undefined ? undefined : (await chat.seen()).find(({ first }) => first === replyTo)
    // A person's own message is named by its event.
    return await chat.say(who, text, { replyTo: card?.row ?? replyTo })
  }
  return {
    title,
    conversation: chat.conversation,
    say,
    ask: say,
    press: async (who, message, label) =>
      await chat.forge(who, message, findButton(await seen(), message, label)).notice(),
    seen,
  }
}

/** What a button of a message carries; throws when the message shows none of this label. */
export function findButton(seen: readonly Seen[], message: string, label: string): string {
  const found = seen.find(({ id }) => id === message)
  const button = found?.buttons.flat().find((one) => one.label === label)
  if (button) return button.data
  throw new Error(`Message ${message} shows ${labels(found).join(', ') || 'no buttons'}, and not ${label}.`)
}

const patienceMs = 20_000

/** Waits until a message of the bot's is so; the newest one. */
export async function hear(room: Room, isSo: string | ((one: Seen) => boolean), what = String(isSo)): Promise<Seen> {
  const find = (one: Seen): boolean => (typeof isSo === 'string' ? one.text.includes(isSo) : isSo(one))
  const endMs = performance.now() + patienceMs
  for (;;) {
    const said = (await room.seen()).filter(({ by }) => by === bot)
    const found = said.findLast(find)
    if (found) return found
    if (performance.now() > endMs)
      throw new Error(
        `In ${room.title} the bot did not say ${what}. It said:\n${said.map(({ text, buttons }) => `${text}\n${labels({ buttons }).join(' | ')}`).join('\n---\n')}`,
      )
    await sleep(15)
  }
}

/** Waits until the message is so. */
export const when = (room: Room, message: string, isSo: (one: Seen) => boolean, what?: string): Promise<Seen> =>
  hear(room, (one) => one.id === message && isSo(one), what ?? `message ${message} as ${String(isSo)}`)
