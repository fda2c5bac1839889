// The first questions of people without a key, and what each answer has to say: true, and never that a real model would answer.
import { expect, test } from 'vitest'
import { createDemoModel } from '#infra/models/demo-model.ts'
import { toRequest } from './model-request.ts'

const english: readonly (readonly [question: string, says: string])[] = [
  ['can you search the web?', 'FLOTILLA_SEARCH'],
  ['who can see my messages?', 'the people in the same chat'],
  ['how do I delete my data?', '/forget'],
  ['can you remember my name?', '/notes'],
  ['who are you?', 'fleet of chat bots'],
  ['what is 17% of 240?', '= 40.8'],
  ['remind me in 5 minutes to drink tea', '/remind in 5 minutes drink tea'],
  ['can you read a PDF?', 'Paste the text'],
  ['how do I turn you off?', 'Ctrl-C'],
  ['what is my name?', 'I do not know it'],
  ['what can you do?', 'ask me something'],
  ['hello', 'what can you do?'],
  ['how do I connect Telegram?', 'TELEGRAM_BOT_TOKEN'],
  ['how do I use a real model?', 'OPENAI_API_KEY'],
  ['does it work with Ollama?', 'FLOTILLA_MODEL'],
  ['is it free?', 'MIT'],
  ['where is my data stored?', '.flotilla'],
  ['who can use it?', '/allow'],
  ['which commands are there?', '/help'],
  ['how do I stop an answer?', '/stop'],
  ['can you look at a picture?', 'Not yet'],
  ['what time is it?', 'clock'],
  ['what is 12 times 12?', '= 144'],
  ['do you speak Chinese?', '/lang'],
  ['how do I start over?', '/new'],
  ['what happens if it crashes?', 'stored before'],
  ['how do I set my time zone?', '/zone'],
  ['what is the weather in Berlin?', 'FLOTILLA_SEARCH'],
  ['do you remember what I said?', 'session'],
  ['can I use it on my phone?', 'Telegram'],
]
const chinese: typeof english = [
  ['你是谁？', '一队'],
  ['17 乘以 24 等于多少', '= 408'],
  ['你能上网吗？', 'FLOTILLA_SEARCH'],
  ['谁能看到我的消息？', '同一个聊天里的人'],
  ['怎么删除我的数据？', '/forget'],
  ['你能记住我的名字吗？', '/notes'],
  ['5分钟后提醒我喝茶', '/remind 5分钟后 喝茶'],
  ['能读 PDF 吗？', '还不能'],
  ['怎么关掉你？', 'Ctrl-C'],
  ['我叫什么名字？', '我不知道'],
  ['你能做什么？', '问我一个问题'],
  ['怎么换成真正的模型？', 'OPENAI_API_KEY'],
  ['怎么接飞书？', 'FEISHU_APP_ID'],
  ['要钱吗？', 'MIT'],
  ['今天天气怎么样？', '不知道天气'],
  ['手机上能用吗？', 'Telegram'],
  ['240的17%是多少', '= 40.8'],
  ['怎么设置时区？', '/zone'],
]

const ask = async (text: string): Promise<string> => {
  const result = await createDemoModel().complete(toRequest(text), () => {}, new AbortController().signal)
  return result.kind === 'reply' ? result.text : ''
}

test('there are thirty of them in English and eighteen in Chinese', () => {
  expect([english.length, chinese.length]).toEqual([30, 18])
})

test.each([...english, ...chinese])('%s', async (question, says) => {
  const said = await ask(question)
  expect(said).toContain(says)
  expect(said).not.toMatch(/real model would answer here|真正的模型会在这里回答/)
})

test('what it knows nothing of ends with the one thing to do, and with three that work', async () => {
  const said = await ask('my cat is Tom')
  for (const part of [
    'OPENAI_API_KEY=…',
    '.env',
    '/remind in 5 minutes drink tea',
    '/zone Europe/Berlin',
    'ask me something',
  ])
    expect(said).toContain(part)
  const zh = await ask('我的猫叫汤姆，它很胖')
  for (const part of ['OPENAI_API_KEY=…', '/remind 5分钟后 喝茶', '/zone Asia/Shanghai', '问我一个问题'])
    expect(zh).toContain(part)
})
