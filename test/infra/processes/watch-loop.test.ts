// Work that holds up all else in a process is named to the operator, a few times a minute; work that waits, and a machine without time, are not.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createUnderway, mostHeldMs } from '#infra/processes/underway.ts'
import { startLoopWatch } from '#infra/processes/watch-loop.ts'
import { processorMs } from '#test/rig/processor-ms.ts'

/** This thread computes for so long. */
function compute(ms: number): void {
  const endsMs = processorMs() + ms
  while (processorMs() < endsMs);
}
const longMs = mostHeldMs + 60

function start() {
  const underway = createUnderway()
  const told: string[] = []
  const part = startLoopWatch({ underway, log: { warn: (_: unknown, text?: string) => void told.push(text ?? '') } })
  onTestFinished(() => part.stop(0))
  /** Once the watch has looked. */
  const looked = async (): Promise<string[]> => {
    await sleep(120)
    return told.splice(0)
  }
  return { underway, looked }
}

test('work is named that holds the loop before it first waits', async () => {
  const { underway, looked } = start()
  underway.during('command slow of sample', () => compute(longMs))
  expect(await looked()).toEqual([
    'This held up all else in this process for longer than 200 ms: command slow of sample.',
  ])
  underway.during('command quick of sample', () => compute(5))
  expect(await looked()).toEqual([])
})

test('work that holds the loop after it waited is named among what was under way, also when it ended with that', async () => {
  const { underway, looked } = start()
  const ending = new AbortController()
  const resting = underway.during('executor of web:rests', async () => await sleep(600_000, undefined, ending))
  await underway.during('tool slow of sample', async () => {
    await sleep(1)
    compute(longMs)
  })
  expect(await looked()).toEqual([
    'Something held up all else in this process for longer than 200 ms. Under way were: tool slow of sample; executor of web:rests.',
  ])
  ending.abort()
  await expect(resting).rejects.toThrow()
  expect(await looked()).toEqual([])
  compute(longMs)
  expect(await looked()).toEqual([
    'Something that has no name held up all else in this process for longer than 200 ms.',
  ])
})

test('it is told of five times a minute at most, and no more than eight names at once', async () => {
  const { underway, looked } = start()
  const ending = new AbortController()
  const all = Array.from({ length: 20 }, (_, i) =>
    underway.during(
      `executor of web:${i}`,
      () => new Promise((resolve) => ending.signal.addEventListener('abort', resolve)),
    ),
  )
  for (let time = 0; time < 5; time++) {
    compute(longMs)
    const [text = ''] = await looked()
    expect(text).toMatch(/web:19; .*web:12; and 12 more\.$/)
  }
  compute(longMs)
  expect(await looked()).toEqual([])
  ending.abort()
  await Promise.all(all)
})

test('a process that gets no time of the machine is not told of', async () => {
  const { underway, looked } = start()
  underway.during('command waits of sample', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, longMs))
  expect(await looked()).toEqual([])
})

test('what is under way gives and throws what it did before', async () => {
  const { during } = createUnderway()
  expect(during('a', () => 1)).toBe(1)
  expect(await during('a', async () => 2)).toBe(2)
  expect(() =>
    during('a', () => {
      throw new Error('own')
    }),
  ).toThrow('own')
  await expect(during('a', async () => await Promise.reject(new Error('own')))).rejects.toThrow('own')
})
