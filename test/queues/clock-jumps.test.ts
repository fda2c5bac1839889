// What lasts within a process does not depend on the time of day, which somebody or something may set meanwhile.
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runUnderLease } from '#queues/fleet/lease.ts'
import { holdLock } from '#queues/fleet/sole-holder.ts'
import { createUnits, type CallUnit } from '#queues/units.ts'
import { createCompany } from '#queues/workers/company.ts'
import { executeConversation } from '#queues/workers/execute-conversation.ts'
import { createNews } from '#queues/workers/news.ts'
import { freshConversation, messageEvent, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'

const hourMs = 3_600_000
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())
const setBy = (ms: number): unknown => vi.setSystemTime(Date.now() + ms)
const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** Runs scripts like a connection that is away for the first calls; each of those sets the clock. */
function createAway(calls: number, setByMs: number): Parameters<typeof createUnits>[0] {
  let left = calls
  const evalsha = async (): Promise<number> => {
    if (left-- <= 0) return 1
    setBy(setByMs)
    throw refused()
  }
  return { evalsha, eval: evalsha }
}

test('a call is given up when its patience is over, though the clock is set back', async () => {
  const call = createUnits(createAway(Infinity, -hourMs), { patienceMs: 200 })
  await expect(call('inbox', 'fl:{p00}:', [])).rejects.toThrow()
})

test('a call is made again, though the clock is set forward', async () => {
  const call = createUnits(createAway(1, hourMs), { patienceMs: 5000 })
  expect(await call('inbox', 'fl:{p00}:', [])).toBe(1)
})

test('who waits for news hears in time that there are none, though the clock is set back', async () => {
  const hearing = createNews().heard({ draftAfterMs: 20, mostMs: 40 }, new AbortController().signal)
  setBy(-hourMs)
  await expect(hearing).resolves.toBeUndefined()
})

test('another kind of process is refused in time, though the clock is set back', async () => {
  const call: CallUnit = async () => {
    setBy(-hourMs)
    return 0
  }
  const sole = { call, lock: 'bot', holder: 'two', refusal: 'Another works here.', ttlMs: 50, onLost: () => {} }
  await expect(holdLock(sole)).rejects.toThrow('Another works here.')
})

/** Takes what is asked for, and answers nothing more. */
const takes: CallUnit = async (_name, _key, [what]) => {
  if (what !== 'renew') return 1
  throw refused()
}

test('a lease that was not renewed is lost in time, though the clock is set back', async () => {
  const stop = new AbortController()
  const work = async (signal: AbortSignal): Promise<void> => {
    setBy(-hourMs)
    await once(signal, 'abort')
    stop.abort()
  }
  const running = runUnderLease({ call: takes, name: 'poll', ttlMs: 80 }, work, stop.signal)
  await expect(running).resolves.toBeUndefined()
})

test.each([
  ['that was not renewed is lost in time, though the clock is set back', -hourMs, 80, refused()],
  ['that is renewed is kept, though the clock is set forward', hourMs, 1000, undefined],
])("a conversation's lease %s", async (_, setByMs, leaseMs, failure) => {
  const kernel = createMemoryKernel(() => performance.now())
  const conversation = freshConversation('web')
  await kernel.ingest({ event: messageEvent(conversation, '1'), dedupeKey: '1', stop: 'none', echo: false })
  await kernel.route(conversation, 0, [turnDecision])
  const renewed = Promise.withResolvers<void>()
  let lost: boolean | undefined
  const around = {
    hints: { inbound: async () => {}, outbound: async () => {}, execute: async () => {} },
    signals: { newOwner: () => 'one', listen: () => () => {}, tell: () => {}, close: () => {} },
    company: createCompany(),
    leaseMs,
    onParked: () => {},
    onLeft: () => {},
  }
  await executeConversation(
    {
      ...around,
      kernel: {
        ...kernel,
        async renew(...args) {
          if (failure) throw failure
          renewed.resolve()
          return await kernel.renew(...args)
        },
      },
      async serve(_run, signal) {
        setBy(setByMs)
        await Promise.race([once(signal, 'abort'), renewed.promise])
        lost = signal.aborted
        return 'LEFT'
      },
    },
    conversation,
    new AbortController().signal,
  )
  expect(lost).toBe(failure !== undefined)
})
