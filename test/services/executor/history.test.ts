// What a conversation remembers: as much as fits, bounded whatever is said, and what falls out is told.
import { expect, test } from 'vitest'
import { conversation, toCommand } from '#test/rig/events.ts'
import { createStage } from './stage.ts'

test('what no longer fits is summed up, oldest first, and /status says how much', async () => {
  const stage = createStage({ historyTokens: 1000 })
  for (let n = 0; n < 12; n++) await stage.ask(`question ${n} ${'word '.repeat(100)}`)
  const { history, fellOut, summary } = await stage.state()
  expect(history[0]?.role).toBe('user')
  expect(history.length + (summary?.count ?? 0)).toBe(24)
  expect(fellOut).toBeUndefined()
  expect(await stage.ask('/status', { as: toCommand('status') })).toContain(`search word for word: ${summary?.count}`)
  await stage.ask('/new', { as: toCommand('new') })
  expect(await stage.ask('/status', { as: toCommand('status') })).not.toContain('as a summary')
})

test('what falls out all the same is counted, and /status says so', async () => {
  const stage = createStage({ historyTokens: 1000 })
  await stage.ask('first')
  for (let n = 0; n < 4; n++) await stage.ask(`${n} ${'word '.repeat(1500)}`)
  const { fellOut } = await stage.state()
  expect(fellOut).toBeGreaterThan(0)
  expect(await stage.ask('/status', { as: toCommand('status') })).toContain(`no longer know them: ${fellOut}`)
})

test('a hundred forwards at once leave a small snapshot', async () => {
  const stage = createStage()
  for (let n = 0; n < 100; n++) await stage.say(`${n} ${'汉'.repeat(4000)}`)
  await stage.work()
  const claimed = await stage.kernel.claim(conversation, 'reader', 1)
  if (claimed.kind !== 'CLAIMED') throw new Error(claimed.kind)
  expect(Buffer.byteLength(claimed.snapshot ?? '')).toBeLessThan(40_000)
})

test('what costs few tokens fills no snapshot', async () => {
  const stage = createStage()
  for (let n = 0; n < 30; n++) await stage.ask(`${n}${' '.repeat(30_000)}x`)
  expect(JSON.stringify({ ...(await stage.state()), stored: undefined }).length).toBeLessThan(40_000)
})

test('a long message is remembered by its head and tail', async () => {
  const stage = createStage({ historyTokens: 60_000 })
  await stage.ask(`begin ${'word '.repeat(10_000)} end`)
  const [first] = (await stage.state()).history
  expect(first?.text.length).toBeLessThan(8100)
  expect(first?.text).toMatch(
    /^begin[^]*left out[^]* end\n⟦only a part; all 50010 characters: artifact_read \{"name":"message\.t\w+-0"\}⟧$/,
  )
})
