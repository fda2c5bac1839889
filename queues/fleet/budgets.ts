// The budgets of a day that owners set in a chat, instead of those of the settings. They lie beside the counts, so that the unit that counts
// a call reads them: every executor goes by a change from its next call on.
import { z } from 'zod'
import type { RedisClient } from '#queues/connection.ts'
import { fromStore } from '#queues/store-failure.ts'
import type { BudgetScope } from './model-gate.ts'

export const budgetUnits = ['tokens', 'micros'] as const
export type BudgetUnit = (typeof budgetUnits)[number]
/** 0 for none; nothing where that of the settings holds. Money is in whole micro-dollars. */
export type SetBudgets = Readonly<Record<BudgetScope, Readonly<Partial<Record<BudgetUnit, number>>>>>

/** All throw BotError `store-unavailable`. */
export type Budgets = {
  find(): Promise<SetBudgets>
  set(scope: BudgetScope, unit: BudgetUnit, most: number): Promise<void>
  /** Those of the settings hold again. */
  reset(): Promise<void>
  /** Whether this turn is the first of the day that tells a person how near they are to their budget; true again for the same turn. */
  isFirstToTell(who: { readonly day: string; readonly principal: string }, turn: string): Promise<boolean>
}

const prefix = 'fl:{model}:'
const key = `${prefix}budgets`
const amount = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

export function createBudgets(redis: RedisClient): Budgets {
  return {
    async find() {
      const stored = await fromStore(redis.hgetall(key))
      const of = (scope: BudgetScope) =>
        Object.fromEntries(
          budgetUnits.flatMap((unit) => {
            const { data } = amount.safeParse(stored[`${scope}:${unit}`])
            return data === undefined ? [] : [[unit, data]]
          }),
        )
      return { person: of('person'), chat: of('chat'), total: of('total') }
    },
    async set(scope, unit, most) {
      await fromStore(redis.hset(key, `${scope}:${unit}`, String(Math.trunc(most))))
    },
    async reset() {
      await fromStore(redis.del(key))
    },
    async isFirstToTell({ day, principal }, turn) {
      const field = `told:${principal}`
      await fromStore(redis.hsetnx(prefix + day, field, turn))
      return (await fromStore(redis.hget(prefix + day, field))) === turn
    },
  }
}
