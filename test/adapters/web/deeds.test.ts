// What the page's buttons do is no message of the person: answering again, asking why, stopping, taking back, forgetting with a way back.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { usePage } from './page-stage.ts'
import { toJson } from './web-rig.ts'

const stage = usePage('deeds')
const { open, texts } = stage
const send = async (page: Page, text: string): Promise<void> => {
  await page.fill('#message', text)
  await page.press('#message', 'Enter')
  await page.waitForSelector(`#messages .user >> text=${text}`)
}
const act = async (deed: object, headers: Record<string, string> = {}) =>
  await stage.server.post(`/api/conversations/${stage.name}/deeds`, deed, headers)
const shown = async (): Promise<unknown> =>
  (await stage.server.call(`/api/conversations/${stage.name}/messages`)).json()

test('again, why and forget come in as commands, and are shown, listed and found nowhere', async () => {
  const said = await stage.server.post(`/api/conversations/${stage.name}/messages`, { text: 'how far is the moon?' })
  const { eventId } = await toJson<{ eventId: string }>(said)
  await stage.bot.reply('384,000 km')
  const before = await shown()
  const why = { deed: 'why', of: stage.bot.lastRow() }
  const deeds = [{ deed: 'again' }, why, { deed: 'forget', of: eventId }, { deed: 'ask' }]
  for (const deed of deeds) expect((await act({ ...deed, language: 'zh', zone: 'Asia/Tokyo' })).status).toBe(202)
  expect(await stage.bot.hear()).toMatchObject([
    { command: { name: 'retry', args: '' }, language: 'zh', zone: 'Asia/Tokyo' },
    { command: { name: 'why' }, replyTo: { messageId: stage.bot.lastRow(), fromBot: true } },
    { command: { name: 'forget' }, replyTo: { messageId: eventId, fromBot: false } },
    { command: { name: 'questions', args: 'now' } },
  ])
  expect(await shown()).toEqual(before)
  expect(await (await stage.server.call('/api/search?q=%2Fretry')).json()).toMatchObject({ found: [] })
})

test('the same deed sent again is done once, and a malformed one not at all', async () => {
  await stage.server.post(`/api/conversations/${stage.name}/messages`, { text: 'first' })
  for (const _ of [1, 2]) await act({ deed: 'again' }, { 'Idempotency-Key': 'k' })
  expect(await stage.bot.hear()).toHaveLength(2)
  for (const deed of [
    {},
    { deed: 'else' },
    { deed: 'why' },
    { deed: 'forget', of: 'step-1' },
    { deed: 'stop', spares: '*' },
  ])
    expect((await act(deed)).status).toBe(400)
  expect(await stage.bot.hear()).toHaveLength(2)
})

test('Esc stops the reply that grows; what was written meanwhile stands below it and is not stopped', async () => {
  const page = await open()
  await send(page, 'tell me everything')
  await stage.bot.hear()
  await stage.bot.draft('Once upon a time')
  await page.waitForSelector('.draft >> text=Once upon')
  await send(page, 'and in French please')
  expect(await texts(page)).toEqual(['tell me everything', 'Once upon a time', 'and in French please'])
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await stage.rig.kernel.pending(`web:${stage.name}`, 0)).stops)
    .toEqual({ 'web:owner': 1.5 })
  expect(await stage.bot.hear()).toHaveLength(2)
  expect(await texts(page)).not.toContain('/stop')
})

test('an answer stands above what waits, also when the page is read anew', async () => {
  const page = await open()
  await send(page, 'first question')
  await stage.bot.hear()
  await stage.bot.draft('An ans')
  await page.waitForSelector('.draft >> text=An ans')
  await send(page, 'second question')
  expect(await page.locator('.user .withdraw').count()).toBe(1)
  await stage.bot.replyToFirst('An answer.')
  await page.waitForSelector('#messages .bot >> text=An answer.')
  for (const _ of ['as it came', 'read anew']) {
    await expect.poll(async () => await texts(page)).toEqual(['first question', 'An answer.', 'second question'])
    expect(await page.locator('.withdraw').count()).toBe(0)
    await page.reload()
  }
  await stage.bot.reply('Another answer.')
  const whole = ['first question', 'An answer.', 'second question', 'Another answer.']
  await expect.poll(async () => await texts(page)).toEqual(whole)
})

test('what waits can be taken back: it returns into the box, and is gone in all tabs', async () => {
  const [page, other] = [await open(), await open()]
  await send(page, 'tell me everything')
  await stage.bot.hear()
  await stage.bot.draft('Once upon a time')
  await page.waitForSelector('.draft >> text=Once upon')
  await send(page, 'never mind this one')
  await page.click('.withdraw')
  for (const each of [page, other]) {
    await expect.poll(async () => await texts(each)).toEqual(['tell me everything', 'Once upon a time'])
  }
  expect(await page.inputValue('#message')).toBe('never mind this one')
  expect(await stage.bot.hear()).toMatchObject([{ kind: 'message' }, { kind: 'message' }, { kind: 'delete' }])
  expect(JSON.stringify(await shown())).not.toContain('never mind')
})

test('forgetting can be undone for ten seconds; then the server is told, once', async () => {
  const [page, other] = [await open(), await open()]
  await send(page, 'my secret')
  await stage.bot.reply('I heard it.')
  await page.waitForSelector('#messages .bot >> text=I heard it.')
  await page.hover('.user')
  await page.click('.forget')
  for (const each of [page, other]) {
    await each.waitForSelector('.forgotten')
    expect(await each.locator('#messages article:visible').count()).toBe(0)
  }
  await other.click('.undo')
  for (const each of [page, other]) {
    await expect.poll(async () => await each.locator('#messages article:visible').count()).toBe(2)
  }
  expect((await stage.rig.kernel.inbox(`web:${stage.name}`, 10)).events).toEqual([])
  await page.hover('.user')
  await page.click('.forget')
  await page.waitForSelector('.forgotten')
  expect(await stage.bot.hear(15_000)).toMatchObject([{ command: { name: 'forget' } }])
  // Until the server has done it nothing of it is shown again.
  expect(await page.locator('#messages article:visible, .undo').count()).toBe(0)
}, 60_000)

test('who closes the tab after Forget has decided', async () => {
  const page = await open()
  await send(page, 'my secret')
  await stage.bot.reply('I heard it.')
  await page.waitForSelector('#messages .bot >> text=I heard it.')
  await page.hover('.user')
  await page.click('.forget')
  await page.waitForSelector('.forgotten')
  await page.close({ runBeforeUnload: true })
  expect(await stage.bot.hear()).toMatchObject([{ command: { name: 'forget' } }])
}, 60_000)

test('again shows that something comes, without a message of the person', async () => {
  const page = await open()
  await send(page, 'how far is the moon?')
  await stage.bot.reply('384,000 km')
  await page.waitForSelector('.again')
  await page.click('.again')
  await page.waitForSelector('.dots')
  expect(await stage.bot.hear()).toMatchObject([{ command: { name: 'retry' } }])
  await stage.bot.reply('About 384,400 km')
  await expect.poll(async () => await texts(page)).toEqual(['how far is the moon?', '384,000 km', 'About 384,400 km'])
  expect(await page.locator('.dots').count()).toBe(0)
})

test('the menu has the bot show its commands and settings, and saves all that the page shows', async () => {
  const page = await open()
  await send(page, 'thanks!')
  await stage.bot.tell('You are welcome.')
  await page.waitForSelector('#messages .bot >> text=You are welcome.')
  await page.click('#more')
  await page.click('#more-menu >> text=Commands')
  await page.waitForSelector('.dots')
  expect(await stage.bot.hear()).toMatchObject([{ command: { name: 'help' }, language: 'en' }])
  await stage.bot.tell('These commands there are.')
  await page.waitForSelector('#messages .bot >> text=These commands')
  expect(await texts(page)).toEqual(['thanks!', 'You are welcome.', 'These commands there are.'])
  await page.click('#more')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-file')])
  expect(download.suggestedFilename()).toBe('conversation.txt')
  const saved = await (await stage.server.call(`/api/conversations/${stage.name}/export`)).text()
  expect(saved.replaceAll(/\[[^\]]*\] /g, '')).toBe(
    'You:\nthanks!\n\nFlotilla:\nYou are welcome.\n\nFlotilla:\nThese commands there are.\n',
  )
  // As a command it saves the same, and is no message.
  await page.fill('#message', '/export')
  const [typed] = await Promise.all([page.waitForEvent('download'), page.press('#message', 'Enter')])
  expect(await readFile(await typed.path(), 'utf8')).toBe(saved)
  expect(await page.inputValue('#message')).toBe('')
  expect(await (await stage.server.call(`/api/conversations/${stage.name}/export`)).text()).toBe(saved)
})

test('a long text that was pasted is folded, with its beginning in sight', async () => {
  const page = await open()
  const lines = Array.from({ length: 400 }, (_, i) => `line ${i}`)
  await stage.server.post(`/api/conversations/${stage.name}/messages`, { text: lines.join('\n') })
  await page.waitForSelector('.user summary')
  expect((await page.locator('.user').boundingBox())?.height).toBeLessThan(300)
  expect(await page.innerText('.user summary')).toContain('line 0')
  await page.click('.user summary')
  await page.waitForSelector('.user >> text=line 399')
})
