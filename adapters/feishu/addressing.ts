// Who a message is for, and its text as people see it: mentions become names, the bot's own goes.
import type { SlashCommand } from '#shared/chat/event.ts'
import { parseCommand } from '#shared/chat/parse-command.ts'
import { toContent, type Content, type Names } from './content.ts'
import type { FsMention, FsMessage } from './payloads.ts'

/** `id`: the bot's own open id. */
export type BotIdentity = { readonly id: string; readonly appId: string }

type Said = Pick<FsMessage['message'], 'message_type' | 'content' | 'mentions'>

export function addressedBy({ mentions }: Pick<Said, 'mentions'>, bot: BotIdentity): boolean {
  return mentions.some((one) => isBot(one, bot))
}

/** Whether it is for somebody who is named, and not for the bot. */
export function namesOthers(said: Pick<Said, 'mentions' | 'content'>, bot: BotIdentity): boolean {
  return !addressedBy(said, bot) && (said.mentions.length > 0 || said.content.includes('@_all'))
}

/** Without the mention of the bot; other people's by name. */
export function toSaid(said: Said, bot: BotIdentity): Content {
  return withoutBot(said, bot, ({ name }) => `@${name.toWellFormed().slice(0, 64)}`)
}

/** A command typed as text, behind the bot's name or not. Mentions in it become ids, since names decide nothing. */
export function toCommand(said: Said, bot: BotIdentity): SlashCommand | undefined {
  return parseCommand(withoutBot(said, bot, ({ id, name }) => (id.open_id ? `feishu:${id.open_id}` : `@${name}`)).text)
}

const isBot = ({ id }: FsMention, bot: BotIdentity): boolean => id.open_id === bot.id

/** What the bot's mention becomes, until it is taken out. It stands in no text: control signs are cleaned away. */
const hole = '\u0000'

function withoutBot(
  { message_type: type, content, mentions }: Said,
  bot: BotIdentity,
  toName: (one: FsMention) => string,
): Content {
  const known = new Map(mentions.map((one) => [one.key, one]))
  const names: Names = (key) => {
    const one = known.get(key)
    return one && (isBot(one, bot) ? hole : toName(one))
  }
  const { text, media } = toContent(type, content.replaceAll(hole, ''), names)
  const said = text.replaceAll(/(?<![^\S\n])[^\S\n]*\u0000[^\S\n]*/g, (_, at: number) => (at === 0 ? '' : ' '))
  return { text: said.trim(), media }
}
