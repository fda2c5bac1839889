// What a recovery card says of how the turn ended, and of what its buttons do, in both languages.
import { expect, test } from 'vitest'
import { languages } from '#shared/chat/message.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import { orders, toCard, toMatter, troubles } from '#services/recovery/card-text.ts'

const tools = [
  { name: 'look', ok: true },
  { name: 'buy', ok: false },
]

test.each<[TurnEnding, string, string]>([
  ['model-failed', 'What failed: the model gave no answer.', '失败的一步：模型没有给出回答。'],
  ['limit:identical-calls', 'What failed: buy, again and again.', '失败的一步：buy，再试也没有成功。'],
  ['limit:steps', 'I reached the limit of steps for one answer.', '到了一个回答的步骤上限。'],
  ['limit:tool-calls', 'I reached the limit of tool calls for one answer.', '到了一个回答的工具调用上限。'],
  ['limit:tokens', 'I reached the limit of tokens for one answer.', '到了一个回答的 token 上限。'],
  ['limit:money', 'I reached the limit of money for one answer.', '这个回答花的钱到了上限。'],
  ['limit:quiet', 'An owner has me do nothing by myself.', '主人让我什么都不自动做。'],
  ['limit:of-a-newer-release', 'I reached a limit for one answer.', '到了一个回答的上限。'],
  ['limit:wall-time', 'I reached the time limit for one answer.', '到了一个回答的时间上限。'],
])('a card says what failed, or which limit it was: %s', (ending, en, zh) => {
  const ended = { trouble: 'execution', task: 'Buy one', tools, ending } as const
  expect(toMatter({ ...ended, language: 'en' }).split('\n')).toEqual([
    en,
    'Task: Buy one',
    'Done so far: look ×1',
    'Failed: buy ×1',
  ])
  expect(toMatter({ ...ended, language: 'zh' }).split('\n')[0]).toBe(zh)
})

test('what each button does stands on the card, by its name', () => {
  for (const language of languages)
    for (const trouble of troubles) {
      const card = toCard('x', trouble, language)
      for (const { label, does } of orders[trouble]) {
        const [name, what] = [label[language], does[language]]
        expect(card).toContain(language === 'zh' ? `- “${name}”：${what}。` : `- “${name}”: ${what}.`)
      }
    }
})

test.each([
  [
    'en',
    [
      'What failed: http_request, again and again.',
      'Task: Buy',
      'The call: GET http://shop/17',
      'The reason: HTTP 500',
    ],
  ],
  [
    'zh',
    ['失败的一步：http_request，再试也没有成功。', '任务：Buy', '失败的调用：GET http://shop/17', '原因：HTTP 500'],
  ],
] as const)('a card names the step that failed, its address and the reason, each once: %s', (language, lines) => {
  const failed = { name: 'http_request', what: 'GET http://shop/17', reason: 'HTTP 500' }
  const twice = [1, 2].map(() => ({ name: 'http_request', ok: false }))
  const ended = { trouble: 'execution', task: 'Buy', ending: 'limit:identical-calls', failed, language } as const
  expect(toMatter({ ...ended, tools: twice }).split('\n')).toEqual(lines)
  expect(toMatter({ ...ended, ending: 'limit:steps', tools: twice })).toContain('http_request ×2')
  const hostile = { ...failed, reason: '# **x**\n\n[y](https://evil.example)'.repeat(50) }
  expect(toMatter({ ...ended, failed: hostile, tools: twice }).split('\n')).toHaveLength(4)
})
