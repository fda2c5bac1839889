// Redis gone at the start, and gone during work: said once in plain words, nothing accepted is lost, and it resumes by itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { childEnv } from '#test/rig/child-env.ts'
import { findFreePort, startRedis } from '#test/rig/redis.ts'
import { startFleet, until } from '#test/rig/fleet.ts'

test('a worker started without Redis says so, waits, and begins when Redis is there', async () => {
  const port = await findFreePort()
  const worker = spawn(process.execPath, ['infra/cli.ts', 'router'], {
    env: { ...childEnv, REDIS_URL: `redis://127.0.0.1:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let log = ''
  worker.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
  await until(() => log.includes('Redis does not answer'))
  await using _ = await startRedis({ port })
  await until(() => log.includes('"msg":"started"'))
  expect(log.match(/Redis does not answer/g)).toHaveLength(1)
  worker.kill('SIGTERM')
  const [code] = await once(worker, 'exit')
  expect(code).toBe(0)
}, 30_000)

test('a message during an outage is refused, not half accepted; what was accepted is answered when Redis is back', async () => {
  await using fleet = await startFleet({ redis: { aof: true } })
  fleet.model.script({ when: { text: 'slow question' }, gate: { name: 'outage' } })
  const accepted = await fleet.tell('slow question')
  await until(() => fleet.model.ledger.counters.open === 1)
  await fleet.redis.kill()
  await expect(fleet.tell('nobody hears this')).rejects.toMatchObject({ code: 'store-unavailable' })
  await fleet.redis.restart()
  fleet.model.open('outage')
  expect((await fleet.replyTo(accepted)).text).toContain('echo: slow question')
  expect((await fleet.ask('and now, why?')).text).toContain('echo: and now, why?')
}, 60_000)
