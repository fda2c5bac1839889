// The slash commands every conversation has. Each returns what is to be done; the executor does it.
import type { Effect } from '#shared/feature/effect.ts'
import type { Command, CommandContext, ConversationView, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import { createAccessCommands, isAnswered, type AccessDeps } from './access-commands.ts'
import { exportHistory } from './export-history.ts'
import { forget } from './forget.ts'
import { describeRoom } from './describe-room.ts'

export type CommandsDeps = AccessDeps & {
  now(): number
  /** Name of the model, for /status. */
  readonly modelName: string
  /** What tools take of the model's window. */
  room(): ToolRoom
  /** Spent and allowed tokens of today, for the person and the chat. */
  spending(context: CommandContext): Promise<{ readonly person: Amount; readonly chat: Amount }>
}
export type Amount = { readonly tokens: number; readonly limit: number }

export function createCommands(deps: CommandsDeps): Feature {
  return {
    name: 'commands',
    commands: [help(deps), ...createAccessCommands(deps), status(deps), stop, fresh, retry, forget, exportHistory],
  }
}

function help(deps: AccessDeps): Command {
  return {
    name: 'help',
    help: { zh: '列出命令', en: 'list the commands' },
    open: true,
    readsOnly: true,
    run: async ({ language: lang, event, commands }) => {
      if (!(await isAnswered(deps, event))) return []
      const lines = commands.map((command) => `/${command.name} — ${command.help[lang]}`)
      const head = lang === 'zh' ? '直接写下你的问题或任务即可。命令：' : 'Just write what you need. Commands:'
      return [{ kind: 'send', text: [head, '', ...lines.map((line) => `- ${line}`)].join('\n') }]
    },
  }
}

function status(deps: CommandsDeps): Command {
  return {
    name: 'status',
    help: { zh: '会话、进度和用量', en: 'session, progress and usage' },
    readsOnly: true,
    run: async (context) => {
      const { state, language: lang } = context
      const spent = await deps.spending(context)
      const zh = lang === 'zh'
      const seconds = state.busy ? Math.round((deps.now() - state.busy.sinceMs) / 1000) : 0
      const doing = state.busy
        ? zh
          ? `正在处理（${seconds} 秒）；/stop 可以停止`
          : `working for ${seconds} s; /stop ends it`
        : zh
          ? '空闲'
          : 'idle'
      const amount = ({ tokens, limit }: Amount): string => (limit > 0 ? `${tokens} / ${limit}` : String(tokens))
      const { fellOut, summed } = state
      const lines = zh
        ? [
            `状态：${doing}`,
            `会话：${state.sessionId}，${state.exchanges} 轮`,
            ...(summed > 0 ? [`更早的 ${summed} 条消息我已整理成摘要，原话还能搜到`] : []),
            ...(fellOut > 0 ? [`更早的 ${fellOut} 条消息已放不下，我不再记得`] : []),
            `模型：${deps.modelName}；${describeRoom(deps.room(), 'zh')}`,
            `今天你用了 ${amount(spent.person)} 令牌，本聊天 ${amount(spent.chat)}`,
          ]
        : [
            `Now: ${doing}`,
            `Session: ${state.sessionId}, ${state.exchanges} ${state.exchanges === 1 ? 'exchange' : 'exchanges'}`,
            ...(summed > 0
              ? [`Earlier messages that I keep as a summary, and can search word for word: ${summed}`]
              : []),
            ...(fellOut > 0 ? [`Earlier messages that no longer fit, so that I no longer know them: ${fellOut}`] : []),
            `Model: ${deps.modelName}; ${describeRoom(deps.room(), 'en')}`,
            `Today: you ${amount(spent.person)} tokens, this chat ${amount(spent.chat)}`,
          ]
      return [{ kind: 'send', text: lines.map((line) => `- ${line}`).join('\n') }]
    },
  }
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
      : say(lang, '还没有可以重做的问题。', 'There is nothing to do again yet.'),
}
