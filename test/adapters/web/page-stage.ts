// The page in a real Chromium for one file of tests: a web channel, a browser that has logged in, and for each test a conversation of its own. A test
// fails if the page complains.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createBot, type Bot } from '#test/adapters/bot.ts'
import { closePages, logIn, startBrowser, type LogIn } from './browser.ts'
import { startWebRig, type StartOptions, type WebRig, type WebServer } from './web-rig.ts'

export type PageStage = {
  readonly rig: WebRig
  readonly server: WebServer
  readonly browser: Browser
  readonly context: BrowserContext
  /** The conversation of the test, and who answers there. */
  readonly name: string
  readonly bot: Bot
  /** A connected page of a conversation; the test's own unless it says another. */
  readonly open: (how?: { readonly id?: string; readonly within?: BrowserContext }) => Promise<Page>
  /** A message of the person, over HTTP. */
  readonly say: (text: string, id?: string) => Promise<void>
  /** The same, written into the page. */
  readonly send: (page: Page, text: string) => Promise<void>
  /** What the page shows of the conversation. */
  readonly texts: (page: Page) => Promise<string[]>
}

type How = Pick<LogIn, 'permissions'> & {
  /** Of features. */
  readonly pages?: StartOptions['pages']
  /** Changes the browser before the first page is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
}

/** To be called once, before the tests of a file. `area` begins the names of its conversations. */
export function usePage(area: string, { prepare, pages = [], ...login }: How = {}): PageStage {
  let rig: WebRig
  let server: WebServer
  let browser: Browser
  let context: BrowserContext
  let count = 0
  let name = ''
  let bot: Bot
  let problems: string[] = []

  beforeAll(async () => {
    rig = await startWebRig()
    server = await rig.start({ pages })
    browser = await startBrowser()
    context = await logIn(browser, { origin: server.origin, token: await rig.token(), ...login })
    await prepare?.(context)
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await rig[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    count += 1
    name = `${area}-${count}`
    bot = createBot(rig.kernel, `web:${name}`)
    problems = []
  })
  afterEach(async () => {
    await closePages(context)
    await context.unrouteAll()
    if (problems.length > 0) throw new Error(`The page complained: ${problems.join('; ')}`)
  })

  return {
    get rig() {
      return rig
    },
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    get context() {
      return context
    },
    get name() {
      return name
    },
    get bot() {
      return bot
    },
    async open({ id = name, within = context } = {}) {
      const page = await within.newPage()
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => {
        const isProblem = message.type() === 'error' && !message.text().includes('Failed to load resource')
        if (isProblem) problems.push(message.text())
      })
      await page.goto(`${server.origin}/#${id}`)
      await page.waitForSelector('#state[data-state=connected]')
      return page
    },
    async say(text, id = name) {
      expect((await server.post(`/api/conversations/${id}/messages`, { text })).status).toBe(202)
    },
    async send(page, text) {
      await page.fill('#message', text)
      await page.press('#message', 'Enter')
    },
    texts: async (page) => await page.locator('#messages .body').allTextContents(),
  }
}
