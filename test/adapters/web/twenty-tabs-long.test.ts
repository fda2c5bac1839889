// Twenty tabs of one browser: a conversation of a thousand messages, five hostile answers that grow at the same time, and ten deaths of the server. The
// server is a process of its own. A busy machine keeps everybody waiting, so each figure may be late by what a process or a tab beside it was that does nothing.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { connectKernel } from '#queues/connection.ts'
import { createRedisKernel } from '#queues/kernel/redis-kernel.ts'
import { createUnits } from '#queues/units.ts'
import { createBot, type Bot } from '#test/adapters/bot.ts'
import { startRedis } from '#test/rig/redis.ts'
import { startRole, type RoleProcess } from '#test/rig/role-process.ts'
import { logIn, startBrowser } from './browser.ts'
import { toHostileAnswer } from './hostile-answers.ts'
import { figuresEnv, findMost, startIdle } from './loop-watch.ts'
import { lookAway, typeInto, watchTab, type TabWatch } from './tab-watch.ts'

const port = 22_345
const origin = `http://127.0.0.1:${port}`
const [big, ...others] = ['big', 'second', 'third', 'fourth', 'fifth']
const tabCount = 20
const answerChars = 62_000
const growthChars = 200
const growthEveryMs = 80
const mostHeldMs = 200
const mostKeyMs = 500
const toldWithinMs = 2000
const sameWithinMs = 5000

type Tab = { readonly page: Page; readonly watch: TabWatch }

async function startStage() {
  const stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedis({ aof: true }))
  const folder = await mkdtemp(path.join(tmpdir(), 'twenty-tabs-'))
  stack.defer(async () => await rm(folder, { recursive: true, force: true }))
  const env = { REDIS_URL: redis.url, FLOTILLA_PORT: String(port), ...figuresEnv }
  let server: RoleProcess | undefined
  const start = async (): Promise<RoleProcess> => {
    server = await startRole(['web'], env, folder)
    await server.until(/"msg":"started"/)
    return server
  }
  stack.defer(async () => await server?.[Symbol.asyncDispose]())
  await start()
  const connection = connectKernel(redis.url)
  stack.defer(() => connection.disconnect())
  const kernel = createRedisKernel(connection, createUnits(connection, { patienceMs: 20_000 }))
  const token = (await readFile(path.join(folder, '.flotilla', 'web-token'), 'utf8')).trim()
  const browser = await startBrowser()
  stack.defer(async () => await browser.close())
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return {
    bots: new Map([big ?? '', ...others].map((name) => [name, createBot(kernel, `web:${name}`)])),
    context: await logIn(browser, { origin, token }),
    said: () => server?.said() ?? '',
    start,
    kill: async () => await server?.[Symbol.asyncDispose](),
    async say(name: string, text: string) {
      const body = JSON.stringify({ text })
      await fetch(`${origin}/api/conversations/${name}/messages`, { method: 'POST', headers, body })
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
type Stage = Awaited<ReturnType<typeof startStage>>

async function fill({ bots, say }: Stage): Promise<void> {
  for (const name of bots.keys()) {
    for (let i = 0; i < (name === big ? 500 : 1); i++) {
      await say(name, `question ${i}`)
      await bots.get(name)?.reply(i % 10 === 0 ? toHostileAnswer(i, 8000) : `answer **${i}** with \`code\``)
    }
  }
}

async function openTabs(context: BrowserContext, names: readonly string[]): Promise<Tab[]> {
  const tabs: Tab[] = []
  for (let tab = 0; tab < tabCount; tab++) {
    const page = await context.newPage()
    await page.goto(`${origin}/#${names[tab % names.length]}`)
    await page.waitForSelector('#state[data-state=connected]', { timeout: 60_000 })
    tabs.push({ page, watch: await watchTab(page) })
    if (tab > 0) await lookAway(page)
  }
  return tabs
}

/** Scrolls up until all messages are there. */
const readAll = async (page: Page): Promise<unknown> =>
  await page.evaluate(`(async () => {
    const box = document.getElementById('scroll')
    while (document.querySelectorAll('#messages article').length < 1000) {
      box.scrollTop = 0
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    box.scrollTop = box.scrollHeight
  })()`)

async function grow(bot: Bot, seed: number): Promise<void> {
  const text = toHostileAnswer(seed, answerChars)
  for (let chars = growthChars; chars < text.length; chars += growthChars) {
    await bot.draft(text.slice(0, chars))
    await sleep(growthEveryMs)
  }
  await bot.reply(`${text}\n\nend of ${seed}`)
}

const untilAnswered = async (): Promise<number> => {
  while (
    !(await fetch(`${origin}/login`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(10)
  return Date.now()
}
const lateOf = async (tabs: readonly Tab[]): Promise<number> =>
  Math.max(...(await Promise.all(tabs.map(async ({ watch }) => await watch.lateMs()))))

test(
  'twenty tabs, a thousand messages, five hostile answers and ten deaths of the server',
  { timeout: 1_800_000 },
  async () => {
    await using stage = await startStage()
    await using idle = startIdle()
    await fill(stage)
    const tabs = await openTabs(stage.context, [...stage.bots.keys()])
    const [front] = tabs
    const [blank] = stage.context.pages()
    if (!front || !blank) throw new Error('There is no tab.')
    await readAll(front.page)

    const typed = new AbortController()
    await blank.setContent('<textarea></textarea>')
    const typing = Promise.all([typeInto(front.page, typed.signal), typeInto(blank, typed.signal)])
    await Promise.all([...stage.bots.values()].map(grow))
    typed.abort()
    const [keys, blankKeys] = await typing
    const held = { own: findMost(stage.said()), idle: findMost(idle.said()) }
    process.stdout.write(`${JSON.stringify({ held, keys, blankKeys })}\n`)
    expect(held.own.usedMs).toBeLessThan(mostHeldMs)
    expect(keys.count).toBeGreaterThan(20)
    expect(keys.p95Ms).toBeLessThan(mostKeyMs + blankKeys.p95Ms)
    for (const [tab, { page }] of tabs.entries())
      await page.waitForSelector(`#messages:not(:has(.draft)) .bot >> text=end of ${tab % 5}`, { timeout: 60_000 })

    for (let round = 0; round < 10; round++) {
      await lateOf(tabs)
      const killedMs = Date.now()
      await stage.kill()
      const offline = await Promise.all(
        tabs.map(async ({ watch }) => (await watch.tells('offline', killedMs)) - killedMs),
      )
      for (const bot of stage.bots.values()) await bot.reply(`round ${round}`)
      const starting = stage.start()
      const backMs = await untilAnswered()
      const back = await Promise.all(tabs.map(async ({ watch }) => (await watch.tells('connected', backMs)) - backMs))
      const same = await Promise.all(
        tabs.map(async ({ watch }) => (await watch.shows(`round ${round}`, backMs)) - backMs),
      )
      await starting
      const lateMs = await lateOf(tabs)
      const most = [offline, back, same].map((all) => Math.round(Math.max(...all)))
      process.stdout.write(`round ${round} ${JSON.stringify({ offlineBackSame: most, lateMs: Math.round(lateMs) })}\n`)
      expect(Math.max(...offline, ...back)).toBeLessThan(toldWithinMs + 2 * lateMs)
      expect(Math.max(...same)).toBeLessThan(sameWithinMs + 2 * lateMs)
    }
    const shown = await Promise.all(
      tabs.map(
        async ({ page }) =>
          await page
            .locator('#messages .bot .body')
            .evaluateAll((all) => all.slice(-10).map((body) => body.textContent)),
      ),
    )
    expect(shown).toEqual(tabs.map(() => Array.from({ length: 10 }, (_, round) => `round ${round}`)))
  },
)
