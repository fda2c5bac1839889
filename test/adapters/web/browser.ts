// The machine's own Chromium, driven by playwright-core with a fresh profile; it talks to 127.0.0.1 only.
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core'
import process from 'node:process'
import { findChrome } from '#infra/setup/programs.js'

export async function startBrowser(): Promise<Browser> {
  const executablePath = findChrome(process.env)
  if (executablePath === undefined) throw new Error('Install Chromium or Chrome to run the tests of the page.')
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A browser without windows forbids notifications; one with windows was never asked about this page. */
const neverAsked = "Object.defineProperty(Notification, 'permission', { configurable: true, get: () => 'default' })"

export type LogIn = { readonly origin: string; readonly token: string } & BrowserContextOptions

/**
 * A context that has logged in through the page's form. The page of the login stays open and blank: with the last page of a context
 * its window closes, and to open a window again is twice the work of opening a page.
 */
export async function logIn(browser: Browser, { origin, token, ...options }: LogIn): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  await context.addInitScript(neverAsked)
  const page = await context.newPage()
  await page.goto(`${origin}/`)
  await page.fill('#token', token)
  await page.press('#token', 'Enter')
  await page.waitForURL(`${origin}/`)
  await page.goto('about:blank')
  return context
}

/** All pages of the context but the blank one of its login. */
export async function closePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages().slice(1)) await page.close()
}
