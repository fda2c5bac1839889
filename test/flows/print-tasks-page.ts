// Prints the page of tasks as pictures into a folder: `node test/flows/print-tasks-page.ts <folder> [name ...]`. A real fleet with a scripted model does three
// tasks before: one that is done, one that was rolled back and waits, and one whose step hangs. For looking at, since no test tells whether a page is good to
// look at.
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { until } from '#test/rig/fleet.ts'
import { planModel } from './planned-model.ts'
import { textPlaces, untilArrived } from './text-places.ts'

const folder = path.resolve(process.argv[2] ?? 'pictures')
const wanted = process.argv.slice(3)
await mkdir(folder, { recursive: true })
await using place = await textPlaces['the web, by the page’s button']({})
const { page: web } = place
if (!web) throw new Error('The web has a page.')
const model = planModel(place.fleet.model)

type Step = { readonly title: string; readonly task: string; readonly checkpoint?: boolean }
const plan = (...steps: readonly Step[]) => [{ name: 'task_plan', arguments: JSON.stringify({ steps }) }]
const write = (file: string, text: string) => ({
  name: 'file_write',
  arguments: JSON.stringify({ path: file, text }),
})

async function press(label: string): Promise<void> {
  await untilArrived(place)
  await place.press(label)
}

/** Does something that has the model asked, whose answer then waits. */
async function hold(gate: string, begin: () => Promise<unknown>): Promise<void> {
  const before = model.asked()
  model.hold(gate)
  await begin()
  await until(async () => model.asked() > before)
}

const poems = plan(
  { title: 'Collect words for rain', task: 'Find ten words for rain in English and Chinese.' },
  { title: 'Write the three poems', task: 'Write three short poems, each with three of the words.' },
)
model.answers(
  poems,
  'drizzle, shower, 小雨, 暴雨, mist …',
  'Drizzle on the pane,\nthe kettle answers slowly —\nmist learns our names.',
  '[LAST]',
)
await place.say('/task three poems about rain, without stopping')
await place.hear('Task #1 · done')

const guide = plan(
  { title: 'Outline: which tools, which soil, which seeds', task: 'Write an outline of the guide into outline.md.' },
  { title: 'Part one: the tools', task: 'Write the first part of the guide, on tools, into guide.md.' },
  { title: 'Part two: the soil', task: 'Write the second part, on soil, and add it to guide.md.' },
  { title: 'Part three: the seeds', task: 'Write the third part, on seeds, and add it to guide.md.' },
)
const outline = '# A small garden\n\n1. Tools\n2. Soil\n3. Seeds\n'
const tools = '# A small garden\n\n## Tools\n\nA spade, a rake and gloves are enough.\nAnything else can be borrowed.\n'
model.answers(guide, [write('outline.md', outline)], 'The outline has three parts: tools, soil and seeds.')
await place.say(
  '/task write a short guide to a small garden on a balcony, in three parts with an outline, and stop after each step',
)
await place.hear('The outline has three parts')
model.answers(
  [write('guide.md', tools), { name: 'file_list', arguments: '{}' }],
  'A spade, a rake and gloves are enough.',
)
await press('Continue')
await place.hear('A spade, a rake and gloves are enough.')
model.answers(
  [write('guide.md', `${tools}\n## Soil\n\nLoose, dark and wet.\n`), write('notes/soil.txt', 'loam 2, sand 1\n')],
  'Loose, dark and wet soil.',
)
await press('Continue')
await place.hear('Loose, dark and wet soil.')
await press('Roll back to …')
await press('Step 1')
model.answers(
  [write('guide.md', tools.replace('gloves', 'a small knife'))],
  'A spade, a rake and a small knife are enough.',
)
await press('Roll back')
await place.hear('A spade, a rake and a small knife are enough.')
await place.say('/task 2 steps')
await place.hear('Part three: the seeds** · to come')

model.answers(
  plan({ title: '比较三款雨衣', task: '比较三款雨衣的价格和重量。' }, { title: '写结论', task: '写一段结论。' }),
  [write('比较.md', '| 款式 | 价格 |\n|--|--|\n| A | 300 |\n')],
)
model.answers('…')
await hold('plan', () => place.say('/task 比较三款雨衣，写成表格，再给一段结论'))
await hold('file', async () => model.open('plan'))
await hold('never', async () => model.open('file'))

const browser = await startBrowser()
const token = (await readFile(web.tokenFile, 'utf8')).trim()
type Shot = {
  readonly name: string
  readonly task?: string
  readonly act?: (page: Page) => Promise<void>
} & BrowserContextOptions
const desktop = { viewport: { width: 1200, height: 1000 } }
const narrow = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const dark = { colorScheme: 'dark' } as const
const zh = { locale: 'zh-CN' }

async function openParts(page: Page): Promise<void> {
  await page.click('.node.is-waiting summary')
  await page.locator('.node.is-waiting .file summary').first().click()
  await page.waitForSelector('.diff')
}
async function openPoints(page: Page): Promise<void> {
  await page.locator('.point.aside summary').last().click()
  await page.waitForSelector('.point[open] .file, .point[open] .soft')
  await page.locator('.points').scrollIntoViewIfNeeded()
}
async function openFile(page: Page): Promise<void> {
  await page.locator('section > .files > .file summary').first().click()
  await page.waitForSelector('.files pre')
  await page.locator('section > .files').scrollIntoViewIfNeeded()
}

const shots: readonly Shot[] = [
  { name: 'list', ...desktop },
  { name: 'list-narrow-dark', ...narrow, ...dark },
  { name: 'task', task: '#2', ...desktop },
  { name: 'task-open', task: '#2', ...desktop, viewport: { width: 1200, height: 1500 }, act: openParts },
  { name: 'task-points', task: '#2', ...desktop, act: openPoints },
  { name: 'task-files', task: '#2', ...desktop, act: openFile },
  { name: 'task-dark', task: '#2', ...desktop, ...dark, act: openParts },
  { name: 'task-whole', task: '#2', ...desktop, viewport: { width: 1200, height: 1700 } },
  { name: 'task-narrow', task: '#2', ...narrow },
  { name: 'task-narrow-open', task: '#2', ...narrow, act: openParts },
  { name: 'running', task: '#3', ...desktop, act: (page) => page.click('.node.running summary') },
  {
    name: 'running-zh-narrow-dark',
    task: '#3',
    ...narrow,
    ...dark,
    ...zh,
    act: (page) => page.click('.node.running summary'),
  },
  { name: 'done-zh', task: '#1', ...desktop, ...zh, act: (page) => page.click('.node:last-child summary') },
]
for (const { name, task, act, ...options } of shots) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const context = await logIn(browser, { origin: web.origin, token, ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => void process.stderr.write(`${name}: ${String(error)}\n`))
  page.on('console', (message) => message.type() === 'error' && process.stderr.write(`${name}: ${message.text()}\n`))
  await page.goto(`${web.origin}/#/tasks`)
  await page.waitForSelector('.task-list')
  if (task) {
    await page.click(`.task-card:has-text("${task}") .task-name`)
    await page.waitForSelector('.timeline')
  }
  await act?.(page)
  await page.waitForTimeout(400)
  const box = await page.evaluate('[document.documentElement.scrollWidth, innerWidth].join("/")')
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  process.stdout.write(`${name}: ${String(box)}\n`)
  await context.close()
}
await browser.close()
model.open('never')
process.exit(0)
