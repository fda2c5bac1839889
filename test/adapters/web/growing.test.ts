// A reply that grows in tabs that nobody looks at, in one that is loaded anew, and over the end of the server.
import { expect, test } from 'vitest'
import { usePage } from './page-stage.ts'
import { lookAway } from './tab-watch.ts'

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
