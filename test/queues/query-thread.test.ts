// A thread that answers: what one question does to it changes nothing for the others.
import { expect, onTestFinished, test } from 'vitest'
import { openQueryThread } from '#queues/query-thread.ts'

const opened = (mostMs: number, onEnd: (error: unknown) => void = () => {}) => {
  const thread = openQueryThread<string, string>({
    script: new URL('runaway-thread.ts', import.meta.url),
    data: { sign: '.' },
    mostMs,
    onEnd,
  })
  onTestFinished(() => thread.close())
  return thread
}

test('answers in the order asked; an error is that of its question', async () => {
  const thread = opened(10_000)
  expect(await Promise.allSettled(['one', 'broken', 'two'].map(thread.run))).toMatchObject([
    { value: 'ONE.' },
    { reason: new Error('TypeError: broken') },
    { value: 'TWO.' },
  ])
})

test.each(['slow', 'deadly', 'greedy'])(
  'of what is asked together only a %s one stays without an answer',
  async (bad) => {
    const ends: unknown[] = []
    const thread = opened(bad === 'greedy' ? 20_000 : 100, (error) => ends.push(error))
    expect(await Promise.all(['one', bad, 'two', bad, 'three'].map(thread.run))).toEqual([
      'ONE.',
      undefined,
      'TWO.',
      undefined,
      'THREE.',
    ])
    // Among the others, and each time alone.
    if (bad === 'greedy') expect(ends.map(String)).toEqual(Array(3).fill(expect.stringContaining('memory')))
  },
)

test('this thread goes on while the other is held up, and hears an answer that came while itself was held up', async () => {
  const thread = opened(300)
  await thread.run('warm')
  let turns = 0
  const ticks = setInterval(() => turns++, 5)
  expect(await thread.run('slow')).toBeUndefined()
  clearInterval(ticks)
  expect(turns).toBeGreaterThan(30)
  const late = thread.run('one')
  await new Promise((resolve) => setTimeout(resolve, 20))
  const untilMs = performance.now() + 700
  while (performance.now() < untilMs);
  expect(await late).toBe('ONE.')
})

test('a crowd is answered, together', async () => {
  const thread = opened(10_000)
  const texts = Array.from({ length: 1000 }, (_, n) => `text ${n}`)
  expect(await Promise.all(texts.map(thread.run))).toEqual(texts.map((text) => `${text.toUpperCase()}.`))
})

test('a closed thread, and one that does not start, say so', async () => {
  const thread = opened(100)
  const asked = expect(thread.run('slow')).rejects.toThrow('closed')
  await thread.close()
  await asked
  await expect(thread.run('one')).rejects.toThrow('closed')
  const missing = openQueryThread({
    script: new URL('nowhere.ts', import.meta.url),
    data: {},
    mostMs: 100,
    onEnd() {},
  })
  await expect(missing.run('one')).rejects.toThrow('cannot be started')
})
