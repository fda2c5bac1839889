// The documents of connecting and doctor's steps are the same: number, words and order.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { discordSteps } from '#infra/doctor/discord-steps.ts'
import { feishuCallback, feishuEvents, feishuRights, looking } from '#infra/doctor/feishu-needs.ts'
import { feishuSteps } from '#infra/doctor/feishu-steps.ts'
import type { Step } from '#infra/doctor/steps.ts'
import { telegramSteps } from '#infra/doctor/telegram-steps.ts'

const most = 12
const documents: readonly (readonly [name: string, steps: readonly Step<string, never>[]])[] = [
  ['telegram', telegramSteps],
  ['discord', discordSteps],
  ['feishu', feishuSteps],
]

/** The numbered items of the whole document, as `1. title`; one without a bold title keeps its first words. */
function readSteps(document: string): string[] {
  return [...document.matchAll(/^(\d+)\. +(?:\*\*(.+?)\.\*\*|(.{0,40}))/gm)].map(
    ([, number, title, words]) => `${number}. ${title ?? words}`,
  )
}

test.each(documents)(
  'each numbered step of infra/docs/%s.md is checked, or seen through one that is',
  (name, steps) => {
    const document = readFileSync(`infra/docs/${name}.md`, 'utf8')
    expect(readSteps(document)).toEqual(steps.map(({ title }, at) => `${at + 1}. ${title}`))
    expect(steps.length).toBeLessThanOrEqual(most)
    for (const step of steps) {
      if ('look' in step) continue
      const at = steps.findIndex(({ id }) => id === step.seenThrough)
      expect(at, step.title).toBeGreaterThan(steps.indexOf(step))
      expect('look' in (steps[at] ?? {}), step.title).toBe(true)
    }
  },
)

test.each(documents)(
  'infra/docs/%s.md is linked by the README and tells of threads and of several processes',
  (name) => {
    expect(readFileSync('README.md', 'utf8')).toContain(`infra/docs/${name}.md`)
    const document = readFileSync(`infra/docs/${name}.md`, 'utf8')
    expect(document).toMatch(/^## (Topics|Threads)$/m)
    expect(document).toMatch(/^## Several processes$/m)
    expect(document).toContain(`doctor ${name}`)
  },
)

const both = ['feishu.md', 'feishu.zh.md'].map((file) => [file, readFileSync(`infra/docs/${file}`, 'utf8')] as const)

test.each(both)(
  'infra/docs/%s asks for the permissions and events that doctor looks for, and tells of each',
  (_, text) => {
    const rights = [...feishuRights.map(({ name }) => name), ...looking.slice(0, 1)]
    const [, json = ''] = /```json\n(.+?)```/s.exec(text) ?? []
    expect(JSON.parse(json)).toEqual({ scopes: { tenant: rights, user: [] } })
    const rows = [...text.matchAll(/^\| `([\w:.]+)` +\|/gm)].map(([, name]) => name)
    const events = feishuEvents.map(({ name }) => name)
    expect(rows).toEqual([...rights, ...events, 'application.bot.menu_v6'])
    expect(text).toContain(feishuCallback)
  },
)

test('both languages of infra/docs/feishu.md have the same steps, sections, commands and names', () => {
  const [english, chinese] = both.map(([, text]) => ({
    steps: readSteps(text).map((step) => step.split('.')[0]),
    sections: [...text.matchAll(/^## /gm)].length,
    code: [...new Set(text.match(/`[^`\n]+`/g))].filter((one) => !/[^\x20-\x7e]|what can you do/.test(one)).toSorted(),
  }))
  expect(chinese).toEqual(english)
})
