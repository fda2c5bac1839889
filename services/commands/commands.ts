// The slash commands every conversation has. Each returns what is to be done; the executor does it.
import type { Effect } from '#shared/feature/effect.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Command, CommandInfo, ConversationView, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { createAccessCommands, isAnswered, type AccessDeps } from './access-commands.ts'
import { exportHistory } from './export-history.ts'
import { forget } from './forget.ts'
import { createStatus, type StatusDeps } from './status.ts'

export type CommandsDeps = AccessDeps & StatusDeps

export function createCommands(deps: CommandsDeps): Feature {
  return {
    name: 'commands',
    commands: [
      help(deps),
      ...createAccessCommands(deps),
      createStatus(deps),
      stop,
      fresh,
      retry,
      forget,
      exportHistory,
    ],
  }
}

function help(deps: AccessDeps): Command {
  return {
    name: 'help',
    help: { zh: '列出命令', en: 'list the commands' },
    open: true,
    readsOnly: true,
    run: async ({ language: lang, event, commands, args }) => {
      if (!(await isAnswered(deps, event))) return []
      if (args.trim() !== '') return helpWith(args, commands, lang)
      const lines = commands.map((command) => `/${command.name} — ${command.help[lang]}`)
      const head = lang === 'zh' ? '直接写下你的问题或任务即可。命令：' : 'Just write what you need. Commands:'
      const foot = lang === 'zh' ? '`/help <命令>` 说明其中一个。' : '`/help <command>` tells about one of them.'
      return [{ kind: 'send', text: [head, '', ...lines.map((line) => `- ${line}`), '', foot].join('\n') }]
    },
  }
}

/** Of one command alone. */
function helpWith(args: string, commands: readonly CommandInfo[], lang: Language): readonly Effect[] {
  const [wanted = ''] = args.trim().replace(/^\//, '').toLowerCase().split(/\s/, 1)
  const found = commands.find(({ name }) => name === wanted)
  if (!found) return say(lang, '没有这个命令。/help 列出全部命令。', 'There is no such command. /help lists them all.')
  const text = [`/${found.name} — ${found.help[lang]}`, ...(found.more ? [found.more[lang]] : [])].join('\n\n')
  return [{ kind: 'send', text }]
}

const stop: Command = {
  name: 'stop',
  help: { zh: '停止正在进行的工作', en: 'stop what is running' },
  // Everyone may stop their own turn; an administrator stops that of all.
  admins: 'may-ask',
  // A running turn was ended by the stop itself; only a stop with nothing to end arrives here.
  run: async ({ language: lang, principal }) => [
    { kind: 'cancel', which: { asker: principal } },
    ...say(lang, '现在没有正在进行的工作。', 'Nothing is running.'),
  ],
}

const fresh: Command = {
  name: 'new',
  help: { zh: '开始新会话', en: 'begin a new session' },
  admins: 'always',
  run: async ({ language: lang }) => [
    { kind: 'new-session' },
    ...say(lang, '新会话开始了，之前的对话不再带入。', 'A new session begins; the earlier conversation is left out.'),
  ],
}

/** That the last answer was asked for again. */
const toRedone = ({ lastAbout }: ConversationView): readonly Effect[] =>
  lastAbout.slice(-1).map((message) => ({ kind: 'feedback', what: 'redo', on: { message } }))

const retry: Command = {
  name: 'retry',
  help: { zh: '重做上一个问题', en: 'answer the last question again' },
  run: async ({ language: lang, state }) =>
    state.lastText
      ? [...toRedone(state), { kind: 'turn', text: state.lastText }]
      : say(lang, '这里没有可以重做的问题。', 'There is no question here to answer again.'),
}
