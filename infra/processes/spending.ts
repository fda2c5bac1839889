// What calls of the model are charged, and what budgets there are: those of the settings, or those that owners set in a chat.
import type { Settings } from '#infra/config/settings.ts'
import { createPricing, type Pricing } from '#infra/models/pricing.ts'
import { budgetUnits } from '#queues/fleet/budgets.ts'
import type { BudgetScope } from '#queues/fleet/model-gate.ts'
import type { Budget, BudgetDeps } from '#services/budget/budget.ts'
import type { ExecutorDeps, Spending } from '#services/executor/run/deps.ts'
import { modelOf, type ModelPort } from '#shared/model/model-port.ts'
import type { MoneyLimit } from '#shared/run/turn-limits.ts'
import { createOwnerCheck } from './find-rights.ts'
import type { Runtime } from './runtime.ts'

type Known = Pick<Runtime, 'settings' | 'budgets' | 'modelGate' | 'payer' | 'access'>

export function createSpending(runtime: Known, port: ModelPort): Pick<ExecutorDeps, 'reserve' | 'charge'> {
  const { settings, modelGate, payer } = runtime
  const pricing = createPricing(settings.model.prices)
  const isOwner = createOwnerCheck(runtime)
  const toMicros = withMain(port, pricing)
  const toSpend = (spent: Spending) => {
    const { name } = modelOf(port, spent.role)
    return { tokens: pricing.toTokens(name, spent), micros: toMicros(name, spent) ?? 0 }
  }
  return {
    async reserve(who, id, most) {
      const whose = payer({ ...who, isOwner: await isOwner(who.principal, who.conversation) })
      const answer = await modelGate.reserve(whose, id, toSpend(most))
      if (answer.kind === 'OK') return undefined
      // Owners alone are told how to raise it, and what they have no budget of needs no raising.
      const { scope } = answer
      const found = scope === 'person' ? findOwnBudget(runtime, true) : findBudgets(runtime).then((all) => all[scope])
      return toRaise(scope, await found)
    },
    charge: (who, id, spent) => modelGate.charge(payer(who), id, toSpend(spent)),
  }
}

/** Twice as much as it is. */
function toRaise(scope: BudgetScope, { tokens, micros }: Budget): string {
  const amounts = [...(tokens > 0 ? [String(tokens * 2)] : []), ...(micros > 0 ? [`$${(micros * 2) / 1_000_000}`] : [])]
  return amounts.map((amount) => `/budget ${scope} ${amount}`).join('` / `')
}

/** As they hold now; of a person, as they hold for one who is no owner. */
export async function findBudgets({
  settings,
  budgets,
}: Pick<Known, 'settings' | 'budgets'>): Promise<Readonly<Record<BudgetScope, Budget>>> {
  const set = await budgets.find()
  const of = (scope: BudgetScope): Budget => ({
    tokens: set[scope].tokens ?? settings.daily[scope].tokens,
    micros: set[scope].micros ?? toMicrosOf(settings.daily[scope].usd),
    isSet: Object.keys(set[scope]).length > 0,
  })
  return { person: of('person'), chat: of('chat'), total: of('total') }
}

/** Of an owner: none where the settings name none. */
export async function findOwnBudget(runtime: Pick<Known, 'settings' | 'budgets'>, isOwner: boolean): Promise<Budget> {
  const { person } = await findBudgets(runtime)
  if (!isOwner) return person
  const { tokens, usd } = runtime.settings.daily.owner
  return { ...person, tokens: tokens === 0 ? 0 : person.tokens, micros: usd === undefined ? 0 : person.micros }
}

const nearlyShare = 0.8

export function createBudgetDeps(runtime: Known): BudgetDeps {
  const { budgets, modelGate, payer, settings } = runtime
  const isOwner = createOwnerCheck(runtime)
  return {
    findBudgets: () => findBudgets(runtime),
    setBudget: budgets.set,
    resetBudgets: budgets.reset,
    isPriced: Object.keys(settings.model.prices).length > 0,
    async findNearlyUsed({ conversation, principal, turn }) {
      const budget = await findOwnBudget(runtime, await isOwner(principal, conversation))
      if (budget.tokens === 0 && budget.micros === 0) return undefined
      const whose = payer({ conversation, principal })
      const { person } = await modelGate.spent(whose)
      const near = budgetUnits
        .map((unit) => ({ unit, used: person[unit], most: budget[unit] }))
        .filter(({ used, most }) => most > 0 && used >= most * nearlyShare)
        .toSorted((a, b) => b.used / b.most - a.used / a.most)[0]
      return near && (await budgets.isFirstToTell(whose, turn)) ? near : undefined
    },
  }
}

const toMicrosOf = (usd: number | undefined): number => Math.round((usd ?? 0) * 1_000_000)

type ToMicros = Pricing['toMicros']

/** A model without a price costs what the main one does: else it would be a way past a limit in money. */
function withMain(port: ModelPort, { toMicros }: Pricing): ToMicros {
  const main = modelOf(port, 'main').name
  return (model, usage) => toMicros(model, usage) ?? toMicros(main, usage)
}

/** Of one answer. */
export function toMoneyLimit({ turnUsd, model }: Settings, port: ModelPort): MoneyLimit | undefined {
  if (turnUsd === undefined) return undefined
  return { maxMicros: toMicrosOf(turnUsd), toMicros: withMain(port, createPricing(model.prices)) }
}
