// The link that logs in once: it opens for one browser, within ten minutes, and leaves its secret nowhere.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser } from './browser.ts'
import { startWebRig, type WebRig, type WebServer } from './web-rig.ts'

let rig: WebRig
let server: WebServer
let browser: Browser
let nowMs = Date.now()

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start({ now: () => nowMs })
  browser = await startBrowser()
}, 60_000)
afterAll(async () => {
  await browser.close()
  await rig[Symbol.asyncDispose]()
})

const toSecret = (path: string): string => path.slice(path.indexOf('=') + 1)
async function post(secret: string): Promise<number> {
  const headers = { Origin: server.origin, 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = `once=${encodeURIComponent(secret)}`
  return (await fetch(`${server.origin}/login`, { method: 'POST', headers, body, redirect: 'manual' })).status
}

test('it logs one browser in and shows its secret in no request, address or way back', async () => {
  const path = server.channel.loginPath()
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  const seen: string[] = []
  page.on('request', (request) => seen.push(request.url(), request.headers()['referer'] ?? ''))
  await page.goto(server.origin + path)
  await page.waitForSelector('#state[data-state=connected]')
  expect(page.url()).toBe(`${server.origin}/`)
  expect(seen.join(' ')).not.toContain(toSecret(path))
  await page.goBack()
  expect(page.url()).not.toContain(toSecret(path))

  const other = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await other.goto(server.origin + path)
  await other.waitForSelector('.spent:visible')
  expect(await other.innerText('.spent')).toContain('used already')
  expect(other.url()).toBe(`${server.origin}/login`)
  expect(await server.channel.fetch(new Request(server.origin)).then(({ status }) => status)).not.toBe(200)
}, 60_000)

test('it logs in where the login page is open already', async () => {
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await page.goto(server.origin)
  await page.waitForSelector('#token:visible')
  // Other words behind `#` are no link.
  await page.evaluate("location.hash = '#retro'")
  const path = server.channel.loginPath()
  await page.goto(server.origin + path)
  await page.waitForSelector('#state[data-state=connected]')
  expect(page.url()).toBe(`${server.origin}/`)
  await page.goBack()
  expect(page.url()).not.toContain(toSecret(path))
}, 60_000)

test('it opens once, for ten minutes, and not after a newer one was made', async () => {
  const first = toSecret(server.channel.loginPath())
  const second = toSecret(server.channel.loginPath())
  expect(first).not.toBe(second)
  expect(await post(first)).toBe(401)
  expect(await post(second)).toBe(303)
  expect(await post(second)).toBe(401)
  const third = toSecret(server.channel.loginPath())
  nowMs += 10 * 60_000
  expect(await post(third)).toBe(401)
  const fourth = toSecret(server.channel.loginPath())
  expect(await post('')).toBe(401)
  expect(await post(`${fourth}x`)).toBe(401)
  expect(await post(fourth)).toBe(303)
})

test('guessing it is counted with wrong tokens, and never keeps the right one out', async () => {
  const secret = toSecret(server.channel.loginPath())
  const statuses = new Set<number>()
  for (let i = 0; i < 14; i++) statuses.add(await post(`guess-${i}`))
  expect(statuses).toEqual(new Set([401, 429]))
  expect(await post(secret)).toBe(303)
})
