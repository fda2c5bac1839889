// The page of memory in a real Chromium over a real fleet: what was said is found as somebody types, changed in place, pinned and forgotten; what another tab
// changed meanwhile is shown and not written over; and nothing of anybody else is there.
import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ofPerson } from '#shared/memory/record.ts'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { remembered } from '#test/rig/remembered.ts'
import { textPlaces } from './text-places.ts'

const reader = 'web:owner'

test('memory on its page: found, edited, pinned, forgotten', { timeout: 90_000 }, async () => {
  await using place = await textPlaces['the web, by the page’s button']({})
  const { page: web } = place
  if (!web) throw new Error('The web has a page.')
  const { memory } = place.fleet.runtime
  await place.say('remember that I like my tea without <b>milk</b>')
  await place.hear('Kept as number 1')
  const at = { conversation: 'web:main', message: 'm' }
  await memory.write(
    ofPerson(reader),
    remembered('The board meets on Mondays', at, { speaker: reader, status: 'unconfirmed', origin: 'inferred' }),
  )
  await memory.write(ofPerson('telegram:7'), remembered('I like Zebrafinches', at))
  await memory.write('global', remembered('We close at five', at, { speaker: 'telegram:7', name: 'Bo' }))

  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const context = await logIn(browser, { origin: web.origin, token: (await readFile(web.tokenFile, 'utf8')).trim() })
  const problems: string[] = []
  const open = async () => {
    const page = await context.newPage()
    page.on('pageerror', (error) => void problems.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && void problems.push(message.text()))
    await page.goto(`${web.origin}/#/memory`)
    await page.waitForSelector('.record')
    return page
  }
  const [one, two] = [await open(), await open()]
  const texts = () => one.locator('.record .said').allInnerTexts()
  expect((await texts()).toSorted()).toEqual([
    'I like my tea without <b>milk</b>',
    'The board meets on Mondays',
    'We close at five',
  ])
  expect(await one.innerText('.record:has-text("We close") .facts')).toContain('said by Bo')

  await one.fill('.memory input', 'tea wi')
  await expect.poll(texts).toEqual(['I like my tea without <b>milk</b>'])
  await one.fill('.memory input', 'when does the board meet?')
  await expect.poll(texts).toEqual(['The board meets on Mondays'])
  await one.fill('.memory input', 'Zebrafinches')
  await one.waitForSelector('.memory >> text=Nothing found')
  await one.fill('.memory input', '')
  await expect.poll(async () => (await texts()).length).toBe(3)
  await one.click('.kinds button:has-text("Preferences")')
  await expect.poll(texts).toEqual(['I like my tea without <b>milk</b>'])
  await one.click('.kinds button:has-text("All")')

  const tea = '.record:has-text("my tea")'
  await one.click(`${tea} button:has-text("Edit")`)
  await one.fill('.record textarea', 'I like my tea with lemon')
  await one.press('.record textarea', 'Enter')
  await one.waitForSelector(`${tea} >> text=with lemon`)
  const read = async () => {
    const found = await memory.read(ofPerson(reader))
    return found === 'same' ? [] : found.records.map(({ text }) => text).toSorted()
  }
  expect(await read()).toEqual(['I like my tea with lemon', 'The board meets on Mondays'])
  await place.say('/memory')
  await place.hear('I like my tea with lemon')

  // The other tab still shows the words of before.
  await two.click(`${tea} button:has-text("Forget")`)
  await two.click(`${tea} button:has-text("Really forget")`)
  await two.waitForSelector('[role=status] >> text=not kept any more')
  expect(await read()).toContain('I like my tea with lemon')

  // A small correction is no repeat.
  await one.click(`${tea} button:has-text("Edit")`)
  await one.fill('.record textarea', 'I like my tea with Lemon.')
  await one.press('.record textarea', 'Enter')
  await one.waitForSelector(`${tea} >> text=with Lemon.`)
  await one.click(`${tea} button:has-text("Edit")`)
  await one.fill('.record textarea', 'my password is hunter22')
  await one.press('.record textarea', 'Enter')
  await one.waitForSelector('[role=status] >> text=looks like a password')
  await one.press('.record textarea', 'Escape')
  await one.click(`${tea} button:has-text("Allow in groups")`)
  await one.waitForSelector(`${tea} .facts >> text=may be told in groups`)
  await one.click(`${tea} button:has-text("Not in groups")`)
  await expect.poll(() => one.locator(`${tea} >> text=may be told in groups`).count()).toBe(0)

  await one.click(`${tea} button:has-text("Pin")`)
  await one.waitForSelector(`${tea} .facts >> text=pinned`)
  await one.click('.record:has-text("board") button:has-text("Confirm")')
  await expect.poll(() => one.locator('.record:has-text("board") >> text=not confirmed').count()).toBe(0)
  await one.click(`${tea} button:has-text("Forget")`)
  await one.click(`${tea} button:has-text("Really forget")`)
  await one.waitForSelector('.record >> text=Forgotten.')
  expect(await read()).toEqual(['The board meets on Mondays'])

  // Of many records the older ones come by a press; where each was said, and why something was settled, stands below it.
  for (let nth = 0; nth < 205; nth += 1)
    await memory.write(
      ofPerson(reader),
      remembered(
        `Plant ${'abcdefghij'[nth % 10]}${nth} is a fern`,
        { conversation: 'web:main', message: `p${nth}` },
        { speaker: reader, confirmedBy: reader, saidAt: 1000 + nth },
      ),
    )
  await memory.write(
    ofPerson(reader),
    remembered(
      'We deploy on Tuesdays',
      { conversation: 'telegram:-1001234', message: '77' },
      {
        kind: 'decision',
        speaker: reader,
        confirmedBy: reader,
        anchor: { topic: 'deploys', tags: ['ops'], why: 'Mondays are full <b>', until: '2031-01-01' },
      },
    ),
  )
  await one.fill('.memory input', 'Tuesdays')
  const settled = '.record:has-text("Tuesdays")'
  await one.waitForSelector(`${settled} >> text=Why: Mondays are full <b>`)
  expect(await one.getAttribute(`${settled} a`, 'href')).toBe('https://t.me/c/1234/77')
  expect(await one.innerText(settled)).toContain('said in Telegram')
  await one.fill('.memory input', '')
  await expect.poll(() => one.locator('.record').count()).toBe(100)
  await one.click('.memory button:has-text("More")')
  await expect.poll(() => one.locator('.record').count()).toBe(200)
  await one.click('.memory button:has-text("More")')
  await expect.poll(() => one.locator('.record').count()).toBe(208)
  expect(await one.locator('.memory button:has-text("More")').count()).toBe(0)

  const { graph } = place.fleet.runtime
  const [me, bo] = [
    { name: 'Ada', type: 'person', principal: reader },
    { name: 'Bo <b>', type: 'person' },
  ] as const
  const common = { speaker: reader, saidAt: Date.now(), confidence: 0.9 }
  await graph.write(ofPerson(reader), {
    id: 'b1',
    from: [{ conversation: 'web:main', messages: ['m'] }],
    items: [
      { ...common, kind: 'relation', entity: me, key: 'works with', to: bo },
      { ...common, kind: 'fact', entity: bo, key: 'plays', value: 'chess' },
      { ...common, kind: 'fact', entity: bo, key: 'lives in', value: 'Lyon' },
    ],
  })
  await one.click('.kinds button:has-text("Waits")')
  await one.waitForSelector('.memory >> text=Nothing found')
  await one.click('.kinds button:has-text("Graph")')
  await expect.poll(() => one.locator('.graph g').count()).toBe(2)
  await one.click('.graph g:has-text("Bo <b>")')
  await one.click('.detail li:has-text("chess") button:has-text("Confirm")')
  await one.click('.detail li:has-text("Lyon") button:has-text("Forget")')
  await one.waitForSelector('.detail >> text=Forgotten.')
  await expect
    .poll(async () => (await graph.readAll(ofPerson(reader))).map(({ key, status }) => `${key} ${status}`).toSorted())
    .toEqual(['plays confirmed', 'works with unconfirmed'])
  expect(await one.innerText('.memory')).toContain('In all:')

  await one.click('#language')
  await one.waitForSelector('.kinds >> text=偏好')
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([])
})
