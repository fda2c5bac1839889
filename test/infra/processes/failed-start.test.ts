// Facts about a start that fails half way: it says why in a sentence, and leaves nothing that runs on.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startChannel } from '#infra/processes/channel.ts'
import { holdBot } from '#infra/processes/held-locks.ts'
import type { ChannelAdapter } from '#queues/workers/channel-adapter.ts'
import { childEnv } from '#test/rig/child-env.ts'
import { startFleet } from '#test/rig/fleet.ts'
import { findFreePort, startRedis } from '#test/rig/redis.ts'

const capabilities = {
  maxTextUnits: 100,
  buttons: false,
  edit: false,
  stream: false,
  threads: false,
  files: false,
  reactions: false,
}

test('a port that is taken keeps no lock on Redis', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  await using fleet = await startFleet({ parts: [], env: { FLOTILLA_PORT: String(port) } })
  const handler = async (): Promise<Response> => new Response()
  const adapter: ChannelAdapter = {
    channel: 'telegram',
    account: '1',
    capabilities,
    start: async () => {},
    webhook: { path: '/hook', handler },
  }
  await expect(startChannel(fleet.runtime, adapter)).rejects.toThrow(/another program using the port/)
  // It would be refused as long as the first bot's lock is kept.
  const next = await holdBot(fleet.runtime, 'telegram', '2')
  await next.stop(0)
  server.close()
})

test('the fleet ends when its second channel cannot start', async () => {
  await using redis = await startRedis()
  const folder = await mkdtemp(path.join(tmpdir(), 'start-'))
  await redis.admin.set('fl:{bot-discord}', 'another', 'PX', 60_000)
  const child = spawn(process.execPath, [path.resolve('infra/cli.ts'), 'all'], {
    cwd: folder,
    env: {
      ...childEnv,
      REDIS_URL: redis.url,
      FLOTILLA_PORT: String(await findFreePort()),
      FLOTILLA_LEASE_MS: '2000',
      TELEGRAM_BOT_TOKEN: `123456:${'A'.repeat(35)}`,
      TELEGRAM_API_ROOT: 'http://127.0.0.1:1',
      DISCORD_BOT_TOKEN: `${Buffer.from('123456789012345678').toString('base64url')}.aaaaaa.${'b'.repeat(30)}`,
      DISCORD_API_ROOT: 'http://127.0.0.1:1',
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(said).toContain('Another discord bot works on this Redis')
  expect(code).toBe(1)
  await rm(folder, { recursive: true })
})

test.concurrent.for(['all', 'router', 'executor'])(
  '%s does not start beside processes that store things in another way, and starts after them',
  { timeout: 60_000 },
  async (role, { onTestFinished: atEnd }) => {
    await using redis = await startRedis()
    const folder = await mkdtemp(path.join(tmpdir(), 'start-'))
    const begin = async (): Promise<{ said: Promise<string>; code: Promise<unknown>; child: ChildProcess }> => {
      const child = spawn(process.execPath, [path.resolve('infra/cli.ts'), role], {
        cwd: folder,
        env: {
          ...childEnv,
          REDIS_URL: redis.url,
          FLOTILLA_PORT: String(await findFreePort()),
          FLOTILLA_LEASE_MS: '1000',
        },
      })
      atEnd(() => void child.kill('SIGKILL'))
      return { child, said: text(child.stderr), code: once(child, 'exit').then(([code]) => code) }
    }
    await redis.admin.set('fl:{layout}', 'another', 'PX', 60_000)
    const refused = await begin()
    expect(await refused.code).toBe(1)
    expect(await refused.said).toContain('Stop all of them, then start this one.')
    await redis.admin.pexpire('fl:{layout}', 500)
    const welcome = await begin()
    const isOurs = async (): Promise<boolean> => ![null, 'another'].includes(await redis.admin.get('fl:{layout}'))
    await expect.poll(isOurs, { timeout: 20_000 }).toBe(true)
    // One of another layout is refused for as long as this one works, and it ends should the lock be taken all the same.
    await redis.admin.set('fl:{layout}', 'another', 'PX', 60_000)
    expect(await welcome.code).toBe(0)
    await rm(folder, { recursive: true })
  },
)

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}
