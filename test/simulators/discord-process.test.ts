// The Discord simulator as a process of its own, steered and read over HTTP.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { REST } from '@discordjs/rest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const announced = z.object({ apiRoot: z.string(), token: z.string(), applicationId: z.string() })

let child: ChildProcess
let origin: string
let rest: REST

beforeAll(async () => {
  const running = spawn(process.execPath, ['test/simulators/discord/main.ts', '--no-limits'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = running
  const [line] = z.tuple([z.string()]).parse(await once(createInterface(running.stdout), 'line'))
  const { apiRoot, token } = announced.parse(JSON.parse(line))
  origin = new URL(apiRoot).origin
  rest = new REST({ api: apiRoot, retries: 0, rejectOnRateLimit: () => true }).setToken(token)
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

async function addGuild(): Promise<string> {
  const { body } = await control({ do: 'addGuild', channels: ['general'] })
  return z.object({ result: z.object({ channel: z.string() }) }).parse(body).result.channel
}

test('plays people over HTTP and shows the channel', async () => {
  const channel = await addGuild()
  expect((await control({ do: 'say', person: 'Ann', channel, text: 'hi' })).body).toMatchObject({ ok: true })
  await rest.post(`/channels/${channel}/messages`, { body: { content: 'hello' } })
  const shown: unknown = await fetch(`${origin}/__channel?channel=${channel}`).then((reply) => reply.json())
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
  const channel = await addGuild()
  await control({ do: 'fault', rule: { times: 1, fault: { kind: 'rate-limit', retryAfterS: 0.01 } } })
  await expect(rest.post(`/channels/${channel}/messages`, { body: { content: 'x' } })).rejects.toThrow()
  const ledger: unknown = await fetch(`${origin}/__ledger`).then((reply) => reply.json())
  expect(ledger).toMatchObject({
    entries: expect.arrayContaining([expect.objectContaining({ status: 429 })]),
    invalidRequests: 1,
    identifies: 0,
  })
})

test('refuses unknown commands and impossible ones', async () => {
  expect((await control({ do: 'dance' })).status).toBe(400)
  expect((await control({ do: 'say', person: 'Ann', channel: '1', text: 'x' })).status).toBe(409)
})
