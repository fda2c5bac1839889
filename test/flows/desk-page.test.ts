// The desk on the page, in a real Chromium over a real fleet: the bell counts what waits and brings its card, the card reads as a deck, its number goes when it is
// answered in another tab, and the page of counts tells what came of it.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { ofAsked } from '#shared/memory/record.ts'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { startCuriosity } from '#test/rig/curiosity.ts'
import { until } from '#test/rig/fleet.ts'
import { hear } from '#test/rig/chats/room.ts'
import { questionStages } from './questions-stage.ts'

test('the bell brings the card of what waits, as a deck that two tabs share', { timeout: 120_000 }, async () => {
  await using stage = await questionStages.web()
  await using _ = startCuriosity(stage.fleet)
  const { model, fleet } = stage
  const { origin, tokenFile } = stage.place.page
  const room = await stage.open('Retro')
  const answers = [
    'An agenda. I planned 50 minutes because I do not know how long the slot is.',
    'Sticky notes. I assumed that the retro is online.',
  ]
  model.answers(...answers)
  await room.ask('Ann', 'plan the retro please')
  await hear(room, answers[0] ?? '')
  await room.ask('Ann', 'and what do we need for it?')
  await hear(room, answers[1] ?? '')
  await until(async () => {
    const read = await fleet.runtime.memory.read(ofAsked('web:owner'))
    return read !== 'same' && read.count === 2
  })

  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const context = await logIn(browser, { origin, token })
  const problems: string[] = []
  const open = async (): Promise<Page> => {
    const page = await context.newPage()
    page.on('pageerror', (error) => void problems.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && void problems.push(message.text()))
    await page.goto(`${origin}/#retro`)
    await page.waitForSelector('#state[data-state=connected]')
    return page
  }
  const [one, two] = [await open(), await open()]
  for (const page of [one, two]) await expect.poll(() => page.textContent('#questions-count')).toBe('2')
  expect(await one.locator('#questions.unhurried').count()).toBe(1)
  expect(await one.textContent('#asked-told')).toBe('Questions that I would like to ask you: 2')
  // The title of the window calls nobody for it.
  expect(await one.title()).not.toContain('(2)')

  // By keyboard alone.
  await one.focus('#questions')
  await one.keyboard.press('Enter')
  await one.waitForSelector('#desk-line >> text=I would like to ask you 2 things.')
  await one.keyboard.press('Tab')
  expect(await one.evaluate('document.activeElement.id')).toBe('desk-ask')
  expect(await one.evaluate("document.activeElement.getAttribute('aria-describedby')")).toBe('desk-line')
  await one.keyboard.press('Enter')
  for (const page of [one, two]) await page.waitForSelector('.deck[data-behind="1"] .step >> text=1 / 2')
  expect(await one.locator('.deck .step .unseen').textContent()).toBe('Question 1 of 2')
  expect(await one.locator('.deck .step [aria-hidden=true]').textContent()).toBe('1 / 2')
  await one.waitForSelector('.dots', { state: 'detached' })
  await expect.poll(() => one.locator('#questions.unhurried').count()).toBe(0)
  await expect.poll(() => one.textContent('#questions-count')).toBe('1')
  // The list calls it by its question, and not by its step.
  await one.click('#questions')
  await one.waitForSelector('#asked-list >> text=Is the retro online?')
  expect(await one.locator('#desk').isVisible()).toBe(false)
  await one.keyboard.press('Escape')
  await one.click('.deck .reply')
  expect(await one.textContent('#replying-to')).not.toContain('1 / 2')
  await one.keyboard.press('Escape')

  // Another tab answers: both go on.
  await two.click('.deck .choice >> text="No"')
  for (const page of [one, two]) await page.waitForSelector('.deck[data-behind="0"] .step >> text=2 / 2')
  expect(await one.locator('.deck').count()).toBe(1)
  await two.click('#language')
  expect(await two.locator('.deck .step .unseen').textContent()).toBe('第 2 个问题，共 2 个')
  await two.click('.deck .choice >> text=Skip')
  for (const page of [one, two]) {
    await page.waitForSelector('article >> text=Thank you. Kept:')
    expect(await page.locator('.deck').count()).toBe(0)
    await expect.poll(() => page.locator('#questions-count').isHidden(), { timeout: 25_000 }).toBe(true)
  }

  await one.goto(`${origin}/#/curiosity`)
  await one.waitForSelector('.curiosity .figures >> text=1 of 2')
  expect(await one.locator('.curiosity tr[data-kind="yes-no"] td').allInnerTexts()).toEqual([
    '1',
    '1',
    '0',
    '0',
    '0',
    '0',
    '0',
    '0',
    '0',
  ])
  await one.click('#language')
  await one.waitForSelector('.curiosity .figures >> text=1 / 2')
  await one.click('#language')

  // Where an owner has it stopped, neither looks as if nothing were to be asked.
  expect(await one.locator('.curiosity .stopped').count()).toBe(0)
  await room.ask('Ann', '/curiosity stop all')
  await hear(room, 'From now on I ask nobody')
  await one.reload()
  await one.waitForSelector('.curiosity .stopped >> text=/curiosity start all lifts that')
  await two.evaluate("window.dispatchEvent(new Event('focus'))")
  await two.click('#questions')
  await two.waitForSelector('#desk-line >> text=有主人让我谁都不问')
  expect(await two.locator('#desk-ask').isVisible()).toBe(false)
  expect(await two.locator('#asked-none').isVisible()).toBe(false)
  expect(problems).toEqual([])
})
