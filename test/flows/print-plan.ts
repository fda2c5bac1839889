// Prints a complex request with its plan as pictures into a folder, while it is worked on and when it is done, and what /why says of it:
// `node test/flows/print-plan.ts <folder>`. Through the whole fleet, with a scripted model. For looking at.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startFleet, type Fleet } from '#test/rig/fleet.ts'
import { logIn, startBrowser } from '#test/adapters/web/browser.ts'
import { startWebRig } from '#test/adapters/web/web-rig.ts'

type Talk = { readonly request: string; readonly texts: readonly string[]; readonly answer: string }

const chinese: Talk = {
  request: '查一下 shiyi 项目的代码里哪里最慢，要怎么改',
  texts: [
    '计划：\n1. 读取核心模块代码\n2. 分析性能热点\n3. 给出优化建议\n\n我先读取核心模块。',
    '[2/3 分析中]\n\n核心模块有三个，其中 `context_builder` 被调用得最多。',
  ],
  answer:
    '[3/3]\n\n**结论**：时间主要花在重复计算上下文上。\n\n1. 给 `context_builder` 的结果加缓存，约快 40%。\n2. 把记忆写入改成异步。\n\n建议先做第一项，改动只有一个文件。',
}
const english: Talk = {
  request: 'Look up in the code where the time goes and what would help',
  texts: [
    'Plan:\n1. Read the core modules\n2. Find what is slow, **measure** it and compare it with the release before\n3. Suggest what to change\n\nI begin with the core modules.',
    '[2/3]\n\nThere are three of them; `context_builder` is called most often.',
  ],
  answer: '[3/3]\n\nMost of the time goes into building the same context twice. Cache it, and write memories later.',
}

const folder = path.resolve(process.argv[2] ?? 'pictures')
await mkdir(folder, { recursive: true })
await using rig = await startWebRig()
const server = await rig.start()
await using fleet = await startFleet({ redisUrl: rig.redis.url })
const browser = await startBrowser()

const desktop = { viewport: { width: 1180, height: 820 } }
const narrow = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 }
const looks = [
  { name: 'desktop', talk: chinese, options: { ...desktop, locale: 'zh-CN' } },
  { name: 'desktop-dark', talk: english, options: { ...desktop, colorScheme: 'dark' } },
  { name: 'narrow', talk: english, options: narrow },
  { name: 'narrow-dark', talk: chinese, options: { ...narrow, locale: 'zh-CN', colorScheme: 'dark' } },
] as const

for (const { name, talk, options } of looks) await print(name, talk, options)
await browser.close()

async function print(name: string, talk: Talk, options: BrowserContextOptions): Promise<void> {
  script(fleet, talk)
  const context = await logIn(browser, { origin: server.origin, token: await rig.token(), ...options })
  const page = await context.newPage()
  const shoot = (what: string): Promise<unknown> => page.screenshot({ path: path.join(folder, `${name}-${what}.png`) })
  await page.goto(`${server.origin}/#plan-${name}`)
  await page.waitForSelector('#state[data-state=connected]')
  await say(page, talk.request)
  await page.getByText('[1/3').waitFor()
  await page.waitForTimeout(600)
  await shoot('1-begun')
  await page.getByText('[2/3').waitFor()
  await page.waitForTimeout(600)
  await shoot('2-going-on')
  await page.getByText('✓').first().waitFor()
  await page.waitForTimeout(600)
  await shoot('3-done')
  await say(page, '/why')
  await page.getByText('demo_wait').first().waitFor()
  await page.waitForTimeout(600)
  await shoot('4-why')
  await page.reload()
  await page.getByText('demo_wait').first().waitFor()
  await page.waitForTimeout(600)
  await shoot('5-read-again')
  await context.close()
}

async function say(page: Page, text: string): Promise<void> {
  await page.fill('#message', text)
  await page.keyboard.press('Enter')
}

function script({ model }: Fleet, { texts, answer }: Talk): void {
  model.clearScript()
  for (const [done, text] of texts.entries())
    model.script({
      when: (_, { messages }) => messages.filter(({ role }) => role === 'tool').length === done,
      chunkDelayMs: 60,
      answer: {
        kind: 'tools',
        text,
        calls: [{ id: `c${done}`, name: 'demo_wait', arguments: JSON.stringify({ seconds: 2 + done / 10 }) }],
      },
    })
  model.script({ chunkDelayMs: 60, answer: { kind: 'text', text: answer } })
}
