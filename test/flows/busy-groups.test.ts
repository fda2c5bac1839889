// A group where many ask at once: what its answers cost in calls on each platform, and that none of them waits for anything nobody would miss.
// Through the whole fleet, the real SDKs and simulators that count as the platforms do.
import { expect, test } from 'vitest'
import { openRuntime } from '#infra/processes/runtime.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { documentedLimits } from '#test/simulators/telegram/faults.ts'
import { end, isCosmetic, openGroup, script } from './busy-group.ts'

const people = ['Ann', 'Bob', 'Chen', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jo'] as const
const platforms = {
  Telegram: () => startTelegram({ limits: documentedLimits }),
  Discord: () => startDiscord(),
  Feishu: () => startFeishu(),
}

test.concurrent.for(Object.entries(platforms))(
  'an ordinary answer costs a group one call on %s, and one that grows two',
  { timeout: 90_000 },
  async ([, open], { expect: expectHere }) => {
    await using platform = await open()
    await using fleet = await startChatFleet([platform], { owner: 'Ann' })
    const group = await openGroup(platform)
    fleet.model.script({ when: { text: 'quickly' }, answer: { kind: 'text', text: `Soon, ${end}` } })
    script(fleet, 'slowly', 3500)
    // What the first question has the platform asked for once.
    await group.answerTo('Ann', 'explain it quickly')
    const calls = (): number => group.requests().length
    const before = calls()
    await group.answerTo('Ann', 'explain it quickly once more')
    const growing = await group.answerTo('Ann', 'explain it slowly')
    expectHere(growing.text).not.toContain(end)
    await group.when(growing.id, ({ text }) => text.endsWith(end))
    // Whatever comes after an answer comes before the next one.
    await group.answerTo('Ann', 'and now explain it quickly again')
    expectHere(calls() - before).toBe(1 + 2 + 1)
    expectHere(group.find(growing.id).buttons).toEqual([])
  },
)

test('ten people in a group are all answered, over two senders, before anything that nobody would miss', async () => {
  await using platform = await startTelegram({ limits: documentedLimits, patienceMs: 75_000 })
  const { telegram } = platform
  await using fleet = await startChatFleet([platform], { owner: 'Ann' })
  const { settings, log } = fleet.runtime
  const other = await openRuntime({ settings, redisUrl: fleet.redis.url, log })
  const stop = await startPlatform(other, 'telegram')
  const group = await openGroup(platform, true)
  const topics = people.slice(0, 5).map((who) => group.openThread(who, `Of ${who}`))
  const fromMs = Date.now()
  const answered = people.map(async (who, n) => {
    const topic = topics[n % topics.length] ?? group
    script(fleet, `explain the question of ${who}`, 8000)
    const first = await topic.answerTo(who, `explain the question of ${who}`)
    await topic.when(first.id, ({ text }) => text.endsWith(end))
  })
  await Promise.all(answered)
  await stop()
  await other.close()
  const calls = telegram.ledger.entries.filter(({ params }) => params['chat_id'] === platform.chatIdOf(group))
  expect(calls.filter(({ status }) => status === 429)).toEqual([])
  // The topics answer at the same time, so that two calls would be wanted at every second or so; eight a minute are left to what grows.
  const isGrown = new Set(calls.flatMap(({ method, message }) => (method === 'editMessageText' ? [message] : [])))
  expect(calls.filter(isCosmetic).length + isGrown.size).toBeLessThanOrEqual(
    8 + Math.floor((Date.now() - fromMs) / 60_000) * 8,
  )
}, 120_000)
