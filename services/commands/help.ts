// /help: the commands that its sender can use where they ask, by topic; or one command, with its forms.
import type { Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Command, CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import { mayChange } from '#shared/feature/rights.ts'
import { say } from '#shared/feature/say.ts'
import { isAnswered, type AccessDeps } from './access-commands.ts'

export const helpCommand: CommandInfo = {
  name: 'help',
  help: { zh: '列出命令', en: 'list the commands' },
  more: {
    zh: '`/help` 列出你在这里能用的命令，`/help remind` 说明其中一个。',
    en: '`/help` lists the commands that you can use here, and `/help remind` tells about one of them.',
  },
  open: true,
  admins: 'may-ask',
}

export const createHelp = (deps: Pick<AccessDeps, 'mayTalk' | 'mayAnswer'>): Command => ({
  ...helpCommand,
  readsOnly: true,
  run: async (context) => {
    if (!(await isAnswered(deps, context.event))) return []
    if (context.args.trim() !== '') return helpWith(context)
    const isLetIn = await deps.mayTalk(context.event)
    return [{ kind: 'send', text: listAll(context, isLetIn) }]
  },
})

type Topic = 'everyday' | 'time' | 'chat' | 'owners'
const headings: Readonly<Record<Topic, Localised>> = {
  everyday: { zh: '日常', en: 'Every day' },
  time: { zh: '提醒和时间', en: 'Reminders and time' },
  chat: { zh: '这个聊天', en: 'This chat' },
  owners: { zh: '主人', en: 'Owners' },
}
const topics = ['everyday', 'time', 'chat', 'owners'] as const

function listAll({ commands, language: lang, ...sender }: CommandContext, isLetIn: boolean): string {
  const usable = commands.filter((command) => (isLetIn ? whyNot(command, sender) === undefined : command.open))
  const parts = topics.flatMap((topic) => {
    const found = usable.filter((command) => toTopic(command) === topic)
    const lines = found.map(({ name, help }) => `- /${name} — ${help[lang]}`)
    return lines.length > 0 ? [[`**${headings[topic][lang]}**`, ...lines].join('\n')] : []
  })
  const head = lang === 'zh' ? '直接写下你的问题或任务即可。命令：' : 'Just write what you need. Commands:'
  const foot =
    lang === 'zh' ? '`/help remind` 这样写，可以看其中一个的用法。' : '`/help remind` tells how to use one of them.'
  return [head, ...parts, foot].join('\n\n')
}

const toTopic = ({ only, topic }: CommandInfo): Topic => (only === 'owners' ? 'owners' : (topic ?? 'everyday'))

const notes = {
  owners: { zh: '只有主人可以用。', en: 'Only owners can use it.' },
  groups: { zh: '只用于群聊。', en: 'It is for groups.' },
  direct: { zh: '只用于和我的单独聊天。', en: 'It is for the direct chat with me.' },
  admins: { zh: '在群里只有主人和管理员可以用。', en: 'In a group only owners and admins can use it.' },
} satisfies Readonly<Record<string, Localised>>

/** What keeps somebody from using a command here; undefined where nothing does. */
function whyNot({ only, admins }: CommandInfo, sender: Pick<CommandContext, 'owner' | 'event'>): Localised | undefined {
  if (only === 'owners' && !sender.owner) return notes.owners
  if (only === 'groups' && !sender.event.group) return notes.groups
  if (only === 'direct' && sender.event.group) return notes.direct
  return admins === 'always' && !mayChange(sender.event.group, sender) ? notes.admins : undefined
}

/** Of one command alone. */
function helpWith({ args, commands, language: lang, ...sender }: CommandContext): readonly StepEffect<never>[] {
  const found = findCommand(commands, args)
  if (!found) return say(lang, '没有这个命令。/help 列出全部命令。', 'There is no such command. /help lists them all.')
  const further = [found.more, whyNot(found, sender)].flatMap((said) => (said ? [said[lang]] : []))
  return [{ kind: 'send', text: [`/${found.name} — ${found.help[lang]}`, ...further].join('\n\n') }]
}

function findCommand(commands: readonly CommandInfo[], typed: string): CommandInfo | undefined {
  const [wanted = ''] = typed.trim().replace(/^\//, '').toLowerCase().split(/\s/, 1)
  return commands.find(({ name }) => name === wanted)
}
