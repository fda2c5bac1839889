// What the page's button does: /forget in reply to a message, as the web's own interface takes it in, makes the bot forget that message, and
// nothing of it stays in Redis, so that the page does not show, name or find it either.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebChannel } from '#adapters/web/web-channel.ts'
import { startFleet, until, type Fleet } from '#test/rig/fleet.ts'
import { scanKeys } from '#test/rig/stored-keys.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
})

/** A person's page over the interface that it uses. */
type Page = AsyncDisposable & {
  /** Says something, waits for what the bot says next, and returns the message's id. */
  say(text: string, key: string, replyTo?: string): Promise<string>
  press(label: string): Promise<void>
  get(route: string): Promise<string>
}

async function openPage(name: string): Promise<Page> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-web-'))
  const tokenFile = path.join(folder, 'web-token')
  const { kernel, live, redis, ingest } = fleet.runtime
  const channel = await createWebChannel(
    { tokenFile, closeGraceMs: 200 },
    { kernel, live, redis, findMissing: async () => [] },
  )
  const port = await channel.listen(0)
  const stopping = new AbortController()
  const running = channel.start(ingest, stopping.signal)
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const call = async (route: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers }
    return await fetch(`http://127.0.0.1:${port}/api/${route}`, { ...init, headers })
  }
  const said = async () =>
    (await kernel.readOut(`web:${name}`, '0', 100)).flatMap((item) =>
      item.role === 'bot' && item.body.kind === 'send' ? [{ id: item.id, buttons: item.body.buttons ?? [] }] : [],
    )
  /** Waits for what the bot says after this. */
  const awaitNext = async (work: () => Promise<unknown>): Promise<void> => {
    const before = Number((await kernel.readOutBefore(`web:${name}`, '0', 1)).at(-1)?.id ?? 0)
    await work()
    await until(async () => (await said()).some(({ id }) => Number(id) > before))
  }
  return {
    async say(text, key, replyTo) {
      await awaitNext(async () => {
        const headers = { 'Idempotency-Key': key }
        const body = JSON.stringify({ text, replyTo })
        const answer = await call(`conversations/${name}/messages`, { method: 'POST', headers, body })
        expect(answer.status).toBe(202)
      })
      const digest = createHash('sha256').update(`web:${name}\n${key}`).digest('hex')
      return `web-${digest.slice(0, 40)}`
    },
    async press(label) {
      const button = (await said()).flatMap(({ buttons }) => buttons.flat()).findLast((one) => one.label === label)
      await awaitNext(async () => {
        const body = JSON.stringify({ buttonId: button?.id })
        const answer = await call(`conversations/${name}/presses`, { method: 'POST', body })
        expect(await answer.json()).toMatchObject({ outcome: 'won' })
      })
    },
    get: async (route) => await (await call(route)).text(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What is kept under every key of Redis, as text, but for what names nothing. */
async function readAll(): Promise<string> {
  const client = fleet.redis.admin
  const all: unknown[] = []
  for (const key of await scanKeys(client)) {
    const type = await client.type(key)
    if (type === 'string') all.push(key, await client.get(key))
    else if (type === 'hash') all.push(key, await client.hgetall(key))
    else if (type === 'list') all.push(key, await client.lrange(key, 0, -1))
    else if (type === 'set') all.push(key, await client.smembers(key))
    else if (type === 'zset') all.push(key, await client.zrange(key, '0', '-1'))
    else if (type === 'stream') all.push(key, await client.xrange(key, '-', '+'))
  }
  return JSON.stringify(all)
}

test('a message that was forgotten by its button is in no later prompt', async () => {
  await using page = await openPage('forgetting')
  const secret = await page.say('my locker code is quokka', 'k1')
  await page.say('/forget', 'k2', secret)
  fleet.model.ledger.clear()
  await page.say('what is my locker code?', 'k3')
  const prompts = JSON.stringify(fleet.model.ledger.entries)
  expect(prompts).toContain('what is my locker code?')
  expect(prompts).not.toContain('quokka')
})

test(
  'a card of sources goes with the message of another conversation that it quotes',
  { timeout: 60_000 },
  async () => {
    await using home = await openPage('home')
    await using away = await openPage('away')
    const told = await home.say('remember that my boat is called Zebrafinch', 'k1')
    // A busy machine may give a prompt no memory, and its answer then has no sources.
    for (let n = 0; n < 5; n += 1) {
      await away.say('/new', `n${n}`)
      await away.say('what is my boat called?', `q${n}`)
      if (/told to remember/.test(JSON.stringify(fleet.model.ledger.entries.at(-1)))) break
    }
    await away.press('Sources')
    expect(await away.get('conversations/away/messages')).toContain('For this answer the model was given')
    await away.press('Correct')
    expect(await away.get('conversations/away/messages')).toContain('Now it says: “my boat is called Zebrafinch”')
    await home.say('/forget', 'k2', told)
    await until(async () => !(await readAll()).includes('ebrafinch'))
    expect(await away.get('conversations/away/messages')).not.toContain('ebrafinch')
  },
)

test('nothing of it stays in Redis, whatever came of it', async () => {
  await using page = await openPage('canary')
  const secret = await page.say(`my locker code is wombat ${'and so on '.repeat(50)}`, 'k1')
  await page.press('Shorter')
  await page.say('/retry', 'k2')
  await page.say('/export', 'k3')
  await page.say('and what is the capital of Peru?', 'k4')
  const shown = ['conversations/canary/messages', 'conversations', 'search?q=wombat'] as const
  expect(await readAll()).toContain('wombat')
  for (const route of shown) expect(await page.get(route)).toContain('wombat')
  await page.say('/forget', 'k5', secret)
  expect(await readAll()).not.toContain('wombat')
  for (const route of shown) expect(await page.get(route)).not.toContain('wombat')
  // The rest is as it was, and the first of it names the conversation.
  expect(await page.get('conversations/canary/messages')).toContain('echo: and what is the capital of Peru?')
  expect(JSON.parse(await page.get('conversations'))).toMatchObject({
    conversations: [{ id: 'canary', title: 'and what is the capital of Peru?' }, {}],
  })
})

test('what went beside the memory is forgotten too: a new session, and a command that came before', async () => {
  await using page = await openPage('sessions')
  const secret = await page.say('my locker code is dingo', 'k1')
  await page.say('/new', 'k2')
  await page.say('/forget', 'k3', secret)
  expect(await readAll()).not.toContain('dingo')
})

test('who cannot reply is told what can be done: on the page its button, in a terminal a word', async () => {
  await using page = await openPage('pointing')
  await page.say('/forget', 'k1')
  expect(await page.get('conversations/pointing/messages')).toContain('Press “Forget” below the message')
  const inTerminal = { conversation: 'console:main', principal: 'console:owner' }
  const ask = async (text: string): Promise<string> => {
    const id = `console-${randomUUID()}`
    const [, slash] = /^\/(\w+)/.exec(text) ?? []
    return (await fleet.ask(text, { ...inTerminal, id, messageId: id, ...(slash ? { slash } : {}) })).text
  }
  expect(await ask('/forget last')).toBe('There is no last question to forget.')
  await ask('my locker code is possum')
  await ask('/export')
  expect(await ask('/forget')).toMatch(/^Write `\/forget last`/)
  expect(await readAll()).toContain('possum')
  expect(await ask('/forget last')).toBe('Forgotten.')
  expect(await readAll()).not.toContain('possum')
  expect(await ask('/forget last')).toBe('There is no last question to forget.')
})

test('who reads the stream is told which messages are gone, and a second time changes nothing', async () => {
  await using page = await openPage('told')
  const secret = await page.say('my locker code is koala', 'k1')
  await page.say('/forget', 'k2', secret)
  const first = await page.get('conversations/told/messages')
  expect(JSON.parse(first)).toMatchObject({
    messages: [
      { role: 'change', forgets: secret },
      { role: 'change', forgets: secret },
      { role: 'user', text: '/forget' },
      { role: 'change', forgets: secret },
      { role: 'bot', text: 'Forgotten.' },
    ],
  })
  await page.say('/forget', 'k3', secret)
  expect((await page.get('conversations/told/messages')).startsWith(first.slice(0, -2))).toBe(true)
})
