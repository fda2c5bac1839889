// What was spent today, and what may be, for /status.
import type { Amount, Spending } from '#services/commands/status.ts'
import { modelBudgets, type ModelBudget } from '#shared/model/model-port.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { BudgetScope, Spend } from '#queues/fleet/model-gate.ts'
import { findBudgets, findOwnBudget } from './spending.ts'
import type { Runtime } from './runtime.ts'

type Asked = { readonly conversation: ConversationId; readonly principal: PrincipalId; readonly owner: boolean }

/** What all spend, and what is done in the background, is for the bot's owners. */
export async function readSpending(
  runtime: Pick<Runtime, 'modelGate' | 'payer' | 'settings' | 'budgets'>,
  { conversation, principal, owner }: Asked,
): Promise<Spending> {
  const { modelGate, payer, settings } = runtime
  const [budgets, ownBudget] = await Promise.all([findBudgets(runtime), findOwnBudget(runtime, owner)])
  const limits = { ...budgets, person: ownBudget }
  const isPriced = Object.keys(settings.model.prices).length > 0
  const toAmount = ({ tokens, micros }: Spend, scope?: BudgetScope): Amount => {
    const limit = scope === undefined ? { tokens: 0, micros: 0 } : limits[scope]
    const money = isPriced ? { micros, ...(limit.micros > 0 ? { mostMicros: limit.micros } : {}) } : {}
    return { tokens, ...(limit.tokens > 0 ? { mostTokens: limit.tokens } : {}), ...money }
  }
  const who = { conversation, principal }
  const toBackground = async (budget: ModelBudget) => {
    const { calls, ...spend } = (await modelGate.spent(payer({ ...who, budget }))).work
    return { budget, amount: toAmount(spend), calls }
  }
  const [spent, ...background] = await Promise.all([
    modelGate.spent(payer(who)),
    ...(owner ? modelBudgets.map(toBackground) : []),
  ])
  const own = { person: toAmount(spent.person, 'person'), chat: toAmount(spent.chat, 'chat') }
  return owner ? { ...own, total: toAmount(spent.total, 'total'), background } : own
}
