// The model simulator as a process of its own, steered and read over HTTP.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

let child: ChildProcess
let origin: string
let client: OpenAI

beforeAll(async () => {
  const running = spawn(process.execPath, ['test/simulators/model/main.ts', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = running
  const [line] = z.tuple([z.string()]).parse(await once(createInterface(running.stdout), 'line'))
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(line))
  origin = new URL(url).origin
  client = new OpenAI({ apiKey: 'key', baseURL: url, maxRetries: 0 })
})

afterAll(async () => {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
})

const post = (command: unknown) =>
  fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify(command) }).then((reply) => reply.status)

const ask = (text: string) => ({ model: 'm', messages: [{ role: 'user' as const, content: text }] })

test('takes rules over HTTP', async () => {
  expect(await post({ script: [{ times: 1, answer: { kind: 'text', text: 'scripted' } }] })).toBe(200)
  const texts: unknown[] = []
  for (const text of ['a', 'b']) {
    const reply = await client.chat.completions.create(ask(text))
    texts.push(reply.choices[0]?.message.content)
  }
  expect(texts).toEqual(['scripted', 'echo: b'])
})

test('refuses a control command it does not know', async () => {
  expect(await post({ scrpt: [] })).toBe(400)
})

test('shows its ledger over HTTP and waits for requests', async () => {
  await post({ clearLedger: true, clearScript: true })
  const read = fetch(`${origin}/__ledger?requests=1&waitMs=5000`).then((reply) => reply.json())
  await client.chat.completions.create(ask('seen'))
  expect(await read).toMatchObject({ counters: { requests: 1 }, entries: [{ n: 1, model: 'm' }] })
})
