// Facts about who counts as an administrator of a group, and how often Telegram is asked.
import { expect, test } from 'vitest'
import { createAdmins } from '#adapters/telegram/admins.ts'
import { createBotApi } from '#adapters/telegram/bot-api.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'

async function openRig() {
  const telegram = await startTelegramSimulator()
  telegram.addBotToGroup({ chat: -100, by: 7, admins: [8], anonymous: [8] })
  telegram.addBotToGroup({ chat: -200, by: 9 })
  let nowMs = 0
  const pausedMs = new Map<number, number>()
  const admins = createAdmins({
    bot: createBotApi({ token: telegram.token, apiRoot: telegram.apiRoot }),
    now: () => nowMs,
    budget: {
      isOpen: async (chat) => !pausedMs.has(chat),
      pause: async (chat, ms) => void pausedMs.set(chat, ms),
    },
  })
  return {
    telegram,
    admins,
    pausedMs,
    pass: (ms: number) => void (nowMs += ms),
    [Symbol.asyncDispose]: () => telegram.close(),
  }
}
const asked = (telegram: TelegramSimulator): number => telegram.ledger.of('getChatAdministrators').length

test('an administrator is one in their own group only, and not when hidden', async () => {
  await using rig = await openRig()
  expect(await rig.admins.isAdmin(-100, 7)).toBe(true)
  expect(await rig.admins.isAdmin(-100, 8)).toBe(false)
  expect(await rig.admins.isAdmin(-100, 9)).toBe(false)
  expect(await rig.admins.isAdmin(-200, 7)).toBe(false)
})

test('Telegram is asked once in five minutes', async () => {
  await using rig = await openRig()
  for (let i = 0; i < 5; i++) await rig.admins.isAdmin(-100, 7)
  rig.pass(299_000)
  await rig.admins.isAdmin(-100, 8)
  expect(asked(rig.telegram)).toBe(1)
  rig.pass(2000)
  await rig.admins.isAdmin(-100, 7)
  expect(asked(rig.telegram)).toBe(2)
})

test('without an answer nobody is an administrator, for ten seconds', async () => {
  await using rig = await openRig()
  rig.telegram.fault({
    when: { method: 'getChatAdministrators' },
    times: 1,
    fault: { kind: 'error', status: 500, description: 'Internal' },
  })
  expect(await rig.admins.isAdmin(-100, 7)).toBe(false)
  expect(await rig.admins.isAdmin(-100, 7)).toBe(false)
  expect(asked(rig.telegram)).toBe(1)
  rig.pass(10_000)
  expect(await rig.admins.isAdmin(-100, 7)).toBe(true)
})

test('a chat that is to be left alone is not asked about, and no other is kept waiting', async () => {
  await using rig = await openRig()
  rig.pausedMs.set(-100, 5000)
  expect(await rig.admins.isAdmin(-100, 7)).toBe(false)
  expect(await rig.admins.isAdmin(-200, 9)).toBe(true)
  expect(asked(rig.telegram)).toBe(1)
  rig.pausedMs.delete(-100)
  rig.pass(10_000)
  expect(await rig.admins.isAdmin(-100, 7)).toBe(true)
})

test('a 429 to the question pauses its chat', async () => {
  await using rig = await openRig()
  const fault = { kind: 'rate-limit', retryAfterS: 7 } as const
  rig.telegram.fault({ when: { method: 'getChatAdministrators' }, times: 1, fault })
  expect(await rig.admins.isAdmin(-100, 7)).toBe(false)
  expect([...rig.pausedMs]).toEqual([[-100, 7000]])
})
