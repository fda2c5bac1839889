// What somebody without a model's key meets of cards: the demo model asks, and wants an approval, by the same way as any model.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoModel } from '#infra/models/demo-model.ts'
import { demoTools } from '#infra/models/demo-tools.ts'
import type { Language } from '#shared/chat/message.ts'
import { hear } from '#test/rig/chats/room.ts'
import { openTerminal } from '#test/rig/chats/terminal-room.ts'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet({ found: { port: createDemoModel(), tools: demoTools() } })
}, 30_000)
afterAll(async () => await fleet[Symbol.asyncDispose]())

type Told = Readonly<
  Record<
    | 'ask'
    | 'again'
    | 'question'
    | 'other'
    | 'count'
    | 'label'
    | 'chosen'
    | 'done'
    | 'approve'
    | 'once'
    | 'made'
    | 'deny'
    | 'left',
    string
  >
>
const told: Readonly<Record<Language, Told>> = {
  en: {
    ask: 'ask me something',
    again: 'Ask me another question, please',
    question: 'What shall I show you next?',
    other: 'How far do you want me to count?',
    count: 'Count to 5',
    label: 'Some formatting',
    chosen: 'Your answer was “Some formatting”.',
    done: '## A sample of formatting',
    approve: 'show me an approval',
    once: 'Approve once',
    made: 'You approved it, so it is on the board now, which is no more than this demo’s memory: “Hello!',
    deny: 'Deny',
    left: 'All right: nothing was put on the board.',
  },
  zh: {
    ask: '问我一个问题',
    again: '再问我一个问题吧',
    question: '接下来要我给你看什么？',
    other: '要我数到几？',
    count: '数到 5',
    label: '格式示例',
    chosen: '你的回答是：“格式示例”。',
    done: '## 格式示例',
    approve: '给我看看批准是什么样的',
    once: '批准一次',
    made: '你批准了，所以它现在在留言板上（只在演示用的内存里）：“你好',
    deny: '拒绝',
    left: '好，留言板上什么都没有写。',
  },
}

test.each(Object.entries(told))(
  'the demo model asks by a card and goes on with the answer, and is approved or denied a call: %s',
  { timeout: 60_000 },
  async (language, words) => {
    const name = `demo-${language}`
    const room = await openTerminal(fleet.runtime, name, { name, language: language === 'zh' ? 'zh' : 'en' })
    const card = async (part: string) =>
      await hear(room, ({ text, buttons }) => text.includes(part) && buttons.flat().length > 1, part)
    await room.ask('', words.ask)
    const question = await card(words.question)
    await room.press('', question.id, words.label)
    const answer = await hear(room, words.chosen)
    expect(answer.text).toContain(words.done)
    // The same is not asked twice.
    await room.ask('', words.again)
    const other = await card(words.other)
    await room.press('', other.id, words.count)
    await hear(room, '1 2 3 4 5')
    await room.ask('', words.approve)
    const first = await card('demo_board_post')
    expect(first.text).toContain('demo_board_read')
    await room.press('', first.id, words.once)
    await hear(room, words.made)
    await room.ask('', words.approve)
    const second = await hear(
      room,
      ({ id, text, buttons }) => id !== first.id && text.includes('demo_board_post') && buttons.flat().length > 1,
    )
    await room.press('', second.id, words.deny)
    await hear(room, words.left)
    await room.close()
  },
)
