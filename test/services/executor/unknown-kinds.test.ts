// A feature that only other executors have: what is its own is left to them. What nobody has is of a feature that is gone.
import { expect, test } from 'vitest'
import { toPartition } from '#queues/partition.ts'
import { carryLetters } from '#queues/workers/carry-letters.ts'
import { sampleFeature } from '#test/rig/sample-feature.ts'
import { conversation, toCommand } from '#test/rig/events.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'
import { builtIn, createStage } from './stage.ts'

const ask = { toolCalls: [{ id: 'ask', name: 'ask_to_keep', arguments: '{}' }] }
const minuteMs = 60_000

/** Two executors on one kernel: one has the feature, the other one hears of whom knows what. */
function pair(known: readonly string[]) {
  let aheadMs = 0
  const kernel = createMemoryKernel(() => Date.now() + aheadMs)
  const having = createStage({ features: [...builtIn, sampleFeature] }, undefined, kernel)
  const other = createStage({ isKnownElsewhere: async (kind) => known.includes(kind) }, undefined, kernel)
  return { having, other, advance: (ms: number) => void (aheadMs += ms) }
}

test('a press on its question goes to who has it, and is answered once', async () => {
  const { having, other } = pair(['question:notes.keep'])
  having.answers(ask)
  await having.ask('May you keep it?')
  expect(await other.press('Keep')).toBe('')
  expect(other.leftBehind).toEqual([expect.stringContaining('notes.keep')])
  await having.work()
  expect((await having.sent()).map(({ text }) => text).slice(-2)).toEqual(['ok', 'Kept: none'])
  await other.work()
  expect(other.leftBehind).toHaveLength(1)
})

test('its command and its tool are left to who has them; the model is not asked again', async () => {
  const { having, other } = pair(['command:note', 'tool:take_note'])
  expect(await other.ask('/note milk', { as: toCommand('note', 'milk') })).toBe('')
  await having.work()
  expect((await having.sent()).at(-1)?.text).toBe('Note 1: milk')
  other.answers({ toolCalls: [{ id: 'a', name: 'take_note', arguments: '{"text":"tea"}' }] })
  expect(await other.ask('Note tea')).toBe('')
  expect(other.leftBehind).toHaveLength(2)
  await having.work()
  expect((await having.sent()).slice(-2).map(({ text }) => text)).toEqual(['Note 2: tea', 'ok'])
  expect([other.requests.length, having.requests.length]).toEqual([1, 1])
})

test('of a feature that nobody has the buttons go, and its timers say nothing', async () => {
  const { having, other, advance } = pair([])
  having.answers(ask)
  await having.ask('May you keep it?')
  await having.ask('/alert tea', { as: toCommand('alert', 'tea') })
  await other.press('Keep')
  expect(other.steps.at(-1)?.rows).toMatchObject([{ body: { kind: 'unbutton' } }])
  advance(minuteMs + 1000)
  expect(await other.wait(0)).toBe('')
  expect(other.leftBehind).toEqual([])
})

test('a command that nobody has is unknown', async () => {
  const { other } = pair([])
  expect(await other.ask('/note milk', { as: toCommand('note', 'milk') })).toContain('no such command')
})

test('its timer is left to who has it', async () => {
  const { having, other, advance } = pair(['timer:notes.remind'])
  await having.ask('/alert tea', { as: toCommand('alert', 'tea') })
  advance(minuteMs + 1000)
  expect(await other.wait(0)).toBe('')
  expect(other.leftBehind).toHaveLength(1)
  await having.work()
  expect((await having.sent()).at(-1)?.text).toBe('Reminder: tea')
})

test('its letter is left to who has it', async () => {
  const { having, other } = pair(['letter:notes.passed'])
  await having.ask('/passed tea', { as: toCommand('passed', `${conversation} tea`) })
  const deps = { kernel: having.kernel, hints: { inbound: async () => {} }, onTrouble: () => {} }
  await carryLetters(deps, toPartition(conversation))
  expect(await other.wait(0)).toBe('')
  expect(other.leftBehind).toHaveLength(1)
  await having.work()
  expect((await having.sent()).at(-1)?.text).toBe(`Note from ${conversation}: tea`)
})
