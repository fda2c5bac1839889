// Facts about the simulated Feishu's webhook: the challenge, encryption and signature, what counts as an acknowledgement, and presses.
import { createDecipheriv, createHash } from 'node:crypto'
import { EventDispatcher } from '@larksuiteoapi/node-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listen, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { createBell } from '#test/simulators/signals.ts'
import { card, quiet, startRig } from './feishu-bot.ts'

type Got = { readonly text: string; readonly body: unknown; readonly headers: Exchange['req']['headers'] }

const encrypted = z.strictObject({ encrypt: z.string() })
const challenged = z.strictObject({ challenge: z.string(), token: z.string(), type: z.literal('url_verification') })
const key = 'a-key'

function decrypt(text: string): unknown {
  const bytes = Buffer.from(text, 'base64')
  const cipher = createDecipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), bytes.subarray(0, 16))
  return JSON.parse(cipher.update(bytes.subarray(16)).toString('utf8') + cipher.final('utf8'))
}

/** A receiver that echoes challenges; what else it answers is the test's matter. */
async function startReceiver(answer: (got: Got, exchange: Exchange) => void = (_, { res }) => sendJson(res, 200, {})) {
  const got: Got[] = []
  const bell = createBell()
  const server = await listen(async (exchange) => {
    const text = (await readBody(exchange.req)).toString('utf8')
    const outer: unknown = JSON.parse(text)
    const sealed = encrypted.safeParse(outer)
    const body = sealed.success ? decrypt(sealed.data.encrypt) : outer
    const challenge = challenged.safeParse(body)
    if (challenge.success) return sendJson(exchange.res, 200, { challenge: challenge.data.challenge })
    const one = { text, body, headers: exchange.req.headers }
    got.push(one)
    bell.ring()
    answer(one, exchange)
  }, 0)
  return {
    url: server.origin,
    got,
    until: (count: number) => bell.until(() => (got.length >= count ? got : undefined), `${count} pushes`),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

test('pushes events in the clear, with the verification token', async () => {
  await using rig = await startRig()
  await using receiver = await startReceiver()
  await rig.feishu.setWebhook({ url: receiver.url })
  const id = rig.ann.say(rig.group, 'hello')
  const [push] = await receiver.until(1)
  expect(push?.body).toMatchObject({
    schema: '2.0',
    header: { event_type: 'im.message.receive_v1', token: rig.feishu.verificationToken, app_id: rig.feishu.appId },
    event: { message: { message_id: id } },
  })
  await rig.feishu.ledger.waitForDelivery(({ via, outcome }) => via === 'webhook' && outcome === 'ok')
})

test.each([false, true])(
  'encrypts and signs what it pushes, over the bytes that come (spaced: %s)',
  async (isSpaced) => {
    await using rig = await startRig()
    await using receiver = await startReceiver()
    await rig.feishu.setWebhook({ url: receiver.url, encryptKey: key, isSpaced })
    rig.ann.say(rig.group, 'hello')
    const [push] = await receiver.until(1)
    const { text = '', headers = {} } = push ?? {}
    const stamp = `${String(headers['x-lark-request-timestamp'])}${String(headers['x-lark-request-nonce'])}`
    expect(headers['x-lark-signature']).toBe(createHash('sha256').update(`${stamp}${key}${text}`).digest('hex'))
    expect(push?.body).toMatchObject({ header: { event_type: 'im.message.receive_v1' } })
    // The vendor's SDK computes it over what it has parsed and written anew.
    const heard: unknown[] = []
    const dispatcher = new EventDispatcher({ encryptKey: key, logger: quiet }).register({
      'im.message.receive_v1': (event) => void heard.push(event),
    })
    const data: unknown = JSON.parse(text)
    await dispatcher.invoke(Object.assign(Object.create({ headers }), data))
    expect(heard).toHaveLength(isSpaced ? 0 : 1)
  },
)

test.each([
  ['nobody is there', 'http://127.0.0.1:1'],
  ['something else answers', undefined],
])('takes no address where %s', async (_, url) => {
  await using rig = await startRig()
  const server = await listen(async ({ res }) => sendJson(res, 200, { ok: true }), 0)
  await expect(rig.feishu.setWebhook({ url: url ?? server.origin })).rejects.toThrow('did not echo the challenge')
  await server.close()
})

test('tries again what is not acknowledged with 200 within three seconds, under the same id', async () => {
  await using rig = await startRig({ answerTimeoutMs: 80, redeliverMs: [20, 20, 20, 20] })
  let count = 0
  await using receiver = await startReceiver(({ text }, { res }) => {
    if (!text.includes('im.message.receive_v1')) return sendJson(res, 200, {})
    count += 1
    if (count === 1) return sendJson(res, 500, {})
    if (count === 2) return sendJson(res, 201, {})
    if (count === 3) return
    sendJson(res, 200, 'anything')
  })
  await rig.feishu.setWebhook({ url: receiver.url })
  rig.ann.say(rig.group, 'hello')
  await rig.feishu.ledger.waitForDelivery(({ type, outcome }) => type === 'im.message.receive_v1' && outcome === 'ok')
  const pushes = rig.feishu.ledger.deliveries.filter(
    ({ via, type }) => via === 'webhook' && type === 'im.message.receive_v1',
  )
  expect(pushes.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
    [1, 'refused'],
    [2, 'refused'],
    [3, 'silent'],
    [4, 'ok'],
  ])
  expect(new Set(pushes.map(({ event }) => event)).size).toBe(1)
})

test('takes the answer to a press from the body', async () => {
  await using rig = await startRig()
  await using receiver = await startReceiver((_, { res }) =>
    sendJson(res, 200, { toast: { type: 'info', content: 'done' } }),
  )
  await rig.feishu.setWebhook({ url: receiver.url, encryptKey: key })
  const { message_id: id } = await rig.send('interactive', card('ask', 'Go'))
  const token = rig.ann.press(rig.group, id, 'Go')
  const shown = await rig.feishu.until(() => [rig.feishu.pressed(token)].find(({ state }) => state !== 'waiting'))
  expect(shown).toMatchObject({ state: 'answered', toast: 'done' })
  rig.feishu.useConnections()
  const other = rig.ann.press(rig.group, id, 'Go')
  const missed = await rig.feishu.until(() => [rig.feishu.pressed(other)].find(({ state }) => state !== 'waiting'))
  expect(missed).toMatchObject({ error: 200_340 })
})
