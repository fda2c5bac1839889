// /start and /allow: who may talk. The holder of the one-time code becomes an owner; owners admit people and chats.
import type { Effect } from '#shared/feature/effect.ts'
import type { Command, CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import type { Access } from '#shared/feature/ports.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import type { Language } from '#shared/chat/message.ts'
import { principalId, toChat, type PrincipalId } from '#shared/chat/conversation.ts'
import { say } from '#shared/feature/say.ts'

export type AccessDeps = Pick<
  Access,
  'claimOwner' | 'isCodeOpen' | 'admit' | 'dismiss' | 'dismissOwner' | 'mayTalk' | 'mayAnswer'
>

export const startCommand: CommandInfo = {
  name: 'start',
  help: { zh: '打个招呼；/start <代码> 成为主人', en: 'say hello; /start <code> makes you the owner' },
  more: {
    zh: '`/start` 打个招呼。启动时会显示一次性代码：在私聊里发送 `/start <代码>` 的人成为主人，例如 `/start k7qwm3zpx9ab`。',
    en: '`/start` says hello. A one-time code is shown when I am started: whoever sends it in a direct chat, such as `/start k7qwm3zpx9ab`, becomes the owner.',
  },
  open: true,
}
export const allowCommand: CommandInfo = {
  name: 'allow',
  help: {
    zh: '放行一个人，或这个群、服务器（/allow here）',
    en: 'let in a person, or this group or server (/allow here)',
  },
  more: {
    zh: '`/allow here` 放行这个群或服务器。回复某人的消息发送 `/allow`，或写编号，例如 `/allow 12345`，放行那个人。`/allow -here` 和 `/allow -12345` 撤销。',
    en: '`/allow here` lets this group or server in. `/allow` as a reply, or with a number such as `/allow 12345`, lets that person in. `/allow -here` and `/allow -12345` take it back.',
  },
  only: 'owners',
}

export function createAccessCommands(deps: AccessDeps): readonly Command[] {
  return [
    { ...startCommand, run: (context) => start(deps, context) },
    { ...allowCommand, run: (context) => allow(deps, context) },
  ]
}

/** What somebody hears who is not let in; of the one-time code only while it can make an owner. */
export async function greetStranger(
  { isCodeOpen }: Pick<AccessDeps, 'isCodeOpen'>,
  stranger: PrincipalId,
  language: Language,
): Promise<string> {
  const zh = language === 'zh'
  const greeting = zh
    ? `你好！我还不认识你。请让我的主人用 /allow ${stranger} 放行。`
    : `Hello! I do not know you yet. Ask my owner to send /allow ${stranger}.`
  if (!(await isCodeOpen())) return greeting
  return zh
    ? `${greeting}如果你就是主人，用启动时显示的代码发送 /start <代码>。`
    : `${greeting} If that is you, send /start <code> with the code shown when I was started.`
}

/** Whether a command that is open to all is answered: to strangers only so often. */
export async function isAnswered(
  deps: Pick<AccessDeps, 'mayTalk' | 'mayAnswer'>,
  event: MessageEvent,
): Promise<boolean> {
  return (await deps.mayTalk(event)) || deps.mayAnswer(event.principal)
}

/** What stands behind /start where the bot's own link was followed. */
const byLink = 'hello'

async function start(
  deps: AccessDeps,
  { args, principal, event, language, owner }: CommandContext,
): Promise<readonly Effect[]> {
  const code = args.trim() === byLink ? '' : args.trim()
  if (code !== '' && !owner) {
    if (event.group) return say(language, '请在私聊里使用代码。', 'Please use the code in a direct chat.')
    if (await deps.claimOwner(principal, code)) {
      return say(
        language,
        '你现在是这个机器人的主人了。用 /allow 放行其他人，/help 查看命令。',
        'You are now the owner of this bot. Let others in with /allow; /help lists the commands.',
      )
    }
    if (!(await isAnswered(deps, event))) return []
    return say(language, '这个代码无效或已被使用。', 'That code is wrong or was used already.')
  }
  if (!(await deps.mayTalk(event))) {
    if (!deps.mayAnswer(principal)) return []
    return [{ kind: 'send', text: await greetStranger(deps, principal, language) }]
  }
  return say(
    language,
    '你好！写下你的问题或任务；/help 列出命令。',
    'Hello! Tell me what you need; /help lists the commands.',
  )
}

async function allow(
  deps: AccessDeps,
  { args, principal, conversation, event, language, owner }: CommandContext,
): Promise<readonly Effect[]> {
  if (!owner) return say(language, '只有主人可以放行。', 'Only an owner can let people in.')
  const wanted = args.trim()
  if (wanted === 'here') {
    await deps.admit('chat', event.server ?? toChat(conversation), principal)
    return event.server === undefined
      ? say(language, '这个聊天已放行。', 'This chat is let in.')
      : say(language, '这个服务器已放行。', 'This server is let in, with all its channels.')
  }
  if (wanted === '-here') {
    // Either may have let it in.
    for (const id of new Set([toChat(conversation), event.server ?? toChat(conversation)]))
      await deps.dismiss('chat', id)
    return event.server === undefined
      ? say(language, '这个聊天不再放行。', 'This chat is no longer let in.')
      : say(language, '这个服务器不再放行。', 'This server is no longer let in.')
  }
  const remove = wanted.startsWith('-')
  const named = wanted.replace(/^-/, '').trim() || event.replyTo?.principal
  const channel = conversation.split(':')[0] ?? ''
  const id = named && /^\d+$/.test(named) ? `${channel}:${named}` : named
  if (!id || !principalId.safeParse(id).success) {
    return say(
      language,
      '用法：/allow <编号>，或回复那个人的消息，或在群里 /allow here；/allow -<编号> 或 /allow -here 撤销。',
      'Use /allow <id>, or reply to the person, or /allow here in a group; /allow -<id> or -here takes it back.',
    )
  }
  if (remove) {
    if (id === principal)
      return say(language, '你不能撤销自己；请另一位主人来做。', 'You cannot remove yourself; another owner can.')
    const outcome = await deps.dismissOwner(id)
    if (outcome === 'last') return say(language, `${id} 是唯一的主人，不能撤销。`, `${id} is the only owner and stays.`)
    if (outcome === 'configured') {
      return say(
        language,
        `${id} 由设置成为主人（FLOTILLA_OWNERS，或网页和终端本身），不能在这里撤销。`,
        `${id} is an owner by the settings (FLOTILLA_OWNERS, or the web page and the terminal themselves); that cannot be taken back here.`,
      )
    }
    await deps.dismiss('person', id)
    return outcome === 'gone'
      ? say(language, `${id} 不再是主人，也不再被放行。`, `${id} is no longer an owner and may no longer talk to me.`)
      : say(language, `已撤销 ${id}。`, `${id} may no longer talk to me.`)
  }
  await deps.admit('person', id, principal)
  return say(language, `已放行 ${id}。`, `${id} may talk to me now.`)
}
