// Prints the chat page with real cards as pictures into a folder: `node test/flows/print-question-page.ts <folder> [name ...]`. For looking at,
// since no test tells whether a card is good to look at.
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { hear } from '#test/rig/chats/room.ts'
import type { Call } from './planned-model.ts'
import { card, questionStages } from './questions-stage.ts'

const [, , given = 'pictures', ...wanted] = process.argv
const folder = path.resolve(given)
await mkdir(folder, { recursive: true })
await using stage = await questionStages.web()
const { model, ledger } = stage
const { origin, tokenFile } = stage.place.page

const request = (method: string, body?: object): Call => ({
  name: 'http_request',
  arguments: JSON.stringify({ method, url: `${ledger.origin}/purse`, ...(body ? { body } : {}) }),
})
const read = request('GET')
const ask = (input: object): Call => ({ name: 'human_ask', arguments: JSON.stringify(input) })

type Told = Readonly<
  Record<'trip' | 'ferry' | 'pay' | 'buy' | 'map' | 'head' | 'heads' | 'stuck' | 'long' | 'done', string>
>
const inEnglish: Told = {
  trip: 'Plan the trip to the island, please',
  ferry: 'Which ferry shall I put into the plan?',
  pay: 'Read the purse, then pay the ferry',
  buy: 'Read the purse, then buy what we need',
  map: 'Buy a map and tell me about it',
  head: 'May I do this?',
  heads: 'May I do these 4?',
  stuck: 'I am stuck here',
  long: 'Book for all of us, too',
  done: 'The ferry is paid: 36 €.',
}
const inChinese: Told = {
  trip: '请帮我计划去海岛的旅行',
  ferry: '计划里要放哪一班渡轮？',
  pay: '请先读一下账本，再付渡轮的钱',
  buy: '请先读一下账本，再买我们需要的东西',
  map: '请买一张地图，再给我讲讲',
  head: '可以这样做吗？',
  heads: '这 4 个操作可以做吗？',
  stuck: '这里卡住了',
  long: '请再给所有人订票',
  done: '渡轮的钱付好了：36 欧元。',
}

async function play(told: Told, isChinese: boolean): Promise<void> {
  const prefix = isChinese ? 'zh' : 'en'
  const [early, late] = isChinese ? ['早班，8:15', '晚班，11:40'] : ['The early one, 8:15', 'The late one, 11:40']
  const choice = await stage.open(`${prefix} choice`)
  model.answers([
    ask({
      kind: 'choice',
      question: told.ferry,
      options: [
        {
          label: early,
          pros: isChinese ? '有时间逛市场' : 'time for the market',
          cons: isChinese ? '六点就要起床' : 'we get up at six',
        },
        { label: late },
      ],
      why: isChinese ? '两班都还有座位' : 'both still have seats',
      otherwise: isChinese ? '我选早班。' : 'I take the early one.',
      deadline_hours: 24,
    }),
  ])
  await choice.ask('', told.trip)
  await card(stage, choice, told.ferry)

  const one = await stage.open(`${prefix} one`)
  model.answers([read], [request('POST', { euros: 36, what: 'three ferry tickets' })])
  await one.ask('', told.pay)
  const asked = await card(stage, one, told.head)
  model.answers(told.done)
  await one.press('', asked.id, asked.buttons[0]?.[0]?.label ?? '')
  await hear(one, told.done)
  const passengers = ['Ann Lee', 'Bob Ray', 'Chen Wei'].map((name, n) => ({
    name,
    seat: `${n + 1}A`,
    luggage: 'one bag',
  }))
  model.answers([request('POST', { euros: 36, what: 'three ferry tickets', passengers })])
  await one.ask('', told.long)
  await card(stage, one, told.head)

  const four = await stage.open(`${prefix} four`)
  const calls = ['bread', 'cheese', 'wine', 'a tent'].map((what, n) => request('POST', { euros: 5 * (n + 1), what }))
  model.answers([read], calls)
  await four.ask('', told.buy)
  const many = await card(stage, four, told.heads)
  await four.press('', many.id, many.buttons[3]?.[1]?.label ?? '')
  await hear(four, ({ text, buttons }) => buttons.length === 4 && text.includes(told.heads))

  const stuck = await stage.open(`${prefix} stuck`)
  model.answers([request('POST', { euros: 20, what: 'a map' })])
  model.goAway()
  await stuck.ask('', told.map)
  await card(stage, stuck, told.stuck)
  model.comeBack()
}

await play(inEnglish, false)
await play(inChinese, true)

const browser = await startBrowser()
const desktop = { viewport: { width: 1280, height: 900 } }
const narrow = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
type Shot = {
  readonly name: string
  readonly id: string
  readonly act?: (page: Page) => Promise<void>
} & BrowserContextOptions
const unfold = async (page: Page): Promise<void> => {
  await page.locator('details.folded summary').last().click()
}
const bell = async (page: Page): Promise<void> => {
  await page.waitForSelector('#questions-count:not([hidden])')
  await page.click('#questions')
}
const shots: readonly Shot[] = [
  ...['choice', 'one', 'four', 'stuck'].flatMap((id): Shot[] => [
    { name: `${id}-desktop`, id: `en-${id}`, ...desktop },
    { name: `${id}-desktop-dark-zh`, id: `zh-${id}`, ...desktop, colorScheme: 'dark', locale: 'zh-CN' },
    { name: `${id}-narrow`, id: `en-${id}`, ...narrow },
    { name: `${id}-narrow-dark`, id: `en-${id}`, ...narrow, colorScheme: 'dark' },
    { name: `${id}-narrow-zh`, id: `zh-${id}`, ...narrow, locale: 'zh-CN' },
  ]),
  { name: 'unfolded-desktop', id: 'en-one', ...desktop, act: unfold },
  { name: 'unfolded-narrow-dark-zh', id: 'zh-one', ...narrow, colorScheme: 'dark', locale: 'zh-CN', act: unfold },
  { name: 'bell-desktop', id: 'en-choice', ...desktop, act: bell },
  { name: 'bell-desktop-dark-zh', id: 'zh-choice', ...desktop, colorScheme: 'dark', locale: 'zh-CN', act: bell },
  { name: 'bell-narrow', id: 'en-choice', ...narrow, act: bell },
]
try {
  for (const { name, id, act, ...options } of shots) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const token = (await readFile(tokenFile, 'utf8')).trim()
    const context = await logIn(browser, { origin, token, ...options })
    const page = await context.newPage()
    await page.goto(`${origin}/#${id}`)
    await page.waitForSelector('#state[data-state=connected]')
    await page.waitForSelector('article .asks')
    await act?.(page)
    await page.waitForTimeout(400)
    await page.screenshot({ path: path.join(folder, `${name}.png`) })
    process.stdout.write(`${name}\n`)
    await context.close()
  }
} finally {
  await browser.close()
}
