// Facts about Discord's rate limits and about what goes wrong on demand between the bot and its REST API.
import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimitError } from '@discordjs/rest'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { refusalOf, startRig, type Rig } from './discord-bot.ts'

const tooMany = z.object({ message: z.string(), retry_after: z.number(), global: z.boolean() })

/** A call without the SDK, which keeps to limits by itself. */
function post(rig: Rig, content: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${rig.discord.apiRoot}/v10/channels/${rig.guild.channel}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${rig.discord.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
    ...(signal === undefined ? {} : { signal }),
  })
}

test('takes five messages per channel and five seconds, tells it in headers, then answers 429', async () => {
  await using rig = await startRig()
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await post(rig, 'x')
    expect(status).toBe(200)
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['5', String(left)])
  }
  const refused = await post(rig, 'x')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('x-ratelimit-scope')).toBe('user')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(4)
  expect(tooMany.parse(await refused.json())).toMatchObject({ global: false })
  const other = rig.discord.addChannel({ guild: rig.guild.id, name: 'other' })
  await rig.send({ content: 'elsewhere' }, other)
  expect(rig.discord.ledger.invalidRequests()).toBe(1)
})

test('counts each route by itself, typing too, and a thread as a channel of its own', async () => {
  await using rig = await startRig()
  const { channel } = rig.guild
  const headers = { authorization: `Bot ${rig.discord.token}` }
  const type = async (where: string): Promise<number> =>
    (await fetch(`${rig.discord.apiRoot}/v10/channels/${where}/typing`, { method: 'POST', headers })).status
  for (let n = 0; n < 5; n++) expect(await type(channel)).toBe(204)
  expect(await type(channel)).toBe(429)
  expect((await post(rig, 'a message is none of that')).status).toBe(200)
  expect(await type(rig.discord.person('Ann').openThread(channel, 'Trip'))).toBe(204)
})

test('counts that the bot types with all else that it does', async () => {
  await using rig = await startRig({ limits: { global: { count: 3, windowMs: 10_000 } } })
  const headers = { authorization: `Bot ${rig.discord.token}` }
  for (let n = 0; n < 3; n++)
    await fetch(`${rig.discord.apiRoot}/v10/channels/${rig.guild.channel}/typing`, { method: 'POST', headers })
  const refused = await post(rig, 'no room')
  expect([refused.status, refused.headers.get('x-ratelimit-global')]).toEqual([429, 'true'])
})

test('makes the real SDK wait by its headers, without a request during the wait', async () => {
  await using rig = await startRig({ limits: { routes: { createMessage: { count: 2, windowMs: 800 } } } })
  // It learns the bucket from the first answer, and what is left of it from the second.
  for (const content of ['a', 'b']) await rig.send({ content })
  await expect(rig.send({ content: 'c' })).rejects.toBeInstanceOf(RateLimitError)
  expect(rig.discord.ledger.of('createMessage')).toHaveLength(2)
  rig.rest.options.rejectOnRateLimit = null
  await rig.send({ content: 'd' })
  expect(rig.discord.ledger.duringWait()).toEqual([])
})

test('counts requests that come although the bot was told to wait', async () => {
  await using rig = await startRig()
  rig.discord.fault({ times: 1, fault: { kind: 'rate-limit', retryAfterS: 5 } })
  expect((await post(rig, 'a')).status).toBe(429)
  expect(rig.discord.ledger.duringWait()).toEqual([])
  await expect.poll(async () => (await post(rig, 'b')).status && rig.discord.ledger.duringWait().length).toBe(1)
})

test('limits the whole bot, but not interaction answers', async () => {
  await using rig = await startRig({ limits: { global: { count: 1, windowMs: 10_000 } } })
  await rig.send({ content: 'a' })
  const refused = await post(rig, 'b')
  expect([refused.status, refused.headers.get('x-ratelimit-global')]).toEqual([429, 'true'])
  expect(tooMany.parse(await refused.json()).global).toBe(true)
  const callback = rig.rest.post('/interactions/1/token/callback', { body: { type: 6 }, auth: false })
  expect(await refusalOf(callback)).toMatchObject({ code: 10_062 })
})

test('does not hold a shared limit against the bot, and bans an address for too many invalid requests', async () => {
  await using rig = await startRig({ limits: { invalidRequests: 2 } })
  rig.discord.fault({ times: 1, fault: { kind: 'rate-limit', retryAfterS: 0.001, scope: 'shared' } })
  await post(rig, 'shared')
  expect(rig.discord.ledger.invalidRequests()).toBe(0)
  rig.discord.deny({ channel: rig.guild.channel, permissions: ['SendMessages'] })
  // The limit has passed.
  await sleep(20)
  for (const text of ['a', 'b']) expect((await post(rig, text)).status).toBe(403)
  const banned = await post(rig, 'c')
  expect([banned.status, await banned.text()]).toEqual([429, 'error code: 1015'])
})

test.each([
  [false, 0],
  [true, 1],
])('answers 500 and 502 with the message accepted: %s', async (accepted, messages) => {
  await using rig = await startRig()
  rig.discord.fault({ times: 1, fault: { kind: 'error', status: 500, message: '500', accepted } })
  expect((await post(rig, 'a')).status).toBe(500)
  rig.discord.fault({ times: 1, fault: { kind: 'bad-gateway', accepted } })
  expect((await post(rig, 'b')).status).toBe(502)
  expect(rig.discord.visible(rig.guild.channel)).toHaveLength(2 * messages)
})

test.each([
  [false, 'dropped', 0],
  [true, 'lost', 1],
] as const)('resets the connection with the message accepted: %s', async (accepted, outcome, messages) => {
  await using rig = await startRig()
  rig.discord.fault({ times: 1, fault: { kind: 'reset', accepted } })
  await expect(post(rig, 'x')).rejects.toThrow()
  expect(rig.discord.visible(rig.guild.channel)).toHaveLength(messages)
  expect(rig.discord.ledger.of('createMessage')).toMatchObject([{ outcome, accepted }])
})

test('accepts a message and never answers', async () => {
  await using rig = await startRig()
  rig.discord.fault({ times: 1, fault: { kind: 'no-answer', accepted: true } })
  const client = new AbortController()
  const call = post(rig, 'x', client.signal)
  await rig.discord.ledger.waitFor((entry) => entry.outcome === 'lost')
  client.abort()
  await expect(call).rejects.toThrow()
  expect(rig.discord.visible(rig.guild.channel)).toHaveLength(1)
})

test.each([
  ['before', 0],
  ['after', 1],
] as const)('holds a call at a gate %s it takes effect', async (at, messages) => {
  await using rig = await startRig()
  rig.discord.fault({ when: { route: 'createMessage', text: 'held' }, delayMs: 1, gate: { name: 'g', at } })
  const call = post(rig, 'held')
  await rig.discord.ledger.waitFor((entry) => entry.route === 'createMessage' && entry.accepted === (at === 'after'))
  expect(rig.discord.visible(rig.guild.channel)).toHaveLength(messages)
  rig.discord.open('g')
  expect((await call).status).toBe(200)
})

test('forgets a call whose client leaves before the gate opens', async () => {
  await using rig = await startRig()
  rig.discord.fault({ times: 1, gate: { name: 'g', at: 'before' } })
  const client = new AbortController()
  const call = post(rig, 'x', client.signal)
  await rig.discord.ledger.waitFor((entry) => entry.route === 'createMessage')
  client.abort()
  await expect(call).rejects.toThrow()
  const entry = await rig.discord.ledger.waitFor((one) => one.outcome === 'aborted')
  rig.discord.open('g')
  expect(entry.accepted).toBe(false)
  expect(rig.discord.visible(rig.guild.channel)).toEqual([])
})

test('keeps every call in the ledger, also unknown ones', async () => {
  await using rig = await startRig()
  await rig.send({ content: 'x' })
  expect(await refusalOf(rig.rest.get('/nowhere'))).toMatchObject({ status: 404 })
  expect(await refusalOf(rig.rest.delete('/gateway'))).toMatchObject({ status: 405 })
  expect(rig.discord.ledger.entries).toMatchObject([
    { n: 1, route: 'createMessage', body: { content: 'x' }, outcome: 'ok', accepted: true, channel: rig.guild.channel },
    { n: 2, route: 'unknown', call: 'GET /nowhere', outcome: 'refused', status: 404 },
    { n: 3, status: 405 },
  ])
})
