// A thousand captured webhook requests, secret and all, sent to the fleet once more: no run, no message, no change.
import { expect, test } from 'vitest'
import { startTelegramFleet, type TelegramFleet } from '#test/rig/telegram-fleet.ts'
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

const people = Array.from({ length: 100 }, (_, i) => 1000 + i)
const questions = 5

/** 500 questions, 200 edits, 150 reactions, 50 menus, and 100 presses of which half come too late. */
async function talk({ telegram, bot, waitFor }: TelegramFleet): Promise<void> {
  const speak = async (from: number, i: number): Promise<void> => {
    const texts = Array.from({ length: questions }, (_, n) => `what is ${n} of ${from}?`)
    const said = texts.map((text) => telegram.sendText({ from, text }).message)
    await waitFor(from, 1)
    if (i >= 50) return
    for (const message of said.slice(0, 4)) telegram.edit({ from, message, text: `what was ${message} of ${from}?` })
    for (const message of said.slice(0, 3)) telegram.react({ from, message, emoji: '👍' })
    telegram.sendText({ from, text: '/depth' })
    const menu = () => bot(from).find((one) => one.buttons.flat().some(({ text }) => text === 'deep'))
    const card = await telegram.until(menu, 30_000)
    const data = card.buttons.flat()[0]?.data ?? ''
    for (let n = 0; n < 2; n++) {
      const { id } = telegram.press({ from, message: card.id, data, isForged: true })
      await telegram.until(() => telegram.pressAnswer(id), 30_000)
    }
  }
  for (let at = 0; at < people.length; at += 20)
    await Promise.all(people.slice(at, at + 20).map((from, n) => speak(from, at + n)))
}

const isMessage = ({ method, accepted }: TelegramLedgerEntry): boolean =>
  accepted && /^(sendMessage$|sendRich|editMessageText)/.test(method)

test('a thousand requests that come again begin nothing', { timeout: 120_000 }, async () => {
  const port = await findFreePort()
  const tap = await startTap(`http://127.0.0.1:${port}/hooks/telegram`)
  await using rig = await startTelegramFleet({
    env: {
      FLOTILLA_ALLOW: '*',
      FLOTILLA_PORT: String(port),
      TELEGRAM_WEBHOOK_URL: tap.url,
      TELEGRAM_WEBHOOK_SECRET: 'a-secret-of-the-test',
    },
  })
  const { telegram, fleet } = rig
  const { admin } = fleet.redis
  const quiet = async (): Promise<true | undefined> => {
    const waiting = await Promise.all(['obq', 'in'].map((kind) => admin.keys(`fl:{p*}:${kind}:telegram:*`)))
    return telegram.pendingUpdates() === 0 && waiting.flat().length === 0 ? true : undefined
  }
  const traces = () => ({
    runs: fleet.model.ledger.entries.length,
    messages: telegram.ledger.entries.filter(isMessage).length,
    seen: people.map((chat) => telegram.visible(chat).map((one) => [one.text, one.edits, one.buttons.length])),
  })
  await talk(rig)
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
  await rig.replyTo(9999, telegram.sendText({ from: 9999, text: 'what is new?' }).message)
  await until(quiet)
  expect(traces()).toEqual({ ...before, runs: before.runs + 1, messages: before.messages + 1 })
  await tap.close()
})
