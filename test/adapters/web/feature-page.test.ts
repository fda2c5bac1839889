// A feature's page in a real Chromium: how it is opened and left, what stays of the conversation behind it, its two languages, and what its script may fail at.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { toRoutes } from '#test/rig/demo-memory/demo-memory-routes.ts'
import { usePage } from './page-stage.ts'

let zones = new Map<string, string>()
let failing = false
let opened = 0
const memo = {
  name: 'memo',
  title: { zh: '记忆', en: 'Memory' },
  files: new URL('../../rig/demo-memory/page/', import.meta.url),
  async open() {
    opened += 1
    return toRoutes({
      people: {
        async findZoneOf(principal) {
          if (failing) throw new Error('The store is away.')
          return zones.get(principal)
        },
        async setZone(principal, zone = '') {
          zones.set(principal, zone)
        },
        findChoice: async () => undefined,
        setChoice: async () => {},
        findDirect: async () => undefined,
        invite: async () => undefined,
      },
      clock: { now: Date.now, timeZone: 'Europe/Berlin' },
    })
  },
}
const stage = usePage('feature', { pages: [memo] })
const { open, say } = stage

beforeEach(() => {
  zones = new Map()
  failing = false
})

const focused = async (page: Page): Promise<string> =>
  await page.evaluate("document.activeElement.id || document.activeElement.getAttribute('href')")
const current = async (page: Page): Promise<string[]> =>
  await page.locator('.side [aria-current=page]').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
const openMemo = async (page: Page): Promise<void> => {
  await page.click('#pages a')
  await page.waitForSelector('.memo')
}
/** The page's script is this instead. */
async function withScript(body: string): Promise<void> {
  await stage.context.route('**/page/memo/page.js*', (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

test('by keyboard: its entry opens it, its script is loaded only then, and it asks its own routes', async () => {
  const asked: string[] = []
  const page = await open()
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  const { keyboard } = page
  expect(opened).toBe(0)
  await page.focus('#new')
  await keyboard.press('Tab')
  expect(await focused(page)).toBe('#/memo')
  expect(asked.filter((path) => path.includes('memo'))).toEqual([])
  await keyboard.press('Enter')
  await page.waitForSelector('.memo')
  expect(asked.filter((path) => path.includes('memo'))).toEqual([
    '/page/memo/page.js',
    '/page/memo/page.css',
    '/api/memo/zone',
  ])
  expect(await focused(page)).toBe('page')
  expect(await current(page)).toEqual(['#/memo'])
  expect(await page.innerText('#title')).toBe('Memory')
  expect(await page.title()).toBe('Memory · Flotilla')
  expect(await page.getByRole('region', { name: 'Memory' }).count()).toBe(1)
  for (const hidden of ['#scroll', '#message', '#rename', '#remove', '#more', '#page-opening'])
    expect(await page.isVisible(hidden), hidden).toBe(false)

  await keyboard.press('Tab')
  await page.waitForFunction("document.activeElement.value === 'Europe/Berlin'")
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type('Nowhere')
  await keyboard.press('Enter')
  await page.waitForSelector('.memo >> text=That is no time zone')
  await page.fill('.memo input', 'Asia/Shanghai')
  await keyboard.press('Enter')
  await page.waitForSelector('.memo >> text=Kept: Asia/Shanghai')
  expect(zones).toEqual(new Map([['web:owner', 'Asia/Shanghai']]))

  await page.focus('#leave-page')
  await keyboard.press('Enter')
  await page.waitForSelector('#page', { state: 'hidden' })
  expect(await focused(page)).toBe('message')
  expect(await current(page)).toEqual([`#${stage.name}`])
  expect(await page.locator('.memo, link[href*=memo]').count()).toBe(0)
})

test('the back button leads to the conversation as it was left: its place, its draft, and what came meanwhile', async () => {
  for (let i = 0; i < 20; i++) await stage.bot.reply(`filler ${i}\n\n`.repeat(5))
  await say('a question')
  const page = await open()
  const read = page.locator('.bot >> text=filler 9').first()
  await read.scrollIntoViewIfNeeded()
  const top = async (): Promise<number | undefined> => (await read.boundingBox())?.y
  await page.fill('#message', 'half a sent')
  // What comes into sight is laid out in the frames after that.
  const frames =
    'new Promise((done) => { let left = 6; (function on() { left-- ? requestAnimationFrame(on) : done() })() })'
  await expect
    .poll(async () => {
      const was = await top()
      await page.evaluate(frames)
      return (await top()) === was
    })
    .toBe(true)
  const before = await top()
  await openMemo(page)
  await stage.bot.reply('an answer meanwhile')
  await page.waitForSelector('.bot >> text=an answer meanwhile', { state: 'attached' })
  // Who reads the page has not read the answer.
  await page.waitForSelector(`#list a[href="#${stage.name}"] .mark.unread`)
  await page.goBack()
  await page.waitForSelector('#page', { state: 'hidden' })
  expect(await top()).toBe(before)
  expect(await page.inputValue('#message')).toBe('half a sent')
  expect(await page.innerText('#title')).toBe('filler 0')
  await expect.poll(async () => await page.locator(`#list a[href="#${stage.name}"] .mark`).count()).toBe(0)

  await page.goForward()
  await page.waitForSelector('.memo')
  await page.reload()
  await page.waitForSelector('.memo')
  await page.click('#leave-page')
  await page.waitForSelector('.bot >> text=an answer meanwhile')
  expect(page.url()).toContain(`#${stage.name}`)
}, 20_000)

test('another conversation or a new one is opened from it, and Esc stops no answer behind it', async () => {
  await say('slowly', `${stage.name}-other`)
  await say('slowly')
  await stage.bot.draft('Once upon a time')
  const page = await open()
  await page.waitForSelector('.draft')
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  await openMemo(page)
  await page.keyboard.press('Escape')
  await page.click(`#list a[href="#${stage.name}-other"]`)
  await page.waitForSelector('#page', { state: 'hidden' })
  await page.waitForSelector('.user >> text=slowly')
  await openMemo(page)
  await page.click('#new')
  await page.waitForSelector('#welcome:not([hidden])')
  expect(await page.isVisible('#page')).toBe(false)
  expect(posts).toEqual([])
})

test('its title and what it shows are in the language of the reader, also when they change it', async () => {
  const page = await open()
  await openMemo(page)
  await page.click('#language')
  await page.waitForSelector('.memo >> text=你的时区')
  expect(await page.locator('.memo').count()).toBe(1)
  expect([await page.innerText('#title'), await page.innerText('#pages a')]).toEqual(['记忆', '记忆'])
  expect(await page.getAttribute('#leave-page', 'aria-label')).toBe('回到会话')
  expect(await page.textContent('#skip')).toBe('跳到页面')
  await page.click('#language')
  await page.waitForSelector('.memo >> text=Your time zone')
})

test('a script that cannot be loaded is told, and can be tried again', async () => {
  const page = await open()
  await stage.context.route('**/page/memo/page.js*', (route) => route.abort(), { times: 1 })
  await page.click('#pages a')
  await page.waitForSelector('#page-trouble >> text=“Memory” could not be opened.')
  await page.click('#page-trouble >> text=Try again')
  await page.waitForSelector('.memo')
  expect(await page.isVisible('#page-trouble')).toBe(false)
  expect(await focused(page)).toBe('page')
})

test('so is one that throws, has no open(), or whose route fails; then what it drew is gone', async () => {
  const page = await open()
  for (const [body, words] of [
    ['throw new Error("too early")', 'too early'],
    ['export const other = 1', 'page.js of memo exports no open().'],
    ['export const open = (element) => { element.append("drawn"); throw new Error("too late") }', 'too late'],
  ] as const) {
    await withScript(body)
    await page.click('#pages a')
    await page.waitForSelector(`#page-detail >> text=${words}`)
    expect(await page.innerText('#page-place')).toBe('')
    await stage.context.unrouteAll()
    await page.click('#page-again')
    await page.waitForSelector('.memo')
    await page.click('#leave-page')
    await page.waitForSelector('#page', { state: 'hidden' })
    await page.reload()
    await page.waitForSelector('#state[data-state=connected]')
  }
  failing = true
  await page.click('#pages a')
  await page.waitForSelector('#page-detail >> text=The server failed at this request.')
  failing = false
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('page-again')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.memo')
}, 30_000)

test('what it does ends when it is left: its signal, its requests, and what it draws too late', async () => {
  await withScript(`export async function open(element, { get, signal }) {
    signal.addEventListener('abort', () => (document.body.dataset.ended = 'yes'))
    const failure = await get('zone').catch((error) => error)
    document.body.dataset.failed = String(failure instanceof Error)
    element.append('too late')
    throw new Error('too late')
  }`)
  const held = Promise.withResolvers<void>()
  await stage.context.route('**/api/memo/zone', () => held.resolve())
  const page = await open()
  await page.click('#pages a')
  await page.waitForSelector('#page-opening >> text=Opening…')
  await held.promise
  await page.goBack()
  await page.waitForSelector('body[data-ended=yes][data-failed=true]')
  expect(await page.locator('#page-place').textContent()).toBe('')
  expect(await page.locator('#page-trouble').getAttribute('hidden')).toBe('')
})

test('a script that would write HTML is refused by the page’s policy', async () => {
  await withScript(`export function open(element) { element.innerHTML = '<b>bold</b>' }`)
  // Not by the stage, which fails when the policy is breached.
  const page = await stage.context.newPage()
  await page.goto(`${stage.server.origin}/#/memo`)
  await page.waitForSelector('#page-detail >> text=TrustedHTML')
  expect(await page.locator('#page b').count()).toBe(0)
})

test('on a narrow screen the list gives way to it, and the skip link leads to it', async () => {
  const page = await open()
  await page.setViewportSize({ width: 390, height: 780 })
  const { keyboard } = page
  await page.focus('#menu')
  await keyboard.press('Enter')
  await keyboard.press('Tab')
  expect(await focused(page)).toBe('#/memo')
  await keyboard.press('Enter')
  await page.waitForSelector('.memo')
  expect(await focused(page)).toBe('page')
  expect(await page.evaluate("document.getElementById('chat').inert")).toBe(false)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.focus('#menu')
  await keyboard.press('Enter')
  await keyboard.press('Escape')
  expect(await focused(page)).toBe('page')
  await page.focus('#skip')
  expect(await page.textContent('#skip')).toBe('Skip to the page')
  await keyboard.press('Enter')
  expect(await focused(page)).toBe('page')
})

test('where no feature has a page nothing is listed, and the address of one leads to a conversation', async () => {
  const plain = await stage.rig.start()
  const page = await stage.context.newPage()
  await page.goto(`${plain.origin}/login`)
  await page.fill('#token', await stage.rig.token())
  await page.press('#token', 'Enter')
  await page.waitForURL(`${plain.origin}/`)
  await page.goto(`${plain.origin}/#/memo`)
  await page.waitForSelector('#welcome:not([hidden])')
  expect(await page.isVisible('#pages')).toBe(false)
  expect(await focused(page)).toBe('message')
})
