// What the demo model says of the product, for the questions that people ask first, and that what it names exists.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { environment } from '#infra/config/variables.ts'
import { findFact } from '#infra/models/demo-facts.ts'
import { createDemoModel } from '#infra/models/demo-model.ts'
import { listCommands } from '#infra/processes/features.ts'
import { toRequest } from './model-request.ts'

const root = path.dirname(path.dirname(path.dirname(import.meta.dirname)))
const table = readFileSync(path.join(root, 'infra/models/demo-facts.json'), 'utf8')

const asked: readonly (readonly [said: string, question: string])[] = [
  ['fleet of chat bots', 'What is this?'],
  ['一队', '这是什么？'],
  ['fleet of chat bots', 'who are you'],
  ['一队', '介绍一下 Flotilla'],
  ['wait 5 seconds', 'What can you do?'],
  ['等 5 秒', '你能做什么？'],
  ['TELEGRAM_BOT_TOKEN', 'How do I connect Telegram?'],
  ['TELEGRAM_BOT_TOKEN', '怎么连接 Telegram？'],
  ['DISCORD_BOT_TOKEN', 'how to set up discord'],
  ['DISCORD_BOT_TOKEN', 'Discord 怎么接？'],
  ['/retry', 'Which commands are there?'],
  ['/retry', '有哪些命令？'],
  ['OPENAI_API_KEY', 'How do I use a real model?'],
  ['OPENAI_API_KEY', '怎么换成真正的模型？'],
  ['FLOTILLA_CONTEXT_TOKENS', 'Does it work with Ollama?'],
  ['/allow here', 'How do I use it in a group?'],
  ['/allow here', '群里怎么用？'],
  ['FLOTILLA_OWNERS', 'Who can use it?'],
  ['FLOTILLA_OWNERS', '怎么让同事也能用？'],
  ['/stop', 'How do I stop an answer?'],
  ['/stop', '怎么停止回答？'],
  ['/new', 'How do I start over?'],
  ['/new', '怎么重新开始？'],
  ['.flotilla/', 'Where is my data stored?'],
  ['.flotilla/', '数据存在哪里？'],
  ['stored before', 'What happens if it crashes?'],
  ['先存好', '重启会丢消息吗？'],
  ['REDIS_URL', 'How do I scale it out?'],
  ['REDIS_URL', '怎么部署到多台机器？'],
  ['MIT', 'Is it free?'],
  ['MIT', '要钱吗？'],
  ['FEISHU_APP_ID', 'How do I connect Feishu?'],
  ['FEISHU_APP_ID', 'How do I set up Lark?'],
  ['FEISHU_APP_ID', '怎么接飞书？'],
  ['FEISHU_APP_ID', '支持飞书吗？'],
  ['Other platforms', 'Does it support Slack?'],
  ['别的平台', '能接微信吗？'],
  ['/depth', 'Can the answers be shorter?'],
  ['/depth', '回答太长了怎么办？'],
  ['session', 'Do you remember what I said?'],
  ['会话', '你记得我说过的话吗？'],
  ['FLOTILLA_SEARCH', 'Can you browse the internet?'],
  ['FLOTILLA_SEARCH', '你能上网吗？'],
  ['/lang', 'Do you speak Chinese?'],
  ['/lang', '你会中文吗？'],
  ['/config', 'Where are the settings?'],
  ['/config', '怎么改设置？'],
  ['doctor', 'The bot does not answer, what is wrong?'],
  ['doctor', '机器人没反应'],
  ['-- console', 'Is there a terminal?'],
  ['charger', 'Draft a packing list for a weekend trip'],
  ['充电器', '帮我拟一份周末出游的清单'],
  ['worker', 'Explain message queues briefly'],
  ['队列', '简单解释一下消息队列'],
]

test.each(asked)('tells of %j when asked %j', async (said, question) => {
  const never = new AbortController().signal
  const result = await createDemoModel().complete(toRequest(question), () => {}, never)
  expect(result).toMatchObject({ kind: 'reply', text: expect.stringContaining(said) })
})

test.each([
  'please write a summary of the minutes that I sent to you this morning, with what was said about telegram, and list who has to do what',
  'my cat is Tom',
  'my wife likes cats',
  '北京天气',
  '今天真热',
])('has no fact for %j', (text) => {
  expect(findFact(text, 'en')).toBeUndefined()
})

test('names only commands, settings, files and processes that exist', () => {
  const commands = [...table.matchAll(/`\/([a-z]+)/g)].map(([, name]) => name)
  expect(commands.length).toBeGreaterThan(20)
  const known = new Set(
    listCommands()
      .map(({ name }) => name)
      .concat('help'),
  )
  expect(commands.filter((name) => name !== undefined && !known.has(name))).toEqual([])

  const variables = Object.keys(environment.shape)
  const named = [...table.matchAll(/\b(?:FLOTILLA|OPENAI|TELEGRAM|DISCORD|FEISHU|REDIS)_[A-Z_]+/g)].map(
    ([name]) => name,
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !variables.includes(name))).toEqual([])

  const files = [...table.matchAll(/`(infra\/[\w./-]+)`/g)].map(([, name = '']) => name)
  expect(files.length).toBeGreaterThan(2)
  expect(files.filter((name) => !existsSync(path.join(root, name)))).toEqual([])

  const cli = ['infra/cli.ts', 'README.md', 'infra/docs/running.md']
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('')
  const started = [...table.matchAll(/flotilla -- ([a-z]+)/g)].map(([, name = '']) => name)
  expect(started.filter((name) => !cli.includes(`flotilla -- ${name}`))).toEqual([])
})

test.each(["what's the time in Tokyo?", '东京现在几点'])(
  'the clock of this place answers nothing of another: %j',
  async (question) => {
    const request = toRequest(question)
    const clocked = {
      ...request,
      messages: [{ role: 'system', content: '2026-01-02 03:04' } as const, ...request.messages],
    }
    const result = await createDemoModel().complete(clocked, () => {}, new AbortController().signal)
    expect(result).not.toMatchObject({ text: expect.stringContaining('03:04') })
  },
)
