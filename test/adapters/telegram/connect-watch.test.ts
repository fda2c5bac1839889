// A process that stood still while it connected sends nothing afterwards: what waited for the connection may have been overtaken. Sockets are
// looked at before timers then, so that only the clock tells.
import { once } from 'node:events'
import http from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { createWatchedAgent, isBeforeConnection } from '#adapters/telegram/connect-watch.ts'

const connectTimeoutMs = 200
afterEach(() => void vi.useRealTimers())

test.each([
  ['is not sent when its connection stood only after a pause', 2 * connectTimeoutMs, 0],
  ['is sent when it stood at once', 0, 1],
])('a request %s', async (_, pauseMs, sent) => {
  let came = 0
  const server = http.createServer((_request, response) => {
    came += 1
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  const root = `http://127.0.0.1:${address.port}`
  vi.useFakeTimers({ toFake: ['performance'] })
  const request = http.request(root, { agent: createWatchedAgent(root, connectTimeoutMs), method: 'POST' })
  const ended = new Promise<string>((resolve) => {
    request.once('response', () => resolve('answered'))
    request.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
  })
  request.once('socket', () => void vi.advanceTimersByTime(pauseMs))
  request.end('hello')
  const end = await ended
  expect([came, end === 'answered' || isBeforeConnection(end)]).toEqual([sent, true])
  request.destroy()
  server.closeAllConnections()
  server.close()
})
