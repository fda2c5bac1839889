// What becomes of a chat that was told to wait, at the pace of real clocks.
import { expect, test } from 'vitest'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { documentedLimits } from '#test/simulators/telegram/faults.ts'
import { end, isCosmetic, openGroup, script } from './busy-group.ts'

test('told to wait, a chat gets nothing cosmetic meanwhile and goes more slowly for a minute, and others are as ever', async () => {
  await using platform = await startTelegram({ limits: documentedLimits, patienceMs: 75_000 })
  const { telegram } = platform
  await using fleet = await startChatFleet([platform], { owner: 'Ann' })
  const group = await openGroup(platform, true)
  const [one, two, three] = ['One', 'Two', 'Three'].map((name) => group.openThread('Ann', name))
  const direct = platform.direct('Ann')
  if (!one || !two || !three) throw new Error('There are no topics.')
  fleet.model.script({ when: { text: 'quickly' }, answer: { kind: 'text', text: `Soon, ${end}` } })
  script(fleet, 'slowly', 9000)
  const chat = platform.chatIdOf(group)
  await direct.answerTo('Ann', 'explain it quickly')
  const growing = one.ask('Ann', 'explain it slowly')
  const first = await one.replyTo(growing)
  telegram.fault({ when: { chat }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 20 } })
  const questions = [two, three].map((topic) => topic.answerTo('Bob', 'explain it quickly'))
  const told = await telegram.ledger.waitFor(({ status }) => status === 429, 30_000)
  // A chat beside it is answered while this one is closed.
  await direct.answerTo('Ann', 'explain it quickly here')
  expect(Date.now()).toBeLessThan(told.at + 20_000)
  await Promise.all([...questions, one.when(first.id, ({ text }) => text.endsWith(end))])
  const calls = telegram.ledger.entries.filter(({ params, n }) => params['chat_id'] === chat && n > told.n)
  expect(calls.filter(({ isDuringWait, status }) => isDuringWait || status === 429)).toEqual([])
  expect(calls.filter(isCosmetic)).toEqual([])
  expect(calls[0]?.at).toBeGreaterThanOrEqual(told.at + 20_000)
  // Three seconds lie between two calls of a group as a rule.
  const gaps = calls.slice(1).map(({ at }, n) => at - (calls[n]?.at ?? 0))
  expect(calls).toHaveLength(3)
  for (const gap of gaps) expect(gap).toBeGreaterThan(5800)
}, 120_000)
