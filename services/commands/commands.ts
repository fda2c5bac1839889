// The slash commands every conversation has. Each returns what is to be done; the executor does it.
import type { Effect } from '#shared/feature/effect.ts'
import type { Command, CommandContext, CommandInfo, ConversationView, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { allowCommand, createAccessCommands, startCommand, type AccessDeps } from './access-commands.ts'
import { exportHistory } from './export-history.ts'
import { createHelp, helpCommand } from './help.ts'
import { createStatus, statusCommand, type StatusDeps } from './status.ts'

export type CommandsDeps = AccessDeps &
  StatusDeps & {
    /** Says which tasks go on where somebody says stop. */
    tellTasks(context: CommandContext): Promise<readonly Effect[]>
  }

export function createCommands(deps: CommandsDeps): Feature {
  return {
    name: 'commands',
    commands: [
      createHelp(deps),
      ...createAccessCommands(deps),
      createStatus(deps),
      { ...stop, run: async (context) => [...(await stop.run(context)), ...(await deps.tellTasks(context))] },
      fresh,
      retry,
      exportHistory,
    ],
  }
}

const stop: Command = {
  name: 'stop',
  help: { zh: '停止正在进行的工作', en: 'stop what is running' },
  more: {
    zh: '`/stop` 停止你自己的工作；在群里由主人或管理员发出时，停止所有人的。',
    en: '`/stop` ends your own work. Sent in a group by an owner or an administrator, it ends the work for everybody.',
  },
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
  more: {
    zh: '`/new` 开始新会话：之前说过的不再带入，还开着的问题也会取消。',
    en: '`/new` begins a new session: what was said before is left out, and open questions are called off.',
  },
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
  more: {
    zh: '`/retry` 再回答一次这里的上一个问题。',
    en: '`/retry` answers the last question of this chat once more.',
  },
  run: async ({ language: lang, state }) =>
    state.lastText
      ? [...toRedone(state), { kind: 'turn', text: state.lastText }]
      : say(lang, '这里没有可以重做的问题。', 'There is no question here to answer again.'),
}

/** What is known of them before they are made. */
export const commandInfos: readonly CommandInfo[] = [
  helpCommand,
  startCommand,
  allowCommand,
  statusCommand,
  stop,
  fresh,
  retry,
  exportHistory,
]
