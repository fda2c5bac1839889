// A server is given its time to write what it holds before it is killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findIdentity } from '#infra/redis/process-identity.ts'
import { stopServer } from '#infra/redis/redis-server.ts'

test('a server that still writes is not killed because the clock was set forward', async () => {
  const writes =
    "process.on('SIGTERM', () => setTimeout(() => process.exit(7), 200)); console.log('ready'); setInterval(() => {}, 1000)"
  const child = spawn(process.execPath, ['-e', writes], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const identity = findIdentity(child.pid ?? 0)
  if (!identity) throw new Error('The process is not there.')
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const exited = once(child, 'exit')
  const stopping = stopServer(identity)
  vi.setSystemTime(Date.now() + 3_600_000)
  await stopping
  expect(await exited).toEqual([7, null])
})
