// Which rule decides of a message, in their order, and how sure it is.
import { expect, it } from 'vitest'
import { createClassifier } from '#services/router/classify.ts'
import { defaultRouting, routingConfig } from '#services/router/patterns.ts'

const classify = createClassifier(defaultRouting)
type Input = Parameters<typeof classify>[0]
const shown = (input: Input): string => {
  const { type, depth, rule, confidence } = classify(input)
  return `${rule} ${type} ${depth} ${confidence}`
}

it.each([
  ['/start', 'command.slash command light high'],
  ['  /start@bot now', 'command.slash command light high'],
  ['/START', 'command.slash command light high'],
  ['stop!!', 'command.stop command light high'],
  ['停', 'command.stop command light high'],
  ['不用了', 'social.refusal social light high'],
  ['继续', 'task.proceed task standard medium'],
  ['好的', 'social.whole social light high'],
  ['简单说说', 'explicit.brief command light high'],
  ['详细解释一下', 'explicit.detailed command deep high'],
  ['你是谁', 'meta meta standard high'],
  ['写一首诗', 'task.verb task standard medium'],
  ['重构登录模块', 'task.deep-keyword task deep medium'],
  ['好的，这个真好看', 'social.whole social light high'],
  ['好的，讲讲灯塔', 'query.default query standard high'],
  ['今天天气', 'query.default query standard high'],
  ['ok?', 'query.default query standard high'],
])('%j alone: %s', (text, wanted) => {
  expect(shown({ text })).toBe(wanted)
})

it.each(['a/start', '/ start', '/1', `/${'x'.repeat(33)}`, '/start,now', 'stop it'])('%j is no command', (text) => {
  expect(classify({ text }).rule).not.toMatch(/^command/)
})

it('what an adapter has read as a command is one, whatever it says', () => {
  expect(shown({ text: '写一首诗', isSlashCommand: true })).toBe('command.slash command light high')
  expect(classify({ text: '写一首诗', isSlashCommand: false }).type).toBe('task')
})

it.each([
  ['要我继续吗？', 'offer.accepted task standard medium'],
  ['要我重构整个模块吗？', 'offer.accepted task deep medium'],
  ['要我写一首诗吗？', 'offer.accepted task standard medium'],
  ['shall i write the report?', 'offer.accepted task standard medium'],
  ['要我详细解释吗？', 'offer.accepted query deep medium'],
  ['你叫什么名字？', 'offer.accepted query standard medium'],
  ['还有什么可以帮你的吗？', 'social.whole social light high'],
  ['done.', 'social.whole social light high'],
])('agreement after %j: %s', (previousReply, wanted) => {
  expect(shown({ text: '好的', previousReply })).toBe(wanted)
})

it('thanks and going on accept an offer, a greeting and laughter do not', () => {
  const previousReply = '要我写一首诗吗？'
  for (const text of ['谢谢', 'thanks', '继续', 'ok'])
    expect(classify({ text, previousReply }).rule, text).toBe('offer.accepted')
  for (const text of ['你好', '哈哈哈']) expect(classify({ text, previousReply }).rule, text).toBe('social.whole')
})

it('an open card goes before the last reply, and is asked even where it offers nothing by its words', () => {
  expect(shown({ text: '好的', openQuestion: '删除文件' })).toBe('offer.accepted task standard medium')
  expect(shown({ text: '好的', openQuestion: '重构整个模块', previousReply: '要我写诗吗？' })).toBe(
    'offer.accepted task deep medium',
  )
  expect(shown({ text: '好的', openQuestion: ' ', previousReply: '要我重构整个模块吗？' })).toBe(
    'offer.accepted task deep medium',
  )
})

it('a word or two that answers a choice is about it; a longer text, two clauses or a question are not', () => {
  const previousReply = '你想要 pdf 还是 word？'
  expect(shown({ text: 'PDF', previousReply })).toBe('offer.answered query standard medium')
  expect(shown({ text: 'abcdefghijklmnop', previousReply })).toBe('offer.answered query standard medium')
  for (const text of ['abcdefghijklmnopq', 'PDF, Word', 'PDF?'])
    expect(shown({ text, previousReply }), text).toBe('query.default query standard high')
  expect(shown({ text: 'PDF', previousReply: '文件好了。' })).toBe('query.default query standard high')
  expect(shown({ text: 'PDF', openQuestion: '选哪个格式？' })).toBe('offer.answered query standard medium')
})

it('of the last reply its end says what it offers', () => {
  expect(classify({ text: '好的', previousReply: `${'好。'.repeat(400)}要我写诗吗？` }).rule).toBe('offer.accepted')
  expect(classify({ text: '好的', previousReply: `要我写诗吗？${'好。'.repeat(400)}` }).rule).toBe('social.whole')
})

it('a marker of going on is looked for in the beginning of a long reply', () => {
  const complex = (previousReply: string): boolean => classify({ text: '今天天气', previousReply }).complex
  expect(complex(`${'好'.repeat(3195)}下一步`)).toBe(true)
  expect(complex(`${'好'.repeat(3200)}下一步`)).toBe(false)
})

it('a configuration may hold so much and no more', () => {
  const accepts = (config: object): boolean => routingConfig.safeParse(config).success
  expect(accepts({ brief: ['x'.repeat(80)] })).toBe(true)
  expect(accepts({ brief: ['x'.repeat(81)] })).toBe(false)
  expect(accepts({ brief: Array.from({ length: 1000 }, (_, n) => `w${n}`) })).toBe(true)
  expect(accepts({ brief: Array.from({ length: 1001 }, (_, n) => `w${n}`) })).toBe(false)
  expect(accepts({ meta: Array.from({ length: 200 }, () => 'x') })).toBe(true)
  expect(accepts({ meta: Array.from({ length: 201 }, () => 'x') })).toBe(false)
  expect(accepts({ slang: { ['x'.repeat(20)]: 'y'.repeat(40) } })).toBe(true)
  expect(accepts({ slang: { ['x'.repeat(21)]: 'y' } })).toBe(false)
  expect(accepts({ slang: { x: 'y'.repeat(41) } })).toBe(false)
  expect(accepts({ slang: { '': 'y' } })).toBe(false)
})

it('the thresholds of complexity have their bounds', () => {
  const accepts = (detector: object): boolean => routingConfig.safeParse({ complexity_detector: detector }).success
  for (const [key, most] of [
    ['multi_tool_threshold', 20],
    ['message_length_threshold', 100_000],
  ] as const) {
    expect(
      [0, 1, most, most + 1, 1.5].map((value) => accepts({ [key]: value })),
      key,
    ).toEqual([false, true, true, false, false])
  }
  expect(accepts({ multi_tool_domains: { ['x'.repeat(40)]: ['y'] } })).toBe(true)
  expect(accepts({ multi_tool_domains: { ['x'.repeat(41)]: ['y'] } })).toBe(false)
  expect(accepts({ multi_tool_domains: { '': ['y'] } })).toBe(false)
})

it('one string may hold several words, and spaces around them do not count', () => {
  expect(routingConfig.parse({ brief: ['a | b  |  c d', ' e ', ''] }).brief).toEqual(['a', 'b', 'c d', 'e'])
})
