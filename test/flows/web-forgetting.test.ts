// What the page's button does: /forget in reply to a message, as the web's own interface takes it in, makes the bot forget that message.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebChannel } from '#adapters/web/web-channel.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
})

test('a message that was forgotten by its button is in no later prompt', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-web-'))
  const tokenFile = path.join(folder, 'web-token')
  const { kernel, live, redis, ingest } = fleet.runtime
  const channel = await createWebChannel({ tokenFile, closeGraceMs: 200 }, { kernel, live, redis })
  const port = await channel.listen(0)
  const stopping = new AbortController()
  const running = channel.start(ingest, stopping.signal)
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const say = async (text: string, key: string, replyTo?: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/conversations/forgetting/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({ text, replyTo }),
    })
    expect(answer.status).toBe(202)
    const digest = createHash('sha256').update(`web:forgetting\n${key}`).digest('hex')
    return `web-${digest.slice(0, 40)}`
  }
  const replies = async (): Promise<number> =>
    (await kernel.readOut('web:forgetting', '0', 50)).filter(({ role }) => role === 'bot').length
  try {
    const secret = await say('my locker code is quokka', 'k1')
    await until(async () => (await replies()) === 1)
    await say('/forget', 'k2', secret)
    await until(async () => (await replies()) === 2)
    fleet.model.ledger.clear()
    await say('what is my locker code?', 'k3')
    await until(async () => (await replies()) === 3)
    const prompts = JSON.stringify(fleet.model.ledger.entries)
    expect(prompts).toContain('what is my locker code?')
    expect(prompts).not.toContain('quokka')
  } finally {
    stopping.abort()
    await running
    await rm(folder, { recursive: true, force: true })
  }
})
