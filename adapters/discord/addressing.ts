// Who a message is for, and its text as people see it: mentions become names, the bot's own goes.
import type { SlashCommand } from '#shared/chat/event.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'
import type { DcMessage, DcUser } from './payloads.ts'

export type BotIdentity = { readonly id: string; readonly username: string }

export function addressedBy(one: Pick<DcMessage, 'content'>, bot: BotIdentity): boolean {
  return toMentions(one.content).some((id) => id === bot.id)
}

/** The text without mentions of the bot, other people's by name. */
export function toSaid(one: Pick<DcMessage, 'content' | 'mentions'>, bot: BotIdentity): string {
  const names = new Map(one.mentions.map((user) => [user.id, toName(user)]))
  return withoutBot(one.content, bot)
    .replaceAll(mention, (whole, id: string) => (names.has(id) ? `@${names.get(id)}` : whole))
    .replaceAll(/<a?(:\w{1,40}:)\d{1,20}>/g, '$1')
}

/** A command typed as text. Mentions in it become ids, since names decide nothing. */
export function toCommand(one: Pick<DcMessage, 'content'>, bot: BotIdentity): SlashCommand | undefined {
  return parseCommand(withoutBot(one.content, bot).replaceAll(mention, 'discord:$1'))
}

export function toName(user: DcUser, nick?: string | null): string {
  return (nick || user.global_name || user.username).toWellFormed().slice(0, 64)
}

const mention = /<@!?(\d{1,20})>/g

function toMentions(text: string): string[] {
  return [...text.matchAll(mention)].map(([, id = '']) => id)
}

function withoutBot(text: string, bot: BotIdentity): string {
  return text
    .replaceAll(new RegExp(`(?<![^\\S\\n])[^\\S\\n]*<@!?${bot.id}>[^\\S\\n]*`, 'g'), (_, at: number) =>
      at === 0 ? '' : ' ',
    )
    .trim()
}
