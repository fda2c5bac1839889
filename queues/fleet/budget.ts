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
  async function change(
    action: 'reserve' | 'settle' | 'read',
    payer: Payer,
    of: { reservation: string; spend: Spend },
  ) {
    const whose = { person: payer.principal, chat: toChat(payer.conversation), total: 'all' }
    const [kind, over, ...flat] = list(
      await call('budget', `fl:{budget}:${payer.day}:`, [
        action,
        of.reservation,
        of.spend.tokens,
        of.spend.micros,
        keepSeconds,
        ...scopes.flatMap((scope) => [`${scope}:${whose[scope]}`, limits[scope].tokens, limits[scope].micros]),
      ]),
    )
    const spendOf = (n: number): Spend => ({ tokens: integer(flat[n * 2]), micros: integer(flat[n * 2 + 1]) })
    return { over: kind === 'OVER' ? scopes[integer(over) - 1] : undefined, spendOf }
  }
  return {
    async reserve(payer, reservation, most) {
      const { over, spendOf } = await change('reserve', payer, { reservation, spend: most })
      return over ? { kind: 'OVER', scope: over, spentTokens: spendOf(scopes.indexOf(over)).tokens } : { kind: 'OK' }
    },
    async settle(payer, reservation, spent) {
      await change('settle', payer, { reservation, spend: spent })
    },
    async spent(payer) {
      const { spendOf } = await change('read', payer, { reservation: '', spend: { tokens: 0, micros: 0 } })
      return { person: spendOf(0), chat: spendOf(1), total: spendOf(2) }
    },
  }
}
