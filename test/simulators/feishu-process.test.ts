// The Feishu simulator as a process of its own, steered and read over HTTP.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client, DefaultCache } from '@larksuiteoapi/node-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { quiet } from './feishu-bot.ts'

const announced = z.object({ apiRoot: z.string(), appId: z.string(), appSecret: z.string() })

let child: ChildProcess
let origin: string
let client: Client

beforeAll(async () => {
  const running = spawn(process.execPath, ['test/simulators/feishu/main.ts', '--no-limits'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = running
  const [line] = z.tuple([z.string()]).parse(await once(createInterface(running.stdout), 'line'))
  const { apiRoot, ...credentials } = announced.parse(JSON.parse(line))
  origin = apiRoot
  client = new Client({ ...credentials, domain: apiRoot, cache: new DefaultCache(), logger: quiet })
})

afterAll(async () => {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
})

async function control(command: unknown): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${origin}/__control`, { method: 'POST', body: JSON.stringify(command) })
  return { status: reply.status, body: await reply.json() }
}

async function addGroup(): Promise<string> {
  const { body } = await control({ do: 'addGroup', name: 'Team' })
  return z.object({ result: z.string() }).parse(body).result
}

function send(chat: string, text: string): Promise<unknown> {
  const content = JSON.stringify({ text })
  return client.im.v1.message.create({
    params: { receive_id_type: 'chat_id' },
    data: { receive_id: chat, msg_type: 'text', content },
  })
}

test('plays people over HTTP and shows the chat', async () => {
  const chat = await addGroup()
  expect((await control({ do: 'say', person: 'Ann', chat, text: 'hi' })).body).toMatchObject({ ok: true })
  await send(chat, 'hello')
  const shown: unknown = await fetch(`${origin}/__chat?chat=${chat}`).then((reply) => reply.json())
  expect(shown).toMatchObject({
    result: {
      visible: [
        { text: 'hi', name: 'Ann' },
        { text: 'hello', from: 'bot' },
      ],
    },
  })
})

test('takes faults over HTTP and shows the ledger', async () => {
  const chat = await addGroup()
  await control({ do: 'fault', rule: { times: 1, fault: { kind: 'rate-limit', resetS: 0.01 } } })
  await expect(send(chat, 'x')).rejects.toThrow('429')
  const ledger: unknown = await fetch(`${origin}/__ledger`).then((reply) => reply.json())
  expect(ledger).toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ status: 429, code: 99_991_400, chat })]),
    connected: [],
  })
})

test('refuses unknown commands and impossible ones', async () => {
  expect((await control({ do: 'dance' })).status).toBe(400)
  expect((await control({ do: 'say', person: 'Ann', chat: 'oc_1', text: 'x' })).status).toBe(409)
})
