// A month in minutes: three people, two groups and direct chats on real processes, whose clock goes on by days. More than two hundred questions are asked over
// it, and what the model is given of memory with each is judged. What nobody confirmed goes in time, and what was forgotten is found nowhere.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toTokens } from '#services/memory/search/tokens.ts'
import type { MemoryRecord } from '#shared/memory/record.ts'
import { findInFiles, findText, rewriteFiles } from '#test/rig/texts.ts'
import { firstDays } from '#test/flows/month/first-days.ts'
import { categories, describe, judge, type Category } from '#test/flows/month/judge.ts'
import { lastDays } from '#test/flows/month/last-days.ts'
import { middleDays } from '#test/flows/month/middle-days.ts'
import { createPlay, readStored, scopeOf } from '#test/flows/month/play.ts'
import { forgotten, neverKept, toldAgain, unsaid } from '#test/flows/month/script.ts'
import { startTown, type Town } from '#test/flows/month/town.ts'

const days = [...firstDays, ...middleDays, ...lastDays]
/** Of each category, in percent. What is corrected in quite other words is counted, and nothing is asked of it. */
const least: Readonly<Record<Category, number>> = {
  told: 80,
  corrected: 98,
  reworded: 0,
  unknown: 95,
  never: 100,
  groups: 100,
  scopes: 100,
}
const mostDuplicates = 1

let town: Town
let play: ReturnType<typeof createPlay>

beforeAll(async () => {
  town = await startTown()
  play = createPlay(town)
  for (const acts of days) await play.day(acts)
}, 1_200_000)
afterAll(async () => await town[Symbol.asyncDispose]())

const readAll = async (): Promise<readonly MemoryRecord[]> => [...(await readStored(town)).values()].flat()
const toPercent = (part: number, all: number): number => (100 * part) / all

test('has thirty days and two hundred questions, and cards were answered', () => {
  expect(days).toHaveLength(30)
  expect(play.asked.length).toBeGreaterThanOrEqual(200)
  expect(play.pressed()).toBeGreaterThan(0)
})

test.each(categories)('gives each question what it needs, and nothing else: %s', (category) => {
  const judged = play.asked.flatMap((one) =>
    judge(one).flatMap((verdict) => (verdict.category === category ? [{ one, isGood: verdict.isGood }] : [])),
  )
  const bad = judged.filter(({ isGood }) => !isGood).map(({ one }) => describe(one))
  const good = judged.length - bad.length
  const percent = toPercent(good, judged.length)
  process.stdout.write(
    `${[`${category.padEnd(10)} ${good} of ${judged.length} (${percent.toFixed(1)} %, at least ${least[category]} %)`, ...bad].join('\n  ')}\n`,
  )
  expect(judged.length).toBeGreaterThan(0)
  expect(percent).toBeGreaterThanOrEqual(least[category])
})

test('keeps what was told again once', async () => {
  const stored = await readStored(town)
  const current = [...stored.values()].flat().filter(({ supersededBy }) => supersededBy === undefined)
  const again = toldAgain.flatMap(([at, pattern]) => {
    const same = (stored.get(scopeOf(town, at)) ?? []).filter((one) => pattern.test(one.text))
    return same.filter(({ supersededBy }) => supersededBy === undefined).slice(1)
  })
  const percent = toPercent(again.length, current.length)
  process.stdout.write(
    `duplicates ${again.length} of ${current.length} (${percent.toFixed(1)} %): ${again.map(({ text }) => text).join(' | ')}\n`,
  )
  expect(percent).toBeLessThanOrEqual(mostDuplicates)
})

test('keeps nothing that was planted, secret or private', async () => {
  expect((await readAll()).filter(({ text }) => neverKept.test(text))).toEqual([])
})

test('what nobody confirmed goes when its term is over, and nothing else', { timeout: 120_000 }, async () => {
  const before = await readAll()
  const isUnconfirmed = ({ status }: MemoryRecord): boolean => status === 'unconfirmed'
  expect(before.filter(isUnconfirmed).length).toBeGreaterThan(0)
  await town.nextDay(31)
  await expect.poll(async () => (await readAll()).filter(isUnconfirmed)).toEqual([])
  const after = new Set((await readAll()).map(({ scope, number }) => `${scope} ${number}`))
  const gone = before.filter(({ scope, number }) => !after.has(`${scope} ${number}`))
  expect(gone.filter((one) => !isUnconfirmed(one))).toEqual([])
})

test('what was forgotten is found nowhere', { timeout: 120_000 }, async () => {
  const { admin } = town.fleet.redis
  expect((await readAll()).filter(({ text }) => forgotten.some((words) => text.includes(words)))).toEqual([])
  await town.settle()
  for (const words of forgotten) {
    const keys = await findText(admin, words)
    expect(keys.filter((key) => key.startsWith('fl:{m'))).toEqual([])
  }
  await expect.poll(async () => await findInIndex(), { timeout: 30_000 }).toEqual([])
  expect(await findInIndexFiles(['zebrafinch'])).toEqual(['zebrafinch'])
  await admin.config('SET', 'aof-use-rdb-preamble', 'no')
  await rewriteFiles(admin)
  expect(await findInFiles(town.fleet.redis, 'Zebrafinch')).not.toEqual([])
  for (const words of unsaid) {
    expect(await findText(admin, words)).toEqual([])
    expect(await findInFiles(town.fleet.redis, words)).toEqual([])
  }
})

/** Words that stand in the files of the index, of what is forgotten and in no record. */
async function findInIndex(): Promise<readonly string[]> {
  const kept = new Set((await readAll()).flatMap(({ text }) => toTokens(text)))
  const lost = [...forgotten, ...unsaid].flatMap((words) => [
    words,
    ...toTokens(words).filter((token) => !kept.has(token) && token.length > 4),
  ])
  return await findInIndexFiles(lost)
}

async function findInIndexFiles(words: readonly string[]): Promise<readonly string[]> {
  const names = (await readdir(town.folder)).filter((name) => name.startsWith('memory.sqlite'))
  const files = await Promise.all(names.map(async (name) => await readFile(path.join(town.folder, name))))
  return words.filter((word) => files.some((file) => file.includes(word)))
}
