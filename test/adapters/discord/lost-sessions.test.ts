// A session that cannot be resumed is given up, and what the gateway says that nobody can use ends one connection and nothing else.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResumeTries } from '#adapters/discord/resume-tries.ts'
import { findFreePort, startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { openDiscordRig, type DiscordRig } from './discord-rig.ts'

let server: PrivateRedis
beforeAll(async () => void (server = await startRedis()))
afterAll(() => server.stop())

const textsOf = async (rig: DiscordRig, count: number): Promise<readonly string[]> =>
  (await rig.waitForEvents(`discord:${rig.guild.channel}`, count)).map((event) =>
    event.kind === 'message' ? event.text : event.kind,
  )

/** Where sessions are said to be resumed, and nobody resumes them. */
async function openDeadEnd(onSocket: ((socket: Socket) => void) | undefined) {
  const port = await findFreePort()
  const sockets = new Set<Socket>()
  let asked = 0
  const tcp = createServer((socket) => {
    asked += 1
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket?.(socket)
  })
  if (onSocket) await once(tcp.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `ws://127.0.0.1:${port}`,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      tcp.close()
    },
  }
}

const deadEnds: readonly (readonly [string, ((socket: Socket) => void) | undefined])[] = [
  ['is refused', undefined],
  [
    'answers 503',
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 503 Away\r\ncontent-length: 0\r\n\r\n')),
  ],
  ['hangs up', (socket) => void socket.once('data', () => socket.destroy())],
]

test.each(deadEnds)('a session whose address %s is given up, and what was missed asked for', async (_, onSocket) => {
  await using dead = await openDeadEnd(onSocket)
  await using rig = await openDiscordRig(server, { simulator: { resumeUrl: dead.url } })
  await rig.start()
  const ada = rig.discord.person('Ada')
  ada.say(rig.guild.channel, 'one')
  await textsOf(rig, 1)
  rig.discord.dropConnections()
  ada.say(rig.guild.channel, 'missed')
  await rig.discord.until(() => (rig.discord.ledger.identifies() === 2 ? true : undefined))
  ada.say(rig.guild.channel, 'last')
  expect(await textsOf(rig, 3)).toEqual(['one', 'missed', 'last'])
  expect(rig.said.filter((text) => text.includes('A new one is begun'))).toHaveLength(1)
  if (onSocket) expect(dead.asked()).toBe(3)
})

test('a process that finds such a session begins anew too, and asks for what was missed', async () => {
  await using dead = await openDeadEnd(undefined)
  await using rig = await openDiscordRig(server, { simulator: { resumeUrl: dead.url } })
  const stop = await rig.start()
  const ada = rig.discord.person('Ada')
  ada.say(rig.guild.channel, 'one')
  await textsOf(rig, 1)
  await stop()
  ada.say(rig.guild.channel, 'missed')
  rig.run(rig.another())
  expect(await textsOf(rig, 2)).toEqual(['one', 'missed'])
  expect(rig.discord.ledger.identifies()).toBe(2)
})

test('an address that stays silent is given up by the clock', () => {
  let nowMs = 0
  const tries = createResumeTries(() => nowMs)
  const fail = (ms: number): boolean => {
    const one = tries.begin()
    one.opened()
    nowMs += ms
    return one.isLast()
  }
  expect([fail(20_000), fail(39_000), fail(1000)]).toEqual([false, false, true])
  expect([fail(20_000), fail(40_000)]).toEqual([false, true])
})

test('a network that is away, and a connection that brings something new, cost the session nothing', () => {
  const tries = createResumeTries(() => 0)
  const closed = Array.from({ length: 9 }, () => tries.begin().isLast())
  const fruitful = Array.from({ length: 9 }, (_, i) => {
    const one = tries.begin()
    one.opened()
    one.brought(i)
    return one.isLast()
  })
  const repeating = Array.from({ length: 3 }, () => {
    const one = tries.begin()
    one.opened()
    one.brought(8)
    return one.isLast()
  })
  expect([...closed, ...fruitful]).not.toContain(true)
  expect(repeating).toEqual([false, false, true])
})

const ready = (d: unknown): string => JSON.stringify({ op: 0, t: 'READY', s: 1, d })
const oddStarts: readonly (readonly ['HELLO' | 'READY', string])[] = [
  ['HELLO', '{"op":10,"d":null}'],
  ['HELLO', '{"op":10,"d":{"heartbeat_interval":0}}'],
  ['HELLO', '{"op":9,"d":null}'],
  ['READY', ready(null)],
  ['READY', ready({ session_id: 's', resume_gateway_url: 'wss://[' })],
]

test.each(oddStarts)('a %s of %s ends the connection, and the next one works', async (frame, text) => {
  await using rig = await openDiscordRig(server)
  rig.discord.replaceNext(frame, text)
  await rig.start()
  rig.discord.person('Ada').say(rig.guild.channel, 'hello')
  expect(await textsOf(rig, 1)).toEqual(['hello'])
  expect(rig.said).toEqual([expect.stringContaining('DISCORD_API_ROOT')])
})

test('frames that are none are left out, and the connection stays', async () => {
  await using rig = await openDiscordRig(server)
  await rig.start()
  const odd = [
    'null',
    '[]',
    '"text"',
    '7',
    '{}',
    '<html></html>',
    '{"op":0,"t":"MESS',
    '{"op":0,"t":null,"s":1,"d":{}}',
  ]
  for (const text of [...odd, '{"op":0,"t":"MESSAGE_CREATE","s":"x","d":{}}']) rig.discord.sendText(text)
  rig.discord.person('Ada').say(rig.guild.channel, 'hello')
  expect(await textsOf(rig, 1)).toEqual(['hello'])
  expect(rig.ignored.filter((reason) => reason === 'malformed')).toHaveLength(odd.length + 1)
  expect(rig.discord.ledger.identifies()).toBe(1)
  expect(rig.said).toEqual([])
})

test('a stored session with an address that is none is given up', async () => {
  await using rig = await openDiscordRig(server)
  const stop = await rig.start()
  await stop()
  await server.admin.hset(`fl:{gateway-discord-${rig.discord.bot.id}-0}`, 'session', '1 wss://[')
  rig.run(rig.another())
  await rig.discord.until(() => (rig.discord.ledger.identifies() === 2 ? true : undefined))
  expect(rig.said.filter((text) => text.includes('A new one is begun'))).toHaveLength(1)
})
