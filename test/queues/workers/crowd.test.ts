// Who is at work in a process: once at a time, once more after an offer meanwhile, refused when full, stopped within the grace.
import { expect, test } from 'vitest'
import { createCrowd, type CrowdOptions } from '#queues/workers/crowd.ts'

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
function open(most: number, options: Pick<CrowdOptions, 'handler'> & Partial<CrowdOptions>) {
  const { handler, ...more } = options
  const crowd = createCrowd({ onLeft: async () => {}, onTrouble: () => {}, ...more, handler })
  return { ...crowd, ...crowd.openEntrance(most) }
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('runs a conversation offered while it runs once more, however often it was offered', async () => {
  const gated = createGatedHandler()
  const runner = open(4, gated)
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
  const runner = open(1, gated)
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
  const runner = open(1, { handler: failing, onTrouble: (_, error) => told.push(error) })
  runner.offer('web:a')
  await turn()
  expect(told).toHaveLength(1)
  expect(runner.offer('web:a')).toBe(true)
  await runner.stop(0)
})

test('stops by aborting what outlives the grace, and takes nothing more', async () => {
  const gated = createGatedHandler()
  const runner = open(2, gated)
  runner.offer('web:a')
  await turn()
  await runner.stop(5)
  expect(gated.signals[0]?.aborted).toBe(true)
  expect(runner.offer('web:b')).toBe(false)
})

test('after a failure what was offered meanwhile is not forgotten', async () => {
  const left: string[] = []
  const handler = async (): Promise<void> => {
    await turn()
    throw new Error('store gone')
  }
  const crowd = open(1, { handler, onLeft: async (conversation) => void left.push(conversation) })
  expect([crowd.offer('web:a'), crowd.offer('web:a')]).toEqual([true, true])
  await crowd.stop(1000)
  expect(left).toEqual(['web:a'])
})

test('whoever comes in by another entrance while at work takes no place there', async () => {
  const gated = createGatedHandler()
  const crowd = open(1, gated)
  const other = crowd.openEntrance(1)
  expect([crowd.offer('web:a'), other.offer('web:a'), other.offer('web:b'), other.offer('web:c')]).toEqual([
    true,
    true,
    true,
    false,
  ])
  await turn()
  expect(gated.runs).toEqual(['web:a', 'web:b'])
  await crowd.stop(0)
})

test('says what was offered again and is not looked at any more when it stops', async () => {
  const gated = createGatedHandler()
  const left: string[] = []
  const crowd = open(2, { ...gated, onLeft: async (conversation) => void left.push(conversation) })
  for (const one of ['web:a', 'web:b', 'web:a']) crowd.offer(one)
  await turn()
  await crowd.stop(0)
  expect([gated.runs, left]).toEqual([['web:a', 'web:b'], ['web:a']])
})

test('whoever talks on leaves its place to those who wait for it, and is not forgotten', async () => {
  const gated = createGatedHandler()
  const left: string[] = []
  const crowd = open(1, { ...gated, onLeft: async (conversation) => void left.push(conversation) })
  crowd.offer('web:loud')
  await turn()
  const waited = crowd.room(1)
  crowd.offer('web:loud')
  gated.letGo()
  await waited
  expect(left).toEqual(['web:loud'])
  expect(crowd.offer('web:quiet')).toBe(true)
  await turn()
  expect(gated.runs).toEqual(['web:loud', 'web:quiet'])
  await crowd.stop(0)
})
