// Facts about the app's token: used as long as it is good, whatever becomes of the next one; got once for all; and when Feishu refuses what it
// gave itself, nothing is lost and nobody asks in a tight loop.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createAppToken } from '#adapters/feishu/app-token.ts'
import { toAccountName } from '#adapters/feishu/ids.ts'
import { createRestApi, type RestApi } from '#adapters/feishu/rest-api.ts'
import { BotError } from '#shared/errors.ts'
import { createAppAccount, type AppAccount } from '#queues/fleet/app-account.ts'
import type { BegunRow } from '#queues/kernel/kernel.ts'
import { say, toAddress, toDelivery, until } from '#test/rig/channel-rig.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openFeishuRig, type FeishuRig } from './feishu-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const toConnection = ({ feishu }: FeishuRig) => ({
  appId: feishu.appId,
  appSecret: feishu.appSecret,
  domain: feishu.apiRoot,
})
const accountOf = (rig: FeishuRig): AppAccount => createAppAccount(rig.call, toAccountName(rig.feishu.appId))
const open = (rig: FeishuRig, account = accountOf(rig)) =>
  createAppToken(toConnection(rig), { account, count: () => {} })
const tokenCalls = ({ feishu }: FeishuRig): number => feishu.ledger.of('getTenantToken').length
const signal = new AbortController().signal
const whoAmI = { method: 'GET', path: '/bot/v3/info', shape: z.unknown(), isFlat: true } as const

test('while there is no next one, the old one is used at once, and the next is asked for once', async () => {
  await using rig = await openFeishuRig(server)
  await accountOf(rig).put('another', 'still-good', 300_000)
  rig.feishu.fault({ when: { route: 'getTenantToken' }, fault: { kind: 'no-answer' } })
  const token = open(rig)
  const beganMs = performance.now()
  for (let i = 0; i < 20; i++)
    expect(await token.find(AbortSignal.timeout(3000))).toEqual({ kind: 'ok', value: 'still-good' })
  expect(performance.now() - beganMs).toBeLessThan(3000)
  await rig.feishu.ledger.waitFor(({ route }) => route === 'getTenantToken')
  expect(tokenCalls(rig)).toBe(1)
})

test('the next one is got before the old one ends', async () => {
  await using rig = await openFeishuRig(server)
  await accountOf(rig).put('another', 'still-good', 300_000)
  const token = open(rig)
  expect(await token.find(signal)).toEqual({ kind: 'ok', value: 'still-good' })
  await until(async () => {
    const found = await token.find(signal)
    return found.kind === 'ok' && found.value !== 'still-good' ? true : undefined
  })
  expect(tokenCalls(rig)).toBe(1)
})

test('a process that takes the lead after another has got the token asks for none', async () => {
  await using rig = await openFeishuRig(server)
  const [first, account] = [open(rig), accountOf(rig)]
  const late = open(rig, {
    ...account,
    async lead(...how) {
      await first.find(signal)
      return await account.lead(...how)
    },
  })
  expect(await late.find(signal)).toEqual(await first.find(signal))
  expect(tokenCalls(rig)).toBe(1)
})

test('forty processes whose token was taken back get one new one together', async () => {
  await using rig = await openFeishuRig(server, { simulator: { limits: 'off' } })
  const open1 = (): RestApi => createRestApi(toConnection(rig), { token: open(rig), count: () => {} })
  const all = Array.from({ length: 40 }, open1)
  const askAll = () => Promise.all(all.map(async (one) => (await one.call(whoAmI, { timeoutMs: 10_000, signal })).kind))
  expect(new Set(await askAll())).toEqual(new Set(['ok']))
  expect(tokenCalls(rig)).toBe(1)
  rig.feishu.revokeTokens()
  expect(new Set(await askAll())).toEqual(new Set(['ok']))
  expect(tokenCalls(rig)).toBe(2)
})

test('without Redis a process gets one of its own', async () => {
  await using rig = await openFeishuRig(server)
  const away = async () => await Promise.reject(new BotError('store-unavailable', 'away', { retry: { afterMs: 50 } }))
  const token = open(rig, { find: away, lead: away, put: away, count: away, calls: away })
  expect(await token.find(signal)).toMatchObject({ kind: 'ok' })
  expect(await token.find(signal)).toMatchObject({ kind: 'ok' })
  expect(tokenCalls(rig)).toBe(1)
})

const refused = { kind: 'error', code: 99_991_663, message: 'Invalid access token for authorization.' } as const

test('where Feishu refuses the token that it gave, rows wait, and few calls are made', async () => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const question = rig.feishu.person('Ada').say(chat, 'who?')
  rig.feishu.fault({ when: { route: ['createMessage', 'replyMessage', 'patchMessage'] }, fault: refused })
  const delivery = toDelivery(rig.channel)
  const row: BegunRow = { id: 'row', attempts: 1, cameAtMs: 0, body: say('hi', { replyTo: question }) }
  const tries = [row, { ...row, replacesReceipt: question }, row, row]
  for (const one of tries)
    expect(await delivery.deliver(toAddress(`feishu:${chat}`), one, signal)).toMatchObject({
      kind: 'retry',
      reason: 'Feishu refuses the token that it gave',
    })
  expect(rig.feishu.ledger.entries.length).toBeLessThan(8)
  expect(tokenCalls(rig)).toBe(2)
})

/** Good, but for its length. */
const endless = (answer: object): string => `{"pad":"${'x'.repeat(21_000_000)}",${JSON.stringify(answer).slice(1)}`

test.each([
  ['createMessage', { data: { message_id: 'om_1' } }, 'unknown'],
  ['getTenantToken', { tenant_access_token: 't-1', expire: 7200 }, 'retry'],
])('%s: an answer that does not end is none', async (route, answer, becomes) => {
  await using rig = await openFeishuRig(server)
  const chat = rig.feishu.addGroup({ owner: 'Ada' })
  const body = endless({ code: 0, msg: 'success', ...answer })
  rig.feishu.fault({ when: { route }, fault: { kind: 'odd', body } })
  const row: BegunRow = { id: 'row', attempts: 1, cameAtMs: 0, body: say('hi') }
  const outcome = await toDelivery(rig.channel).deliver(toAddress(`feishu:${chat}`), row, signal)
  expect(outcome).toMatchObject({ kind: becomes, reason: expect.stringContaining('not Feishu’s') })
})
