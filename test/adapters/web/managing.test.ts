// The list in the page: searching, renaming, deleting, marks; and a walk through all of it by keyboard alone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { usePage } from './page-stage.ts'

const stage = usePage('managing')
const { open, say } = stage
const focused = async (page: Page): Promise<string> => await page.evaluate('document.activeElement.id')

test('a search shows where words were said, and opens the conversation at that message', async () => {
  await say('Where do puffins nest?')
  for (let i = 0; i < 60; i++) await stage.bot.reply(`filler ${i}\n\n`.repeat(6))
  const page = await open({ id: 'elsewhere' })
  await page.fill('#search', 'PUFFIN')
  await page.click('.result >> text=puffins nest')
  const wanted = page.locator('article.wanted')
  await wanted.waitFor()
  expect(await wanted.locator('.body').innerText()).toBe('Where do puffins nest?')
  const { y = -1 } = (await wanted.boundingBox()) ?? {}
  expect(y).toBeGreaterThan(0)
  expect(y).toBeLessThan(700)
  await page.fill('#search', 'nowhere to be found')
  await expect.poll(async () => await page.innerText('#search-note')).toBe('Nothing found')
  await page.press('#search', 'Escape')
  await page.waitForSelector(`#list a[href="#${stage.name}"]`)
  expect(await page.inputValue('#search')).toBe('')
}, 30_000)

test('a conversation gets a name, in the list and above it', async () => {
  await say('first words')
  const page = await open()
  await page.click('#rename')
  expect(await page.inputValue('#rename-name')).toBe('first words')
  await page.fill('#rename-name', 'Garden')
  await page.press('#rename-name', 'Enter')
  await expect.poll(async () => await page.innerText('#title')).toBe('Garden')
  await expect.poll(async () => await page.innerText('#list a[aria-current] .name')).toBe('Garden')
  expect(await page.locator('dialog[open]').count()).toBe(0)
})

test('deleting is asked first; then it is gone, here and in Redis', async () => {
  await say('to be deleted')
  const page = await open()
  await page.click('#remove')
  await page.click('dialog[open] >> text=Cancel')
  await page.waitForSelector('.user >> text=to be deleted')
  await page.click('#remove')
  await page.click('dialog[open] .danger')
  await page.waitForSelector('#welcome:not([hidden])')
  expect(page.url()).not.toContain(stage.name)
  await expect.poll(async () => await page.locator(`#list a[href="#${stage.name}"]`).count()).toBe(0)
  expect(await stage.rig.kernel.readOut(`web:${stage.name}`, '0', 10)).toEqual([])
})

test('a failure to delete is told and loses nothing', async () => {
  await say('stays')
  const page = await open()
  const refusal = { error: { message: 'The store is away.' } }
  await page.route(`**/api/conversations/${stage.name}`, (route) => route.fulfill({ status: 503, json: refusal }))
  await page.click('#remove')
  await page.click('dialog[open] .danger')
  await page.waitForSelector('#remove-problem >> text=The store is away.')
  await page.keyboard.press('Escape')
  expect(await page.locator('.user').count()).toBe(1)
})

test('marks what is being answered elsewhere, and what was answered and not read', async () => {
  await say('slow question')
  const page = await open({ id: `${stage.name}-other` })
  const mark = (kind: string) => page.locator(`#list a[href="#${stage.name}"] .mark.${kind}`)
  await mark('working').waitFor()
  expect(await mark('working').textContent()).toBe('A reply is being written')
  await stage.bot.reply('at last')
  await mark('unread').waitFor()
  await page.click(`#list a[href="#${stage.name}"]`)
  await page.waitForSelector('.bot >> text=at last')
  await page.click('#new')
  await page.waitForSelector('#welcome:not([hidden])')
  await expect.poll(async () => await page.locator(`#list a[href="#${stage.name}"]`).count()).toBe(1)
  expect(await mark('unread').count()).toBe(0)
}, 20_000)

test('by keyboard alone: write, stop, copy, answer again, rename, search, delete', async () => {
  const page = await open()
  const { keyboard } = page
  const tabTo = async (selector: string, most = 40): Promise<void> => {
    for (let i = 0; i < most; i++) {
      if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
      await keyboard.press('Tab')
    }
    throw new Error(`Tab does not come to ${selector}.`)
  }
  await keyboard.type('tell me')
  await keyboard.press('Enter')
  await stage.bot.hear()
  await page.waitForSelector('#stop:not([hidden])')
  await keyboard.press('Escape')
  await expect.poll(async () => (await stage.rig.kernel.pending(`web:${stage.name}`, 0)).stops).not.toEqual({})
  await stage.bot.reply('| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst a = 1\n```')
  await page.waitForSelector('.bot pre')

  // From the box: out of the dock, around to the list, the title and the messages, in the order they are seen.
  await tabTo('#new')
  await tabTo('#search')
  await keyboard.type('tell')
  await page.waitForSelector('.result')
  await tabTo('.result')
  await keyboard.press('Shift+Tab')
  await keyboard.press('Escape')
  await tabTo(`#list a[href="#${stage.name}"]`)
  await tabTo('#rename')
  await keyboard.press('Enter')
  await page.waitForSelector('dialog[open]')
  expect(await focused(page)).toBe('rename-name')
  await keyboard.type('Named by keys')
  await keyboard.press('Enter')
  await expect.poll(async () => await page.innerText('#title')).toBe('Named by keys')
  expect(await focused(page)).toBe('rename')

  await tabTo('#scroll')
  await tabTo('.table')
  await tabTo('.code .copy')
  await tabTo('pre')
  await tabTo('.again')
  await keyboard.press('Enter')
  await expect.poll(async () => (await stage.bot.hear()).at(-1)).toMatchObject({ text: '/retry' })
  await tabTo('#message')

  await tabTo('#remove')
  await keyboard.press('Enter')
  await page.waitForSelector('#remove-dialog[open]')
  // What cannot be undone is not the first choice.
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel')
  await keyboard.press('Escape')
  expect(await focused(page)).toBe('remove')
  await keyboard.press('Enter')
  await tabTo('.danger', 5)
  await keyboard.press('Enter')
  await page.waitForSelector('#welcome:not([hidden])')
  expect(await focused(page)).toBe('message')
}, 40_000)

test('by keyboard a found message is gone on from, and the list of questions closes behind who leaves it', async () => {
  for (let i = 0; i < 30; i++) {
    await say(i === 3 ? 'where is the quokka' : `question ${i}`)
    await stage.bot.reply(`answer ${i}`)
  }
  const page = await open()
  const { keyboard } = page
  await page.focus('#search')
  await keyboard.type('quokka')
  await page.waitForSelector('.result')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.waitForSelector('.wanted >> text=quokka')
  await expect.poll(async () => await page.evaluate("document.activeElement.matches('.wanted')")).toBe(true)
  await keyboard.press('Tab')
  expect(await page.evaluate("document.activeElement.matches('.wanted .forget')")).toBe(true)
  await page.focus('#questions')
  await keyboard.press('Enter')
  await page.waitForSelector('#asked', { state: 'visible' })
  await keyboard.press('Tab')
  expect(await focused(page)).toBe('notify')
  await keyboard.press('Tab')
  await page.waitForSelector('#asked', { state: 'hidden' })
}, 30_000)

test('on a narrow screen the list of conversations takes the focus, keeps it, and gives it back', async () => {
  await say('hi')
  await stage.bot.reply('Hello.')
  const page = await open()
  await page.setViewportSize({ width: 390, height: 780 })
  const { keyboard } = page
  await page.focus('#menu')
  await keyboard.press('Enter')
  expect(await focused(page)).toBe('new')
  for (let i = 0; i < 12; i++) {
    await keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('#chat')")).toBeNull()
  }
  await page.focus('#shut')
  await keyboard.press('Enter')
  expect(await focused(page)).toBe('menu')
  await keyboard.press('Enter')
  await keyboard.press('Escape')
  expect(await focused(page)).toBe('message')
  await page.focus('#menu')
  await keyboard.press('Enter')
  // A phone that is turned, or a window that is drawn wider.
  await page.setViewportSize({ width: 1200, height: 780 })
  await expect.poll(async () => await page.evaluate("document.getElementById('chat').inert")).toBe(false)
}, 30_000)

test('everything that can be used has a name, and every name is unique to its place', async () => {
  await say('hi')
  await stage.bot.ask('```sh\nls\n```\n\n| a |\n|---|\n| b |', { yes: 'Yes' })
  const page = await open()
  await page.waitForSelector('.choice')
  const nameless =
    await page.evaluate(`[...document.querySelectorAll('button, a, input, textarea, [role=region], nav, dialog')]
    .filter((one) => one.closest('dialog') === null || one.matches('dialog'))
    .filter((one) => !(one.ariaLabel || one.textContent.trim() || one.labels?.length || one.getAttribute('aria-labelledby')))
    .map((one) => one.outerHTML)`)
  expect(nameless).toEqual([])
  const ids: unknown = await page.evaluate(`[...document.querySelectorAll('[id]')].map((one) => one.id)`)
  expect(new Set(ids as string[]).size).toBe((ids as string[]).length)
})
