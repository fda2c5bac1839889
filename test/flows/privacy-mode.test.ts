// A bot as @BotFather makes it gets only mentions in groups: a mode that needs every message says so.
import { expect, test } from 'vitest'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'

const mention = '@flotilla_test_bot'

test.each([
  [false, 'en', /every message here, and remember it\.\n\nBut Telegram’s privacy mode is on.*\/setprivacy/],
  [false, 'zh', /每条消息都回答，也会记住。\n\n但是 Telegram 的隐私模式还开着.*\/setprivacy/],
  [true, 'en', /every message here, and remember it\.$/],
])('with all messages: %s, in %s', async (canReadAllGroupMessages, language, told) => {
  await using telegram = await startTelegram({ canReadAllGroupMessages, languages: { Olga: language } })
  await using fleet = await startChatFleet([telegram], { owner: 'Olga' })
  const group = telegram.group({ by: 'Olga' })
  await group.until(() => group.said()[0])
  await expect.poll(() => fleet.runtime.hearing.hearsAll('telegram')).toBe(canReadAllGroupMessages)
  const always = await group.replyTo(group.say('Olga', `/mode${mention} always`))
  expect(always.text).toMatch(told)
  const asked = await group.replyTo(group.say('Olga', `/mode${mention} mention`))
  expect(asked.text).not.toMatch(/privacy|隐私/)
})
