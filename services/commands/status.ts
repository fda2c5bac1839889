// /status: what goes on, and what was spent today, with what is left of it.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { Command, CommandContext, CommandInfo } from '#shared/feature/feature.ts'
import type { Clock } from '#shared/feature/ports.ts'
import type { ModelBudget, ModelRole, NamedModel } from '#shared/model/model-port.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import { describeRoom } from './describe-room.ts'

export type StatusDeps = Pick<Clock, 'now'> & {
  /** The main one first. */
  readonly models: readonly NamedModel[]
  /** What tools take of that model's window. */
  room(role: ModelRole): ToolRoom
  /** Of today. */
  spending(context: CommandContext): Promise<Spending>
  /** Whether an owner has the fleet do nothing by itself (`/quiet`). */
  isQuiet(): Promise<boolean>
  /** For owners, where the platform counts the calls of a month; undefined for everybody else. */
  platformCalls(context: CommandContext): Promise<PlatformCalls | undefined>
}
/** What the fleet asked of a platform in this month, of how much. */
export type PlatformCalls = {
  readonly platform: Localised
  readonly made: number
  readonly most: number
  /** So few are left that something is to be done, with the setting of this name. */
  readonly isNearlyOver: boolean
  readonly setting: string
}
/** `total` and what was spent in the background are for owners. */
export type Spending = {
  readonly person: Amount
  readonly chat: Amount
  readonly total?: Amount
  readonly background?: readonly BackgroundSpending[]
}
/** Part of `total`. `calls` are those that cost something. */
export type BackgroundSpending = { readonly budget: ModelBudget; readonly amount: Amount; readonly calls: number }
/** Without a limit none is told, and no money where no price is known. Money is in whole micro-dollars. */
export type Amount = {
  readonly tokens: number
  readonly mostTokens?: number
  readonly micros?: number
  readonly mostMicros?: number
}

export const statusCommand: CommandInfo = {
  name: 'status',
  help: { zh: '会话、进度和用量', en: 'session, progress and usage' },
  more: {
    zh: '`/status` 说明我正在做什么、会话有多长、今天用了多少、还剩多少。',
    en: '`/status` tells what I am doing, how long the session is, what was used today and what is left.',
  },
}

export function createStatus(deps: StatusDeps): Command {
  return {
    ...statusCommand,
    readsOnly: true,
    run: async (context) => {
      const { holds, language } = context
      const spent = await deps.spending(context)
      const role = await holds('model')
      const model = deps.models.find((one) => one.role === role) ?? deps.models[0]
      const modelLine = model
        ? `${model.name}${language === 'zh' ? '；' : '; '}${describeRoom(deps.room(model.role), language)}`
        : ''
      const quiet = (await deps.isQuiet()) ? [quietLine[language]] : []
      const calls = await deps.platformCalls(context)
      const lines = [
        ...toState(deps.now, modelLine, context),
        ...(context.owner ? toDiffering(model, language) : []),
        ...quiet,
        ...toSpent(spent, language),
        ...(calls ? [toCalls(calls, language)] : []),
      ]
      return [{ kind: 'send', text: lines.map((line) => `- ${line}`).join('\n') }]
    },
  }
}

/** For whoever runs the fleet: such a difference may be mended at the endpoint. */
function toDiffering(model: NamedModel | undefined, language: Language): string[] {
  const differs = model?.dialect?.() ?? []
  if (differs.length === 0) return []
  const head = language === 'zh' ? '模型服务与众不同之处（英文）：' : 'The model service: '
  return [`${head}${differs.join('; ')}`]
}

const quietLine: Localised = {
  zh: '主人用 /quiet on 让我什么都不自动做：提醒和期限都在等',
  en: 'Quiet: an owner has me do nothing by myself (/quiet), so reminders and deadlines wait',
}

function toState(now: () => number, model: string, { state, language }: CommandContext): string[] {
  const { busy, fellOut, summed, sessionId, exchanges } = state
  const seconds = busy ? Math.round((now() - busy.sinceMs) / 1000) : 0
  // What was summed up, or no longer fits, is none of the exchanges that are counted here.
  const isPart = summed + fellOut > 0
  if (language === 'zh')
    return [
      `状态：${busy ? `正在处理（${seconds} 秒）；/stop 可以停止` : '空闲'}`,
      `会话：${sessionId}，${isPart ? `最近 ${exchanges} 轮记得原话` : `${exchanges} 轮`}`,
      ...(summed > 0 ? [`更早的 ${summed} 条消息我已整理成摘要，原话还能搜到`] : []),
      ...(fellOut > 0 ? [`更早的 ${fellOut} 条消息已放不下，我不再记得`] : []),
      `模型：${model}`,
    ]
  const counted = `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  return [
    `Now: ${busy ? `working for ${seconds} s; /stop ends it` : 'idle'}`,
    `Session: ${sessionId}, ${isPart ? `word for word the last ${counted}` : counted}`,
    ...(summed > 0 ? [`Earlier messages that I keep as a summary, and can search word for word: ${summed}`] : []),
    ...(fellOut > 0 ? [`Earlier messages that no longer fit, so that I no longer know them: ${fellOut}`] : []),
    `Model: ${model}`,
  ]
}

const backgroundNames: Readonly<Record<ModelBudget, Localised>> = {
  compaction: { zh: '整理摘要', en: 'summaries' },
  reflection: { zh: '反思', en: 'reflection' },
  curiosity: { zh: '好奇心', en: 'curiosity' },
}

function toSpent({ person, chat, total, background = [] }: Spending, language: Language): string[] {
  const zh = language === 'zh'
  const line = (zhWho: string, enWho: string, amount: Amount): string =>
    `${zh ? `今天${zhWho}：` : `Today, ${enWho}: `}${toAmount(amount, language)}`
  return [
    line('你', 'you', person),
    line('本聊天', 'this chat', chat),
    ...(total ? [line('所有人', 'everybody', total)] : []),
    ...background.filter(({ amount }) => amount.tokens > 0).map((one) => toBackground(one, language)),
  ]
}

function toBackground({ budget, amount, calls }: BackgroundSpending, language: Language): string {
  const name = backgroundNames[budget][language]
  const spent = toAmount(amount, language)
  if (language === 'zh') return `今天其中后台（${name}）：${spent}；${calls} 次调用`
  return `Today, of that in the background (${name}): ${spent}; ${calls} ${calls === 1 ? 'call' : 'calls'}`
}

function toCalls({ platform, made, most, isNearlyOver, setting }: PlatformCalls, language: Language): string {
  const part = Math.round((made / most) * 100)
  const name = platform[language]
  if (language === 'zh') {
    const warning = `；用完后，${name}到下个月之前什么都不再接收，请看 ${setting}`
    return `本月${name}的调用：${made} / ${most}（${part} %）${isNearlyOver ? warning : ''}`
  }
  const warning = `; when they are used up, ${name} takes nothing more until the next month, see ${setting}`
  return `Calls of ${name} this month: ${made} of ${most} (${part} %)${isNearlyOver ? warning : ''}`
}

/** What was spent, of how much, and what is left. */
function toAmount({ tokens, mostTokens, micros, mostMicros }: Amount, language: Language): string {
  const zh = language === 'zh'
  const unit = zh ? ' token' : ' tokens'
  const toPart = (spent: number, most: number | undefined, show: (amount: number) => string, of = ''): string => {
    if (most === undefined) return `${show(spent)}${of}`
    const left = show(Math.max(0, most - spent))
    return zh
      ? `${show(spent)} / ${show(most)}${of}，还剩 ${left}`
      : `${show(spent)} of ${show(most)}${of}, ${left} left`
  }
  const spent = toPart(tokens, mostTokens, String, unit)
  return micros === undefined ? spent : `${spent}${zh ? '；' : '; '}${toPart(micros, mostMicros, toDollars)}`
}

/** Cents, and as many places more as little money needs. */
function toDollars(micros: number): string {
  const dollars = Math.trunc(micros / 1_000_000)
  const rest = String(micros % 1_000_000).padStart(6, '0')
  let places = rest.length
  while (places > 2 && rest[places - 1] === '0') places -= 1
  return `$${dollars}.${rest.slice(0, places)}`
}
