// A complex request on the platforms, through the whole fleet and the real SDKs: its plan is one message that is edited as the work goes on and
// ticked off at the end, and the answer stands below it.
import { expect, test } from 'vitest'
import type { SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'

const request = '查一下这份代码里哪里最慢，要怎么改'
/** Long enough to be shown as a message that grows, were it an answer. */
const plan = [
  '计划：\n1. 读取核心模块代码\n2. 分析性能热点\n3. 给出优化建议\n',
  '我先读取代码，把最重要的几个模块都看一遍，再回来分析哪里最慢。'.repeat(4),
].join('\n')
/** Discord's markup has a backslash before brackets. */
const last = (text: string): string => (text.split('\n').at(-1) ?? '').replaceAll('\\', '')

/** A model of three steps, each of which waits so long. */
function script({ model }: Fleet, seconds: number): void {
  const texts = [plan, '[2/3 分析中]\n\n再看热点。']
  for (const [done, text] of texts.entries())
    model.script({
      when: (_, { messages }) => messages.filter(({ role }) => role === 'tool').length === done,
      chunkDelayMs: 40,
      answer: {
        kind: 'tools',
        text,
        calls: [{ id: `c${done}`, name: 'demo_wait', arguments: JSON.stringify({ seconds: seconds + done / 100 }) }],
      },
    })
  model.script({ answer: { kind: 'text', text: '[3/3]\n\n结论：缓存没有命中。' } })
}

type Played = {
  readonly said: number
  /** Last lines of all that the plan's message has said. */
  readonly lines: readonly string[]
  readonly replyTo: readonly unknown[]
  readonly asked: string
  readonly answer: string
  readonly why: string
}

async function play(chat: SimulatedChat, fleet: Fleet, seconds = 3.5): Promise<Played> {
  const before = chat.said().length
  script(fleet, seconds)
  const asked = chat.ask('Ann', request)
  const answer = await chat.hear('结论')
  const [shown, ...rest] = chat.said().slice(before)
  if (!shown) throw new Error('There is no plan.')
  const done = await chat.when(shown.id, ({ text }) => text.includes('✓'))
  // What the plan came of is what /why tells of, in reply to it too.
  const why = await chat.answerTo('Ann', '/why', { replyTo: done.id })
  return {
    asked,
    said: 1 + rest.length,
    lines: done.texts.map(last),
    replyTo: [done.replyTo, answer.replyTo],
    answer: answer.text,
    why: why.text,
  }
}

const lines = ['[1/3 读取核心模块代码…]  ████░░░░░░', '[2/3 分析性能热点…]  ████████░░', '[3/3 给出优化建议]  完成 ✓']
const answer = expect.stringMatching(/^(?!.*3\/3)[^]*结论：缓存没有命中。$/)
const why = expect.stringMatching(/(?:复杂|complex)[^]*demo_wait/)

const brisk = { perSecond: 30, perChatPerSecond: 5, perGroupPerMinute: 100 }

test('in a direct chat on Telegram', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 40_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Ann' })
  expect(await play(platform.direct('Ann'), fleet, 1.6)).toMatchObject({ said: 2, lines, answer, why })
})

test('in a group on Telegram', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ limits: brisk, patienceMs: 40_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Ann', env: { TELEGRAM_RATES: '30,5,100' } })
  const group = platform.group({ by: 'Ann' })
  await group.until(() => group.said()[0])
  const { replyTo, asked, ...played } = await play(group, fleet)
  expect(played).toEqual({ said: 2, lines, answer, why })
  expect(replyTo).toEqual([asked, asked])
})

test('on Discord', { timeout: 60_000 }, async () => {
  await using platform = await startDiscord({ patienceMs: 40_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Ann' })
  const chat = platform.group({ by: 'Ann' })
  const greeting = await chat.until(() => chat.said()[0])
  if (greeting.text.includes('/allow here')) await chat.replyTo(chat.ask('Ann', '/allow here'))
  const { replyTo, asked, ...played } = await play(chat, fleet)
  expect(played).toEqual({ said: 2, lines, answer, why })
  expect(replyTo).toEqual([asked, asked])
})

test(
  'a plan of which nobody knows whether it arrived is left as it is, and nobody is told',
  { timeout: 60_000 },
  async () => {
    await using platform = await startTelegram({ patienceMs: 40_000 })
    await using fleet = await startChatFleet([platform], { owner: 'Ann' })
    const chat = platform.direct('Ann')
    const before = chat.said().length
    script(fleet, 1.6)
    chat.ask('Ann', request)
    chat.loseAnswer()
    await chat.hear('结论', 40_000)
    const said = chat.said().slice(before)
    expect(said.map(({ texts }) => texts.map(last))).toEqual([[lines[0]], ['结论：缓存没有命中。']])
  },
)

test('another executor that goes on with the turn goes on with its plan', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ patienceMs: 40_000 })
  await using fleet = await startChatFleet([platform], { owner: 'Ann', parts: ['router'] })
  const chat = platform.direct('Ann')
  const before = chat.said().length
  script(fleet, 1.6)
  const first = await fleet.startExecutor()
  chat.ask('Ann', request)
  await chat.hear('1/3')
  await first.stop(0)
  await fleet.startExecutor()
  await chat.hear('结论', 40_000)
  await chat.hear('✓')
  const said = chat.said().slice(before)
  expect(said.map(({ texts }) => texts.map(last))).toEqual([lines, ['结论：缓存没有命中。']])
})
