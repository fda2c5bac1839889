// The page of tasks in a real Chromium, over a real fleet: the list, one task while a step hangs and once it is done, its files and what a rollback would do;
// and that it shows no conversation that is not the reader's.
import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { planModel } from './planned-model.ts'
import { textPlaces, untilArrived } from './text-places.ts'

const plan = {
  steps: [
    { title: 'Part <b>one</b>', task: 'Write the first part.' },
    { title: 'Part two', task: 'Write the second part.' },
  ],
}
const planned = [{ name: 'task_plan', arguments: JSON.stringify(plan) }]
const write = (path: string, text: string) => ({ name: 'file_write', arguments: JSON.stringify({ path, text }) })

test('tasks on their page: at work, waiting, done, with files and ways back', { timeout: 90_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { page: web } = place
  if (!web) throw new Error('The web has a page.')
  const token = (await readFile(web.tokenFile, 'utf8')).trim()
  const model = planModel(place.fleet.model)
  model.answers(planned, [write('notes.md', '# One\n')], 'The first part.')
  await place.say('/task write two parts, stop after each')
  await place.hear('The first part.')

  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const context = await logIn(browser, { origin: web.origin, token })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => void problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && void problems.push(message.text()))
  await page.goto(`${web.origin}/#/tasks`)
  await page.waitForSelector('.task-card >> text=waits for you')
  expect(await page.innerText('.task-card .facts')).toContain('1/2')
  await page.click('.task-name')
  await page.waitForSelector('.outlook >> text=It waits for another 29 days')
  expect(await page.locator('.timeline .step-name').allInnerTexts()).toEqual([
    'Planning',
    '1. Part <b>one</b>',
    '2. Part two',
  ])
  await page.click('.node.is-waiting summary')
  await page.waitForSelector('.node .text >> text=The first part.')
  await page.waitForSelector('.calls >> text=file_write')
  await page.click('.node .file.added summary')
  await page.waitForSelector('.diff .plus >> text=+# One')

  model.answers([write('notes.md', '# One\n# Two\n')], 'The second part.')
  model.hold('two')
  await untilArrived(place)
  await place.press('Continue')
  // What is open stays open while the page draws anew what has changed.
  await page.waitForSelector('.node.running >> text=2. Part two')
  await page.waitForSelector('.diff .plus', { state: 'visible' })
  model.open('two')
  await page.waitForSelector('.node.is-waiting >> text=2. Part two')
  model.answers('[ALL]')
  await untilArrived(place)
  await place.press('Continue')
  await page.waitForSelector('.one-task > header .pill.completed')
  await page.click('.node:last-child summary')
  await page.waitForSelector('.node:last-child .text >> text=The second part.')
  await page.click('.point:has-text("After step 1") summary')
  await page.waitForSelector('.point li >> text=2. Part two')
  await page.click('.point .file.changed summary')
  await page.waitForSelector('.diff .minus >> text=-# Two')
  await page.click('.files > .file summary >> text=notes.md')
  await page.waitForSelector('pre >> text=# Two')
  await page.click('#language')
  await page.waitForSelector('.pill.completed >> text=已完成')
  await page.click('.back')
  await page.waitForSelector('.task-card >> text=已完成')
  // However long the conversation behind it is, it has all of the height.
  const toEnd = "innerHeight - document.getElementById('page').getBoundingClientRect().bottom"
  expect(await page.evaluate(toEnd)).toBe(0)
  expect(problems).toEqual([])

  const ask = async (path: string): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${web.origin}/api/tasks/${path}`, { headers: { Authorization: `Bearer ${token}` } })
    return { status: answer.status, text: await answer.text() }
  }
  const own = `conversation=${place.conversation}&number=1`
  expect(await ask(`task?${own}`)).toMatchObject({ status: 200 })
  expect((await ask(`task?conversation=${place.conversation}&number=9`)).status).toBe(404)
  expect((await ask('task?conversation=telegram:1&number=1')).status).toBe(404)
  expect((await ask('task?conversation=web:texts2&number=1')).status).toBe(404)
  expect((await ask(`file?${own}&at=now&path=../secret`)).status).toBe(404)
  expect((await ask(`file?${own}&at=77&path=notes.md`)).status).toBe(404)
  expect((await ask(`compare?${own}&from=x&to=now`)).status).toBe(400)
  expect((await fetch(`${web.origin}/api/tasks/list`)).status).toBe(401)
  expect(model.unplanned).toEqual([])
})

test(
  'in its conversation a task has one card of its progress, and words answer its checkpoint',
  { timeout: 90_000 },
  async () => {
    await using place = await textPlaces['the web, by the page’s button']({})
    const { page: web } = place
    if (!web) throw new Error('The web has a page.')
    const token = (await readFile(web.tokenFile, 'utf8')).trim()
    const model = planModel(place.fleet.model)
    model.answers(planned, 'The first part.')
    await place.say('/task write two parts, stop after each')
    await place.hear('The first part.')

    const browser = await startBrowser()
    onTestFinished(() => browser.close())
    const context = await logIn(browser, { origin: web.origin, token })
    const page = await context.newPage()
    await page.goto(`${web.origin}/#${place.conversation.replace('web:', '')}`)
    const card = page.locator('article', { hasText: 'Task #1 · ' }).filter({ hasText: '2. Part two' }).filter({
      hasNotText: 'Checkpoint',
    })
    model.answers('The first part, shorter.')
    await page.locator('article', { hasText: 'Checkpoint' }).last().locator('.reply').click()
    await page.fill('#message', 'shorter')
    await page.press('#message', 'Enter')
    await page.waitForSelector('article >> text=The first part, shorter.')
    expect(model.prompt()).toContain('> shorter')
    await expect.poll(async () => await card.count()).toBe(1)
    expect(await card.innerText()).toContain('waits for you')
    await page.reload()
    await page.waitForSelector('article >> text=The first part, shorter.')
    await expect.poll(async () => await card.count()).toBe(1)
    expect(model.unplanned).toEqual([])
  },
)
