// A group where many ask at once: what its answers cost in calls on each platform, that none of them waits for anything nobody would miss, and what
// becomes of a chat that was told to wait. Through the whole fleet, the real SDKs and simulators that count as the platforms do.
import { expect, test } from 'vitest'
import { openRuntime } from '#infra/processes/runtime.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import type { ChatPlatform, SimulatedChat } from '#test/rig/chats/chat.ts'
import { startDiscord } from '#test/rig/chats/discord-chat.ts'
import { startFeishu } from '#test/rig/chats/feishu-chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import type { Fleet } from '#test/rig/fleet.ts'
import { startPlatform } from '#test/rig/platform.ts'
import { documentedLimits } from '#test/simulators/telegram/faults.ts'
import type { TelegramLedgerEntry } from '#test/simulators/telegram/ledger.ts'

const people = ['Ann', 'Bob', 'Chen', 'Dee', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jo'] as const
const pieceChars = 24
const end = 'and that is all there is to say.'

/** An answer of some length, which takes so long to be written. */
function script({ model }: Fleet, asked: string, ms: number): void {
  const text = `It is like this: ${'word by word the answer grows and grows. '.repeat(14)}${asked}, ${end}`
  model.script({
    when: { text: asked },
    answer: { kind: 'text', text },
    chunkDelayMs: (ms * pieceChars) / text.length,
  })
}

/** The group once it may be talked in, and nothing is left to be said there. */
async function openGroup(platform: ChatPlatform, hasThreads = false): Promise<SimulatedChat> {
  const group = platform.group({ by: 'Ann', hasThreads })
  const greeting = await group.until(() => group.said()[0])
  if (greeting.text.includes('/allow here')) await group.replyTo(group.ask('Ann', '/allow here'))
  return group
}

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

const isCosmetic = ({ method, params }: TelegramLedgerEntry): boolean =>
  method === 'sendChatAction' || (method === 'editMessageText' && String(params['text']).endsWith('…'))

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
  telegram.fault({ when: { chat }, times: 1, fault: { kind: 'rate-limit', retryAfterS: 10 } })
  const questions = [two, three].map((topic) => topic.answerTo('Bob', 'explain it quickly'))
  const told = await telegram.ledger.waitFor(({ status }) => status === 429, 30_000)
  // A chat beside it is answered while this one is closed.
  await direct.answerTo('Ann', 'explain it quickly here')
  expect(Date.now()).toBeLessThan(told.at + 10_000)
  await Promise.all([...questions, one.when(first.id, ({ text }) => text.endsWith(end))])
  const calls = telegram.ledger.entries.filter(({ params, n }) => params['chat_id'] === chat && n > told.n)
  expect(calls.filter(({ isDuringWait, status }) => isDuringWait || status === 429)).toEqual([])
  expect(calls.filter(isCosmetic)).toEqual([])
  expect(calls[0]?.at).toBeGreaterThanOrEqual(told.at + 10_000)
  // Three seconds lie between two calls of a group as a rule.
  const gaps = calls.slice(1).map(({ at }, n) => at - (calls[n]?.at ?? 0))
  expect(calls).toHaveLength(3)
  for (const gap of gaps) expect(gap).toBeGreaterThan(5800)
}, 120_000)
