// Facts about the files of the bot's messages: fetched by whoever may read the conversation and by nobody else, and saved by the page.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiMessage } from '#adapters/web/api-message.ts'
import { keepFileApart } from '#queues/workers/shown-files.ts'
import { rowWithFile } from '#test/contracts/kernel-fixtures.ts'
import { toBody } from '#test/rig/journal-entries.ts'
import { logIn, startBrowser } from './browser.ts'
import { toJson, startWebRig, type WebRig, type WebServer } from './web-rig.ts'

const file = { name: 'notes.txt', caption: 'Here they are.', text: '<script>alert(1)</script>\n第二行\n' }
let rig: WebRig
let server: WebServer
beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start()
})
afterAll(() => rig[Symbol.asyncDispose]())

/** The bot says it there; returns the message's id. */
async function put(name: string): Promise<string> {
  const conversation = `web:${name}`
  await server.post(`/api/conversations/${name}/messages`, { text: '/export' })
  const claimed = await rig.kernel.claim(conversation, 'test', 8000)
  if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
  const rows = [{ id: `row-${name}`, body: toBody('They are these.', { file }), expiresInMs: 60_000 }]
  const step = { key: `step-${name}`, entries: [], rows, release: true }
  await rig.kernel.append(conversation, claimed.epoch, keepFileApart(conversation, step))
  const answer = await server.call(`/api/conversations/${name}/messages`)
  const { messages } = await toJson<{ messages: ApiMessage[] }>(answer)
  expect(messages.at(-1)).toMatchObject({ role: 'bot', text: file.caption, file: file.name })
  expect(JSON.stringify(messages)).not.toContain('alert(1)')
  return messages.at(-1)?.id ?? ''
}

test('a file is saved, never shown, and nobody gets it without a proof', async () => {
  const route = `/api/conversations/own/messages/${await put('own')}/file`
  const answer = await server.call(route)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(file.text)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="notes.txt"')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect((await fetch(server.origin + route)).status).toBe(401)
})

test('other messages, other conversations and made-up ids have none', async () => {
  const id = await put('mine')
  const [ms = '', place = ''] = id.split('-')
  const others = [
    `mine/messages/${ms}-${Number(place) - 1}`,
    `mine/messages/${Number(ms) - 1}-${place}`,
    `other/messages/${id}`,
    'mine/messages/0',
    'mine/messages/0-0',
  ]
  for (const other of others) {
    expect((await server.call(`/api/conversations/${other}/file`)).status, other).toBe(404)
  }
})

test('large files push nothing out of a conversation, and the newest can be fetched until all is deleted', async () => {
  const conversation = 'web:large'
  const list = async (): Promise<ApiMessage[]> =>
    (await toJson<{ messages: ApiMessage[] }>(await server.call('/api/conversations/large/messages'))).messages
  const get = async (message?: ApiMessage): Promise<Response> =>
    await server.call(`/api/conversations/large/messages/${message?.id ?? ''}/file`)
  await server.post('/api/conversations/large/messages', { text: 'the first' })
  const claimed = await rig.kernel.claim(conversation, 'test', 60_000)
  if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
  const text = `first line\n${'长'.repeat(900_000)}`
  for (let n = 1; n <= 5; n++) {
    const step = { key: `step-${n}`, entries: [], rows: [rowWithFile(`row-${n}`, `${n} ${text}`)] }
    await rig.kernel.append(conversation, claimed.epoch, keepFileApart(conversation, step))
  }
  const messages = await list()
  expect(messages.map((message) => message.text)).toEqual(['the first', ...Array.from({ length: 5 }, () => 'Here.')])
  expect(await (await get(messages.at(-1))).text()).toBe(`5 ${text}`)
  expect((await get(messages.at(-2))).status).toBe(404)
  await rig.kernel.erase(conversation)
  expect((await rig.redis.admin.keys(`*:${conversation}`)).filter((key) => key.includes(':file:'))).toEqual([])
})

test('a file that comes out when its conversation was deleted is kept nowhere', async () => {
  const conversation = 'web:deleted'
  const claimed = await rig.kernel.claim(conversation, 'test', 60_000)
  if (claimed.kind !== 'CLAIMED') throw new Error(`The claim was answered ${claimed.kind}.`)
  await rig.kernel.erase(conversation)
  const step = { key: 'export', entries: [], rows: [rowWithFile('row', 'all that was said')] }
  const kept = keepFileApart(conversation, step)
  expect(await rig.kernel.append(conversation, claimed.epoch, kept)).toEqual({ kind: 'FENCED' })
  expect(await rig.redis.admin.keys(`*file:${conversation}`)).toEqual([])
  // The conversation that begins anew there keeps its own.
  const again = await rig.kernel.claim(conversation, 'test', 60_000)
  if (again.kind !== 'CLAIMED') throw new Error(`The claim was answered ${again.kind}.`)
  for (const epoch of [again.epoch, again.epoch]) await rig.kernel.append(conversation, epoch, kept)
  expect(await rig.redis.admin.get((await rig.redis.admin.keys(`*file:${conversation}`))[0] ?? '')).toBe(
    'row\nall that was said',
  )
})

test('the page offers the file, and saves it under its name', async () => {
  const browser = await startBrowser()
  const context = await logIn(browser, { origin: server.origin, token: await rig.token() })
  await put('page')
  const page = await context.newPage()
  await page.goto(`${server.origin}/#page`)
  const downloading = page.waitForEvent('download')
  await page.locator('#messages .file a').click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('notes.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe(file.text)
  await browser.close()
}, 30_000)
