// Answers of which Telegram never said whether they arrived (faults.md row 31): sent once, counted as unknown, told, and shown again to
// whoever wants it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { labels, type SimulatedChat } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import type { TelegramFault } from '#test/simulators/telegram/faults.ts'

let fleet: Fleet
let platform: TelegramPlatform
beforeAll(async () => {
  platform = await startTelegram({ patienceMs: 20_000 })
  fleet = await startChatFleet([platform])
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
})

const taken = { accepted: true } as const
const lost = { accepted: false } as const
const faults: readonly (TelegramFault & { readonly accepted: boolean })[] = [
  { kind: 'reset', ...taken },
  { kind: 'reset', ...lost },
  { kind: 'error', status: 500, description: 'Internal Server Error', ...taken },
  { kind: 'error', status: 503, description: 'Service Unavailable', ...lost },
  { kind: 'bad-gateway', ...taken },
  { kind: 'bad-gateway', ...lost },
  { kind: 'no-answer', ...taken },
  { kind: 'no-answer', ...lost },
]
const told = 'A message of mine may not have arrived.'
const table = '| n | answer |\n|---|---|\n| 1 | yes |'

/** States of all rows by id, of one chat. */
async function states({ conversation }: SimulatedChat): Promise<string[]> {
  const rows = await readStoredRows(fleet.redis.admin, conversation)
  return rows.filter((row) => row.conversation === conversation).map(({ fields }) => String(fields['s']))
}

test.concurrent.each([
  ['a plain answer', 'sendMessage', 'the plain answer'],
  ['an answer with a table', 'sendRichMessage', table],
])(
  '%s is sent once, unknown exactly where a fault was, told, and shown again',
  { timeout: 60_000 },
  async (_, method, answer) => {
    const open = (who: string) => ({ who, chat: platform.direct(who) })
    const people = faults.map((fault, i) => ({ ...open(`${method} ${i}`), fault }))
    const unhurt = open(`${method}, unhurt`)
    const { telegram, chatIdOf } = platform
    fleet.model.script({ when: { text: `question of ${method}` }, answer: { kind: 'text', text: answer } })
    for (const { chat, fault } of people) telegram.fault({ when: { method, chat: chatIdOf(chat) }, times: 1, fault })
    for (const { who, chat } of [...people, unhurt]) chat.say(who, `question of ${method}?`)
    const shown = (await unhurt.chat.until(() => unhurt.chat.said()[0])).text
    await Promise.all(
      people.map(async ({ chat }) => {
        const id = chatIdOf(chat)
        await telegram.ledger.waitFor((call) => call.method === method && call.params['chat_id'] === id, 20_000)
        await expect.poll(() => states(chat), { timeout: 50_000, interval: 100 }).toContain('unknown')
      }),
    )
    for (const { who, chat, fault } of people) {
      expect(chat.said().map((one) => one.text)).toEqual(fault.accepted ? [shown] : [])
      chat.say(who, '/status')
    }
    for (const { who, chat, fault } of people) {
      const before = fault.accepted ? 1 : 0
      const notice = await chat.until(() => chat.said()[before + 1])
      expect(notice.text).toBe(told)
      await chat.press(who, notice.id, labels(notice)[0] ?? '').notice()
      await chat.until(() => chat.said()[before + 2])
      expect(chat.said().filter((one) => one.text === shown)).toHaveLength(before + 1)
      expect(chat.said()).toHaveLength(before + 3)
    }
    const all = await Promise.all(people.map(({ chat }) => states(chat)))
    expect(all.map((one) => one.filter((state) => state === 'unknown').length)).toEqual(people.map(() => 1))
    expect(await states(unhurt.chat)).not.toContain('unknown')
  },
)
