// What is told of replies that nobody has read: the title counts them, and who has looked away for a while is notified, once.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBot } from '#test/adapters/bot.ts'
import { logIn, startBrowser } from './browser.ts'
import { startWebRig, type WebRig, type WebServer } from './web-rig.ts'

let rig: WebRig
let server: WebServer
let browser: Browser
let context: BrowserContext

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start()
  browser = await startBrowser()
  context = await logIn(browser, { origin: server.origin, token: await rig.token() })
  await context.grantPermissions(['notifications'])
  await context.addInitScript(`
    localStorage.setItem('flotilla.notify', 'on')
    window.shown = []
    window.Notification = class extends EventTarget {
      static permission = 'granted'
      constructor(title) { super(); window.shown.push(title) }
      close() {}
    }
    let hidden = false
    let ahead = 0
    const now = performance.now.bind(performance)
    performance.now = () => now() + ahead
    Object.defineProperty(document, 'hidden', { get: () => hidden })
    window.hide = (is) => { hidden = is; document.dispatchEvent(new Event('visibilitychange')) }
    window.wait = (ms) => (ahead += ms)`)
}, 60_000)
afterAll(async () => {
  await browser.close()
  await rig[Symbol.asyncDispose]()
})

async function open(name: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${server.origin}/#${name}`)
  await page.waitForSelector('#state[data-state=connected]')
  return page
}
const say = async (name: string, text: string) => await server.post(`/api/conversations/${name}/messages`, { text })

test('a reply in another conversation is counted in the title, and notified once who looked away for a while', async () => {
  await say('here', 'hello')
  await say('there', 'remind me')
  const [here, there] = [createBot(rig.kernel, 'web:here'), createBot(rig.kernel, 'web:there')]
  for (const bot of [here, there]) await bot.reply('noted')
  const page = await open('here')
  await page.waitForSelector('#list >> text=remind me', { state: 'attached' })
  const look = async (): Promise<void> => await page.evaluate("window.dispatchEvent(new Event('focus'))")
  expect(await page.title()).toBe('hello · Flotilla')

  await there.reply('Drink tea.')
  await look()
  await expect.poll(async () => await page.title()).toBe('(1) hello · Flotilla')
  // Who looks, or has just left, is not notified.
  await page.evaluate('window.hide(true)')
  await here.reply('quick')
  await look()
  await expect.poll(async () => await page.title()).toBe('(2) hello · Flotilla')
  expect(await page.evaluate('window.shown')).toEqual([])
  await page.evaluate('window.wait(20_000)')
  await look()
  const told = ['Flotilla: a new reply']
  await expect.poll(async () => await page.evaluate('window.shown')).toEqual(told)
  await there.reply('Call mother.')
  await look()
  await expect.poll(async () => await page.evaluate('window.shown')).toEqual([...told, ...told])
  await look()
  await page.evaluate('window.hide(false)')
  await look()
  await expect.poll(async () => await page.title()).toBe('(1) hello · Flotilla')
  expect(await page.evaluate('window.shown')).toEqual([...told, ...told])
  await page.evaluate("location.hash = 'there'")
  await page.waitForSelector('#messages .bot >> text=Call mother.')
  await look()
  await expect.poll(async () => await page.title()).toBe('remind me · Flotilla')
}, 60_000)

test('a conversation keeps its name when its beginning is kept no more, and says where that was', async () => {
  await say('long', '# My **first** question')
  const listed = async (): Promise<string | undefined> => {
    const response = await server.call('/api/conversations')
    const { conversations } = (await response.json()) as { conversations: { id: string; title: string }[] }
    return conversations.find(({ id }) => id === 'long')?.title
  }
  expect(await listed()).toBe('My first question')
  const bot = createBot(rig.kernel, 'web:long')
  await bot.reply('answered')
  // As more than are kept come, the first ones go.
  const [key = ''] = await rig.redis.admin.keys('fl:*out:web:long')
  await say('long', 'the last question')
  await rig.redis.admin.ltrim(key, 1, -1)
  expect(await listed()).toBe('My first question')
  const page = await open('long')
  await page.waitForSelector('.cut >> text=Earlier messages are kept here no more')
  expect(await page.locator('#messages .body').allTextContents()).toEqual(['answered', 'the last question'])
}, 60_000)

test('a conversation of commands alone is named by the first of them', async () => {
  await say('commands', '/help')
  const page = await open('commands')
  await page.waitForSelector('#list >> text=/help', { state: 'attached' })
  expect(await page.innerText('#title')).toBe('/help')
}, 60_000)

test('what the page sends says which language it speaks and by which zone its browser goes', async () => {
  const chinese = { locale: 'zh-CN', timezoneId: 'Asia/Tokyo' }
  const apart = await logIn(browser, { origin: server.origin, token: await rig.token(), ...chinese })
  const page = await apart.newPage()
  await page.goto(`${server.origin}/#program`)
  await page.waitForSelector('#state[data-state=connected]')
  await page.fill('#message', '/help')
  await page.press('#message', 'Enter')
  expect(await createBot(rig.kernel, 'web:program').hear()).toMatchObject([{ language: 'zh', zone: 'Asia/Tokyo' }])
  await page.click('#language')
  await page.fill('#message', '/help')
  await page.press('#message', 'Enter')
  await expect
    .poll(async () => (await rig.kernel.inbox('web:program', 10)).events.map(({ event }) => event))
    .toMatchObject([{ language: 'zh' }, { language: 'en' }])
  await apart.close()
}, 60_000)
