// Prints the chat page as pictures into a folder, with what it took to open: `node test/flows/print-page.ts <folder> [name ...]`. For
// looking at, since no test tells whether a page is good to look at.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createBot } from '#test/adapters/bot.ts'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { startWebRig } from '#test/adapters/web/web-rig.ts'

const folder = path.resolve(process.argv[2] ?? 'pictures')
await mkdir(folder, { recursive: true })
await using rig = await startWebRig()
const server = await rig.start()
const browser = await startBrowser()

const plan = `Here is a plan for the weekend, **two days** and one bag:

| Day | What | Cost |
|:----|:-----|-----:|
| Saturday | Ferry and the coast path | 18 |
| Sunday | Market, then the *late* train | 7 |

- [x] look up the ferry
- [ ] pack a rain jacket
- [ ] charge the camera

A small script keeps the list in order:

\`\`\`ts
type Item = { name: string; grams: number }

/** The heaviest come first. */
export function pack(items: readonly Item[], mostGrams = 7000): string[] {
  const sorted = items.toSorted((a, b) => b.grams - a.grams)
  return sorted.filter(({ grams }) => (mostGrams -= grams) >= 0).map(({ name }) => \`- \${name}\`)
}
\`\`\`

> Trains run every hour until 22:10. See [the timetable](https://trains.example/coast).

**注意：**请提前十分钟到码头。`

async function talk(id: string, exchanges: readonly (readonly [string, string])[]): Promise<void> {
  const bot = createBot(rig.kernel, `web:${id}`)
  for (const [question, answer] of exchanges) {
    await server.post(`/api/conversations/${id}/messages`, { text: question })
    await bot.reply(answer)
  }
}

await talk('queues', [
  ['Explain message queues briefly', 'A queue lets **senders** and *receivers* go at their own pace.'],
])
await talk('soup', [['Is it fine to freeze lentil soup?', 'Yes, for about three months.']])
const long = Array.from(
  { length: 500 },
  (_, i) => [`Question number ${i + 1}`, `Answer **${i + 1}**.\n\n${plan}`] as const,
)
await talk('long', long)
await talk('trip', [['Plan a weekend at the coast, please. Ferry, market, one bag. **Not too long!**', plan]])
await talk('why', [['How far is the moon?', 'About 384,000 km, on average.']])
await server.post('/api/conversations/why/messages', { text: '/why' })
await createBot(rig.kernel, 'web:why').tell(
  '**How this answer came about**: “How far is the moon?”\n\n- What I took it for: question · standard · sure · rule `query.rest`\n- What the model was given last, in estimated tokens: 2410 = my instructions 1320, tools 840 (6 tools), history 190 (2 messages), this question 24 (1 message), date and settings 36\n- Cost: 2280 tokens read, 18 written · `some-model` · $0.00588',
)
await talk('stopped', [
  [
    'Tell me everything about tides',
    'Tides are the rise and fall of sea levels, caused by the moon and\n\n*(stopped)*',
  ],
])
await server.post('/api/conversations/busy/messages', { text: 'Compare three rain jackets' })
await createBot(rig.kernel, 'web:busy').draft('## Jackets\n\nThe **first** one is light')
await talk('tides', [['Tell me everything about tides', 'Tides are the rise and fall of sea levels.']])
await server.post('/api/conversations/waits/messages', { text: 'Tell me everything about tides' })
await server.post('/api/conversations/pasted/messages', {
  text: Array.from({ length: 400 }, (_, i) => `2026-11-27 12:${i % 60} worker ${i} answered in ${i * 3} ms`).join('\n'),
})
await talk('ferry', [['Get me to the coast on Saturday', 'I look for ferries.']])
const asker = createBot(rig.kernel, 'web:ferry')
await asker.askPeople(
  '**Which ferry shall I put into the plan?**\n\nThe early one leaves time for the market. Without an answer by tomorrow 09:00 I take the early one.',
  { early: 'The early one, 8:15', late: 'The late one, 11:40' },
  { urgency: 'normal', deadlineMs: 18 * 3_600_000 + 300_000 },
)
const call = { method: 'POST', url: 'https://ferry.example/bookings', body: { passengers: [1, 2, 3].map(toPassenger) } }
await asker.askPeople(
  `**May I book the ferry?** This sends data to ferry.example.\n\n\`\`\`json\n${JSON.stringify(call, undefined, 2)}\n\`\`\`\n\nWithout an answer within 8 minutes I do not book.`,
  { once: 'Approve once', deny: 'Deny' },
  { urgency: 'high', deadlineMs: 480_000 },
)
await createBot(rig.kernel, 'web:soup').askPeople(
  '要不要把这份扁豆汤的做法记下来，下次直接用？',
  { yes: '记下来', no: '不用' },
  { urgency: 'low', deadlineMs: 6 * 86_400_000 },
)

function toPassenger(number: number) {
  return { name: `Passenger ${number}`, seat: `${number}A`, meal: 'none', luggage: 'one bag' }
}

type Shot = {
  readonly name: string
  readonly id: string
  readonly act?: (page: Page) => Promise<void>
} & BrowserContextOptions
const desktop = { viewport: { width: 1180, height: 820 } }
const narrow = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 }
const shots: readonly Shot[] = [
  { name: 'readme', id: 'trip', viewport: { width: 1180, height: 900 }, act: toTop },
  { name: 'welcome', id: 'nothing-yet', ...desktop },
  { name: 'desktop', id: 'trip', ...desktop },
  { name: 'dark', id: 'trip', ...desktop, colorScheme: 'dark' },
  { name: 'narrow', id: 'trip', ...narrow },
  { name: 'narrow-dark-list', id: 'trip', ...narrow, colorScheme: 'dark', act: (page) => page.click('#menu') },
  { name: 'long', id: 'long', ...desktop },
  { name: 'long-chinese', id: 'long', ...desktop, locale: 'zh-CN' },
  { name: 'stopped', id: 'stopped', ...desktop },
  { name: 'why', id: 'why', ...desktop, act: (page) => page.hover('article:has(.why)') },
  { name: 'why-narrow', id: 'why', ...narrow, hasTouch: true, isMobile: true },
  { name: 'streaming', id: 'busy', ...desktop },
  { name: 'search', id: 'trip', ...desktop, act: (page) => find(page, 'lentil') },
  { name: 'rename', id: 'trip', ...desktop, act: (page) => page.click('#rename') },
  { name: 'asked', id: 'ferry', ...desktop },
  { name: 'asked-list', id: 'ferry', ...desktop, act: openQuestions },
  { name: 'asked-list-dark', id: 'why', ...desktop, colorScheme: 'dark', locale: 'zh-CN', act: openQuestions },
  { name: 'asked-narrow', id: 'ferry', ...narrow, act: replyToCard },
  { name: 'asked-narrow-dark', id: 'ferry', ...narrow, colorScheme: 'dark', locale: 'zh-CN', act: replyToCard },
  { name: 'asked-list-narrow', id: 'ferry', ...narrow, locale: 'zh-CN', act: openQuestions },
  { name: 'menu', id: 'trip', ...desktop, act: (page) => page.click('#more') },
  {
    name: 'menu-narrow-dark',
    id: 'trip',
    ...narrow,
    colorScheme: 'dark',
    locale: 'zh-CN',
    act: (page) => page.click('#more'),
  },
  { name: 'forgotten', id: 'tides', ...desktop, act: forget },
  {
    name: 'forgotten-narrow',
    id: 'tides',
    ...narrow,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
    locale: 'zh-CN',
    act: forget,
  },
  { name: 'pasted', id: 'pasted', ...desktop },
  { name: 'waits', id: 'waits', ...desktop, act: (page) => writeMeanwhile(page) },
  {
    name: 'waits-narrow',
    id: 'waits',
    ...narrow,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
    locale: 'zh-CN',
    act: (page) => writeMeanwhile(page),
  },
  { name: 'delete', id: 'trip', ...desktop, colorScheme: 'dark', act: (page) => page.click('#remove') },
]

async function toTop(page: Page): Promise<void> {
  await page.evaluate("document.getElementById('scroll').scrollTop = 0")
}

async function forget(page: Page): Promise<void> {
  await page.hover('.user')
  await page.click('.forget')
  await page.waitForSelector('.forgotten')
}

const tides = createBot(rig.kernel, 'web:waits')
async function writeMeanwhile(page: Page): Promise<void> {
  await tides.draft('Tides are the rise and fall of sea levels, caused by')
  await page.waitForSelector('.draft >> text=Tides are')
  await page.fill('#message', 'and in French please')
  await page.press('#message', 'Enter')
  await page.waitForSelector('.withdraw')
}

async function openQuestions(page: Page): Promise<void> {
  await page.waitForSelector('#questions-count >> text=3')
  await page.click('#questions')
}

async function replyToCard(page: Page): Promise<void> {
  await page.locator('.asks .reply').last().click()
}

async function find(page: Page, words: string): Promise<void> {
  await page.fill('#search', words)
  await page.waitForSelector('.result')
}

const wanted = process.argv.slice(3)
for (const { name, id, act, ...options } of shots) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const context = await logIn(browser, { origin: server.origin, token: await rig.token(), ...options })
  const page = await context.newPage()
  let bytes = 0
  page.on(
    'response',
    (response) =>
      void response.body().then(
        (body) => (bytes += body.byteLength),
        () => {},
      ),
  )
  const startedMs = performance.now()
  await page.goto(`${server.origin}/#${id}`)
  await page.waitForSelector('#state[data-state=connected]')
  await page.waitForSelector('#messages article, #welcome:not([hidden])')
  const openedMs = Math.round(performance.now() - startedMs)
  await page.waitForSelector('#list a', { state: 'attached' })
  await act?.(page)
  await page.waitForTimeout(400)
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  const articles = await page.locator('#messages article').count()
  process.stdout.write(
    `${name}: open after ${openedMs} ms, ${Math.round(bytes / 1024)} KB, ${articles} messages shown\n`,
  )
  await context.close()
}
await browser.close()
