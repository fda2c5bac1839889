// Facts about the Discord simulator's gateway that the real client never gets to see: what it answers to a client that errs.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { startDiscordSimulator, type DiscordSimulatorOptions } from '#test/simulators/discord/simulator.ts'

const guilds = 1

type Login = {
  readonly token: string
  readonly intents: number
  readonly properties: object
  readonly shard?: readonly number[]
}

/** A raw connection that has received HELLO; `login` is an IDENTIFY that is right. */
async function connect(options: DiscordSimulatorOptions & { readonly query?: string } = {}) {
  const discord = await startDiscordSimulator(options)
  const socket = new WebSocket(`${discord.gatewayUrl}/${options.query ?? '?v=10&encoding=json'}`)
  const received: unknown[] = []
  socket.on('message', (data) => received.push(JSON.parse(Buffer.isBuffer(data) ? data.toString() : 'null')))
  const closed = once(socket, 'close').then((values) => z.tuple([z.number(), z.unknown()]).parse(values)[0])
  const login: Login = { token: discord.token, intents: guilds, properties: {} }
  await once(socket, 'open')
  return {
    discord,
    closed,
    received,
    login,
    send: (payload: unknown) => socket.send(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    [Symbol.asyncDispose]: async () => {
      socket.terminate()
      await discord.close()
    },
  }
}

test.each([
  ['a wrong token', 4004, (login: Login) => ({ op: 2, d: { ...login, token: 'wrong' } })],
  ['a shard that does not exist', 4010, (login: Login) => ({ op: 2, d: { ...login, shard: [2, 2] } })],
  ['an intent that does not exist', 4013, (login: Login) => ({ op: 2, d: { ...login, intents: 1 << 29 } })],
  ['an unknown opcode', 4001, () => ({ op: 99, d: null })],
  ['text that is not JSON', 4002, () => 'hello'],
  ['an IDENTIFY without intents', 4002, () => ({ op: 2, d: { token: 'x' } })],
  ['a presence before the login', 4003, () => ({ op: 3, d: {} })],
])('closes a connection that sends %s with %i', async (_what, code, toPayload) => {
  await using client = await connect()
  client.send(toPayload(client.login))
  expect(await client.closed).toBe(code)
})

test('closes a second login with 4005, and a flood of payloads with 4008', async () => {
  await using client = await connect()
  for (let n = 0; n < 2; n += 1) client.send({ op: 2, d: client.login })
  expect(await client.closed).toBe(4005)
  await using flooding = await connect()
  for (let n = 0; n <= 120; n += 1) flooding.send({ op: 1, d: null })
  expect(await flooding.closed).toBe(4008)
})

test('closes a connection of another version or with compression', async () => {
  await using old = await connect({ query: '?v=9&encoding=json' })
  expect(await old.closed).toBe(4012)
  await using packed = await connect({ query: '?v=10&encoding=json&compress=zlib-stream' })
  expect(await packed.closed).toBe(4012)
})

test('says HELLO, answers heartbeats, and falls silent on demand', async () => {
  await using client = await connect({ heartbeatIntervalMs: 5000 })
  client.send({ op: 2, d: client.login })
  await client.discord.ledger.waitForGateway((one) => one.kind === 'identify')
  client.send({ op: 1, d: null })
  await expect.poll(() => client.received.at(-1)).toMatchObject({ op: 11 })
  expect(client.received[0]).toMatchObject({ op: 10, d: { heartbeat_interval: 5000 } })
  expect(client.discord.connectedShards()).toEqual([0])
  client.discord.silence()
  expect(client.discord.connectedShards()).toEqual([])
  const before = client.received.length
  client.discord.addGuild()
  client.discord.dropConnections()
  expect(await client.closed).toBe(1006)
  expect(client.received).toHaveLength(before)
})

test('refuses IDENTIFYs that come too fast or too often with op 9', async () => {
  await using client = await connect({ identifyLimit: 0 })
  client.send({ op: 2, d: client.login })
  await expect.poll(() => client.received.at(-1)).toMatchObject({ op: 9, d: false })
  await using hasty = await connect({ identifyIntervalMs: 5000 })
  hasty.send({ op: 2, d: hasty.login })
  await hasty.discord.ledger.waitForGateway((one) => one.kind === 'identify')
  const second = new WebSocket(`${hasty.discord.gatewayUrl}/?v=10&encoding=json`)
  await once(second, 'open')
  second.send(JSON.stringify({ op: 2, d: hasty.login }))
  await hasty.discord.ledger.waitForGateway((one) => one.detail === 'too many identifies')
  second.terminate()
  expect(hasty.discord.ledger.identifies()).toBe(1)
})
