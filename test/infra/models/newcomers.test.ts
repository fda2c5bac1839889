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
  ['how do I install you?', 'npm start'],
  ['where do I find the token?', '.flotilla/web-token'],
  ['how do I update?', 'git pull'],
  ['who made you?', 'CONTRIBUTING.md'],
  ['do you learn from me?', '/forget'],
  ['are you a real AI?', 'fixed rules'],
  ['why are your answers so dumb?', 'OPENAI_API_KEY'],
  ['can you write code?', 'OPENAI_API_KEY'],
  ['can you send emails?', 'FLOTILLA_HTTP_HOSTS'],
  ['can you run commands on my computer?', 'no tool'],
  ['does it work offline?', 'no network'],
  ['how do I export my chats?', '/export'],
  ['how many messages can I send?', '/budget'],
  ["what's an approval?", 'show me an approval'],
  ['what should I ask you?', 'ask me something'],
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
  ['怎么安装？', 'npm start'],
  ['令牌在哪里？', '.flotilla/web-token'],
  ['怎么升级？', 'git pull'],
  ['谁开发了你？', 'CONTRIBUTING.md'],
  ['你是真的AI吗？', '按规则'],
  ['你是人吗？', '我不是人'],
  ['为什么你这么笨？', 'OPENAI_API_KEY'],
  ['能翻译吗？', 'OPENAI_API_KEY'],
  ['会画画吗？', 'OPENAI_API_KEY'],
  ['能发邮件吗？', 'FLOTILLA_HTTP_HOSTS'],
  ['看看我的提醒', '/reminders'],
  ['怎么取消提醒？', '/reminders'],
  ['能改你的名字吗？', 'Flotilla'],
  ['能用DeepSeek吗？', 'OPENAI_BASE_URL'],
  ['能用Docker吗？', 'FLOTILLA_LISTEN'],
  ['没有网能用吗？', '不需要网络'],
  ['怎么导出聊天记录？', '/export'],
  ['能听懂语音吗？', '还不能'],
  ['出问题找谁？', 'doctor'],
  ['和ChatGPT有什么区别？', 'OPENAI_API_KEY'],
  ['一天能问多少次？', '/budget'],
  ['多人能一起用吗？', '/allow'],
  ['我该问你什么？', '演示批准'],
  ['有深色模式吗？', '系统'],
  ['怎么登录？', '.flotilla/web-token'],
  ['网页打不开', 'doctor'],
  ['怎么让别的电脑访问？', 'FLOTILLA_PUBLIC_URL'],
]

const ask = async (text: string): Promise<string> => {
  const result = await createDemoModel().complete(toRequest(text), () => {}, new AbortController().signal)
  return result.kind === 'reply' ? result.text : ''
}

/** Something to write, to press or to do. */
const toDo = /`[^`]+`|“[^”]+”|Ctrl-C|_Longer_|[Pp]aste|[Ww]rite|settings of|粘贴|打字|设置里/
const unanswered = /takes a real model; I work by rules|这要真正的模型来回答/

test('half of them are Chinese, and there are 48 at least', () => {
  expect(english.length).toBe(chinese.length)
  expect(english.length).toBeGreaterThanOrEqual(24)
})

test.each([...english, ...chinese])('%s', async (question, says) => {
  const said = await ask(question)
  expect(said).toContain(says)
  expect(said).not.toMatch(unanswered)
})

/** A sum or the clock is answered whole. */
const isWhole = / = [\d.]+$|clock|时钟/

test.each([...english, ...chinese])('the answer to “%s” ends with something to do', async (question) => {
  const said = await ask(question)
  const ending = said.split('\n').slice(-2).join('\n')
  expect(isWhole.test(said) || toDo.test(ending), said).toBe(true)
})

test('what it knows nothing of tells three things that work, and ends with the one thing to do', async () => {
  const said = await ask('my cat is Tom')
  for (const part of ['/remind in 5 minutes drink tea', '/zone Europe/Berlin', 'ask me something'])
    expect(said).toContain(part)
  expect(said).toMatch(unanswered)
  expect(said).toMatch(/put `OPENAI_API_KEY=…` into the file `\.env` of this folder and start me again\.$/)
  const zh = await ask('我的猫叫汤姆，它很胖')
  for (const part of ['/remind 5分钟后 喝茶', '/zone Asia/Shanghai', '问我一个问题']) expect(zh).toContain(part)
  expect(zh).toMatch(unanswered)
  expect(zh).toMatch(/把 `OPENAI_API_KEY=…` 写进本目录的 `\.env`，再启动我。$/)
})
