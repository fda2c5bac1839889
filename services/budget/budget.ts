// /budget: what a person, a chat and all may use in a day. An owner changes it for the whole fleet at once, or lets the settings hold again.
// Whoever is near the end of their own is told so once a day.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { Capability } from '#shared/feature/capability.ts'
import type { CommandContext, CommandInfo, EndedTurn, Feature } from '#shared/feature/feature.ts'
import { say } from '#shared/feature/say.ts'
import { readAmount } from './read-amount.ts'

export const budgetScopes = ['person', 'chat', 'total'] as const
export type BudgetScope = (typeof budgetScopes)[number]
export type BudgetUnit = 'tokens' | 'micros'

/** Of a day, 0 for none. Money is in whole micro-dollars. */
export type Budget = Readonly<Record<BudgetUnit, number>> & {
  /** An owner set it in a chat. */
  readonly isSet: boolean
}

/** What was spent of the day's budgets, and what they are. */
export type BudgetDeps = {
  findBudgets(): Promise<Readonly<Record<BudgetScope, Budget>>>
  setBudget(scope: BudgetScope, unit: BudgetUnit, most: number): Promise<void>
  /** Those of the settings hold again. */
  resetBudgets(): Promise<void>
  /** Whether money is counted. */
  readonly isPriced: boolean
  /** What somebody used of their budget today, where that is nearly all and they have not been told; it counts as told then. */
  findNearlyUsed(turn: NamedTurn): Promise<NearlyUsed | undefined>
}
/** In tokens or money, whichever is nearer its end. */
export type NearlyUsed = { readonly unit: BudgetUnit; readonly used: number; readonly most: number }
type NamedTurn = { readonly conversation: ConversationId; readonly principal: PrincipalId; readonly turn: string }

const usage: Localised = {
  zh: '主人用 `/budget person 300000` 设定每个人每天的 token 数，`/budget chat 2m` 设定每个聊天的，`/budget total none` 取消总量；有价格时也可以写钱，例如 `/budget total $20`。立即对所有聊天生效，不用重启。`/budget reset` 恢复设置里的数值。',
  en: 'An owner sets how many tokens a day each person may use with `/budget person 300000`, each chat with `/budget chat 2m`, and lifts the limit of all together with `/budget total none`. Where prices are known, money works too: `/budget total $20`. It holds in every chat at once, without a restart. `/budget reset` goes back to the settings.',
}

const command: CommandInfo = {
  name: 'budget',
  help: {
    zh: '每天可以用多少；主人可以更改',
    en: 'how much may be used in a day; owners can change it',
  },
  more: usage,
  topic: 'chat',
}

export const budgetCapability: Capability<{ readonly budgets: BudgetDeps }> = {
  commands: [command],
  create: ({ budgets }) => createBudget(budgets),
}

export const createBudget = (deps: BudgetDeps): Feature => ({
  name: 'budget',
  commands: [{ ...command, run: (context) => run(deps, context) }],
  ended: (turn) => tell(deps, turn),
})

const scopeWords: Readonly<Record<string, BudgetScope>> = {
  person: 'person',
  user: 'person',
  个人: 'person',
  每人: 'person',
  chat: 'chat',
  聊天: 'chat',
  total: 'total',
  all: 'total',
  总量: 'total',
  全部: 'total',
}

async function run(deps: BudgetDeps, { args, language, owner }: CommandContext): Promise<readonly StepEffect<never>[]> {
  const [word = '', ...rest] = args.trim().toLowerCase().split(/\s+/)
  if (word === '') return [{ kind: 'send', text: await list(deps, language) }]
  if (!owner) return say(language, '只有主人可以更改。', 'Only an owner can change that.')
  if (word === 'reset' || word === '恢复') {
    await deps.resetBudgets()
    return [{ kind: 'send', text: await list(deps, language) }]
  }
  const scope = Object.hasOwn(scopeWords, word) ? scopeWords[word] : undefined
  const amount = readAmount(rest.join(''))
  if (!scope || !amount) return [{ kind: 'send', text: usage[language] }]
  if (amount.unit === 'micros' && !deps.isPriced) {
    const en = 'I do not know what the model costs: FLOTILLA_MODEL_PRICES names no price. Use tokens.'
    return say(language, '我不知道模型的价格：FLOTILLA_MODEL_PRICES 里没有。请用 token 数。', en)
  }
  for (const unit of amount.unit === 'none' ? (['tokens', 'micros'] as const) : [amount.unit]) {
    await deps.setBudget(scope, unit, amount.most)
  }
  return [{ kind: 'send', text: await list(deps, language) }]
}

const titles: Readonly<Record<BudgetScope, Localised>> = {
  person: { zh: '每个人', en: 'Each person' },
  chat: { zh: '每个聊天', en: 'Each chat' },
  total: { zh: '所有人合计', en: 'Everybody together' },
}

async function list(deps: BudgetDeps, language: 'zh' | 'en'): Promise<string> {
  const budgets = await deps.findBudgets()
  const zh = language === 'zh'
  const lines = budgetScopes.map((scope) => {
    const { tokens, micros, isSet } = budgets[scope]
    const parts = [
      ...(tokens > 0 ? [`${tokens} ${zh ? 'token' : 'tokens'}`] : []),
      ...(micros > 0 ? [`$${micros / 1_000_000}`] : []),
    ]
    const most = parts.join(zh ? '、' : ', ') || (zh ? '不限' : 'no limit')
    const from = isSet ? (zh ? '（主人用 /budget 设定）' : ' (set by an owner with /budget)') : ''
    return `- ${titles[scope][language]}${zh ? '：' : ': '}${most}${from}`
  })
  return [zh ? '每天可以用：' : 'A day’s budget:', ...lines, '', usage[language]].join('\n')
}

/** Cents, and less where it is little. */
const toMoney = (micros: number): string =>
  micros >= 1_000_000 || micros % 10_000 === 0
    ? `$${(micros / 1_000_000).toFixed(2)}`
    : `$${(micros / 1_000_000).toPrecision(2)}`

async function tell(deps: BudgetDeps, turn: EndedTurn): Promise<readonly StepEffect<never>[]> {
  if (turn.tokens === 0) return []
  const near = await deps.findNearlyUsed(turn)
  if (!near) return []
  const { unit, used, most } = near
  const percent = Math.min(100, Math.floor((used / most) * 100))
  const [spent, whole] = unit === 'micros' ? [toMoney(used), toMoney(most)] : [`${used}`, `${most}`]
  const [token, tokens] = unit === 'micros' ? ['', ''] : [' token', ' tokens']
  return say(
    turn.language,
    `你今天已经用了 ${percent} % 的额度（${spent} / ${whole}${token}）。剩下的还够几个问题，明天重新计算。主人可以用 /budget 提高。`,
    `You have used ${percent} % of your budget for today (${spent} of ${whole}${tokens}). What is left is enough for a few questions, and tomorrow it starts again. An owner can raise it with /budget.`,
  )
}
