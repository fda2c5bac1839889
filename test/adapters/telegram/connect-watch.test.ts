// A process that stood still sends nothing right after that: what it was about to write may have been overtaken by what others sent. Sockets are
// looked at before timers then, so that only the clock tells.
import { once } from 'node:events'
import http from 'node:http'
import { expect, test } from 'vitest'
import { createWatchedAgent, isBeforeConnection } from '#adapters/telegram/connect-watch.ts'

test('a request is not written to a connection that stands when the process was paused just before', async () => {
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
  const agent = createWatchedAgent(root, 4000)
  const ask = async (pauseMs: number): Promise<string> => {
    const request = http.request(root, { agent, method: 'POST' })
    const end = new Promise<string>((resolve) => {
      request.once('response', (response) => {
        response.resume()
        response.once('end', () => resolve('answered'))
      })
      request.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    })
    for (const endMs = performance.now() + pauseMs; performance.now() < endMs;);
    request.end('hello')
    return await end
  }
  expect(await ask(0)).toBe('answered')
  // The one connection is kept and used again.
  await new Promise((resolve) => setTimeout(resolve, 50))
  const end = await ask(2300)
  expect([isBeforeConnection(end), came]).toEqual([true, 1])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([await ask(0), came]).toEqual(['answered', 2])
  server.closeAllConnections()
  server.close()
})
