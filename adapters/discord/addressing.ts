// Who a message is for, and its text as people see it: mentions become names, the bot's own goes.
import type { SlashCommand } from '#shared/chat/event.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'
import type { DcMessage, DcUser } from './payloads.ts'
import { withReferences, type Names } from './references.ts'

export type BotIdentity = { readonly id: string; readonly username: string }
/** The bot, as it reads a message: with the names around it. */
export type Reader = BotIdentity & { readonly names: Names }

/** Its own role counts as its name: it is called the same, and people pick it from the list by mistake. */
export function addressedBy({ content }: Pick<DcMessage, 'content'>, { id, names }: Reader): boolean {
  return [...content.matchAll(mention)].some(([, sign, named = '']) =>
    sign === '&' ? names.isOwnRole(named) : named === id,
  )
}

/** The text without mentions of the bot, other people's by name. */
export function toSaid(one: Pick<DcMessage, 'content' | 'mentions'>, reader: Reader): string {
  const names = new Map(one.mentions.map((user) => [user.id, toName(user)]))
  const text = withoutBot(one.content, reader).replaceAll(
    person,
    (_, id: string) => `@${names.get(id) ?? `user-${id}`}`,
  )
  return withReferences(text, reader.names)
}

/** A command typed as text. Mentions in it become ids, since names decide nothing. */
export function toCommand(one: Pick<DcMessage, 'content'>, reader: Reader): SlashCommand | undefined {
  return parseCommand(withoutBot(one.content, reader).replaceAll(person, 'discord:$1'))
}

export function toName(user: DcUser, nick?: string | null): string {
  return (nick || user.global_name || user.username).toWellFormed().slice(0, 64)
}

const person = /<@!?(\d{1,20})>/g
/** Of a person or a role. */
const mention = /<@([!&]?)(\d{1,20})>/g

/** A mention of the bot becomes this sign, until it is taken out. No text holds it: control signs are cleaned away. */
const hole = '\u0000'

function withoutBot(text: string, { id, names }: Reader): string {
  return text
    .replaceAll(hole, '')
    .replaceAll(mention, (whole, sign: string, named: string) =>
      (sign === '&' ? names.isOwnRole(named) : named === id) ? hole : whole,
    )
    .replaceAll(/(?<![^\S\n])[^\S\n]*\u0000[^\S\n]*/g, (_, at: number) => (at === 0 ? '' : ' '))
    .trim()
}
