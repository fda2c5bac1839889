// Forwards with a comment on the simulated Telegram, which sends the comment first: both are one turn, and whose words are whose shows.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SimulatedChat } from '#test/rig/chats/chat.ts'
import { lastPrompt, startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'

let fleet: Fleet
let platform: TelegramPlatform
beforeAll(async () => {
  platform = await startTelegram()
  fleet = await startChatFleet([platform])
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
})
beforeEach(() => fleet.model.ledger.clear())

const models = (): number => fleet.model.ledger.entries.length
const forward_origin = { type: 'user', sender_user: { id: 99, is_bot: false, first_name: 'Bob' } }
/** The forward is fetched by a later poll than its comment. */
async function sendWithComment(chat: SimulatedChat, who: string, comment: string): Promise<void> {
  const { telegram, idOf, chatIdOf } = platform
  const at = { chat: chatIdOf(chat), from: idOf(who) }
  const { message, update } = telegram.sendText({ ...at, text: `${chat.mention} ${comment}`.trim() })
  await telegram.ledger.waitFor(
    ({ method, params }) => method === 'getUpdates' && Number(params['offset']) > (update ?? 0),
  )
  telegram.sendText({ ...at, text: 'the plan is to meet at noon', extra: { forward_origin } })
  await chat.replyTo(String(message))
}

test.each([
  ['Ann', 'summarise this'],
  ['Ben', 'Translate'],
  ['Chen', '总结一下'],
  ['Dora', '这是什么意思？'],
])('in a direct chat (of %s) %j and the forward after it are one turn', async (who, comment) => {
  await sendWithComment(platform.direct(who), who, comment)
  expect(models()).toBe(1)
  expect(lastPrompt(fleet)).toContain(comment)
  expect(lastPrompt(fleet)).toContain('> the plan is to meet at noon')
})

test('so are they in a group, where the comment names the bot', async () => {
  await sendWithComment(platform.group({ by: 'Ann' }), 'Ann', 'summarise this')
  expect(models()).toBe(1)
  expect(lastPrompt(fleet)).toContain('> the plan is to meet at noon')
})
