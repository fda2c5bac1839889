// Answers of which Telegram never said whether they arrived (faults.md row 31): sent once, counted as unknown, told, and shown again to
// whoever wants it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelegramFleet, type TelegramFleet } from '#test/rig/telegram-fleet.ts'
import { readStoredRows } from '#test/rig/stored-rows.ts'
import type { VisibleMessage } from '#test/simulators/telegram/visible.ts'
import type { TelegramFault } from '#test/simulators/telegram/faults.ts'

let rig: TelegramFleet
beforeAll(async () => void (rig = await startTelegramFleet({ env: { FLOTILLA_ALLOW: '*' } })))
afterAll(() => rig[Symbol.asyncDispose]())

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
async function states(chat: number): Promise<string[]> {
  const rows = await readStoredRows(rig.fleet.redis.admin, `telegram:${chat}`)
  return rows.filter(({ conversation }) => conversation === `telegram:${chat}`).map(({ fields }) => String(fields['s']))
}

async function showAgain(chat: number, notice: VisibleMessage): Promise<void> {
  const [button] = notice.buttons.flat()
  const { id } = rig.telegram.press({ from: chat, message: notice.id, data: button?.data ?? '' })
  await rig.telegram.until(() => rig.telegram.pressAnswer(id))
}

test.concurrent.each([
  ['a plain answer', 'sendMessage', 'the plain answer'],
  ['an answer with a table', 'sendRichMessage', table],
])(
  '%s is sent once, unknown exactly where a fault was, told, and shown again',
  { timeout: 60_000 },
  async (_, method, answer) => {
    const base = method === 'sendMessage' ? 100 : 200
    const people = faults.map((fault, i) => ({ chat: base + i, fault }))
    rig.fleet.model.script({ when: { text: `question of ${base}` }, answer: { kind: 'text', text: answer } })
    for (const { chat, fault } of people) rig.telegram.fault({ when: { method, chat }, times: 1, fault })
    const unhurt = base + 50
    for (const chat of [...people.map((one) => one.chat), unhurt])
      rig.telegram.sendText({ from: chat, text: `question of ${base}?` })
    const shown = (await rig.waitFor(unhurt, 1))[0]?.text ?? ''
    await Promise.all(
      people.map(async ({ chat }) => {
        await rig.telegram.ledger.waitFor((call) => call.method === method && call.params['chat_id'] === chat, 20_000)
        while (!(await states(chat)).includes('unknown')) await rig.fleet.runtime.redis.ping()
      }),
    )
    for (const { chat, fault } of people) {
      expect(rig.bot(chat).map((one) => one.text)).toEqual(fault.accepted ? [shown] : [])
      rig.telegram.sendText({ from: chat, text: '/status' })
    }
    for (const { chat, fault } of people) {
      const before = fault.accepted ? 1 : 0
      const said = await rig.waitFor(chat, before + 2)
      expect(said[before + 1]?.text).toBe(told)
      await showAgain(chat, said[before + 1] ?? expect.fail('there is no notice'))
      const after = await rig.waitFor(chat, before + 3)
      expect(after.filter((one) => one.text === shown)).toHaveLength(before + 1)
      expect(after).toHaveLength(before + 3)
    }
    const all = await Promise.all(people.map(({ chat }) => states(chat)))
    expect(all.map((one) => one.filter((state) => state === 'unknown').length)).toEqual(people.map(() => 1))
    expect(await states(unhurt)).not.toContain('unknown')
  },
)
