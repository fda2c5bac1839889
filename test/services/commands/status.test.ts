// /status: what was spent today, of how much, and what is left.
import { expect, test } from 'vitest'
import { createStatus, type PlatformCalls, type Spending } from '#services/commands/status.ts'
import { createModels } from '#services/models/models.ts'
import type { CommandContext } from '#shared/feature/feature.ts'
import { ann, toCommand } from '#test/rig/events.ts'
import { createStage } from '#test/services/executor/stage.ts'

const models = [{ role: 'main', name: 'm' }] as const

type How = { readonly language?: 'en' | 'zh'; readonly isQuiet?: boolean; readonly calls?: PlatformCalls }

async function ask(spent: Spending, { language = 'en', isQuiet = false, calls }: How = {}): Promise<readonly string[]> {
  const asked: CommandContext[] = []
  const status = createStatus({
    now: Date.now,
    models,
    room: () => ({ windowTokens: 4096, systemTokens: 1, toolTokens: 2, listed: 3, searched: 0, left: 0 }),
    spending: async (context) => (asked.push(context), spent),
    isQuiet: async () => isQuiet,
    platformCalls: async (context) => (asked.push(context), calls),
  })
  const stage = createStage({ features: [{ name: 'commands', commands: [status] }, createModels({ models })] })
  const text = await stage.ask('/status', { as: toCommand('status'), language })
  const who = { owner: true, conversation: 'web:stage', principal: ann }
  expect(asked).toMatchObject([who, who])
  const parts = language === 'en' ? ['oday', 'Quiet', 'month'] : ['今天', '/quiet', '本月']
  return text.split('\n').filter((line) => parts.some((part) => line.includes(part)))
}

test.each([
  ['en', '- Quiet: an owner has me do nothing by myself (/quiet), so reminders and deadlines wait'],
  ['zh', '- 主人用 /quiet on 让我什么都不自动做：提醒和期限都在等'],
] as const)('it says that the fleet is quiet (%s)', async (language, line) => {
  expect((await ask({ person: { tokens: 5 }, chat: { tokens: 7 } }, { language, isQuiet: true }))[0]).toBe(line)
})

test('it tells tokens alone where neither limits nor prices are known', async () => {
  expect(await ask({ person: { tokens: 5 }, chat: { tokens: 7 } })).toEqual([
    '- Today, you: 5 tokens',
    '- Today, this chat: 7 tokens',
  ])
})

test('it tells what is left of tokens and money, and to whom it is given what all spent', async () => {
  const spent: Spending = {
    person: { tokens: 1200, mostTokens: 2000, micros: 1_234_560, mostMicros: 1_500_000 },
    chat: { tokens: 2500, mostTokens: 2000, micros: 3_000_001, mostMicros: 2_000_000 },
    total: { tokens: 9000, micros: 0 },
    background: [
      { budget: 'compaction', amount: { tokens: 40, micros: 1 }, calls: 2 },
      { budget: 'reflection', amount: { tokens: 0, micros: 0 }, calls: 0 },
      { budget: 'curiosity', amount: { tokens: 7, micros: 0 }, calls: 1 },
    ],
  }
  expect(await ask(spent)).toEqual([
    '- Today, you: 1200 of 2000 tokens, 800 left; $1.23456 of $1.50, $0.26544 left',
    '- Today, this chat: 2500 of 2000 tokens, 0 left; $3.000001 of $2.00, $0.00 left',
    '- Today, everybody: 9000 tokens; $0.00',
    '- Today, of that in the background (summaries): 40 tokens; $0.000001; 2 calls',
    '- Today, of that in the background (curiosity): 7 tokens; $0.00; 1 call',
  ])
  expect((await ask(spent, { language: 'zh' }))[3]).toBe('- 今天其中后台（整理摘要）：40 token；$0.000001；2 次调用')
  expect((await ask(spent, { language: 'zh' }))[0]).toBe(
    '- 今天你：1200 / 2000 token，还剩 800；$1.23456 / $1.50，还剩 $0.26544',
  )
})

const calls = {
  platform: { en: 'Feishu', zh: '飞书' },
  made: 4321,
  most: 10_000,
  isNearlyOver: false,
  setting: 'CALLS',
}
test.each([
  ['en', calls, '- Calls of Feishu this month: 4321 of 10000 (43 %)'],
  ['zh', calls, '- 本月飞书的调用：4321 / 10000（43 %）'],
  [
    'en',
    { ...calls, made: 8000, isNearlyOver: true },
    '- Calls of Feishu this month: 8000 of 10000 (80 %); when they are used up, Feishu takes nothing more until the next month, see CALLS',
  ],
  [
    'zh',
    { ...calls, made: 8000, isNearlyOver: true },
    '- 本月飞书的调用：8000 / 10000（80 %）；用完后，飞书到下个月之前什么都不再接收，请看 CALLS',
  ],
] as const)('it tells what is used of a platform’s month (%s)', async (language, used, line) => {
  expect((await ask({ person: { tokens: 5 }, chat: { tokens: 7 } }, { language, calls: used })).at(-1)).toBe(line)
})
