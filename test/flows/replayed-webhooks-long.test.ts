// A thousand captured webhook requests, secret and all, sent to the fleet once more: no run, no message, no change.
import { expect, test } from 'vitest'
import { labels } from '#test/rig/chats/chat.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { startTelegram, type TelegramPlatform } from '#test/rig/chats/telegram-chat.ts'
import { findFreePort } from '#test/rig/redis.ts'
import { until } from '#test/rig/fleet.ts'
import type { TelegramLedgerEntry } from '#test/simulators/telegram/ledger.ts'
import { listen, readBody } from '#test/simulators/http-server.ts'

type Captured = { readonly headers: Record<string, string>; readonly body: string }

/** Stands between Telegram and the fleet, and writes down what passes. */
async function startTap(target: string): Promise<{ url: string; captured: Captured[]; close: () => Promise<void> }> {
  const captured: Captured[] = []
  const server = await listen(async ({ req, res }) => {
    const headers = {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': String(req.headers['x-telegram-bot-api-secret-token']),
    }
    const body = (await readBody(req)).toString()
    captured.push({ headers, body })
    res.statusCode = (await fetch(target, { method: 'POST', headers, body })).status
    res.end()
  }, 0)
  return { url: `${server.origin}/hooks/telegram`, captured, close: () => server.close() }
}

const people = Array.from({ length: 100 }, (_, i) => `Person ${i}`)
const questions = 5

/** 500 questions, 200 edits, 150 reactions, 50 menus, and 100 presses of which half come too late. */
async function talk(platform: TelegramPlatform): Promise<void> {
  const speak = async (who: string, i: number): Promise<void> => {
    const chat = platform.direct(who)
    const said = Array.from({ length: questions }, (_, n) => chat.say(who, `what is ${n} of ${who}?`))
    await chat.until(() => chat.said()[0])
    if (i >= 50) return
    for (const message of said.slice(0, 4)) chat.edit(who, message, `what was ${message} of ${who}?`)
    for (const message of said.slice(0, 3)) chat.react(who, message, '👍')
    chat.say(who, '/depth')
    const card = await chat.until(() => chat.said().find((one) => labels(one).includes('deep')))
    const data = card.buttons[0]?.[0]?.data ?? ''
    for (let n = 0; n < 2; n++) await chat.forge(who, card.id, data).notice()
  }
  for (let at = 0; at < people.length; at += 20)
    await Promise.all(people.slice(at, at + 20).map((who, n) => speak(who, at + n)))
}

const isMessage = ({ method, accepted }: TelegramLedgerEntry): boolean =>
  accepted && /^(sendMessage$|sendRich|editMessageText)/.test(method)

test('a thousand requests that come again begin nothing', { timeout: 120_000 }, async () => {
  const port = await findFreePort()
  const tap = await startTap(`http://127.0.0.1:${port}/hooks/telegram`)
  await using platform = await startTelegram({ patienceMs: 30_000 })
  await using fleet = await startChatFleet([platform], {
    env: {
      FLOTILLA_PORT: String(port),
      TELEGRAM_WEBHOOK_URL: tap.url,
      TELEGRAM_WEBHOOK_SECRET: 'a-secret-of-the-test',
    },
  })
  const { telegram } = platform
  const { admin } = fleet.redis
  const quiet = async (): Promise<true | undefined> => {
    const waiting = await Promise.all(['obq', 'in'].map((kind) => admin.keys(`fl:{p*}:${kind}:telegram:*`)))
    return telegram.pendingUpdates() === 0 && waiting.flat().length === 0 ? true : undefined
  }
  const traces = () => ({
    runs: fleet.model.ledger.entries.length,
    messages: telegram.ledger.entries.filter(isMessage).length,
    seen: people.map((who) => platform.direct(who).seen()),
  })
  await talk(platform)
  await until(quiet)
  const replayed = tap.captured.slice(-1000)
  expect(replayed).toHaveLength(1000)
  const before = traces()
  expect(before.runs).toBeGreaterThan(100)
  const statuses = new Set<number>()
  const shuffled = replayed.toSorted((a, b) => a.body.length - b.body.length)
  for (let at = 0; at < shuffled.length; at += 40) {
    const replies = shuffled.slice(at, at + 40).map(async ({ headers, body }) => {
      statuses.add((await fetch(tap.url, { method: 'POST', headers, body })).status)
    })
    await Promise.all(replies)
  }
  expect([...statuses]).toEqual([200])
  await platform.direct('Ada').answerTo('Ada', 'what is new?')
  await until(quiet)
  expect(traces()).toEqual({ ...before, runs: before.runs + 1, messages: before.messages + 1 })
  await tap.close()
})
