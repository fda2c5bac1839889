// Threat T20: one person who writes three hundred messages in one go, or three hundred people at once in one channel, starve nobody.
import { expect, test } from 'vitest'
import type { ChatPlatform } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'

const boundMs = 10_000
const many = Array.from({ length: 300 }, (_, i) => i)
const slowly = { when: { model: 'sim-main' }, latencyMs: 50 }

const others = ['Bo', 'Cy', 'Di']

/** How long it takes until each of the others is answered in a chat of their own. */
async function timeOthers(platform: ChatPlatform): Promise<number> {
  const askedMs = Date.now()
  await Promise.all(others.map((who) => platform.direct(who).answerTo(who, 'and what is quiet?')))
  return Date.now() - askedMs
}

test('on Telegram others are answered while one person floods the bot', async () => {
  await using platform = await startTelegram({ patienceMs: 60_000 })
  await using fleet = await startChatFleet([platform])
  fleet.model.script(slowly)
  for (const i of many) platform.direct('Ada').say('Ada', `what is ${i}?`)
  expect(await timeOthers(platform)).toBeLessThan(boundMs)
})

test('on Discord others are answered while one person, or a whole channel, floods the bot', async () => {
  await using platform = await startDiscord({ patienceMs: 60_000 })
  await using fleet = await startChatFleet([platform])
  fleet.model.script(slowly)
  const channel = platform.group({ by: 'Olga' })
  for (const i of many) {
    platform.direct('Ada').say('Ada', `what is ${i}?`)
    channel.ask(`Member ${i}`, `what is ${i}?`)
  }
  expect(await timeOthers(platform)).toBeLessThan(boundMs)
  const { ledger } = platform.discord
  expect(ledger.duringWait()).toEqual([])
  expect(ledger.invalidRequests()).toBeLessThan(100)
})
