// Facts about events on their way in: in order within a lane, each begun once, kept until stored, and the position told only then.
import { expect, test } from 'vitest'
import { createIntake, type Intake } from '#adapters/discord/intake.ts'
import type { Work } from '#adapters/discord/take-item.ts'
import { BotError } from '#shared/errors.ts'

const away = new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })

function open({ onWait }: { readonly onWait?: () => void } = {}) {
  const stored: number[] = []
  const advanced: number[] = []
  const counted: string[] = []
  const intake: Intake = createIntake({
    store: { advance: async (_, sequence) => void advanced.push(sequence) },
    backOff: {
      async wait() {
        onWait?.()
        await new Promise((resolve) => void setTimeout(resolve, 1))
      },
      reset: () => {},
    },
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
const work = (lane: string | undefined, take: () => Promise<void>, behind?: string): (() => Work) => {
  return () => ({
    lane,
    behind,
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

test('goes on past a lane that Discord asks to wait, and tells a position only when that is stored', async () => {
  const { intake, end, stored } = open()
  const done: string[] = []
  let isAsked = false
  intake.push(
    at(1),
    work('a', async () => {
      if (!isAsked) {
        isAsked = true
        throw new BotError('platform', 'Slow down.', { retry: { afterMs: 300 } })
      }
      done.push('a')
    }),
  )
  for (let i = 2; i <= 500; i++)
    intake.push(
      at(i),
      work(`b${i}`, async () => void done.push('b')),
    )
  await until(() => done.length === 499)
  expect(done).not.toContain('a')
  expect(stored).toEqual([])
  await until(() => stored.at(-1) === 500)
  expect(done.at(-1)).toBe('a')
  await end()
})

test('goes on past more lanes that wait than may be at work', async () => {
  const { intake, end, stored } = open()
  const asked = new Set<number>()
  let isHeard = false
  for (let i = 1; i <= 100; i++)
    intake.push(
      at(i),
      work(`a${i}`, async () => {
        if (asked.has(i)) return
        asked.add(i)
        throw new BotError('platform', 'Slow down.', { retry: { afterMs: 300 } })
      }),
    )
  intake.push(
    at(101),
    work('b', async () => void (isHeard = true)),
  )
  await until(() => isHeard)
  expect(stored).toEqual([])
  await until(() => stored.at(-1) === 101)
  await end()
})

test('takes alone what has no lane, behind all and before all', async () => {
  const { intake, end, stored } = open()
  const done: string[] = []
  const slow = Promise.withResolvers<void>()
  intake.push(
    at(1),
    work('a', async () => void (await slow.promise, done.push('a'))),
  )
  intake.push(
    at(2),
    work(undefined, async () => {
      await new Promise((resolve) => void setTimeout(resolve, 5))
      done.push('alone')
    }),
  )
  intake.push(
    at(3),
    work('b', async () => void done.push('b')),
  )
  slow.resolve()
  await until(() => stored.at(-1) === 3)
  expect(done).toEqual(['a', 'alone', 'b'])
  await end()
})

test('takes an item behind another lane, as far as that came before it', async () => {
  const { intake, end, stored } = open()
  const done: string[] = []
  const push = (sequence: number, lane: string, slow?: Promise<void>): void =>
    void intake.push(
      at(sequence),
      work(lane, async () => void (await slow, done.push(lane)), 'server'),
    )
  const [join, news] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  push(1, 'early')
  intake.push(
    at(2),
    work('server', async () => void (await join.promise, done.push('join'))),
  )
  push(3, 'slow', new Promise((resolve) => void setTimeout(resolve, 50)))
  push(4, 'quick')
  await until(() => done.length === 1)
  expect(done).toEqual(['early'])
  join.resolve()
  // One channel of the server keeps no other waiting.
  await until(() => done.length === 4)
  expect(done).toEqual(['early', 'join', 'quick', 'slow'])
  push(5, 'quick')
  intake.push(
    at(6),
    work('server', () => news.promise),
  )
  await until(() => done.length === 5)
  news.resolve()
  await until(() => stored.at(-1) === 6)
  await end()
})

test('counts an outage that many lanes meet as one failure', async () => {
  let waits = 0
  const { intake, end, stored } = open({ onWait: () => void (waits += 1) })
  const tried = new Set<number>()
  for (let i = 1; i <= 50; i++)
    intake.push(
      at(i),
      work(`a${i}`, async () => {
        if (tried.has(i)) return
        tried.add(i)
        throw away
      }),
    )
  await until(() => stored.at(-1) === 50)
  expect(waits).toBe(1)
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
