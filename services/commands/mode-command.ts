// /mode: when the bot answers in a group.
import { replyModes, toChat, type ReplyMode } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { Command, CommandContext, Effect } from '#shared/feature.ts'
import { mayChange, sayNotAllowed } from './group-rights.ts'
import type { MenuItem } from './menus.ts'
import { say } from './say.ts'

export type ModeDeps = {
  findMode(chat: string): Promise<ReplyMode>
  setMode(chat: string, mode: ReplyMode): Promise<void>
}

const meanings: Readonly<Record<ReplyMode, Localised>> = {
  mention: {
    zh: '只在被提到、被回复或收到命令时回答；其他消息不记录。',
    en: 'I answer when mentioned, replied to or commanded; I keep nothing else that is said here.',
  },
  always: { zh: '每条消息都回答，也会记住。', en: 'I answer every message here, and remember it.' },
  observe: {
    zh: '只阅读和记住，除命令外不回答。',
    en: 'I only read and remember what is said here, and answer nothing but commands.',
  },
}

const words: Readonly<Record<ReplyMode, Localised>> = {
  mention: { zh: '被提到时', en: 'when mentioned' },
  always: { zh: '总是', en: 'always' },
  observe: { zh: '只阅读', en: 'read only' },
}

/** The same setting as buttons of /config, in groups. */
export function createModeItem(deps: ModeDeps): MenuItem {
  return {
    id: 'mode',
    label: { zh: '群里何时回答', en: 'When I answer here' },
    isFor: ({ group }) => group,
    holds: ({ conversation }) => deps.findMode(toChat(conversation)),
    choices: replyModes.map((id) => ({ id, label: words[id] })),
    async choose(choice, { event }) {
      const wanted = replyModes.find((known) => known === choice)
      if (wanted) await deps.setMode(toChat(event.conversation), wanted)
    },
  }
}

export function createModeCommand(deps: ModeDeps): Command {
  return {
    name: 'mode',
    help: {
      zh: '群里什么时候回答：mention、always 或 observe',
      en: 'when to answer in this group: mention, always or observe',
    },
    run: (context) => mode(deps, context),
  }
}

async function mode(deps: ModeDeps, context: CommandContext): Promise<readonly Effect[]> {
  const { args, conversation, event, language } = context
  if (!event.group) return say(language, '这个命令只用于群聊。', 'This command is for groups.')
  const chat = toChat(conversation)
  const word = args.trim().toLowerCase()
  if (word === '') {
    const now = await deps.findMode(chat)
    const meaning = meanings[now]
    return say(
      language,
      `当前：${now}。${meaning.zh}用 /mode ${replyModes.join('|')} 修改。`,
      `Now: ${now}. ${meaning.en} Change it with /mode ${replyModes.join('|')}.`,
    )
  }
  const wanted = replyModes.find((known) => known === word)
  if (!wanted) return say(language, `用法：/mode ${replyModes.join('|')}`, `Use /mode ${replyModes.join('|')}.`)
  if (!mayChange(event.group, context)) return sayNotAllowed(language)
  await deps.setMode(chat, wanted)
  return say(language, `${wanted}：${meanings[wanted].zh}`, `${wanted}: ${meanings[wanted].en}`)
}
