// Prints the desk on the page as pictures into a folder: `node test/flows/print-desk-page.ts <folder> [name ...]`: the bell, the card as a deck, its receipt,
// and the page of counts. For looking at, since no test tells whether a card is good to look at.
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { askKinds, type Asks } from '#shared/memory/asks.ts'
import { ofAsked } from '#shared/memory/record.ts'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { hear } from '#test/rig/chats/room.ts'
import { questionStages } from './questions-stage.ts'

const [, , given = 'pictures', ...wanted] = process.argv
const folder = path.resolve(given)
await mkdir(folder, { recursive: true })
await using stage = await questionStages.web()
const { model, fleet } = stage
const { desks, memory } = fleet.runtime
const { origin, tokenFile } = stage.place.page
const reader = 'web:owner'

type Put = { readonly kind: Asks['kind']; readonly text: string; readonly options?: readonly string[] } & Readonly<
  Record<'why' | 'changes' | 'assumed', string>
>
const questions: Readonly<Record<'en' | 'zh', readonly Put[]>> = {
  en: [
    {
      kind: 'choice',
      text: 'Which of these for the retro: online, or in the room?',
      options: ['online', 'in the room'],
      why: 'my answer says: “I assumed that the retro is online”',
      changes: 'the plan has a link, or a room and sticky notes',
      assumed: 'the retro is online',
    },
    {
      kind: 'yes-no',
      text: 'Is the day of the retro fixed?',
      why: 'my answer says: “I took Thursday as fixed”',
      changes: 'whether the plan names other days',
      assumed: 'it is fixed',
    },
    {
      kind: 'words',
      text: 'How long is the slot?',
      why: 'my answer says: “I planned 50 minutes because I do not know how long the slot is”',
      changes: 'how the agenda is cut',
      assumed: '50 minutes',
    },
  ],
  zh: [
    {
      kind: 'choice',
      text: '回顾会是线上开，还是在会议室？',
      options: ['线上', '会议室'],
      why: '我的回答说：“我假设回顾会是线上的”',
      changes: '计划里写链接，还是会议室和便利贴',
      assumed: '回顾会是线上的',
    },
    {
      kind: 'yes-no',
      text: '回顾会定在星期四了吗？',
      why: '我的回答说：“我按星期四已经定了来排”',
      changes: '计划里要不要写别的日子',
      assumed: '是固定的',
    },
    {
      kind: 'words',
      text: '会议有多长？',
      why: '我的回答说：“我不知道会议有多长，先按 50 分钟排”',
      changes: '议程怎么分',
      assumed: '50 分钟',
    },
  ],
}

async function put(language: 'en' | 'zh'): Promise<void> {
  const conversation = `web:${language}-home`
  for (const [at, { text, kind, options = [], ...told }] of questions[language].entries())
    await memory.write(ofAsked(reader), {
      id: `turn:${language}-${at}-${Date.now()}`,
      kind: 'fact',
      speaker: reader,
      text,
      saidAt: Date.now() - 3_600_000 + at,
      status: 'unconfirmed',
      origin: 'inferred',
      from: [{ conversation, messages: [] }],
      asks: {
        kind,
        options,
        ...told,
        key: `${text} ${Date.now()}`,
        in: conversation,
        session: 's1',
        group: false,
        worth: 0.9 - at / 10,
      },
    })
}

/** Books of people who were asked much before. */
async function fillBooks(): Promise<void> {
  const endings = ['answered', 'answered', 'skipped', 'answered', 'ignored', 'answered', 'never', 'undone']
  for (const [nth, who] of ['telegram:1', 'telegram:2', 'discord:3'].entries()) {
    const asked = Array.from({ length: 60 }, (_, at) => {
      const kind = askKinds[(at + nth) % askKinds.length]
      const how = kind === 'action' && nth < 2 ? 'skipped' : endings[(at * 3 + nth) % endings.length]
      return { key: `k${at}`, kind, at: Date.now(), how }
    })
    const often = Array.from({ length: 22 }, (_, at) => ({
      key: `a${at}`,
      kind: 'action',
      at: Date.now(),
      how: 'skipped',
    }))
    const { version } = await desks.find(who)
    const book = { v: 1, asked: [...asked, ...(nth === 0 ? often : [])], cards: [], never: [], ignored: 0 }
    await desks.write(who, version, JSON.stringify(book))
  }
}

async function begin(title: string, said: string, answer: string): Promise<void> {
  const room = await stage.open(title)
  model.answers(answer)
  await room.ask('Ann', said)
  await hear(room, answer)
}

await begin('en home', 'Plan the retro, please', 'An agenda. I assumed that the retro is online.')
await begin('zh home', '帮我们安排一下回顾会', '议程如下。我假设回顾会是线上的。')
await fillBooks()
await put('en')

const browser = await startBrowser()
const desktop = { viewport: { width: 1280, height: 900 } }
const narrow = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const dark = { colorScheme: 'dark' } as const
const zh = { locale: 'zh-CN' }
type Shot = { readonly name: string; readonly id: string; readonly act: (page: Page) => Promise<void> }

const openBell = async (page: Page): Promise<void> => {
  await page.waitForSelector('#questions-count:not([hidden])')
  await page.click('#questions')
}
const askNow = async (page: Page): Promise<void> => {
  await openBell(page)
  await page.click('#desk-ask')
  await page.waitForSelector('.deck .choices')
}
const seeDeck = async (page: Page): Promise<void> => void (await page.waitForSelector('.deck .choices'))
const pressDeck =
  (label: string, next: string) =>
  async (page: Page): Promise<void> => {
    await page.locator('.deck .choice', { hasText: label }).last().click()
    await page.waitForSelector(`.deck .step >> text=${next}`)
    // Without the pointer on whatever came in its place.
    await page.mouse.move(0, 0)
  }
const seeCounts = async (page: Page): Promise<void> => void (await page.waitForSelector('.curiosity table'))

async function play(shots: readonly (Shot & BrowserContextOptions)[]): Promise<void> {
  const token = (await readFile(tokenFile, 'utf8')).trim()
  for (const { name, id, act, ...options } of shots) {
    const context = await logIn(browser, { origin, token, ...options })
    const page = await context.newPage()
    page.on('pageerror', (error) => void process.stderr.write(`${name}: ${String(error)}\n`))
    page.on('console', (message) => message.type() === 'error' && process.stderr.write(`${name}: ${message.text()}\n`))
    await page.goto(`${origin}/#${id}`)
    await page.waitForSelector('#state[data-state=connected]')
    await act(page)
    await page.waitForTimeout(400)
    const box = await page.evaluate('[document.documentElement.scrollWidth, innerWidth].join("/")')
    if (wanted.length === 0 || wanted.includes(name)) await page.screenshot({ path: path.join(folder, `${name}.png`) })
    process.stdout.write(`${name}: ${String(box)}\n`)
    await context.close()
  }
}

await play([
  { name: 'bell-desktop', id: 'en-home', ...desktop, act: openBell },
  { name: 'bell-narrow', id: 'en-home', ...narrow, act: openBell },
  { name: 'bell-narrow-dark-zh', id: 'zh-home', ...narrow, ...dark, ...zh, act: openBell },
  { name: 'deck-desktop', id: 'en-home', ...desktop, act: askNow },
  { name: 'deck-desktop-dark', id: 'en-home', ...desktop, ...dark, act: seeDeck },
  { name: 'deck-narrow', id: 'en-home', ...narrow, act: seeDeck },
  { name: 'bell-open-card', id: 'en-home', ...desktop, act: openBell },
  { name: 'second-narrow-dark', id: 'en-home', ...narrow, ...dark, act: pressDeck('online', '2 / 3') },
  { name: 'third-desktop', id: 'en-home', ...desktop, act: pressDeck('Skip', '3 / 3') },
  {
    name: 'receipt-desktop',
    id: 'en-home',
    ...desktop,
    act: async (page) => {
      await page.locator('.deck .choice', { hasText: 'Skip' }).last().click()
      await page.waitForSelector('article >> text=Thank you')
    },
  },
])
await put('zh')
await play([
  { name: 'deck-desktop-zh', id: 'zh-home', ...desktop, ...zh, act: askNow },
  { name: 'deck-narrow-dark-zh', id: 'zh-home', ...narrow, ...dark, ...zh, act: seeDeck },
  { name: 'counts-desktop', id: '/curiosity', ...desktop, act: seeCounts },
  { name: 'counts-desktop-dark', id: '/curiosity', ...desktop, ...dark, act: seeCounts },
  { name: 'counts-narrow', id: '/curiosity', ...narrow, act: seeCounts },
  { name: 'counts-narrow-dark-zh', id: '/curiosity', ...narrow, ...dark, ...zh, act: seeCounts },
  { name: 'counts-desktop-zh', id: '/curiosity', ...desktop, ...zh, act: seeCounts },
])
await fleet.runtime.incurious.setQuiet(true, reader)
const openStopped = async (page: Page): Promise<void> => {
  await page.click('#questions')
  await page.waitForSelector('#desk-line:visible')
}
await play([
  { name: 'bell-stopped', id: 'en-home', ...desktop, act: openStopped },
  { name: 'bell-stopped-narrow-zh', id: 'zh-home', ...narrow, ...zh, act: openStopped },
  { name: 'counts-stopped', id: '/curiosity', ...desktop, act: seeCounts },
])
await browser.close()
process.exit(0)
