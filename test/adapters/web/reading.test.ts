// Reading in the page: answers as GitHub would show them, what is selected while they grow, copying, stopping, and long conversations
// read from their end.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { forgetShown } from '#queues/shown/forget-shown.ts'
import { usePage } from './page-stage.ts'

const stage = usePage('reading', { permissions: ['clipboard-read', 'clipboard-write'] })
const { open, say } = stage
const clipboard = async (page: Page): Promise<string> => await page.evaluate('navigator.clipboard.readText()')
const selected = async (page: Page): Promise<string> => await page.evaluate('getSelection().toString()')

test('an answer shows tables, tasks, headings and coloured code; what a person wrote stays as typed', async () => {
  await say('# not a **heading**\n- `x`')
  await stage.bot.reply(
    '## Plan\n\n- [x] done\n- [ ] open\n\n| n | price |\n|---|--:|\n| tea | 3 |\n\n```js\nconst a = 1\n```\n\n**注意：**请看',
  )
  const page = await open()
  expect(await page.innerText('.user .body')).toBe('# not a **heading**\n- `x`')
  expect(await page.locator('.user .body *').count()).toBe(0)
  const answer = page.locator('.bot .body')
  expect(await answer.locator('h3').innerText()).toBe('Plan')
  const boxes = await answer.locator('.task .box').evaluateAll((all) => all.map((box) => box.ariaLabel))
  expect(boxes).toEqual(['Done', 'Not done'])
  expect(await answer.locator('td.align-right').innerText()).toBe('3')
  expect(await answer.locator('code .is-keyword').innerText()).toBe('const')
  expect(await answer.locator('strong').innerText()).toBe('注意：')
})

test('a heading with thousands of blanks is shown at once, from people and from the bot', async () => {
  const hostile = `# a${' '.repeat(30_000)}x\n${'- - '.repeat(10_000)}y`
  await say(hostile)
  await stage.bot.reply(hostile)
  const page = await open()
  await expect.poll(async () => await page.locator('#messages article').count()).toBe(2)
})

test('what is selected stays selected while the answer grows and when it ends', async () => {
  const page = await open()
  await say('go')
  await stage.bot.hear()
  await stage.bot.draft('First **paragraph** here.\n\nSecond')
  await page.waitForSelector('.draft >> text=Second')
  await page.evaluate("window.kept = document.querySelector('.draft strong')")
  await page.evaluate(`{
    const [, { firstChild: text }] = document.querySelectorAll('.draft p')
    getSelection().setBaseAndExtent(text, 0, text, 6)
  }`)
  expect(await selected(page)).toBe('Second')
  await stage.bot.draft('First **paragraph** here.\n\nSecond one grows.\n\n```js\nconst a')
  await page.waitForSelector('.draft pre')
  await stage.bot.reply('First **paragraph** here.\n\nSecond one grows.\n\n```js\nconst a = 1\n```')
  await page.waitForSelector('.bot:not(.draft) >> text=const a = 1')
  expect(await selected(page)).toBe('Second')
  expect(await page.evaluate('window.kept.isConnected')).toBe(true)
  expect(await page.locator('#messages article').count()).toBe(2)
})

test('copies an answer as it was written, and a code block alone', async () => {
  const source = 'See **this**:\n\n```sh\nnpm start # now\n```'
  await say('how?')
  await stage.bot.reply(source)
  const page = await open()
  await page.click('.foot-line >> text=Copy')
  await expect.poll(async () => await clipboard(page)).toBe(source)
  await page.click('.code .copy')
  await expect.poll(async () => await clipboard(page)).toBe('npm start # now')
  expect(await page.innerText('.code .copy')).toBe('Copied')
})

test('only the last question is answered again, and a failure offers to try again', async () => {
  await say('one')
  await stage.bot.reply('first')
  await say('two')
  await stage.bot.reply('The model is not answering. Please try /retry in a while.')
  const page = await open()
  expect(await page.locator('.again').allInnerTexts()).toEqual(['Try again'])
  await page.click('.again')
  expect(await stage.bot.hear()).toMatchObject([{ text: '/retry', command: { name: 'retry' } }])
  await stage.bot.reply('second: `/retry` repeats\n\nand `/new` begins anew')
  await page.waitForSelector('.bot >> text=second')
  expect(await page.locator('.again').allInnerTexts()).toEqual(['Answer again'])
})

test('each answer can be asked why, and that it is the one is told', async () => {
  await say('one')
  await stage.bot.reply('first')
  await say('/status')
  await stage.bot.tell('Now: idle')
  await say('two')
  await stage.bot.reply('second')
  const page = await open()
  await page.waitForSelector('.bot >> text=second')
  const asked = page.locator('article:has(.why)')
  expect(await asked.locator('.body').allInnerTexts()).toEqual(['first', 'second'])
  const row = await asked.first().getAttribute('data-row')
  await asked.first().hover()
  await asked.first().locator('.why').click()
  expect(await stage.bot.hear()).toMatchObject([{ text: '/why', replyTo: { messageId: row, fromBot: true } }])
})

test('what a command says is not answered again, and leaves a growing reply alone', async () => {
  await say('one')
  await stage.bot.reply('first')
  await say('/status')
  await stage.bot.tell('Now: idle')
  const page = await open()
  await page.waitForSelector('.bot >> text=Now: idle')
  expect(await page.locator('article:has(.again) .body').allInnerTexts()).toEqual(['first'])
  await say('two')
  await stage.bot.draft('growing')
  await page.waitForSelector('.draft >> text=growing')
  await say('/status')
  await stage.bot.tell('Now: working')
  await page.waitForSelector('.bot >> text=Now: working')
  expect(await page.locator('.draft .body').innerText()).toBe('growing')
  await stage.bot.draft('growing on')
  await page.waitForSelector('.draft >> text=growing on')
})

test('Esc stops the running answer, once', async () => {
  const page = await open()
  await page.fill('#message', 'go')
  await page.keyboard.press('Enter')
  await stage.bot.hear()
  await page.waitForSelector('#stop:not([hidden])')
  let deeds = 0
  page.on('request', (request) => (deeds += request.url().endsWith('/deeds') ? 1 : 0))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await stage.rig.kernel.pending(`web:${stage.name}`, 0)).stops)
    .toEqual({ 'web:owner': 1.5 })
  await stage.bot.reply('stopped')
  await page.waitForSelector('#stop', { state: 'hidden' })
  await page.keyboard.press('Escape')
  expect(await page.locator('.user .body').allInnerTexts()).toEqual(['go'])
  expect(deeds).toBe(1)
})

test('a message can be forgotten: the command replies to it', async () => {
  await say('my secret')
  await stage.bot.reply('noted')
  const page = await open()
  await page.hover('.user')
  await page.click('.forget')
  const [event] = await stage.bot.hear(20_000)
  const eventId =
    await page.evaluate(`fetch('/api/conversations/${stage.name}/messages').then((answer) => answer.json())
    .then(({ messages }) => messages[0].eventId)`)
  expect(event).toMatchObject({ command: { name: 'forget' }, replyTo: { messageId: eventId, fromBot: false } })
  await page.fill('#search', 'my secret')
  await page.waitForSelector('.result >> text=my secret')

  // An open page takes away what is gone, with its answer, its title and what a search found; a day stands above something.
  await forgetShown(stage.rig.kernel, `web:${stage.name}`, [String(eventId)])
  await stage.bot.reply('Forgotten.')
  await page.waitForSelector('.bot >> text=Forgotten.')
  await expect.poll(async () => await page.innerText('body')).not.toContain('my secret')
  expect(await page.locator('article .body').allInnerTexts()).toEqual(['Forgotten.'])
  expect(await page.locator('.day').count()).toBe(1)
  await page.reload()
  await page.waitForSelector('.bot >> text=Forgotten.')
  expect(await page.locator('article .body').allInnerTexts()).toEqual(['Forgotten.'])
}, 40_000)

test('two quick clicks forget one message, and not the one that moves up', async () => {
  await say('first secret')
  await stage.bot.reply('noted')
  const page = await open()
  await page.hover('.user')
  await page.dblclick('.forget')
  await page.waitForSelector('.forgotten')
  expect(await stage.bot.hear(20_000)).toMatchObject([{ text: '/forget' }])
}, 40_000)

test('a conversation that is opened again, or longer than a page, shows each answer under its question', async () => {
  const turns = 45
  for (let n = 1; n <= turns; n++) {
    await say(`question ${n}`)
    await stage.bot.reply(`answer ${n}`)
  }
  const wanted = Array.from({ length: turns }, (_, i) => [`question ${i + 1}`, `answer ${i + 1}`]).flat()
  const page = await open()
  const shown = async (): Promise<string[]> => await page.locator('article .body').allTextContents()
  await expect.poll(async () => (await shown()).slice(-4)).toEqual(wanted.slice(-4))
  await expect
    .poll(
      async () => {
        await page.evaluate("document.getElementById('scroll').scrollTop = 0")
        return await shown()
      },
      { timeout: 10_000, interval: 200 },
    )
    .toEqual(wanted)
  await page.reload()
  await expect.poll(async () => (await shown()).slice(-20)).toEqual(wanted.slice(-20))
})

test('a conversation of 1,000 messages shows its end first and the rest in its place on scrolling up', async () => {
  for (let i = 1; i <= 500; i++) {
    await say(`question ${i}`)
    await stage.bot.reply(`answer ${i}\n\n\`\`\`js\nconst a = ${i}\n\`\`\``)
  }
  let bytes = 0
  const page = await stage.context.newPage()
  page.on('response', (response) => {
    if (response.url().includes('/messages')) void response.body().then((body) => (bytes += body.byteLength))
  })
  await page.goto(`${stage.server.origin}/#${stage.name}`)
  await page.waitForSelector('.bot >> text=answer 500')
  // A few pages fill what is near; the rest waits.
  expect(await page.locator('#messages article').count()).toBeLessThan(300)
  expect(bytes).toBeLessThan(150_000)

  const shown = page.locator('#messages article .body')
  for (let last = 0; ;) {
    await page.evaluate("document.getElementById('scroll').scrollTop = 0")
    const articles = await page.locator('#messages article').count()
    if (articles === 1000) break
    if (articles === last) await page.waitForSelector(`#messages article >> nth=${last}`, { state: 'attached' })
    last = articles
  }
  const texts = (await shown.allTextContents()).map((text) => /^\w+ \d+/.exec(text)?.[0])
  expect(texts).toEqual(Array.from({ length: 500 }, (_, i) => [`question ${i + 1}`, `answer ${i + 1}`]).flat())
  // What is out of sight is part of what a reader selects all the same.
  await page.evaluate("getSelection().selectAllChildren(document.getElementById('messages'))")
  expect(await selected(page)).toMatch(/question 1\n[^]*answer 250\n[^]*const a = 500/)
  expect(await page.locator('.day').count()).toBe(1)
  expect(await page.locator('.again').count()).toBe(1)
}, 90_000)

test('what a reader looks at stays in its place while older messages come in above', async () => {
  for (let i = 1; i <= 60; i++) {
    await say(`question ${i}`)
    await stage.bot.reply(`answer ${i}\n\n`.repeat(5))
  }
  const page = await open()
  await page.waitForSelector('.bot >> text=answer 60')
  const articles = async (): Promise<number> => await page.locator('#messages article').count()
  const before = await articles()
  expect(before).toBeLessThan(120)
  const top = 'document.querySelector("[data-mark]").getBoundingClientRect().top'
  await page.evaluate(`document.querySelector('article').dataset.mark = ''
    document.getElementById('scroll').scrollTop = 300`)
  const place = await page.evaluate(top)
  await expect.poll(articles).toBeGreaterThan(before)
  expect(Number(await page.evaluate(top)) - Number(place)).toBeLessThan(2)
}, 60_000)

test('a card that was changed after older messages scrolled away is shown changed where it stood', async () => {
  await stage.bot.ask('Which setting?', { depth: 'Depth' })
  const card = stage.bot.lastRow()
  for (let i = 1; i <= 50; i++) await stage.bot.reply(`filler ${i}`.repeat(80))
  await stage.bot.ask('How deep?', { deep: 'deep' }, card)
  const page = await open()
  await page.waitForSelector('.bot >> text=filler 50')
  await page.evaluate("document.getElementById('scroll').scrollTop = 0")
  await page.waitForSelector('.bot >> text=How deep?')
  const texts = await page.locator('#messages .body').allTextContents()
  expect(texts[0]).toBe('How deep?')
  expect(texts).toHaveLength(51)
}, 30_000)
