// Forwards with a comment on the simulated Telegram, which sends the comment first: both are one turn, and whose words are whose shows.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { group, owner, startTelegramFleet, type TelegramFleet } from '#test/rig/telegram-fleet.ts'

let rig: TelegramFleet
beforeAll(async () => void (rig = await startTelegramFleet({ env: { FLOTILLA_ALLOW: '*' } })))
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.fleet.model.ledger.clear())

const models = (): number => rig.fleet.model.ledger.entries.length
const origin = { type: 'user', sender_user: { id: 99, is_bot: false, first_name: 'Bob' } }
/** The forward is fetched by a later poll than its comment. */
async function sendWithComment(chat: number, from: number, comment: string): Promise<number> {
  const { message, update } = rig.telegram.sendText({ chat, from, text: comment })
  await rig.telegram.ledger.waitFor(
    ({ method, params }) => method === 'getUpdates' && Number(params['offset']) > (update ?? 0),
  )
  rig.telegram.sendText({ chat, from, text: 'the plan is to meet at noon', extra: { forward_origin: origin } })
  return message
}

test.each([
  [20, 'summarise this'],
  [21, 'Translate'],
  [22, '总结一下'],
  [23, '这是什么意思？'],
])('in a direct chat (%i) %j and the forward after it are one turn', async (person, comment) => {
  await rig.replyTo(person, await sendWithComment(person, person, comment))
  expect(models()).toBe(1)
  expect(rig.lastPrompt()).toContain(comment)
  expect(rig.lastPrompt()).toContain('> the plan is to meet at noon')
})

test('so are they in a group, where the comment names the bot', async () => {
  await rig.replyTo(group, await sendWithComment(group, owner, '@flotilla_test_bot summarise this'))
  expect(models()).toBe(1)
  expect(rig.lastPrompt()).toContain('> the plan is to meet at noon')
})
