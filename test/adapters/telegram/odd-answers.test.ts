// Whatever Telegram's address answers, to whichever method: it is an error of that request, told or waited out, and never an exception.
import { glob, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdmins } from '#adapters/telegram/admins.ts'
import { createBotApi } from '#adapters/telegram/bot-api.ts'
import { createTelegramDelivery } from '#adapters/telegram/telegram-delivery.ts'
import { loadSettings } from '#infra/config/settings.ts'
import { readTelegram } from '#infra/doctor/telegram-facts.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import { oddAnswers, type OddAnswer } from '#test/rig/odd-answers.ts'
import { findFreePort, startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { startTelegramSimulator, type TelegramSimulator } from '#test/simulators/telegram/simulator.ts'
import { openRedisKernel } from '#test/rig/store.ts'
import { say, toAddress, until } from '#test/rig/channel-rig.ts'
import { openTelegramRig, type RigOptions } from './telegram-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const toResult = (result: unknown): OddAnswer => ({
  type: 'application/json',
  body: JSON.stringify({ ok: true, result }),
})
const refusal = (more: object): OddAnswer => ({
  type: 'application/json',
  body: JSON.stringify({ ok: false, ...more }),
})
const lists = new Set(['getUpdates', 'getMyCommands', 'getChatAdministrators'])

/** What fits no method; an empty list is an answer where a list is asked for. */
const answersTo = (method: string): readonly (readonly [string, OddAnswer])[] => [
  ...oddAnswers,
  ['no result', { type: 'application/json', body: '{"ok":true}' }],
  ['a result of null', toResult(null)],
  ['a result of {}', toResult({})],
  ['a result that is a string', toResult('yes')],
  ['a result that is a list of null', toResult([null])],
  ...(lists.has(method) ? [] : ([['a result of []', toResult([])]] as const)),
  ['an error without a code', refusal({ description: 'upstream failed' })],
  ['an error without words', refusal({ error_code: 400 })],
  ['an error whose code is a word', refusal({ error_code: '502', description: 'Bad Gateway' })],
]

/** The next answer to this method, as if the method had been carried out. */
function answerOnce(telegram: TelegramSimulator, method: string, odd: OddAnswer): void {
  telegram.fault({ when: { method }, times: 1, fault: { kind: 'odd', accepted: true, ...odd } })
}

const table = '| a | b |\n| --- | --- |\n| 1 | 2 |'
const exported = { name: 'all.md', caption: 'all', text: 'everything' }
const limits = { botPerS: 10_000, chatPerS: 10_000, groupPerMinute: 10_000 }
const signal = new AbortController().signal
const row = (body: OutBody, replacesReceipt?: string): BegunRow => ({
  id: 'row',
  attempts: 1,
  cameAtMs: 0,
  body,
  ...(replacesReceipt === undefined ? {} : { replacesReceipt }),
})
const unbutton: OutBody = { v: 1, kind: 'unbutton', language: 'en', answers: [], replaces: 'row-0' }
const reaction: OutBody = { v: 1, kind: 'react', language: 'en', answers: [], messageId: '1', emoji: '👍' }
const toDraft = (text: string) => ({ turn: 't1', text })
type Case = {
  /** Asks by this method, about a message of the bot's in chat 7. */
  act(delivery: ChannelDelivery, message: string): Promise<unknown>
  readonly becomes: object
}
const address = toAddress('telegram:7')
/** May have arrived: nothing is sent twice. An edit shows once however often it is made. */
const sends: Readonly<Record<string, Case>> = {
  sendMessage: { act: (one) => one.deliver(address, row(say('hi')), signal), becomes: { kind: 'unknown' } },
  sendRichMessage: { act: (one) => one.deliver(address, row(say(table)), signal), becomes: { kind: 'unknown' } },
  sendDocument: {
    act: (one) => one.deliver(address, row(say('see', { file: exported })), signal),
    becomes: { kind: 'unknown' },
  },
  editMessageText: { act: (one, id) => one.deliver(address, row(say('new'), id), signal), becomes: { kind: 'retry' } },
  editMessageReplyMarkup: {
    act: (one, id) => one.deliver(address, row(unbutton, id), signal),
    becomes: { kind: 'unknown' },
  },
  setMessageReaction: { act: (one) => one.deliver(address, row(reaction), signal), becomes: { kind: 'sent' } },
  sendChatAction: { act: (one) => one.showDraft(address, toDraft(''), signal), becomes: { kind: 'unclear' } },
  sendMessageDraft: { act: (one) => one.showDraft(address, toDraft('hello'), signal), becomes: { kind: 'unclear' } },
  sendRichMessageDraft: { act: (one) => one.showDraft(address, toDraft(table), signal), becomes: { kind: 'unclear' } },
}

test.each(Object.entries(sends))('%s: nobody takes an odd answer for success', async (method, { act, becomes }) => {
  const telegram = await startTelegramSimulator()
  telegram.sendText({ from: 7, text: 'hi' })
  const bot = createBotApi({ token: telegram.token, apiRoot: telegram.apiRoot })
  const delivery = createTelegramDelivery({ bot, chats: { move: async () => {} } }, limits, 2000)
  for (const [name, odd] of answersTo(method)) {
    const first = await delivery.deliver(address, row(say('card', { buttons: [[{ id: 'x', label: 'X' }]] })), signal)
    const message = first.kind === 'sent' ? first.receipt : ''
    answerOnce(telegram, method, odd)
    expect(await act(delivery, message), name).toMatchObject(becomes)
    expect(telegram.ledger.of(method).at(-1)?.outcome, name).toBe('lost')
  }
  await telegram.close()
})

const isPoll = ({ method }: { readonly method: string }): boolean => method === 'getUpdates'
const commands = [{ name: 'help', help: { en: 'What I can do', zh: '我能做什么' } }]

test.each(['getMe', 'deleteWebhook', 'getMyCommands', 'setMyCommands', 'getUpdates'])(
  '%s: receiving waits out odd answers and says so once',
  async (method) => {
    await using rig = await openTelegramRig(server, { commands })
    const answers = answersTo(method)
    for (const [, odd] of answers) answerOnce(rig.telegram, method, odd)
    rig.telegram.sendText({ from: 7, text: 'hi' })
    rig.run()
    expect(await rig.waitForEvents('telegram:7', 1)).toMatchObject([{ text: 'hi' }])
    const isInsisted = method === 'getMe' || method === 'getUpdates'
    expect(rig.said).toEqual(isInsisted ? [expect.stringContaining('TELEGRAM_API_ROOT')] : [])
    if (isInsisted) expect(rig.telegram.ledger.of(method).length).toBeGreaterThan(answers.length)
  },
)

test('setWebhook: is asked again until it is granted', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}/telegram`
  await using rig = await openTelegramRig(server, { channel: { webhook: { url, secret: 'a-proper_secret-1' } } })
  const answers = answersTo('setWebhook')
  for (const [, odd] of answers) answerOnce(rig.telegram, 'setWebhook', odd)
  rig.run()
  await rig.telegram.ledger.waitFor(({ method, outcome }) => method === 'setWebhook' && outcome === 'ok')
  expect(rig.telegram.ledger.of('setWebhook')).toHaveLength(answers.length + 1)
  expect(rig.said).toHaveLength(1)
})

test('getChatAdministrators: without an answer nobody is an administrator', async () => {
  const telegram = await startTelegramSimulator()
  telegram.addBotToGroup({ chat: -100, by: 7 })
  const bot = createBotApi({ token: telegram.token, apiRoot: telegram.apiRoot })
  const budget = { isOpen: async () => true, pause: async () => {} }
  for (const [name, odd] of answersTo('getChatAdministrators')) {
    answerOnce(telegram, 'getChatAdministrators', odd)
    const admins = createAdmins({ bot, budget, now: Date.now })
    expect(await admins.isAdmin(-100, 7), name).toBe(false)
  }
  expect(await createAdmins({ bot, budget, now: Date.now }).isAdmin(-100, 7)).toBe(true)
  await telegram.close()
})

test('answerCallbackQuery: a press counts whatever its toast is answered', async () => {
  await using rig = await openTelegramRig(server)
  rig.telegram.sendText({ from: 7, text: 'hi' })
  rig.run()
  await rig.waitForEvents('telegram:7', 1)
  await rig.queue('telegram:7', [say('card', { buttons: [[{ id: 'x', label: 'X' }]] })])
  await rig.deliver('telegram:7')
  const message = rig.telegram.visible(7).at(-1)?.id ?? 0
  for (const [, odd] of answersTo('answerCallbackQuery')) {
    answerOnce(rig.telegram, 'answerCallbackQuery', odd)
    const { id } = rig.telegram.press({ from: 7, chat: 7, message, data: 'x', isForged: true })
    await rig.telegram.until(() => rig.telegram.pressAnswer(id))
  }
  rig.telegram.sendText({ from: 7, text: 'still there' })
  expect(await rig.waitForEvents('telegram:7', 2)).toMatchObject([{ text: 'hi' }, { text: 'still there' }])
})

test.each(['getMe', 'getWebhookInfo', 'getChat', 'getChatMember'])(
  '%s: doctor says what it could not see',
  async (method) => {
    await using rig = await openTelegramRig(server)
    rig.telegram.addBotToGroup({ chat: -100, by: 7, title: 'Room' })
    const stop = rig.run()
    await rig.waitForEvents('telegram:-100', 1)
    await stop()
    await rig.chats.close('telegram:-100', 'known by this')
    const { redis, close } = await openRedisKernel(server.url)
    const env = { TELEGRAM_BOT_TOKEN: rig.telegram.token, TELEGRAM_API_ROOT: rig.telegram.apiRoot, FLOTILLA_ALLOW: '*' }
    for (const [name, odd] of answersTo(method)) {
      answerOnce(rig.telegram, method, odd)
      const { api, groups } = await readTelegram(loadSettings(env, tmpdir()), { kind: 'open', redis })
      const reason = expect.stringContaining('TELEGRAM_API_ROOT')
      if (method === 'getMe' || method === 'getWebhookInfo') expect(api, name).toEqual({ kind: 'away', reason })
      else expect(groups, name).toMatchObject([{ kind: 'unseen', reason }])
    }
    close()
  },
)

test('these are all methods that are called', async () => {
  const called = new Set<string>()
  for await (const file of glob(['adapters/telegram/*.ts', 'infra/doctor/telegram-*.ts'])) {
    for (const [, method = ''] of (await readFile(file, 'utf8')).matchAll(/\bapi\.([a-z][A-Za-z]+)\(/g))
      called.add(method)
  }
  const received = ['getMe', 'deleteWebhook', 'getMyCommands', 'setMyCommands', 'getUpdates', 'setWebhook']
  const others = ['getChatAdministrators', 'answerCallbackQuery', 'getWebhookInfo', 'getChat', 'getChatMember']
  expect([...called].toSorted()).toEqual([...Object.keys(sends), ...received, ...others].toSorted())
})

/** Answers every poll at once. */
async function countPolls(result: unknown, options: RigOptions = {}): Promise<number> {
  await using rig = await openTelegramRig(server, { channel: { pollS: 20 }, ...options })
  const fault = { kind: 'odd', accepted: false, ...toResult(result) } as const
  rig.telegram.fault({ when: { method: 'getUpdates' }, fault })
  rig.run()
  await rig.telegram.ledger.waitFor(isPoll)
  const begunAtMs = performance.now()
  await until(async () => (performance.now() - begunAtMs > 2500 ? true : undefined))
  return rig.telegram.ledger.of('getUpdates').length
}

test('a server that answers polls at once, with nothing or always the same, is asked once a second', async () => {
  const same = { update_id: 5, message: { message_id: 1, date: 1, chat: { id: 7, type: 'private' }, text: 'hi' } }
  expect(await countPolls([])).toBeLessThanOrEqual(4)
  expect(await countPolls([same])).toBeLessThanOrEqual(5)
})

test('an update without a number is left out, and those beside it are taken', async () => {
  await using rig = await openTelegramRig(server)
  const from = { id: 7, first_name: 'Ann' }
  const fine = { update_id: 5, message: { message_id: 1, date: 1, chat: { id: 7, type: 'private' }, from, text: 'hi' } }
  answerOnce(rig.telegram, 'getUpdates', toResult([null, { update_id: 'x' }, fine]))
  rig.run()
  expect(await rig.waitForEvents('telegram:7', 1)).toMatchObject([{ text: 'hi' }])
  expect(rig.ignored).toEqual(['malformed', 'malformed'])
})

test.each(['/elsewhere', '/bot'])('an address with the path %s is told, with what to correct', async (path) => {
  const telegram = await startTelegramSimulator()
  const apiRoot = `${telegram.apiRoot}${path}`
  await using rig = await openTelegramRig(server, { channel: { apiRoot } })
  rig.run()
  await until(async () => (rig.said.length > 0 ? true : undefined))
  expect(rig.said[0]).toContain('TELEGRAM_API_ROOT')
  expect(rig.said[0]).not.toContain('undefined')
  await telegram.close()
})
