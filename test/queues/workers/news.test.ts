// A wait whose time passed while it was set up is over, and nothing is said about it on the console.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createNews } from '#queues/workers/news.ts'

test('a time that passes between two looks at the clock makes no timer of less than nothing', async () => {
  const warned: string[] = []
  const note = (warning: Error): void => void warned.push(warning.name)
  process.on('warning', note)
  let nowMs = -9
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 9))
  onTestFinished(() => {
    clock.mockRestore()
    process.off('warning', note)
  })
  await createNews().heard({ draftAfterMs: 10, mostMs: 40 }, new AbortController().signal)
  clock.mockRestore()
  // Node tells of it a turn later.
  await new Promise((resolve) => void setImmediate(resolve))
  expect(warned).toEqual([])
})
