// The shortest whole way of memory in people's hands: what is said on Telegram is found and edited on the page once both accounts are linked, is seen changed
// on Telegram, and is forgotten by its words, so that it is nowhere left; on the real processes.
import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { startChatFleet } from '#test/rig/chats/chat-fleet.ts'
import { labels } from '#test/rig/chats/chat.ts'
import { startTelegram } from '#test/rig/chats/telegram-chat.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { until, type Fleet } from '#test/rig/fleet.ts'
import { findLeaks } from '#test/rig/texts.ts'
import { startPage } from '#test/rig/web-page.ts'

const who = 'Ada'

async function openWeb(fleet: Fleet) {
  const page = await startPage(fleet)
  const { port, tokenFile } = page
  const chat = createWebChat({ port, tokenFile, name: 'texts' })
  const said = async () => await fleet.said(chat.conversation)
  return {
    origin: `http://127.0.0.1:${port}`,
    token: (await readFile(tokenFile, 'utf8')).trim(),
    say: async (text: string) => await chat.say(who, text),
    async hear(part: string): Promise<string> {
      return await until(async () => (await said()).findLast(({ text }) => text.includes(part))?.text)
    },
    async press(label: string) {
      const find = async () =>
        (await said()).flatMap(({ buttons = [] }) => buttons.flat()).findLast((one) => one.label === label)
      await chat.forge(who, '', (await until(find)).id).notice()
    },
    close: () => page[Symbol.asyncDispose](),
  }
}

test('said on Telegram, edited on the page, seen on Telegram, forgotten everywhere', { timeout: 120_000 }, async () => {
  const platform = await startTelegram({ patienceMs: 30_000 })
  onTestFinished(() => platform[Symbol.asyncDispose]())
  await using fleet = await startChatFleet([platform], {})
  const web = await openWeb(fleet)
  onTestFinished(() => web.close())
  const telegram = platform.direct(who)
  telegram.ask(who, 'remember that I like my tea with Zebrafinch honey')
  await telegram.hear('Kept as number 1')
  await web.say('/link')
  const code = /\/link (\S+)/.exec(await web.hear('It holds for ten minutes'))?.[1] ?? ''
  telegram.ask(who, `/link ${code}`)
  const card = await telegram.hear('Shall I link this account with')
  expect(labels(card)).toEqual(['Link', 'Do not link'])
  await telegram.press(who, card.id, 'Link').notice()
  await web.hear('typed your code')
  await web.press('Link')
  await telegram.hear('is linked with')

  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const page = await (await logIn(browser, web)).newPage()
  await page.goto(`${web.origin}/#/memory`)
  const tea = '.record:has-text("my tea")'
  await page.waitForSelector(tea)
  expect(await page.innerText(`${tea} .facts`)).not.toContain('said by')
  await page.click(`${tea} button:has-text("Edit")`)
  await page.fill('.record textarea', 'I like my tea with Zebrafinch lemon')
  await page.press('.record textarea', 'Enter')
  await page.waitForSelector(`${tea} >> text=lemon`)
  telegram.ask(who, '/memory')
  expect((await telegram.hear('I keep 1 thing')).text).toContain('Zebrafinch lemon')
  telegram.ask(who, '/forget tea')
  const asked = await telegram.hear('Shall I forget this?')
  await telegram.press(who, asked.id, 'Forget it').notice()
  await telegram.hear('is forgotten')
  await until(async () => (await findLeaks(fleet.redis.admin, 'Zebrafinch')).length === 0)
  await page.reload()
  await page.waitForSelector('.memory')
  expect(await page.locator(tea).count()).toBe(0)
})
