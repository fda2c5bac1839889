// The HTTP interface of conversations, against real Redis.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBot } from '#test/adapters/bot.ts'
import type { ApiMessage } from '#adapters/web/api-message.ts'
import { BotError } from '#shared/errors.ts'
import { toJson, startWebRig, type WebRig, type WebServer } from './web-rig.ts'

type Accepted = { readonly eventId: string; readonly seq: number }
type Refused = { readonly error: { readonly code: string; readonly message: string } }

let rig: WebRig
let server: WebServer
let other: WebServer

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start()
  other = await rig.start()
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
})

const read = async (id: string, after = '0') => {
  const response = await server.call(`/api/conversations/${id}/messages?after=${after}`)
  expect(response.status).toBe(200)
  return (await toJson<{ messages: ApiMessage[] }>(response)).messages
}

describe('sending', () => {
  test('accepts a message once it is stored, and shows it with the id that replies name', async () => {
    const response = await server.post('/api/conversations/send/messages', { text: '  hello \u0000 ' })
    expect(response.status).toBe(202)
    const accepted = await toJson<Accepted>(response)
    expect(accepted).toEqual({ eventId: expect.stringMatching(/^web-[0-9a-f]{40}$/), seq: 1 })

    const bot = createBot(rig.kernel, 'web:send')
    expect(await bot.hear()).toMatchObject([{ text: 'hello', principal: 'web:owner', addressed: true, group: false }])
    await bot.reply('hello yourself')
    const messages = await read('send')
    expect(messages).toMatchObject([
      { role: 'user', text: 'hello', eventId: accepted.eventId },
      { role: 'bot', text: 'hello yourself', answers: [accepted.eventId] },
    ])
    expect(Math.abs((messages[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(await read('send', messages[0]?.id)).toHaveLength(1)
    expect(await read('send', messages[1]?.id)).toEqual([])
  })

  test('answers a repeated Idempotency-Key with the same eventId and seq, from another process too', async () => {
    const key = { 'Idempotency-Key': 'k-1' }
    const first = await toJson<Accepted>(await server.post('/api/conversations/same/messages', { text: 'one' }, key))
    const second = await other.post('/api/conversations/same/messages', { text: 'one' }, key)
    expect(second.status).toBe(202)
    expect(await second.json()).toEqual(first)
    const third = await server.post('/api/conversations/same/messages', { text: 'one' }, { 'Idempotency-Key': 'k-2' })
    expect(await third.json()).toMatchObject({ seq: 2 })
    expect(await read('same')).toHaveLength(2)
    const elsewhere = await server.post('/api/conversations/same-2/messages', { text: 'one' }, key)
    expect((await toJson<Accepted>(elsewhere)).eventId).not.toBe(first.eventId)
  })

  test('says so when too much waits in a conversation, and takes nothing', async () => {
    await server.post('/api/conversations/full/messages', { text: 'first' })
    const [mailbox = ''] = await rig.redis.admin.keys('*:in:web:full')
    const waiting = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`w${i}`, '']))
    await rig.redis.admin.hset(mailbox, waiting)
    const refused = await server.post('/api/conversations/full/messages', { text: 'one more' })
    expect(refused.status).toBe(429)
    expect((await toJson<Refused>(refused)).error.code).toBe('busy')
    expect(await read('full')).toMatchObject([{ text: 'first' }])
  })

  test('stores one message when twenty requests with one key come at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const at = index % 2 ? server : other
        return await toJson<Accepted>(
          await at.post('/api/conversations/race/messages', { text: 'x' }, { 'Idempotency-Key': 'k' }),
        )
      }),
    )
    expect(new Set(results.map((each) => `${each.eventId} ${each.seq}`)).size).toBe(1)
    expect(await read('race')).toHaveLength(1)
  })

  test('marks slash commands and a literal stop', async () => {
    await server.post('/api/conversations/slash/messages', { text: '/Stop@flotilla now' })
    const events = await createBot(rig.kernel, 'web:slash').hear()
    expect(events).toMatchObject([{ command: { name: 'stop', args: 'now' } }])
    const pending = await rig.kernel.pending('web:slash', 0)
    expect(pending.stops).toEqual({ 'web:owner': 1 })
  })

  test.each([
    ['not JSON', '{"text"', 400],
    ['no text', '{"message":"x"}', 400],
    ['a text that is not a string', '{"text":5}', 400],
    ['nothing but blanks and controls', '{"text":" \\u0000\\u202e\\n"}', 400],
    ['an array', '[]', 400],
  ])('refuses %s in plain words', async (_, body, status) => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await server.call('/api/conversations/bad/messages', { method: 'POST', headers, body })
    expect(response.status).toBe(status)
    expect((await toJson<Refused>(response)).error.message).toMatch(/^The .+\.$/)
    expect(await read('bad')).toEqual([])
  })

  test('refuses invalid UTF-8, a wrong content type, and ids it cannot name', async () => {
    const route = '/api/conversations/bad/messages'
    const broken = new Uint8Array([...new TextEncoder().encode('{"text":"'), 0xff, 0xfe, 0x22, 0x7d])
    const json = { 'Content-Type': 'application/json' }
    expect((await server.call(route, { method: 'POST', headers: json, body: broken })).status).toBe(400)
    expect((await server.call(route, { method: 'POST', body: '{"text":"x"}' })).status).toBe(415)
    for (const id of ['a:b', 'a b', 'x'.repeat(65), '%00', '..%2f']) {
      const response = await server.post(`/api/conversations/${encodeURIComponent(id)}/messages`, { text: 'x' })
      expect(response.status, id).toBe(400)
    }
    expect((await server.call('/api/conversations/bad/messages?after=x')).status).toBe(400)
    const key = { 'Idempotency-Key': 'x'.repeat(201) }
    expect((await server.post(route, { text: 'x' }, key)).status).toBe(400)
  })

  test('takes a text of almost 1 MB and cuts it, refuses more with 413, and goes on', async () => {
    const fits = await server.post('/api/conversations/big/messages', { text: 'x'.repeat(1024 * 1024 - 20) })
    expect(fits.status).toBe(202)
    const [message] = await read('big')
    expect(message?.text.length).toBeLessThanOrEqual(32_000)

    const tooLarge = await server.post('/api/conversations/big/messages', { text: 'x'.repeat(1024 * 1024) })
    expect(tooLarge.status).toBe(413)
    expect((await toJson<Refused>(tooLarge)).error).toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('1,048'),
    })

    // Without a declared length the server must count while it reads.
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x'.repeat(64 * 1024))),
    })
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: endless, duplex: 'half' } as const
    const counted = await server.call('/api/conversations/big/messages', init).catch(() => undefined)
    expect(counted?.status ?? 413).toBe(413)
    expect((await server.call('/health')).status).toBe(200)
    expect(await read('big')).toHaveLength(1)
  })

  test('keeps hostile text as valid Unicode', async () => {
    await server.call('/api/conversations/odd/messages', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"text":"a\\ud800b \\u202etxt.exe ${'😀'.repeat(5000)}"}`,
    })
    const [message] = await read('odd')
    expect(message?.text.isWellFormed()).toBe(true)
    expect(message?.text).not.toContain('\u202e')
    expect(message?.text).toContain('😀')
  })

  test('answers 503 with Retry-After while the store fails or is slower than three seconds', async () => {
    const failing = await rig.start({
      kernel: (kernel) => ({
        ...kernel,
        ingest: () => Promise.reject(new BotError('store-unavailable', 'away', { retry: { afterMs: 1 } })),
      }),
    })
    const slow = await rig.start({ kernel: (kernel) => ({ ...kernel, ingest: () => new Promise(() => {}) }) })
    for (const each of [failing, slow]) {
      const startedMs = Date.now()
      const response = await each.post('/api/conversations/away/messages', { text: 'x' })
      expect(response.status).toBe(503)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Date.now() - startedMs).toBeLessThan(3000)
    }
  })
})

describe('pressing', () => {
  const post = (buttonId: string, conversation = 'ask') =>
    server.post(`/api/conversations/${conversation}/presses`, { buttonId })

  test('the first press wins and enters the mailbox; later ones are told who won', async () => {
    await server.post('/api/conversations/ask/messages', { text: 'go' })
    const bot = createBot(rig.kernel, 'web:ask')
    const [yes = '', no = ''] = await bot.ask('Again?', { yes: 'Yes', no: 'No' })
    const [, card] = await read('ask')
    expect(card?.buttons).toEqual([
      [
        { id: yes, label: 'Yes' },
        { id: no, label: 'No' },
      ],
    ])

    const won = await post(yes)
    expect(won.status).toBe(200)
    expect(await won.json()).toEqual({ outcome: 'won', by: 'web:owner', choice: 'yes' })
    expect(await bot.hear()).toMatchObject([{ kind: 'answer', choice: 'yes', payload: 'kept', principal: 'web:owner' }])
    expect(await (await post(no)).json()).toEqual({ outcome: 'already', by: 'web:owner', choice: 'yes' })
  })

  test('a card that was changed names the one it stands for, and a change takes buttons away', async () => {
    await server.post('/api/conversations/card/messages', { text: 'go' })
    const bot = createBot(rig.kernel, 'web:card')
    await bot.ask('Which?', { depth: 'Depth' })
    const first = bot.lastRow()
    await bot.ask('How deep?', { deep: 'deep' }, first)
    const second = bot.lastRow()
    await bot.unbutton(second)
    expect((await read('card')).slice(1)).toMatchObject([
      { role: 'bot', text: 'Which?', row: first },
      { role: 'bot', text: 'How deep?', row: second, replaces: first },
      { role: 'change', text: '', replaces: second },
    ])
  })

  test('refuses a press from another conversation, and buttons it does not know', async () => {
    await server.post('/api/conversations/home/messages', { text: 'go' })
    const [yes = ''] = await createBot(rig.kernel, 'web:home').ask('Again?', { yes: 'Yes' })
    const forbidden = await post(yes, 'elsewhere')
    expect([forbidden.status, await forbidden.json()]).toEqual([403, { outcome: 'forbidden' }])
    const unknown = await post('p00-aaaaaaaaaaaaaaaaaaaaaa.yes')
    expect([unknown.status, await unknown.json()]).toEqual([404, { outcome: 'unknown' }])
    expect((await post(`${yes.split('.')[0]}.maybe`, 'home')).status).toBe(404)
    expect((await post('../../x')).status).toBe(400)
  })
})

test('lists the conversations that were used, newest first, by their first words', async () => {
  await server.post('/api/conversations/list-a/messages', { text: 'plan\nthe trip' })
  await server.post('/api/conversations/list-b/messages', { text: 'second' })
  const { conversations } = await toJson<{ conversations: { id: string; title: string }[] }>(
    await other.call('/api/conversations'),
  )
  const ours = conversations.filter((each) => each.id.startsWith('list-'))
  expect(ours).toMatchObject([
    { id: 'list-b', title: 'second' },
    { id: 'list-a', title: 'plan the trip' },
  ])
})

test('says in plain words that there is nothing at an unknown path', async () => {
  expect((await server.call('/api/nothing')).status).toBe(404)
  expect((await server.call('/page/../web-channel.ts')).status).toBe(404)
  expect((await server.call('/page/tsconfig.json')).status).toBe(404)
})
