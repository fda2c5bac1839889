// A Telegram group sees a long answer grow: through the whole fleet, the real SDK and Telegram's documented limits.
import { expect, test } from 'vitest'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'

const group = -100_500
const ann = 7

const answer = [
  'Here is how it goes, step by step, with a table and some code for those who like to see it before they believe it.',
  '',
  '| step | does |',
  '|---|---|',
  ...Array.from({ length: 12 }, (_, n) => `| ${n} | part ${n} of the whole |`),
  '',
  '```ts',
  ...Array.from({ length: 12 }, (_, n) => `const value${n} = ${n}`),
  '```',
  '',
  'That is all.',
].join('\n')

async function openGroup(): Promise<
  AsyncDisposable & { fleet: Fleet; telegram: TelegramSimulator; shown: () => string[] }
> {
  const telegram = await startTelegramSimulator({
    limits: { perChatPerSecond: 1, perGroupPerMinute: 20, perSecond: 30 },
  })
  const fleet = await startFleet({
    env: { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.apiRoot, FLOTILLA_ALLOW: '*' },
  })
  const stop = await startPlatform(fleet.runtime, 'telegram')
  telegram.addBotToGroup({ chat: group, by: ann })
  return {
    fleet,
    telegram,
    shown: () => telegram.visible(group).flatMap((one) => (one.from === 'bot' ? [one.text] : [])),
    async [Symbol.asyncDispose]() {
      await stop()
      await fleet[Symbol.asyncDispose]()
      await telegram.close()
    },
  }
}

test('a long answer is one message that grows and ends whole', { timeout: 60_000 }, async () => {
  await using opened = await openGroup()
  const { fleet, telegram, shown } = opened
  await telegram.until(() => (shown().length > 0 ? true : undefined))
  const before = shown().length
  fleet.model.script({ when: { text: 'explain' }, answer: { kind: 'text', text: answer }, chunkDelayMs: 300 })
  telegram.sendText({ chat: group, from: ann, text: `@${telegram.bot.username} explain it` })
  await telegram.until(() => (shown().length > before ? true : undefined), 20_000)
  const first = shown().at(-1) ?? ''
  expect(first.length).toBeGreaterThanOrEqual(120)
  await telegram.until(() => (shown().at(-1)?.endsWith('That is all.') ? true : undefined), 40_000)
  expect(shown()).toHaveLength(before + 1)
  expect(shown().at(-1)).not.toContain('…')
  const edits = telegram.ledger.of('editMessageText')
  expect(edits.length).toBeGreaterThanOrEqual(2)
  expect(edits.length).toBeLessThanOrEqual(8)
  expect(telegram.ledger.entries.filter((entry) => entry.status === 429)).toEqual([])
})
