// A reply that grows in tabs that nobody looks at, in one that is loaded anew, and over the end of the server.
import { expect, test } from 'vitest'
import { usePage } from './page-stage.ts'
import { lookAway, watchTab } from './tab-watch.ts'

const stage = usePage('growing')

test('a tab that nobody looks at shows what grows as soon as somebody does', async () => {
  const { bot } = stage
  const [front, hidden] = [await stage.open(), await stage.open()]
  const look = await lookAway(hidden)
  await bot.draft('# One\n\nfirst\n\nsec')
  await front.waitForSelector('.draft >> text=sec')
  await bot.draft('# One\n\nfirst\n\nsecond\n\nthird')
  await front.waitForSelector('.draft >> text=third')
  expect(await hidden.locator('.draft').count()).toBe(0)
  await look()
  await hidden.waitForSelector('.draft >> text=third')
  expect(await hidden.locator('.draft .body').innerText()).toMatch(/^One\s+first\s+second\s+third$/)

  const again = await lookAway(hidden)
  await bot.draft('# One\n\nfirst\n\nsecond\n\nthird\n\nfourth')
  await bot.reply('# One\n\nfirst\n\nlast')
  await hidden.waitForSelector('#messages .bot:not(.draft) >> text=last')
  await again()
  await expect.poll(async () => await stage.texts(hidden)).toEqual(await stage.texts(front))
  expect(await hidden.locator('.draft').count()).toBe(0)
})

test('after a reload what waits stands below the reply that grows, as before, and can still be taken back', async () => {
  const { bot } = stage
  const page = await stage.open()
  for (const text of ['one', 'and also']) {
    await stage.send(page, text)
    await page.waitForSelector(`#messages .user >> text=${text}`)
  }
  const follows = (await bot.hear()).at(-1)?.id ?? ''
  await bot.draft('It begins', undefined, follows)
  await page.waitForSelector('.draft >> text=It begins')
  await stage.send(page, 'later')
  await page.waitForSelector('#messages .user .waits')
  const order = ['one', 'and also', 'It begins', 'later']
  expect(await stage.texts(page)).toEqual(order)

  await page.reload()
  await page.waitForSelector('.draft >> text=It begins')
  await expect.poll(async () => await stage.texts(page)).toEqual(order)
  expect(await page.locator('#messages .user').nth(2).locator('.waits').innerText()).toContain('Waits')
  await bot.draft('It begins and goes on', undefined, follows)
  await page.waitForSelector('.draft >> text=goes on')
  expect(await stage.texts(page)).toEqual(['one', 'and also', 'It begins and goes on', 'later'])
  await page.click('.waits .withdraw')
  await expect.poll(async () => await page.inputValue('#message')).toBe('later')
  await expect.poll(async () => await stage.texts(page)).toEqual(['one', 'and also', 'It begins and goes on'])
})

test('three tabs: within two seconds the dot tells that the server ended, and that it is back; within five all tell the same', async () => {
  const { server, bot } = stage
  const pages = [await stage.open(), await stage.open(), await stage.open()]
  const tabs = await Promise.all(pages.map(watchTab))
  await bot.reply('before')
  for (const page of pages) await page.waitForSelector('#messages .bot >> text=before')
  for (const round of [1, 2]) {
    for (const tab of tabs) await tab.lateMs()
    const endedMs = Date.now()
    await server.stop()
    const told = await Promise.all(tabs.map(async (tab) => (await tab.tells('offline', endedMs)) - endedMs))
    await bot.reply(`round ${round}`)
    const backMs = Date.now()
    await server.again()
    const back = await Promise.all(tabs.map(async (tab) => (await tab.tells('connected', backMs)) - backMs))
    const same = await Promise.all(tabs.map(async (tab) => (await tab.shows(`round ${round}`, backMs)) - backMs))
    const lateMs = Math.max(...(await Promise.all(tabs.map(async (tab) => await tab.lateMs()))))
    expect(Math.max(...told, ...back)).toBeLessThan(2000 + 2 * lateMs)
    expect(Math.max(...same)).toBeLessThan(5000 + 2 * lateMs)
  }
  const texts = await Promise.all(pages.map(stage.texts))
  expect(texts).toEqual(pages.map(() => ['before', 'round 1', 'round 2']))
})
