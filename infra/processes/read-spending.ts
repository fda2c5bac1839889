// What was spent today, and what may be, for /status.
import type { Amount, Spending } from '#services/commands/status.ts'
import { modelBudgets } from '#shared/model/model-port.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { BudgetScope, Spend } from '#queues/fleet/model-gate.ts'
import type { Runtime } from './runtime.ts'

type Asked = { readonly conversation: ConversationId; readonly principal: PrincipalId; readonly owner: boolean }

/** What all spend, and what is done in the background, is for the bot's owners. */
export async function readSpending(
  { modelGate, payer, settings }: Pick<Runtime, 'modelGate' | 'payer' | 'settings'>,
  { conversation, principal, owner }: Asked,
): Promise<Spending> {
  const isPriced = Object.keys(settings.model.prices).length > 0
  const toAmount = ({ tokens, micros }: Spend, scope?: BudgetScope): Amount => {
    const limit = scope === undefined ? { tokens: 0, usd: undefined } : settings.daily[scope]
    const money = isPriced ? { micros, ...(limit.usd === undefined ? {} : { mostMicros: toMicros(limit.usd) }) } : {}
    return { tokens, ...(limit.tokens > 0 ? { mostTokens: limit.tokens } : {}), ...money }
  }
  const who = { conversation, principal }
  const [spent, ...work] = await Promise.all([
    modelGate.spent(payer(who)),
    ...(owner ? modelBudgets.map((budget) => modelGate.spent(payer({ ...who, budget }))) : []),
  ])
  const own = { person: toAmount(spent.person, 'person'), chat: toAmount(spent.chat, 'chat') }
  if (!owner) return own
  const background = work.map((one) => one.work)
  return {
    ...own,
    total: toAmount(spent.total, 'total'),
    background: toAmount({ tokens: sum(background, 'tokens'), micros: sum(background, 'micros') }),
  }
}

const toMicros = (usd: number): number => Math.round(usd * 1_000_000)
const sum = (all: readonly Spend[], what: keyof Spend): number => all.reduce((before, one) => before + one[what], 0)
