// People in a chat with the bot, in the same words for every platform: what they do there and what they see. A driver for each platform
// makes such chats over its simulator or client; tests know only this, and what a platform cannot do is absent from its chats.
import type { Channel, ConversationId, PrincipalId } from '#shared/chat/conversation.ts'

/** Who wrote what is not a person's. */
export const bot = 'Flotilla'

export type Button = { readonly label: string; readonly data: string }

/** A message as a person sees it now. */
export type Seen = {
  readonly id: string
  /** A person's name, or `bot`. */
  readonly by: string
  /** As it reads, with marks for what is bold, code and so on, whatever the platform has for it. */
  readonly text: string
  /** Every text it has had, as it was sent, the first one first. */
  readonly texts: readonly string[]
  readonly buttons: readonly (readonly Button[])[]
  readonly replyTo: string | undefined
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** What the bot put under it. */
  readonly reaction: string | undefined
  /** Whom it notified beyond the one it answers. */
  readonly pings: readonly string[]
  /** Whether the platform fetches addresses in it. */
  readonly previews: boolean
}

export type Saying = {
  /** The id of the message that this one replies to. */
  readonly replyTo?: string | undefined
  /** Names of pictures that come with it; the text is their caption. */
  readonly pictures?: readonly string[] | undefined
}

/** A button that was pressed. */
export type Press = {
  /** Resolves with what the presser alone is told; empty when nothing. */
  notice(): Promise<string>
  /** How often the bot has acknowledged it. */
  acknowledged(): number
}

type Given<When, T> = When extends 'now' ? T : T | Promise<T>

/** One chat. People are called by their names. A simulated platform answers `now`, a page or a terminal `later`. */
export type Chat<When extends 'now' | 'later' = 'later'> = {
  readonly conversation: ConversationId
  /** How people address the bot; empty where nobody else is. */
  readonly mention: string
  /** Gives the message's id once the platform, or the client, has taken it; the fleet may not have it yet. */
  say(who: string, text: string, how?: Saying): Given<When, string>
  /** Presses a button that the message may not show. */
  forge(who: string, message: string, data: string): Pick<Press, 'notice'>
  /** The messages, oldest first. */
  seen(): Given<When, readonly Seen[]>
  /** What is shown of a reply that is being written. */
  growing(): Given<When, string | undefined>
  /** The platform brings its last event again. Absent where nothing is brought twice. */
  repeat?(): Given<When, void>
  /** The next message is shown, but the bot does not hear of it. Absent where nothing is sent. */
  loseAnswer?(): void
  edit?(who: string, message: string, text: string): void
  react?(who: string, message: string, emoji: string): void
}

/** What the driver of a simulated platform makes. */
export type DrivenChat = Required<Omit<Chat<'now'>, 'forge'>> & {
  forge(who: string, message: string, data: string): Press
  /** A command from the platform's own menu, such as `config`, and what follows it. */
  command(who: string, name: string, args?: string): void
  /** When the bot last showed that it is writing. */
  typingAtMs(): number | undefined
  /** The platform refuses the bot's next edit here and asks it to wait. */
  askToWait(seconds: number): void
  /** The bot's requests about this chat, and all that the platform counts as made while it had to wait. */
  requests(): readonly BotRequest[]
  /** A part of a group with a conversation of its own. */
  openThread(who: string, name: string): SimulatedChat
  /** Resolves once `find` gives something. */
  until<T>(find: () => T | undefined, timeoutMs?: number): Promise<T>
}

/** A chat on a simulated platform. */
export type SimulatedChat = DrivenChat & {
  /** Presses a button that the message shows; throws when it does not. */
  press(who: string, message: string, label: string): Press
  /** Says it to the bot. */
  ask(who: string, text: string, how?: Saying): string
  /** Says it to the bot, and waits for its answer. */
  answerTo(who: string, text: string, how?: Saying): Promise<Seen>
  /** The bot's messages, oldest first. */
  said(): readonly Seen[]
  /** Throws when the message is gone. */
  find(message: string): Seen
  /** Waits for the bot's answer: a reply to the message, or whatever comes after it where nobody else is. */
  replyTo(message: string): Promise<Seen>
  /** Waits until the message is so. */
  when(message: string, isSo: (one: Seen) => boolean): Promise<Seen>
  /** Waits for the bot's newest message that contains a text. */
  hear(part: string, timeoutMs?: number): Promise<Seen>
}

export type BotRequest = {
  readonly n: number
  readonly at: number
  /** How long the platform asked the bot to wait. */
  readonly waitMs: number | undefined
  /** Whether the platform counts it as made while the bot had to wait. */
  readonly isDuringWait: boolean
}

export type GroupInput = {
  /** Who adds the bot. */
  readonly by: string
  readonly title?: string | undefined
  readonly admins?: readonly string[] | undefined
  /** Where a platform has groups with threads and groups without. */
  readonly hasThreads?: boolean | undefined
  /** Where a platform lets bots be administrators. */
  readonly isBotAdmin?: boolean | undefined
}

/** A simulated platform with its people, its groups and their direct chats with the bot. */
export type ChatPlatform = AsyncDisposable & {
  readonly name: Channel
  /** The settings by which a fleet reaches it. */
  readonly env: Readonly<Record<string, string>>
  /** The longest text a message may have. */
  readonly maxChars: number
  /** Whether an answer somewhat longer than that still is one message, since it holds a table. */
  readonly takesTables: boolean
  /** Whether a command from the menu is shown as a message of the bot's. */
  readonly echoesCommands: boolean
  /** Whether a bot is told which message of a thread somebody replies to. */
  readonly tellsRepliesInThreads: boolean
  principal(who: string): PrincipalId
  /** Resolves once a bot is there, and another time when it has come anew: of what was said before, it may hear nothing. */
  connected(): Promise<void>
  direct(who: string): SimulatedChat
  group(input: GroupInput): SimulatedChat
}

/** Adds what follows from a driver's own verbs. */
export function toSimulatedChat(chat: DrivenChat): SimulatedChat {
  const said = (): readonly Seen[] => chat.seen().filter(({ by }) => by === bot)
  const find = (message: string): Seen => {
    const found = chat.seen().find(({ id }) => id === message)
    if (!found) throw new Error(`Message ${message} is gone.`)
    return found
  }
  const ask: SimulatedChat['ask'] = (who, text, how) => chat.say(who, `${chat.mention} ${text}`.trim(), how)
  const replyTo = (message: string): Promise<Seen> =>
    chat.until(() => {
      if (chat.mention !== '') return said().find((one) => one.replyTo === message)
      const all = chat.seen()
      return all.slice(all.findIndex(({ id }) => id === message) + 1).find(({ by }) => by === bot)
    })
  return {
    ...chat,
    ask,
    answerTo: (who, text, how) => replyTo(ask(who, text, how)),
    press(who, message, label) {
      const button = find(message)
        .buttons.flat()
        .find((one) => one.label === label)
      if (!button) throw new Error(`Message ${message} shows no button ${label}.`)
      return chat.forge(who, message, button.data)
    },
    said,
    find,
    replyTo,
    when: (message, isSo) => chat.until(() => [find(message)].find(isSo)),
    hear: (part, timeoutMs) => chat.until(() => said().findLast(({ text }) => text.includes(part)), timeoutMs),
  }
}

/** The labels of a message's buttons, row by row. */
export function labels(one: Pick<Seen, 'buttons'> | undefined): readonly string[] {
  return one?.buttons.flat().map(({ label }) => label) ?? []
}
