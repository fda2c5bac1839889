// Facts about events on their way in: in order within a lane, each begun once, kept until stored, and the position told only then.
import { expect, test } from 'vitest'
import { createIntake, type Intake, type Work } from '#adapters/discord/intake.ts'
import { BotError } from '#shared/errors.ts'

const away = new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })

function open() {
  const stored: number[] = []
  const advanced: number[] = []
  const counted: string[] = []
  const intake: Intake = createIntake({
    store: { advance: async (_, sequence) => void advanced.push(sequence) },
    backOff: { wait: async () => await new Promise((resolve) => void setTimeout(resolve, 1)), reset: () => {} },
    say: () => {},
    count: (reason) => void counted.push(reason),
    onStored: (_, sequence) => void stored.push(sequence),
  })
  const stop = new AbortController()
  const running = intake.run(stop.signal)
  const end = async (): Promise<void> => {
    stop.abort()
    await running
  }
  return { intake, stored, advanced, counted, end }
}

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => void setTimeout(resolve, 1))
}
const at = (sequence: number, sessionId = 's') => ({ sessionId, sequence })
const work = (lane: string | undefined, take: () => Promise<void>): (() => Work) => {
  return () => ({
    lane,
    async take() {
      await take()
      return undefined
    },
  })
}

test('keeps the order within a lane while another lane is slow', async () => {
  const { intake, end, stored } = open()
  const done: string[] = []
  const slow = Promise.withResolvers<void>()
  intake.push(
    at(1),
    work('a', async () => void (await slow.promise, done.push('a1'))),
  )
  intake.push(
    at(2),
    work('b', async () => void done.push('b2')),
  )
  intake.push(
    at(3),
    work('a', async () => void done.push('a3')),
  )
  intake.push(
    at(4),
    work('b', async () => void done.push('b4')),
  )
  await until(() => done.length === 2)
  expect(done).toEqual(['b2', 'b4'])
  expect(stored).toEqual([])
  slow.resolve()
  await until(() => stored.at(-1) === 4)
  expect(done.slice(2)).toEqual(['a1', 'a3'])
  await end()
})

test('does not begin again what a resumed session repeats', async () => {
  const { intake, end, stored } = open()
  let begun = 0
  const begin = (): Work => {
    begun += 1
    return { lane: 'a', take: async () => undefined }
  }
  for (const sequence of [1, 2, 1, 2, 3]) intake.push(at(sequence), begin)
  intake.push(at(1, 'another session'), begin)
  await until(() => stored.length > 1 && stored.at(-1) === 1)
  expect(begun).toBe(4)
  await end()
})

test('tries again what could not be stored, and tells no position before', async () => {
  const { intake, end, advanced } = open()
  let tries = 0
  intake.push(
    at(7),
    work('a', async () => {
      tries += 1
      if (tries < 4) throw away
    }),
  )
  await until(() => advanced.length === 1)
  expect(tries).toBe(4)
  expect(advanced).toEqual([7])
  await end()
})

test('leaves out what can never be stored, and goes on', async () => {
  const { intake, end, stored, counted } = open()
  intake.push(
    at(1),
    work('a', async () => Promise.reject(new BotError('store-corrupt', 'broken'))),
  )
  intake.push(
    at(2),
    work('a', async () => {}),
  )
  await until(() => stored.at(-1) === 2)
  expect(counted).toEqual(['refused'])
  await end()
})

test('stops in the middle of an outage without telling a position', async () => {
  const { intake, end, advanced } = open()
  intake.push(
    at(1),
    work('a', async () => Promise.reject(away)),
  )
  await end()
  expect(advanced).toEqual([])
})

test('refuses more than it can hold, and says when there is room again', async () => {
  const { intake, end, stored } = open()
  const slow = Promise.withResolvers<void>()
  let pushed = 0
  while (
    intake.push(
      at(pushed + 1),
      work('a', () => slow.promise),
    )
  )
    pushed += 1
  expect(pushed).toBe(10_000)
  slow.resolve()
  await intake.hasRoom(new AbortController().signal)
  expect(
    intake.push(
      at(pushed + 1),
      work('a', async () => {}),
    ),
  ).toBe(true)
  await until(() => stored.at(-1) === pushed + 1)
  await end()
})
