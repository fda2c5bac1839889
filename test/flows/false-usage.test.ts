// A model endpoint that misreports what a call cost, once: nobody's budget is used up by it, and the operator hears of it.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startFleet } from '#test/rig/fleet.ts'

test('a counter that ran below zero closes nobody’s day', async () => {
  let usage = { prompt_tokens: 2 ** 64, completion_tokens: 5 }
  const http = createServer((request, response) => {
    request.resume().on('end', () => {
      const chunk = { choices: [{ delta: { content: 'hi there' }, finish_reason: 'stop' }], usage }
      usage = { prompt_tokens: 10, completion_tokens: 5 }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const lines: string[] = []
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, FLOTILLA_LOG_LEVEL: 'warn', FLOTILLA_ALLOW: '*' }
  await using fleet = await startFleet({ env, onLog: (line) => lines.push(line) })
  expect((await fleet.ask('what is one?')).text).toBe('hi there')
  const payer = fleet.runtime.payer({ conversation: 'web:room', principal: 'web:owner' })
  await expect.poll(async () => (await fleet.runtime.modelGate.spent(payer)).total.tokens).toBeLessThan(5000)
  const other = { conversation: 'web:other', principal: 'web:bob' }
  expect((await fleet.ask('what is two?', other)).text).toBe('hi there')
  expect(lines.join('')).toContain('reports an impossible usage')
  http.close()
})
