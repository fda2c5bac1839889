// The questions that wait for the reader of the page: the list of all conversations, by the interface and in a real Chromium.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { BotError } from '#shared/errors.ts'
import { createBot, type Bot } from '#test/adapters/bot.ts'
import { closePages, logIn, startBrowser } from './browser.ts'
import { startWebRig, toJson, type WebRig, type WebServer } from './web-rig.ts'

let rig: WebRig
let server: WebServer
let browser: Browser
let context: BrowserContext
let count = 0
let problems: string[] = []
/** Conversations of the test, which are deleted after it: the list shows those of all. */
let used: string[] = []

const yesNo = { yes: 'Yes', no: 'No' }
const hourMs = 3_600_000

beforeAll(async () => {
  rig = await startWebRig()
  server = await rig.start()
  browser = await startBrowser()
}, 30_000)
afterAll(async () => {
  await browser.close()
  await rig[Symbol.asyncDispose]()
})
beforeEach(async () => {
  problems = []
  used = []
  context = await logIn(browser, { origin: server.origin, token: await rig.token() })
})
afterEach(async () => {
  await closePages(context)
  await context.close()
  for (const id of used) await server.call(`/api/conversations/${id}`, { method: 'DELETE' })
  if (problems.length > 0) throw new Error(`The page complained: ${problems.join('; ')}`)
})

/** A conversation in which something was said, so that the list has it. */
async function begin(title: string): Promise<{ readonly id: string; readonly bot: Bot }> {
  const id = `asked-${++count}`
  used.push(id)
  const bot = createBot(rig.kernel, `web:${id}`)
  await server.post(`/api/conversations/${id}/messages`, { text: title })
  await bot.reply('Well.')
  return { id, bot }
}

async function open(id: string): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) problems.push(message.text())
  })
  await page.goto(`${server.origin}/#${id}`)
  await page.waitForSelector('#state[data-state=connected]')
  return page
}

type Listed = {
  readonly now: number
  readonly questions: readonly { id: string; message: string; line: string; urgency: string; endsAt: number }[]
}
const list = async (): Promise<Listed> => await toJson<Listed>(await server.call('/api/questions'))

test('lists the open questions of all conversations, the most urgent and then the soonest first, and none that has ended', async () => {
  const [one, two] = [await begin('Trip'), await begin('Taxes')]
  await one.bot.askPeople('Which **ferry**?\n\nThe early one is cheaper.', yesNo, {
    urgency: 'low',
    deadlineMs: hourMs,
  })
  await two.bot.askPeople('# Pay now?', yesNo, { urgency: 'normal', deadlineMs: 2 * hourMs })
  await two.bot.askPeople('**Please choose**', yesNo, { urgency: 'normal', deadlineMs: hourMs, title: 'Pay what?' })
  const [answered = ''] = await one.bot.askPeople('Which day?', yesNo, { urgency: 'high', deadlineMs: hourMs })
  await two.bot.askPeople('Too late?', yesNo, { urgency: 'high', deadlineMs: 1 })
  // Buttons that ask nothing, such as those of a menu.
  await one.bot.ask('Settings', yesNo)
  await server.post(`/api/conversations/${one.id}/presses`, { buttonId: answered })
  const { now, questions } = await list()
  expect(questions.map(({ id, line, urgency }) => [id, line, urgency])).toEqual([
    [two.id, 'Pay what?', 'normal'],
    [two.id, 'Pay now?', 'normal'],
    [one.id, 'Which ferry?', 'low'],
  ])
  expect(questions.every(({ endsAt }) => endsAt > now && endsAt <= now + 2 * hourMs)).toBe(true)
})

test('what cannot be read in one conversation hides nothing of the others; without the store nothing is said', async () => {
  const [one, two] = [await begin('Trip'), await begin('Taxes')]
  for (const { bot } of [one, two]) await bot.askPeople('Which day?', yesNo, { urgency: 'normal', deadlineMs: hourMs })
  let code: 'store-newer' | 'store-unavailable' = 'store-newer'
  const other = await rig.start({
    kernel: (kernel) => ({
      ...kernel,
      findCards: async (conversation, messages) => {
        if (conversation === `web:${one.id}`) throw new BotError(code, 'It cannot be read.')
        return await kernel.findCards(conversation, messages)
      },
    }),
  })
  const { questions } = await toJson<Listed>(await other.call('/api/questions'))
  expect(questions.map(({ id }) => id)).toEqual([two.id])
  code = 'store-unavailable'
  expect((await other.call('/api/questions')).status).toBe(503)
})

test('tells how many wait at the desk of the page’s reader, none where nobody is asked, and what cannot be read hides nothing', async () => {
  const { bot } = await begin('Trip')
  await bot.askPeople('Which day?', yesNo, { urgency: 'normal', deadlineMs: hourMs })
  expect(await list()).toMatchObject({ desk: 0 })
  let code: 'store-newer' | 'store-unavailable' | undefined
  const other = await rig.start({
    countDesk: async (principal) => {
      if (code) throw new BotError(code, 'It cannot be read.')
      return { count: principal === 'web:owner' ? 3 : 0, isStopped: principal !== 'web:owner' }
    },
  })
  expect(await toJson(await other.call('/api/questions'))).toMatchObject({
    desk: 3,
    isStopped: false,
    questions: [{ line: 'Which day?' }],
  })
  code = 'store-newer'
  expect(await toJson(await other.call('/api/questions'))).toMatchObject({
    desk: 0,
    isStopped: false,
    questions: [{ line: 'Which day?' }],
  })
  code = 'store-unavailable'
  expect((await other.call('/api/questions')).status).toBe(503)
})

test('lists a hundred questions at most, also where more are open in one conversation than are looked up at once', async () => {
  const { id, bot } = await begin('Much')
  const asks = { urgency: 'normal', deadlineMs: hourMs } as const
  const [first = ''] = await bot.askPeople('Question 0', yesNo, asks)
  for (let i = 1; i < 105; i++) await bot.askPeople(`Question ${i}`, yesNo, asks)
  expect((await list()).questions).toHaveLength(100)
  await server.post(`/api/conversations/${id}/presses`, { buttonId: first })
  expect((await list()).questions.map(({ line }) => line)).not.toContain('Question 0')
}, 30_000)

test('the badge, the title and the list show what is asked in any conversation, in all tabs and after a reload', async () => {
  const [here, there] = [await begin('Trip'), await begin('Taxes')]
  const [one, two] = [await open(here.id), await open(here.id)]
  expect(await one.locator('#questions-count').isHidden()).toBe(true)
  await here.bot.askPeople('Which ferry?', yesNo, { urgency: 'high', deadlineMs: 5 * hourMs })
  await there.bot.askPeople('Pay now?', yesNo, { urgency: 'normal', deadlineMs: hourMs / 2 })
  await one.reload()
  for (const page of [one, two]) {
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await expect.poll(async () => await page.textContent('#questions-count')).toBe('2')
    expect(await page.title()).toBe('(2) Trip · Flotilla')
  }
  // By keyboard alone: Enter opens it, the next stop is the first question, Esc closes it.
  await one.focus('#questions')
  await one.keyboard.press('Enter')
  const entries = one.locator('#asked-list li')
  await expect
    .poll(async () => (await entries.allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ')))
    .toEqual(['Which ferry?Urgent5 h leftTrip', 'Pay now?30 min leftTaxes'])
  await one.keyboard.press('Escape')
  expect(await one.locator('#asked').isVisible()).toBe(false)
  await one.keyboard.press('Enter')
  await one.keyboard.press('Tab')
  await one.keyboard.press('Tab')
  await one.keyboard.press('Enter')
  await one.waitForSelector('article.wanted >> text=Pay now?')
  expect(await one.evaluate('document.activeElement.textContent')).toContain('Pay now?')
  await one.click('.wanted .choice >> text=No')
  await one.waitForSelector('#asked', { state: 'hidden' })
  await expect.poll(async () => await one.title()).toBe('(1) Taxes · Flotilla')
  expect(await one.locator('.asks').count()).toBe(0)
}, 30_000)

test('a card counts down by the clock of the server, whatever the clock of the browser says, until it is answered', async () => {
  const { id, bot } = await begin('Trip')
  await context.addInitScript('const real = Date.now; Date.now = () => real() + 40 * 86400000')
  const page = await open(id)
  await bot.askPeople('Which ferry?', yesNo, { urgency: 'high', deadlineMs: 26 * hourMs })
  const row = bot.lastRow()
  await page.waitForSelector('article .left >> text=26 h left')
  // The card says it itself; the list has a mark for it.
  expect(await page.locator('article .asks').textContent()).not.toContain('Urgent')
  await page.click('#language')
  await page.waitForSelector('article .left >> text=还剩 26 小时')
  await bot.askPeople('Soon?', yesNo, { urgency: 'normal', deadlineMs: 3000 })
  await page.waitForSelector('article .left >> text=/还剩 [123] 秒/')
  await page.waitForSelector('article .left >> text=时间到了')
  await expect.poll(async () => await page.textContent('#questions-count')).toBe('1')
  await bot.ask('Which ferry? The early one.', {}, row)
  await page.waitForSelector('article >> text=The early one.')
  expect(await page.locator(`article:has-text("Which ferry?") .asks`).count()).toBe(0)
}, 30_000)

test('long code of an open card is folded under how long it is, short code and that of other messages is not', async () => {
  const { id, bot } = await begin('Trip')
  const long = JSON.stringify(
    Array.from({ length: 80 }, (_, i) => i),
    undefined,
    2,
  )
  const code = `\`\`\`json\n${long}\n\`\`\``
  await bot.reply(code)
  await bot.askPeople(`Allow this call?\n\n${code}\n\n\`\`\`\nshort\n\`\`\``, yesNo, {
    urgency: 'normal',
    deadlineMs: hourMs,
  })
  const page = await open(id)
  const folded = page.locator('details.folded')
  expect(await folded.count()).toBe(1)
  expect(await folded.locator('summary span').first().textContent()).toBe(`Show 82 lines, ${long.length} characters`)
  expect(await folded.locator('pre').isVisible()).toBe(false)
  expect(await page.locator('article:has(.asks) pre').count()).toBe(2)
  await folded.locator('summary').click()
  expect(await folded.locator('pre').isVisible()).toBe(true)
})

test('several pieces of code in a card are folded where they are long together, and show how they begin', async () => {
  const { id, bot } = await begin('Trip')
  const toPiece = (what: string): string => JSON.stringify({ a: 1, b: 2, c: 'two  spaces', what }, undefined, 2)
  const piece = (what: string): string => `\`\`\`json\n${toPiece(what)}\n\`\`\``
  const asks = { urgency: 'normal', deadlineMs: hourMs } as const
  const tents = 'tent '.repeat(40)
  await bot.askPeople(['Two?', piece('bread'), piece('wine')].join('\n\n'), yesNo, asks)
  await bot.askPeople(['Three?', piece('bread'), piece('wine'), piece(tents)].join('\n\n'), yesNo, asks)
  await bot.askPeople(['Words?', '```\na\nb\nc\nd\ne\nf\ng\nh\ni\n```'].join('\n\n'), yesNo, asks)
  const page = await open(id)
  const article = (text: string) => page.locator(`article:has-text("${text}")`)
  expect(await article('Two?').locator('pre').allTextContents()).toEqual(['bread', 'wine'].map(toPiece))
  expect(await article('Two?').locator('details, .joined').count()).toBe(0)
  const peek = `{ "a": 1, "b": 2, "c": "two  spaces", "what": "${tents}" }`.slice(0, 200)
  expect(await article('Three?').locator('.peek').allTextContents()).toEqual([`${peek}…`])
  // What is whole in one line needs no unfolding.
  expect(await article('Three?').locator('.joined pre').allTextContents()).toEqual(
    ['bread', 'wine'].map((what) => `{ "a": 1, "b": 2, "c": "two  spaces", "what": "${what}" }`),
  )
  expect(await article('Three?').locator('.joined pre').first().isVisible()).toBe(true)
  // Other text means something else without its line breaks.
  expect(await article('Words?').locator('details pre').textContent()).toBe('a\nb\nc\nd\ne\nf\ng\nh\ni')
})

test('Reply makes the next message one to the card, until it is sent or called off', async () => {
  const { id, bot } = await begin('Trip')
  await bot.askPeople('Which ferry?\n\nThere are two.', yesNo, { urgency: 'normal', deadlineMs: hourMs })
  const row = bot.lastRow()
  const page = await open(id)
  await page.click('.reply')
  expect(await page.textContent('#replying-to')).toBe('Which ferry?')
  await page.keyboard.press('Escape')
  expect(await page.locator('#replying').isVisible()).toBe(false)
  await page.click('.reply')
  await page.keyboard.type('the early one')
  await page.keyboard.press('Enter')
  expect(await bot.hear()).toMatchObject([{ text: 'the early one', replyTo: { messageId: row, fromBot: true } }])
  expect(await page.locator('#replying').isVisible()).toBe(false)
  await page.fill('#message', 'and more')
  await page.press('#message', 'Enter')
  await expect.poll(async () => (await bot.hear()).length).toBe(2)
  expect((await bot.hear())[1]).not.toHaveProperty('replyTo')
})

test('what waits for an answer cannot be answered again or explained, nor what was before it, until the answer is there', async () => {
  const { id, bot } = await begin('Trip')
  const page = await open(id)
  await page.waitForSelector('.again')
  await bot.askPeople('Which ferry?', yesNo, { urgency: 'normal', deadlineMs: hourMs })
  await bot.wait('I go on when this question is answered.')
  await page.waitForSelector('article >> text=I go on')
  for (const again of [false, true]) {
    if (again) await page.reload()
    await page.waitForSelector('article >> text=I go on')
    expect(await page.locator('article:has-text("I go on") :is(.again, .why)').count()).toBe(0)
    expect(await page.locator('.again').count()).toBe(0)
  }
  await bot.reply('The early one is booked.')
  await page.waitForSelector('article:has-text("The early one") .why')
  expect(await page.locator('.again').count()).toBe(1)
})

test('until when a card may be answered is said once, below it, in the time of the reader', async () => {
  const { id, bot } = await begin('Trip')
  const text = 'Which ferry?\n\nIf nobody answers: the early one.\n\nPlease answer by Fri 1 Jan, 12:00 (Asia/Tokyo).'
  const asks = { urgency: 'normal', deadlineMs: hourMs } as const
  await bot.askPeople(text, yesNo, { ...asks, dated: true })
  await bot.askPeople('Which day?\n\nAny will do.', yesNo, asks)
  const other = await browser.newContext({
    storageState: await context.storageState(),
    timezoneId: 'America/New_York',
    locale: 'en-GB',
  })
  const page = await other.newPage()
  await page.goto(`${server.origin}/#${id}`)
  const card = page.locator('article:has-text("Which ferry?")')
  const at = Number(await card.locator('.left').getAttribute('data-ends'))
  const until = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'America/New_York',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
  await expect.poll(async () => await card.locator('.left').textContent()).toContain(`left (until ${until})`)
  expect(await card.locator('.body').textContent()).toBe('Which ferry?If nobody answers: the early one.')
  expect(await page.locator('article:has-text("Which day?") .body').textContent()).toBe('Which day?Any will do.')
  await other.close()
})

test('where words deny, the button and the box say so before anything is sent, until it is called off or the card has ended', async () => {
  const { id, bot } = await begin('Trip')
  const asks = { urgency: 'normal', deadlineMs: hourMs } as const
  await bot.askPeople('Which ferry?', yesNo, asks)
  await bot.askPeople('Pay the ferry?', yesNo, { ...asks, denies: true })
  const row = bot.lastRow()
  const page = await open(id)
  const told = page.locator('#replying-told')
  const message = page.locator('#message')
  await page.click('article:has-text("Pay the ferry?") .reply >> text=Deny and say why')
  expect(await told.textContent()).toBe('Sending denies this; your words are the reason. To approve, press a button.')
  expect((await told.boundingBox())?.width).toBeGreaterThan(100)
  expect(await message.getAttribute('placeholder')).toBe('Why not?')
  expect(await page.getAttribute('#send', 'aria-label')).toBe('Send, and deny')
  await page.click('article:has-text("Which ferry?") .reply >> text=Reply')
  expect(await told.textContent()).toBe('Replying to: ')
  expect(await message.getAttribute('placeholder')).toBe('What would you like to do?')
  expect(await page.getAttribute('#send', 'aria-label')).toBe('Send')
  await page.click('article:has-text("Pay the ferry?") .reply')
  await page.keyboard.type('too dear')
  await bot.ask('Pay the ferry? Denied.', {}, row)
  await expect
    .poll(async () => await told.textContent())
    .toBe('This question has ended: what you send is a plain message.')
  await page.keyboard.press('Escape')
  expect(await message.getAttribute('placeholder')).toBe('What would you like to do?')
}, 30_000)

test('a card at the end is shown from its question on, though it is too high; who goes on to the end stays there', async () => {
  const { id, bot } = await begin('Trip')
  const question = ['Which ferry?', ...Array.from({ length: 14 }, (_, i) => `Ferry ${i} is slow.`)].join('\n\n')
  const [yes = ''] = await bot.askPeople(question, yesNo, { urgency: 'normal', deadlineMs: hourMs })
  await bot.reply('I go on when this question is answered.')
  const page = await open(id)
  await page.setViewportSize({ width: 390, height: 500 })
  const isSeen = async (text: string): Promise<boolean> => {
    const [line, box] = await Promise.all(
      [page.locator(`article p >> text=${text}`).last(), page.locator('#scroll')].map((one) => one.boundingBox()),
    )
    return !!line && !!box && line.y >= box.y && line.y + line.height <= box.y + box.height
  }
  await page.reload()
  await expect.poll(async () => await isSeen('Which ferry?')).toBe(true)
  expect(await isSeen('I go on')).toBe(false)
  // The button has a line of its own: it covers no message.
  const [arrow, box] = await Promise.all(['#newest', '#scroll'].map((one) => page.locator(one).boundingBox()))
  expect(arrow?.y).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0))
  await page.click('#newest')
  await expect.poll(async () => await isSeen('I go on')).toBe(true)
  await page.evaluate("document.dispatchEvent(new Event('languagechange'))")
  await bot.reply('Still waiting.')
  await expect.poll(async () => await isSeen('Still waiting.')).toBe(true)
  await page.reload()
  await expect.poll(async () => await isSeen('Which ferry?')).toBe(true)
  await page.evaluate(`document.querySelector('[data-id="${yes}"]').click()`)
  await bot.reply('The ferry is booked.')
  await expect.poll(async () => await isSeen('The ferry is booked.')).toBe(true)
}, 30_000)

test('the list leads to a card and frames it with its buttons, and frames no other any more', async () => {
  const { id, bot } = await begin('Trip')
  const asks = { urgency: 'normal', deadlineMs: hourMs } as const
  for (const text of ['Which ferry?', 'Which day?']) await bot.askPeople(text, yesNo, asks)
  const page = await open(id)
  const framed =
    "[...document.querySelectorAll('article, .body')].filter((one) => getComputedStyle(one).outlineStyle !== 'none')"
  for (const text of ['Which ferry?', 'Which day?']) {
    await page.click('#questions')
    await page.click(`#asked-list a >> text=${text}`)
    await page.waitForSelector(`.wanted >> text=${text}`)
    expect(
      await page.evaluate(`${framed}.map((one) => [one.tagName, one.querySelectorAll('.choice').length])`),
    ).toEqual([['ARTICLE', 2]])
  }
}, 30_000)

test('notifies of a new question only after the button was pressed, only while hidden, once, and never says what is asked', async () => {
  const { id, bot } = await begin('Trip')
  await context.grantPermissions(['notifications'])
  await context.addInitScript(`
    window.shown = []
    window.Notification = class extends EventTarget {
      static permission = 'default'
      static async requestPermission() { return (Notification.permission = 'granted') }
      constructor(title, options) { super(); window.shown.push([title, ...Object.keys(options)]) }
      close() {}
    }
    let hidden = false
    Object.defineProperty(document, 'hidden', { get: () => hidden })
    window.hide = (now) => { hidden = now; document.dispatchEvent(new Event('visibilitychange')) }
    window.look = () => window.dispatchEvent(new Event('focus'))`)
  const page = await open(id)
  const asks = { urgency: 'high', deadlineMs: hourMs } as const
  const ask = async (text: string, total: number): Promise<void> => {
    await bot.askPeople(text, yesNo, asks)
    await page.evaluate('window.look()')
    await expect.poll(async () => await page.textContent('#questions-count')).toBe(String(total))
  }
  await page.evaluate('window.hide(true)')
  await ask('Before it was allowed?', 1)
  await page.evaluate('window.hide(false)')
  await page.click('#questions')
  await page.click('#notify')
  await page.waitForSelector('#notify >> text=Stop notifying')
  await ask('While it is looked at?', 2)
  expect(await page.evaluate('window.shown')).toEqual([])
  await page.evaluate('window.hide(true)')
  await ask('Which secret ferry?', 3)
  await page.evaluate('window.look()')
  const told = [['Flotilla: an urgent question waits for you', 'tag', 'icon']]
  await expect.poll(async () => await page.evaluate('window.shown')).toEqual(told)
  await page.evaluate('window.hide(false)')
  await page.click('#notify')
  await page.evaluate('window.hide(true)')
  await ask('After it was taken back?', 4)
  expect(await page.evaluate('window.shown')).toEqual(told)
}, 30_000)

test('whatever many questions wait, the button that has the browser notify is in sight below them', async () => {
  const { id, bot } = await begin('Trip')
  for (let i = 0; i < 9; i++)
    await bot.askPeople(`Which day of the ${i}th week?`, yesNo, { urgency: 'normal', deadlineMs: hourMs })
  const page = await open(id)
  await page.setViewportSize({ width: 390, height: 600 })
  await page.click('#questions')
  await page.waitForSelector('#asked-list li:nth-child(9)', { state: 'attached' })
  const [button, panel] = await Promise.all(['#notify', '#asked'].map((one) => page.locator(one).boundingBox()))
  if (!button || !panel) throw new Error('The button or the list is not shown.')
  expect(button.y + button.height).toBeLessThanOrEqual(panel.y + panel.height)
  expect(panel.y + panel.height).toBeLessThanOrEqual(600)
  await page.locator('#asked-list a').last().focus()
  const last = await page.locator('#asked-list a').last().boundingBox()
  expect(last && last.y + last.height).toBeLessThanOrEqual(button.y)
}, 30_000)

const cannot: readonly (readonly [why: string, script: string, note: string, press: boolean])[] = [
  ['has no notifications', 'delete window.Notification', 'This browser shows no notifications of this page.', false],
  [
    'was forbidden',
    "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
    'The browser does not let this page notify you; its site settings change that.',
    false,
  ],
  [
    'was asked and left without an answer',
    `Object.defineProperty(Notification, 'permission', { get: () => 'default' })
    Notification.requestPermission = async () => 'default'`,
    'The browser was not allowed to yet: press again, and allow it.',
    true,
  ],
  [
    'makes none from a page',
    `window.Notification = class { static permission = 'granted'; constructor() { throw new TypeError('Illegal constructor') } }
    Object.defineProperty(document, 'hidden', { get: () => true })`,
    'This browser shows no notifications of this page.',
    true,
  ],
]
test.each(cannot)('says why it does not notify, where the browser %s', async (_, script, note, press) => {
  const { id, bot } = await begin('Trip')
  await context.addInitScript(script)
  const page = await open(id)
  await page.click('#questions')
  if (press) await page.click('#notify')
  await bot.askPeople('Which day?', yesNo, { urgency: 'normal', deadlineMs: hourMs })
  await page.evaluate("window.dispatchEvent(new Event('focus'))")
  await expect.poll(async () => await page.locator('#notify-note').textContent()).toBe(note)
  expect(await page.locator('#notify-note').isVisible()).toBe(true)
})
