// What the model is instructed in: the language in which its session began, byte for byte the same in all of its prompts.
import { expect, test } from 'vitest'
import { createStage } from './stage.ts'

test.each([
  ['What is two?', '三是什么？', '## Your role'],
  ['二是什么？', 'What is three?', '## 你的角色'],
])('a session that begins with %j keeps its instructions when %j follows', async (first, second, head) => {
  const stage = createStage({})
  await stage.ask(first)
  await stage.ask(second)
  const [one, two] = stage.requests.map(({ messages }) => messages[0]?.content)
  expect(one).toContain(head)
  expect(two).toBe(one)
})
