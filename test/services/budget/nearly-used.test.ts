// What somebody reads who has used most of their budget, in tokens or in money.
import { expect, test } from 'vitest'
import { createBudget, type NearlyUsed } from '#services/budget/budget.ts'
import { createStage } from '#test/services/executor/stage.ts'

async function hear(said: string, near: NearlyUsed): Promise<string> {
  const none = { tokens: 0, micros: 0, isSet: false }
  const budget = createBudget({
    findBudgets: async () => ({ person: none, chat: none, total: none }),
    setBudget: async () => {},
    resetBudgets: async () => {},
    isPriced: true,
    findNearlyUsed: async () => near,
  })
  const stage = createStage({ features: [budget] })
  await stage.ask(said)
  return (await stage.sent()).map(({ text }) => text).join('\n')
}

const tokens: NearlyUsed = { unit: 'tokens', used: 165_000, most: 200_000 }
const money: NearlyUsed = { unit: 'micros', used: 1_620_000, most: 2_000_000 }
const little: NearlyUsed = { unit: 'micros', used: 8_500, most: 10_000 }

test.each([
  ['Why?', tokens, 'You have used 82 % of your budget for today (165000 of 200000 tokens).'],
  ['Why?', money, 'You have used 81 % of your budget for today ($1.62 of $2.00).'],
  ['Why?', little, 'You have used 85 % of your budget for today ($0.0085 of $0.01).'],
  ['为什么？', tokens, '你今天已经用了 82 % 的额度（165000 / 200000 token）。'],
  ['为什么？', money, '你今天已经用了 81 % 的额度（$1.62 / $2.00）。'],
] as const)('it says how much of what: %s %o', async (said, near, told) => {
  expect(await hear(said, near)).toContain(told)
})
