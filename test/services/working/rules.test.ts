// What is taken from a turn, by rules: topic and goal, what people state, and what the bot asked at the end of its answer.
import { expect, test } from 'vitest'
import { findFacts } from '#services/working/find-facts.ts'
import { findQuestions } from '#services/working/find-questions.ts'
import { findTopic } from '#services/working/find-topic.ts'
import { standard } from '#test/rig/events.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

test.each([
  ['what is the capital of France?', 'what is the capital of France?'],
  ['Hi, can you please explain how TLS works?', 'explain how TLS works?'],
  ['thanks. Now tell me why the sky is blue', 'why the sky is blue'],
  ['My name is Ada. Who was Ada Lovelace?', 'Who was Ada Lovelace?'],
  ['I live in Berlin', 'I live in Berlin'],
  ['so-called smart quotes', 'so-called smart quotes'],
  ['3.5 is what share of 7?', '3.5 is what share of 7?'],
  ['请问明天北京的天气怎么样？', '明天北京的天气怎么样？'],
  ['你能不能解释一下量子纠缠', '解释一下量子纠缠'],
  ['能量守恒是什么意思', '能量守恒是什么意思'],
  ['请假流程是什么', '请假流程是什么'],
  ['> quoted words\nwhat does that mean?', 'what does that mean?'],
  ['```\nlet x = 1\n```\nwhy does this fail?', 'why does this fail?'],
])('the topic of %j is %j', (asked, topic) => {
  expect(findTopic(asked, standard)).toEqual({ topic })
})

test('work that is asked for is a goal, and what goes on with it is neither', () => {
  const task = { ...standard, type: 'task', rule: 'task.deep-keyword' } as const
  expect(findTopic('帮我设计一个缓存系统。要支持过期。', task)).toEqual({ goal: '设计一个缓存系统' })
  expect(findTopic('please refactor the parser', task)).toEqual({ goal: 'refactor the parser' })
  expect(findTopic('continue', { ...task, rule: 'task.proceed' })).toEqual({})
  expect(findTopic('好的', { ...task, rule: 'offer.accepted' })).toEqual({})
  expect(findTopic('…!?', standard)).toEqual({})
  expect(findTopic('', standard)).toEqual({})
  const long = findTopic(`解释${'很'.repeat(500)}长的问题`, standard).topic ?? ''
  expect(long).toHaveLength(60)
  expect(long).toMatch(/…$/)
})

test.each([
  ['我叫李雷，我住在上海。明天天气怎么样？', ['我叫李雷，我住在上海']],
  ['记住我们周五发布', ['记住我们周五发布']],
  ['我的邮箱是 a@example.org', ['我的邮箱是 a@example.org']],
  ['我们用 PostgreSQL 16。', ['我们用 PostgreSQL 16']],
  ["My name is Ada. I'm vegetarian. What can I cook?", ['My name is Ada.', "I'm vegetarian."]],
  ['Please remember that we ship on Friday', ['Please remember that we ship on Friday']],
  ['By the way, our database is Redis', ['our database is Redis']],
])('%j states something', (asked, facts) => {
  expect(findFacts(asked).map((fact) => fact.replace(/\.$/, ''))).toEqual(facts.map((fact) => fact.replace(/\.$/, '')))
})

test.each([
  '我是想问一下怎么重启',
  '我是不是应该用 Redis',
  '我喜欢的电影有哪些？',
  '我住在上海吗',
  "I'm looking for a good book",
  'I am not sure what to do',
  'is my name Ada?',
  '> I live in Berlin\nis that so?',
  'what is the capital of France?',
  '',
])('%j states nothing', (asked) => {
  expect(findFacts(asked)).toEqual([])
})

test.each([
  ['Done.\n\nShall I also write tests?', ['Shall I also write tests?']],
  ['好的。要我继续吗？', ['要我继续吗？']],
  ['Which one do you mean?\n- the red one\n- the blue one', ['Which one do you mean?']],
  ['**Do you want the short version?**', ['Do you want the short version?']],
  ['Why? Since it is so.\n\nThat is all.', []],
  ['It is 4.\n\nIs there anything else I can help you with?', []],
  ['完成了。\n\n还有什么需要帮忙的吗？', []],
  ['```\na ? b : c?\n```', []],
  ['', []],
])('at the end of %j stands %j', (answer, questions) => {
  expect(findQuestions(answer)).toEqual(questions)
})

test('a hostile text costs no more than a long one', () => {
  const texts = [
    '我'.repeat(32_000),
    'I '.repeat(16_000),
    'my '.repeat(10_000),
    '?'.repeat(32_000),
    '> '.repeat(16_000),
  ]
  const begun = processorMs()
  for (const text of [...texts, '\n#'.repeat(16_000), '\u200b'.repeat(32_000), ' '.repeat(32_000)]) {
    findFacts(text)
    findQuestions(text)
    findTopic(text, standard)
  }
  expect(processorMs() - begun).toBeLessThan(1000)
})
