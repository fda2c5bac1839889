// Hints taken in this very process: once more after an offer during a run, refused when full, stopped within the grace.
import { expect, test } from 'vitest'
import { createLocalRunner } from '#queues/workers/local-runner.ts'

/** A handler that waits until it is let go, and tells what it runs. */
function createGatedHandler() {
  const runs: string[] = []
  const waiting: (() => void)[] = []
  const signals: AbortSignal[] = []
  return {
    runs,
    signals,
    letGo: () => waiting.shift()?.(),
    handler: async (conversation: string, signal: AbortSignal): Promise<void> => {
      runs.push(conversation)
      signals.push(signal)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
  }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('runs a conversation offered while it runs once more, however often it was offered', async () => {
  const gated = createGatedHandler()
  const runner = createLocalRunner({ most: 4, handler: gated.handler, onTrouble: () => {} })
  expect([runner.offer('web:a'), runner.offer('web:a'), runner.offer('web:a')]).toEqual([true, true, true])
  await turn()
  expect(gated.runs).toEqual(['web:a'])
  gated.letGo()
  await turn()
  expect(gated.runs).toEqual(['web:a', 'web:a'])
  gated.letGo()
  await turn()
  expect(gated.runs).toHaveLength(2)
  await runner.stop(0)
})

test('refuses what it has no room for, so that the queue takes it', async () => {
  const gated = createGatedHandler()
  const runner = createLocalRunner({ most: 1, handler: gated.handler, onTrouble: () => {} })
  expect(runner.offer('web:a')).toBe(true)
  expect(runner.offer('web:b')).toBe(false)
  await turn()
  gated.letGo()
  await turn()
  expect(runner.offer('web:b')).toBe(true)
  await runner.stop(0)
})

test('after a failure the conversation may be offered again, and the trouble is told', async () => {
  const told: unknown[] = []
  const failing = async (): Promise<void> => {
    throw new Error('store gone')
  }
  const runner = createLocalRunner({ most: 1, handler: failing, onTrouble: (_, error) => told.push(error) })
  runner.offer('web:a')
  await turn()
  expect(told).toHaveLength(1)
  expect(runner.offer('web:a')).toBe(true)
  await runner.stop(0)
})

test('stops by aborting what outlives the grace, and takes nothing more', async () => {
  const gated = createGatedHandler()
  const runner = createLocalRunner({ most: 2, handler: gated.handler, onTrouble: () => {} })
  runner.offer('web:a')
  await turn()
  await runner.stop(5)
  expect(gated.signals[0]?.aborted).toBe(true)
  expect(runner.offer('web:b')).toBe(false)
})
