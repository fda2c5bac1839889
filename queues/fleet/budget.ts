// What talking may cost: tokens and money per person, chat and day, reserved before a model call and settled after it.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { toChat } from '#shared/chat/conversation.ts'
import { integer, list } from '#queues/kernel/stored.ts'
import type { CallUnit } from '#queues/kernel/units.ts'

/** Tokens and micro-dollars a day; 0 means no limit. */
export type DailyLimit = { readonly tokens: number; readonly micros: number }
export type BudgetScope = 'person' | 'chat' | 'total'
export type BudgetLimits = Readonly<Record<BudgetScope, DailyLimit>>
export type Spend = { readonly tokens: number; readonly micros: number }

/** Who pays for a call, and on which day (`YYYY-MM-DD` in the operator's time zone). */
export type Payer = { readonly conversation: ConversationId; readonly principal: PrincipalId; readonly day: string }

export type ReserveResult =
  | { readonly kind: 'OK' }
  | { readonly kind: 'OVER'; readonly scope: BudgetScope; readonly spentTokens: number }

export type Budgets = {
  /** Reserves an upper bound under an id; repeating it changes nothing. OVER reserves nothing anywhere. */
  reserve(payer: Payer, reservation: string, most: Spend): Promise<ReserveResult>
  /** Replaces the reservation by what was really spent. Without it the reservation counts in full. */
  settle(payer: Payer, reservation: string, spent: Spend): Promise<void>
  /** Spent today, reservations included. */
  spent(payer: Payer): Promise<Readonly<Record<BudgetScope, Spend>>>
}

const scopes = ['person', 'chat', 'total'] as const
const keepSeconds = 3 * 86_400

export function createBudgets(call: CallUnit, limits: BudgetLimits): Budgets {
  const budgetKey = (payer: Payer, scope: BudgetScope): string => {
    const whose = { person: payer.principal, chat: toChat(payer.conversation), total: 'all' }[scope]
    return `fl:{budget:${scope}:${whose}}:${payer.day}`
  }
  type Change = { readonly scope: BudgetScope; readonly reservation: string; readonly spend: Spend }
  async function change(action: 'reserve' | 'settle' | 'read', payer: Payer, { scope, reservation, spend }: Change) {
    const limit = limits[scope]
    const args = [action, reservation, spend.tokens, spend.micros, limit.tokens, limit.micros, keepSeconds]
    const [kind, tokens, micros] = list(await call('budget', budgetKey(payer, scope), args))
    return { scope, over: kind === 'OVER', tokens: integer(tokens), micros: integer(micros) }
  }
  const nothing = { tokens: 0, micros: 0 }
  return {
    async reserve(payer, reservation, most) {
      const answers = await Promise.all(
        scopes.map((scope) => change('reserve', payer, { scope, reservation, spend: most })),
      )
      const over = answers.find((answer) => answer.over)
      if (!over) return { kind: 'OK' }
      const reserved = answers.filter((answer) => !answer.over)
      await Promise.all(
        reserved.map((answer) => change('settle', payer, { scope: answer.scope, reservation, spend: nothing })),
      )
      return { kind: 'OVER', scope: over.scope, spentTokens: over.tokens }
    },
    async settle(payer, reservation, spent) {
      await Promise.all(scopes.map((scope) => change('settle', payer, { scope, reservation, spend: spent })))
    },
    async spent(payer) {
      const [person, chat, total] = await Promise.all(
        scopes.map((scope) => change('read', payer, { scope, reservation: '', spend: nothing })),
      )
      return { person: person ?? nothing, chat: chat ?? nothing, total: total ?? nothing }
    },
  }
}
