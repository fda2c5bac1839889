// The Telegram simulator as a process of its own, steered and read over HTTP.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Api } from 'grammy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

let child: ChildProcess
let apiRoot: string
let api: Api

beforeAll(async () => {
  const running = spawn(process.execPath, ['test/simulators/telegram/main.ts', '--token', '9:t'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = running
  const [line] = z.tuple([z.string()]).parse(await once(createInterface(running.stdout), 'line'))
  apiRoot = z.object({ apiRoot: z.string() }).parse(JSON.parse(line)).apiRoot
  api = new Api('9:t', { apiRoot })
})

afterAll(async () => {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
})

async function control(command: unknown): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${apiRoot}/__control`, { method: 'POST', body: JSON.stringify(command) })
  return { status: reply.status, body: await reply.json() }
}

test('plays people over HTTP and shows the chat', async () => {
  const said = await control({ do: 'sendText', from: 7, text: 'hi' })
  expect(said.body).toMatchObject({ ok: true, result: { message: 1 } })
  expect(await api.getUpdates()).toHaveLength(1)
  await api.sendMessage(7, 'hello')
  const chat: unknown = await fetch(`${apiRoot}/__chat?chat=7`).then((reply) => reply.json())
  expect(chat).toMatchObject({ result: { visible: [{ text: 'hi' }, { text: 'hello', from: 'bot' }] } })
})

test('takes faults over HTTP and shows the ledger', async () => {
  await control({ do: 'fault', rule: { times: 1, fault: { kind: 'rate-limit', retryAfterS: 1 } } })
  await expect(api.sendMessage(7, 'x')).rejects.toThrow(/429/)
  const ledger: unknown = await fetch(`${apiRoot}/__ledger`).then((reply) => reply.json())
  expect(ledger).toMatchObject({ entries: expect.arrayContaining([expect.objectContaining({ status: 429 })]) })
})

test('refuses unknown commands and impossible ones', async () => {
  expect((await control({ do: 'dance' })).status).toBe(400)
  expect((await control({ do: 'edit', from: 7, message: 99, text: 'x' })).status).toBe(409)
})
