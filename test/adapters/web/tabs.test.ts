// Many tabs of one browser share one stream: all of them work, tell the same, and go on when the tab that holds the stream goes.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createBot } from '#test/adapters/bot.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { closePages, logIn, startBrowser } from './browser.ts'
import { startWebRig, type WebRig, type WebServer } from './web-rig.ts'

let rig: WebRig
let server: WebServer
let browser: Browser
let context: BrowserContext
let count = 0
/** By page, what it asks the server for. */
let asked: Map<Page, string[]>

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start()
  browser = await startBrowser()
  context = await logIn(browser, { origin: server.origin, token: await rig.token() })
}, 60_000)
afterAll(async () => {
  await browser.close()
  await rig[Symbol.asyncDispose]()
})
beforeEach(() => {
  count += 1
  asked = new Map()
})
afterEach(async () => {
  await closePages(context)
})

const toName = (tab: number): string => `tabs-${count}-${tab}`
const toBot = (tab: number) => createBot(rig.kernel, `web:${toName(tab)}`)

async function open(tab: number): Promise<Page> {
  const page = await context.newPage()
  const urls: string[] = []
  asked.set(page, urls)
  page.on('request', (request) => urls.push(new URL(request.url()).pathname))
  await page.goto(`${server.origin}/#${toName(tab)}`)
  await page.waitForSelector('#state[data-state=connected]')
  return page
}
async function openMany(tabs: number): Promise<Page[]> {
  const pages: Page[] = []
  for (let tab = 0; tab < tabs; tab++) pages.push(await open(tab))
  return pages
}
const send = async (page: Page | undefined, text: string): Promise<void> => {
  await page?.fill('#message', text)
  await page?.press('#message', 'Enter')
}
const texts = async (page: Page | undefined) => await page?.locator('#messages .body').allTextContents()
/** The tabs that hold a stream or ask for the lists. */
const working = (): Page[] => [...asked].filter(([, urls]) => urls.includes('/api/stream')).map(([page]) => page)

test('twenty tabs load and work over one stream; all tell the same before and after the server was away', async () => {
  const pages = await openMany(20)
  expect(working()).toEqual([pages[0]])
  const listing = [...asked].filter(([, urls]) => urls.some((url) => /^\/api\/(conversations|questions)$/.test(url)))
  expect(listing.map(([page]) => page)).toEqual([pages[0]])
  for (const tab of [5, 0, 19]) {
    await send(pages[tab], `said in ${tab}`)
    await pages[tab]?.waitForSelector(`#messages .user >> text=said in ${tab}`)
    await toBot(tab).reply(`heard in ${tab}`)
    await pages[tab]?.waitForSelector(`#messages .bot >> text=heard in ${tab}`)
  }
  // Each tab lists all of them.
  for (const page of pages) await page.waitForSelector('#list >> text=said in 19', { state: 'attached' })

  await server.stop()
  await Promise.all(pages.map((page) => page.waitForSelector('#state[data-state=offline]')))
  await send(pages[7], 'written meanwhile')
  for (let tab = 0; tab < 20; tab++) await toBot(tab).reply(`missed ${tab}`)
  await server.again()
  await Promise.all(pages.map((page, tab) => page.waitForSelector(`#messages .bot >> text=missed ${tab}`)))
  await Promise.all(pages.map((page) => page.waitForSelector('#state[data-state=connected]')))
  await expect.poll(async () => await texts(pages[7])).toEqual(['missed 7', 'written meanwhile'])
  expect(await texts(pages[5])).toEqual(['said in 5', 'heard in 5', 'missed 5'])
}, 240_000)

test('the others go on when the tab with the stream closes, freezes or crashes; nothing is lost or doubled', async () => {
  const bot = toBot(0)
  const said: string[] = []
  const speak = async (): Promise<void> => {
    said.push(`word ${said.length}`)
    await bot.reply(said.at(-1) ?? '')
  }
  let watching: Page | undefined
  for (const end of ['close', 'freeze', 'crash'] as const) {
    const leader = watching ?? (await open(0))
    watching = await open(0)
    for (let word = 0; word < 5; word++) await speak()
    await expect.poll(async () => await texts(watching)).toEqual(said)
    const ended = endTab(leader, end)
    for (let word = 0; word < 10; word++) await speak()
    await ended
    await expect.poll(async () => await texts(watching), { timeout: 15_000 }).toEqual(said)
    await speak()
    await expect.poll(async () => await texts(watching), { timeout: 15_000 }).toEqual(said)
    await watching.waitForSelector('#state[data-state=connected]')
  }
}, 120_000)

async function endTab(page: Page, end: 'close' | 'freeze' | 'crash'): Promise<void> {
  if (end === 'close') await page.close()
  else if (end === 'freeze') await freeze(page)
  else (await context.newCDPSession(page)).send('Page.crash').catch(() => {})
}

/** Nothing of the tab runs any more, and the browser takes no lock from it. Resolves to what wakes it up. */
async function freeze(page: Page): Promise<() => Promise<unknown>> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Debugger.enable')
  const paused = new Promise((resolve) => devtools.once('Debugger.paused', resolve))
  await devtools.send('Debugger.pause')
  await paused
  return async () => await devtools.send('Debugger.disable')
}

test('a tab that is frozen and wakes up shows what was said meanwhile', async () => {
  const leader = await open(0)
  const other = await open(0)
  const wake = await freeze(leader)
  await toBot(0).reply('said in the night')
  await other.waitForSelector('#messages .bot >> text=said in the night', { timeout: 15_000 })
  await wake()
  await leader.waitForSelector('#messages .bot >> text=said in the night', { timeout: 15_000 })
  for (const page of [leader, other]) await page.waitForSelector('#state[data-state=connected]')
  await toBot(0).reply('said in the morning')
  for (const page of [leader, other]) {
    await expect.poll(async () => await texts(page)).toEqual(['said in the night', 'said in the morning'])
  }
}, 60_000)

test('a tab that opens while a reply grows shows it from its beginning', async () => {
  const first = await open(0)
  await send(first, 'tell me')
  const bot = toBot(0)
  await bot.hear()
  await bot.draft('# One\n\nfirst\n\nsecond')
  await bot.draft('# One\n\nfirst\n\nsecond\n\nthird\n\nfourth')
  await first.waitForSelector('.draft >> text=fourth')
  const second = await open(0)
  await second.waitForSelector('.draft >> text=fourth')
  await bot.draft('# One\n\nfirst\n\nsecond\n\nthird\n\nfourth\n\nfifth')
  await second.waitForSelector('.draft >> text=fifth')
  expect(await second.locator('.draft .body').innerText()).toMatch(/One\s+first\s+second\s+third\s+fourth\s+fifth/)
}, 60_000)

test('the dot tells that nothing comes through any more, though no connection ends, and finds back by itself', async () => {
  await using proxy = await startProxy(server.port)
  const origin = `http://127.0.0.1:${proxy.port}`
  const outer = await rig.start({ publicUrl: origin })
  proxy.moveTo(outer.port)
  const apart = await logIn(browser, { origin, token: await rig.token() })
  const pages = [await apart.newPage(), await apart.newPage()]
  const all = async (state: string): Promise<unknown> =>
    await Promise.all(pages.map((page) => page.waitForSelector(`#state[data-state=${state}]`)))
  for (const [tab, page] of pages.entries()) await page.goto(`${origin}/#${toName(tab)}`)
  await all('connected')
  proxy.strand()
  proxy.set('swallow')
  await all('offline')
  await send(pages[1], 'written in the silence')
  await toBot(0).reply('said in the silence')
  proxy.set('pass')
  await all('connected')
  await pages[0]?.waitForSelector('#messages .bot >> text=said in the silence')
  await pages[1]?.waitForSelector('#messages .user >> text=written in the silence')
  expect(await texts(pages[0])).toEqual(['said in the silence'])
  await apart.close()
  await outer.close()
}, 90_000)

test('another login of the same browser has a stream and a list of its own', async () => {
  const one = await open(0)
  const apart = await logIn(browser, { origin: server.origin, token: await rig.token() })
  const other = await apart.newPage()
  const urls: string[] = []
  other.on('request', (request) => urls.push(new URL(request.url()).pathname))
  await other.goto(`${server.origin}/#${toName(0)}`)
  await other.waitForSelector('#state[data-state=connected]')
  expect(urls).toContain('/api/stream')
  await toBot(0).reply('to both')
  for (const page of [one, other]) await page.waitForSelector('#messages .bot >> text=to both')
  await apart.close()
}, 60_000)

test('logging out in one tab leads all tabs to the login', async () => {
  const apart = await logIn(browser, { origin: server.origin, token: await rig.token() })
  const pages = [await apart.newPage(), await apart.newPage(), await apart.newPage()]
  for (const page of pages) {
    await page.goto(`${server.origin}/#${toName(0)}`)
    await page.waitForSelector('#state[data-state=connected]')
  }
  await pages[1]?.click('[data-t=logout]')
  for (const page of pages) await expect.poll(() => page.url(), { timeout: 10_000 }).toMatch(/\/login$/)
  await apart.close()
}, 60_000)

test('a draft that comes after its final message makes no second reply, and Stop goes with the reply', async () => {
  const page = await open(0)
  const bot = toBot(0)
  await send(page, 'quick?')
  await bot.hear()
  await bot.reply('Quick.')
  await page.waitForSelector('#messages .bot >> text=Quick.')
  await rig.kernel.saveDraft(`web:${toName(0)}`, { turn: bot.lastRow(), text: 'Qui' })
  await send(page, 'and then?')
  // What was said after the draft is shown after it.
  await page.waitForSelector('#messages .user >> text=and then?')
  expect(await page.locator('.draft').count()).toBe(0)
  await bot.hear()
  await bot.reply('Done.')
  await page.waitForSelector('#messages .bot >> text=Done.')
  expect(await page.locator('#stop').isHidden()).toBe(true)
  expect(await texts(page)).toEqual(['quick?', 'Quick.', 'and then?', 'Done.'])
}, 60_000)
