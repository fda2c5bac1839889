// What doctor says where Redis cannot be worked with: where it is and the true reason, and no password.
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { findFreePort, startRedis } from '#test/rig/redis.ts'
import { askDoctor } from './connecting.ts'

async function findRedisTrouble(url: string): Promise<string> {
  const findings = await askDoctor({ REDIS_URL: url })
  const [finding, ...others] = findings.filter(({ about }) => about === 'Redis')
  expect(others).toEqual([])
  expect(finding?.level).toBe('error')
  return `${finding?.found}\n${finding?.fix}`
}

test.concurrent('nothing listens on the port', async () => {
  const port = await findFreePort()
  const said = await findRedisTrouble(`redis://:hunter2@127.0.0.1:${port}`)
  expect(said).toMatch(new RegExp(`redis://127.0.0.1:${port} cannot be used: the connection is refused`))
  expect(said).not.toContain('hunter2')
})

test.concurrent('there is no such host', async () => {
  expect(await findRedisTrouble('redis://no-such-host.invalid:6379')).toContain('there is no host of that name')
})

test.concurrent('the password is missing, or wrong', async () => {
  await using redis = await startRedis()
  await redis.cli('config', 'set', 'requirepass', 'hunter2')
  expect(await findRedisTrouble(redis.url)).toContain('it wants a password and none is given (NOAUTH)')
  const said = await findRedisTrouble(`redis://:hunter3@127.0.0.1:${redis.port}`)
  expect(said).toContain('it refuses the password (WRONGPASS)')
  expect(said).not.toContain('hunter3')
  await redis.cli('config', 'set', 'requirepass', '')
})

test.concurrent('TLS is wanted of a Redis without TLS', async () => {
  await using redis = await startRedis()
  expect(await findRedisTrouble(`rediss://127.0.0.1:${redis.port}`)).toMatch(
    /it does not speak TLS|nothing answers in time\n.*rediss:/,
  )
})

test.concurrent('the server closes every connection, as one with TLS does', async () => {
  const server = createServer((socket: Socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  expect(await findRedisTrouble(`redis://127.0.0.1:${port}`)).toMatch(/closes the connection at once\n.*rediss:/)
  server.close()
})

test.concurrent('one server is named as a cluster', async () => {
  await using redis = await startRedis()
  expect(await findRedisTrouble(`cluster://127.0.0.1:${redis.port}`)).toContain('it is no cluster')
})
