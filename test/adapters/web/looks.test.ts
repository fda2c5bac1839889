// How answers look on the page: directions of writing, formulas, and keys of input methods.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { usePage } from './page-stage.ts'

const stage = usePage('looks')
const { raw } = String

async function answer(text: string): Promise<Page> {
  await stage.say('show me')
  await stage.bot.reply(text)
  const page = await stage.open()
  await page.waitForSelector('article.bot .body > *')
  return page
}

/** The direction of each element that this selects, in order. */
async function directions(page: Page, selector: string): Promise<string> {
  const found = `[...document.querySelectorAll('article.bot .body ${selector}')]`
  return String(await page.evaluate(`${found}.map((one) => getComputedStyle(one).direction).join(' ')`))
}

test('each paragraph, item and cell finds its own direction, and code is left to right', async () => {
  const page = await answer(
    [
      'مرحبا بالعالم.',
      'An English paragraph.',
      'שלום עולם.',
      '## عنوان',
      '- بند أول مع `code`\n- second item\n\n  with two paragraphs',
      '> اقتباس',
      '| الاسم | age |\n|---|---|\n| سارة | 30 |',
      '`code` ثم كلمات',
      '```js\n// تعليق\nlet x = 1\n```',
    ].join('\n\n'),
  )
  expect(await directions(page, '> p')).toBe('rtl ltr rtl rtl')
  expect(await directions(page, '.heading')).toBe('rtl')
  expect(await directions(page, 'li')).toBe('rtl ltr')
  expect(await directions(page, 'ul')).toBe('rtl')
  expect(await directions(page, 'blockquote')).toBe('rtl')
  expect(await directions(page, 'table')).toBe('rtl')
  expect(await directions(page, ':is(th, td)')).toBe('rtl ltr rtl ltr')
  expect(await directions(page, ':is(pre, figure, code)')).not.toContain('rtl')
})

test('the groups of a number keep their order among words that are written to the left', async () => {
  const page = await answer('الهاتف: +966 50 123 4567 أو **010-1234-5678**، في 2024-05-01، من 5-3.')
  // The places of the groups from left to right.
  const order = await page.evaluate(`[...document.querySelectorAll('article.bot bdi')].map((one) => {
    const text = one.firstChild
    return [...text.data.matchAll(/\\d+/g)].map((found) => {
      const range = document.createRange()
      range.setStart(text, found.index)
      range.setEnd(text, found.index + found[0].length)
      return [range.getBoundingClientRect().left, found[0]]
    }).sort(([a], [b]) => a - b).map(([, said]) => said).join(' ')
  })`)
  expect(order).toEqual(['966 50 123 4567', '010 1234 5678', '2024 05 01'])
})

test('the lines of what a person typed find their own directions', async () => {
  await stage.say('مرحبا.\nHello.')
  const page = await stage.open()
  const side = "getComputedStyle(document.querySelector('.typed')).unicodeBidi"
  expect(await page.evaluate(side)).toBe('plaintext')
})

test('formulas are MathML with their source in it, by a library that is loaded only for them', async () => {
  const asked: string[] = []
  stage.context.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const page = await answer('No formula: it costs $5 and $10.')
  expect(await page.locator('math').count()).toBe(0)
  expect(asked).not.toContain('/page/temml.js')

  const block = raw`
A = \begin{bmatrix} a_1 & b_1 \\ c_1 & d_1 \end{bmatrix}, \{x \in \mathbb{R} \mid x > 0\}
`
  await stage.say('and more')
  await stage.bot.reply(
    raw`So \( x = \frac{-b}{2a} \), $\{1,\,2\}$ and` +
      `\n\n\\[${block}\\]\n\n- one of $a_i*b_i$\n\n` +
      raw`and $\nosuchcommand{x}$.`,
  )
  await expect.poll(async () => await page.locator('math').count()).toBe(4)
  const sources = await page.locator('math annotation').allTextContents()
  expect(sources).toEqual([raw` x = \frac{-b}{2a} `, raw`\{1,\,2\}`, block, 'a_i*b_i'])
  expect(await page.locator('math[display=block]').count()).toBe(1)
  // What cannot be read stands as it was written.
  expect(await page.locator('.formula').last().textContent()).toBe(raw`$\nosuchcommand{x}$`)
  expect(asked.filter((path) => path === '/page/temml.js')).toHaveLength(1)
})

test('a hostile formula makes neither links nor images, is no macro for others, and ends', async () => {
  const page = await answer(
    [
      raw`$\href{javascript:alert(1)}{x} = 1$`,
      raw`$\includegraphics{https://a.example/x.png} = 1$`,
      raw`$\style{position:fixed;inset:0}{x} = \class{dots}{y}$`,
      raw`$\def\a{\a\a}\a = 1$`,
      raw`$\gdef\pi{3}\pi = 1$ and $\rule{9999em}{9999em} = 1$`,
      raw`$\pi_1 = 1$`,
    ].join('\n\n'),
  )
  await page.waitForSelector('math')
  expect(await page.locator('.formula :is(a, img, [style*=fixed], .dots)').count()).toBe(0)
  expect(await page.locator('math').last().textContent()).toContain('π')
  const widest = "Math.max(...[...document.querySelectorAll('math')].map((one) => one.getBoundingClientRect().height))"
  expect(Number(await page.evaluate(widest))).toBeLessThan(600)
})

test('Safari’s input methods: Enter sends nothing, and Esc stops nothing', async () => {
  const page = await answer('ready')
  const press = async (selector: string, key: string): Promise<void> => {
    // As Safari sends it: the composition has ended before.
    const event = `new KeyboardEvent('keydown', { key: '${key}', keyCode: 229, bubbles: true, cancelable: true })`
    await page.evaluate(`document.querySelector('${selector}').dispatchEvent(${event})`)
  }
  await page.fill('#message', 'nihao')
  await press('#message', 'Enter')
  expect(await page.inputValue('#message')).toBe('nihao')

  await page.fill('#search', 'ni')
  await press('#search', 'Escape')
  expect(await page.inputValue('#search')).toBe('ni')

  await stage.say('slowly')
  await stage.bot.draft('Once upon a time')
  await page.waitForSelector('.draft')
  const acts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && acts.push(request.url()))
  await press('#message', 'Escape')
  await page.press('#message', 'End')
  expect(acts).toEqual([])
  await page.press('#message', 'Escape')
  await expect.poll(() => acts.length).toBe(1)
})

test('an image of the answer itself or of this server is shown, every other is a link', async () => {
  const asked: string[] = []
  stage.context.on('request', (request) => asked.push(request.url()))
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const page = await answer(
    [
      `![a dot](data:image/png;base64,${dot})`,
      '![a sign](/page/mark.svg)',
      '![a photo](https://photos.example/p_1.png)',
      `![a page](data:text/html;base64,${dot})`,
      '![a way out](/api/conversations)',
      `![broken](data:image/png;base64,AAAA${dot})`,
    ].join('\n\n'),
  )
  const body = page.locator('article.bot .body')
  await expect.poll(async () => await body.locator('.image').count()).toBe(2)
  expect(await body.locator('canvas[role=img]').getAttribute('aria-label')).toBe('a dot')
  expect(await body.locator('img').getAttribute('alt')).toBe('a sign')
  expect(await body.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
    'https://photos.example/p_1.png',
  ])
  const text = (await body.textContent()) ?? ''
  expect(text).toContain('a page (data:text/html;base64,…)')
  expect(text).toContain('broken (data:image/png;base64,…)')
  expect(asked.filter((url) => url.includes('photos.example'))).toEqual([])
})

test('a link says first where it leads, whatever its title says', async () => {
  const page = await answer('[here](https://evil.example/ "https://bank.example/") or [there](https://a.example/)')
  const titles = await page.locator('article.bot .body a').evaluateAll((all) => all.map((one) => one.title))
  expect(titles).toEqual(['https://evil.example/\nhttps://bank.example/', 'https://a.example/'])
})
