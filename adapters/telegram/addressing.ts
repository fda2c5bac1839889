// Who a message is for: mentions of the bot, and commands with or without its name. Offsets come from outside and count UTF-16 units;
// each is compared with the text it points at before it is believed.
import type { SlashCommand } from '#shared/chat/event.ts'
import type { Content } from './content.ts'
import type { TgEntity } from './updates.ts'

export type BotIdentity = { readonly id: number; readonly username: string }

/** A text with its marks, wherever in a message it stands. */
type Said = Pick<Content, 'text' | 'entities'>

/** The bot is mentioned, or the command names it. A bare command in a group is for every bot there. */
export function addressedBy(one: Said, bot: BotIdentity): boolean {
  const { text, entities } = one
  return entities.some((entity) => isMention(text, entity, bot) || namesBot(text, entity, bot))
}

/** The text without the bot's mentions. */
export function withoutMention(one: Said, bot: BotIdentity): string {
  const { text, entities } = one
  const mentions = entities.filter((entity) => isMention(text, entity, bot)).toSorted((a, b) => b.offset - a.offset)
  return mentions
    .reduce((rest, { offset, length }) => {
      const before = rest.slice(0, offset)
      const after = rest.slice(offset + length)
      return before === '' || before.endsWith('\n') ? after.trimStart() : before.trimEnd() + after
    }, text)
    .trim()
}

/** A command at the very beginning, or after the bot's own name as people write it to bots elsewhere. `other-bot` when it names another. */
export function toCommand(one: Said, bot: BotIdentity): SlashCommand | 'other-bot' | undefined {
  const { text, entities } = one
  const called = entities.find((entity) => entity.offset === 0 && isMention(text, entity, bot))
  const start = called === undefined ? 0 : text.length - text.slice(called.length).trimStart().length
  const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === start)
  if (!entity) return undefined
  const end = start + entity.length
  const [word = '', named] = text.slice(start + 1, end).split('@')
  const name = word.toLowerCase()
  if (text.charAt(start) !== '/' || !/^[a-z][a-z0-9_]{0,31}$/.test(name)) return undefined
  if (named !== undefined && named.toLowerCase() !== bot.username.toLowerCase()) return 'other-bot'
  return { name, args: text.slice(end).trim() }
}

function isMention(text: string, entity: TgEntity, bot: BotIdentity): boolean {
  if (entity.offset + entity.length > text.length) return false
  if (entity.type === 'text_mention') return entity.user?.id === bot.id
  const part = text.slice(entity.offset, entity.offset + entity.length)
  return entity.type === 'mention' && part.toLowerCase() === `@${bot.username.toLowerCase()}`
}

function namesBot(text: string, { type, offset, length }: TgEntity, bot: BotIdentity): boolean {
  const part = text.slice(offset, offset + length).toLowerCase()
  return type === 'bot_command' && offset === 0 && part.endsWith(`@${bot.username.toLowerCase()}`)
}
