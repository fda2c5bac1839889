// The documents of connecting and doctor's steps are the same: number, words and order.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { discordSteps } from '#infra/doctor/discord-steps.ts'
import type { Step } from '#infra/doctor/steps.ts'
import { telegramSteps } from '#infra/doctor/telegram-steps.ts'

const most = 12
const documents: readonly (readonly [name: string, steps: readonly Step<string, never>[]])[] = [
  ['telegram', telegramSteps],
  ['discord', discordSteps],
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
