// A month in minutes: three people, two groups and direct chats on real processes, whose clock goes on by days. Some two hundred questions are asked over it,
// and what the model is given of memory with each is judged. What nobody confirmed goes in time, and what was forgotten is found nowhere.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { categories, judge, type Asked, type Category } from './month/judge.ts'
import { firstDays } from './month/first-days.ts'
import { lastDays } from './month/last-days.ts'
import { middleDays } from './month/middle-days.ts'
import { createPlay, readStored } from './month/play.ts'
import { startTown, type Town } from './month/town.ts'

const days = [...firstDays, ...middleDays, ...lastDays]

let town: Town
let play: ReturnType<typeof createPlay>

beforeAll(async () => {
  town = await startTown()
  play = createPlay(town)
  for (const acts of days) await play.day(acts)
}, 1_200_000)
afterAll(async () => await town[Symbol.asyncDispose]())

test('dump', async () => {
  const stored = await readStored(town)
  const lines: string[] = []
  for (const [scope, records] of stored) for (const r of records) lines.push(`${scope} #${r.number} ${r.status} ${r.kind} ${r.supersededBy ?? ''} ${r.text}`)
  const verdicts = play.asked.flatMap((one) => judge(one).map((v) => ({ ...v, one })))
  for (const category of categories) {
    const all = verdicts.filter((v) => v.category === category)
    lines.push(`== ${category} ${all.filter((v) => v.isGood).length}/${all.length}`)
    for (const { one } of all.filter((v) => !v.isGood))
      lines.push(`  d${one.day} ${one.at} ${one.text} wants ${JSON.stringify(one.wanted, (_, v) => v instanceof RegExp ? String(v) : v)} :: ${one.given.map((g) => (g.isManner ? 'M:' : '') + g.label + ' ' + g.text).join(' | ')} ${one.foreign.join()}`)
  }
  lines.push(`pressed ${play.pressed()}`)
  console.log(lines.join('\n'))
  expect(1).toBe(1)
})
