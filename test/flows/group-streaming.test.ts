// A Telegram group sees a long answer grow: through the whole fleet, the real SDK and Telegram's documented limits.
import { expect, test } from 'vitest'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { documentedLimits } from '#test/simulators/telegram/faults.ts'

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

test('a long answer is one message that grows and ends whole', { timeout: 60_000 }, async () => {
  await using platform = await startTelegram({ limits: documentedLimits, patienceMs: 40_000 })
  const { telegram } = platform
  await using fleet = await startChatFleet([platform])
  const chat = platform.group({ by: 'Ann' })
  await chat.until(() => chat.said()[0])
  const before = chat.said().length
  fleet.model.script({ when: { text: 'explain' }, answer: { kind: 'text', text: answer }, chunkDelayMs: 300 })
  const first = await chat.answerTo('Ann', 'explain it')
  expect(first.texts[0]?.length).toBeGreaterThanOrEqual(120)
  const last = await chat.when(first.id, ({ text }) => text.endsWith('That is all.'))
  expect(chat.said()).toHaveLength(before + 1)
  expect(last.text).not.toContain('…')
  const edits = telegram.ledger.of('editMessageText')
  // It grows once after six seconds, again after twelve more, and ends whole.
  expect(edits.length).toBeGreaterThanOrEqual(2)
  expect(edits.length).toBeLessThanOrEqual(4)
  expect(telegram.ledger.entries.filter((entry) => entry.status === 429)).toEqual([])
})
