// What somebody without a model's key meets of tasks: the demo model plans one, does its steps and hands out the result.
import { expect, test } from 'vitest'
import { createDemoModel } from '#infra/models/demo-model.ts'
import type { Language } from '#shared/chat/message.ts'
import { hear } from '#test/rig/chats/room.ts'
import { openTerminal } from '#test/rig/chats/terminal-room.ts'
import { startFleet, until } from '#test/rig/fleet.ts'

const told: Readonly<
  Record<Language, Readonly<Record<'order' | 'first' | 'go' | 'wish' | 'wished' | 'last' | 'done', string>>>
> = {
  en: {
    order: '/task write a short guide in three parts and stop after each',
    first: 'Step 1 of 3, “Part one: getting ready”. A real model would work here.',
    go: 'Continue',
    wish: 'a lighter tone',
    wished: 'You said: “a lighter tone”.',
    last: 'Step 3 of 3',
    done: 'Task #1 · done',
  },
  zh: {
    order: '/task 写一份三部分的短指南，每步停一下',
    first: '第 1 步，共 3 步：“第一部分：准备”。真正的模型会在这里做事。',
    go: '继续',
    wish: '语气轻松些',
    wished: '你说过：“语气轻松些”。',
    last: '第 3 步，共 3 步',
    done: '任务 #1 · 已完成',
  },
}

test.each(Object.entries(told))('the demo model plays a task: %s', { timeout: 60_000 }, async (language, words) => {
  await using fleet = await startFleet({ found: { port: createDemoModel(), tools: [] } })
  const name = `demo-task-${language}`
  const room = await openTerminal(fleet.runtime, name, { name, language: language === 'zh' ? 'zh' : 'en' })
  const card = async (part: string) =>
    await hear(room, ({ text, buttons }) => text.includes(part) && buttons.flat().length > 2, part)
  await room.ask('', words.order)
  const first = await card(words.first)
  // A person is slower than the terminal, which has yet to tell that it shows the card.
  await until(async () => (await fleet.runtime.kernel.findCards(room.conversation, [])).cards.length > 0)
  await room.ask('', words.wish, first.id)
  const again = await card(words.wished)
  await room.press('', again.id, words.go)
  const second = await hear(
    room,
    ({ id, text, buttons }) => ![first.id, again.id].includes(id) && text.includes('2/3') && buttons.flat().length > 2,
  )
  await room.press('', second.id, words.go)
  const third = await card(words.last)
  await room.press('', third.id, words.go)
  await hear(room, words.done)
  const result = await hear(
    room,
    ({ text, buttons }) => text.includes(words.last) && buttons.length === 0,
    'the result',
  )
  expect(result.text).toContain(words.wished)
  await room.close()
})
