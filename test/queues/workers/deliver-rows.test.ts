// Facts about the delivery worker with a scripted platform: order, leases, pauses, shutdown, drafts.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { BotError } from '#shared/errors.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { Kernel, Outcome } from '#queues/kernel/kernel.ts'
import { createSendBudget } from '#queues/fleet/send-budget.ts'
import type { ChannelDelivery } from '#queues/workers/channel-adapter.ts'
import { createSentLately } from '#queues/workers/sent-lately.ts'
import type { OutBody } from '#shared/run/out-row.ts'
import type { Sure } from '#queues/fleet/certainty.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 200 })))
afterAll(() => store.stop())
import { conversation, createPlatform, emptyHanded, openDesk, shown, textOf } from './delivery-desk.ts'

test('what a turn says once more is not said twice, and said differently takes the place of what stands there', async () => {
  const sent = createSentLately()
  const edits: (string | undefined)[] = []
  const platform = createPlatform(
    {},
    {
      deliver: async (_, { replacesReceipt, body }) => {
        edits.push(`${textOf(body)} ${replacesReceipt}`)
        return { kind: 'sent', receipt: '7' }
      },
    },
  )
  // Redis comes back without its last seconds: each desk begins with an empty one.
  for (const text of ['Monday', 'Monday', 'Tuesday', 'Tuesday']) {
    const desk = await openDesk(store)
    await desk.queue(text)
    await desk.work(platform, { sent })
    expect(await desk.kernel.begin(emptyHanded, 'op')).toEqual({ kind: 'EMPTY' })
  }
  expect(edits).toEqual(['Monday undefined', 'Tuesday 7'])
})

test('sends every row in order, one at a time', async () => {
  const desk = await openDesk(store)
  await desk.queue('a', 'b')
  await desk.queue('c')
  const platform = createPlatform()
  await Promise.all([desk.work(platform), desk.work(platform)])
  expect(platform.sent).toEqual(['a', 'b', 'c'])
})

test('sends a long message as its parts, before what comes after it', async () => {
  const desk = await openDesk(store)
  await desk.queue('a1|a2|a3', 'b')
  const platform = createPlatform()
  await desk.work(platform)
  expect(platform.sent).toEqual(['a1', 'a2', 'a3', 'b'])
})

test('repeats no part after a failure in the middle', async () => {
  const desk = await openDesk(store)
  await desk.queue('a1|a2|a3')
  let failed = false
  const once2 = async (): Promise<Outcome> => {
    const first = !failed
    failed = true
    return first ? { kind: 'retry', afterMs: 1, reason: 'not connected' } : { kind: 'sent', receipt: '2' }
  }
  const platform = createPlatform({ a2: once2 })
  await desk.work(platform)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await desk.work(platform)
  expect(platform.sent).toEqual(['a1', 'a2', 'a2', 'a3'])
})

test('what was long in getting ready asks again, so that it does not go right after what was allowed since', async () => {
  const desk = await openDesk(store)
  const limits = (chat: string) => ({
    bot: 'telegram:1',
    chat,
    perBot: [{ count: 1, perMs: 400 }],
    perChat: [],
    cosmetics: [],
  })
  const other = createSendBudget(store.call)
  const split = vi.fn<ChannelDelivery['split']>(async (body) => {
    await sleep(450)
    expect(await other.acquire(limits('telegram:8'), { kind: 'send', id: 'other:1' })).toBe(0)
    return [body]
  })
  const platform = createPlatform({}, { limits, split })
  await desk.queue('slow')
  await desk.work(platform)
  expect(platform.sent).toEqual([])
  expect(desk.woken).toEqual([expect.closeTo(400, -2)])
  split.mockImplementation(async (body) => [body])
  await sleep(desk.woken[0] ?? 0)
  await desk.work(platform)
  expect(platform.sent).toEqual(['slow'])
})

test('sends nothing when its process may have counted as gone since it began, and counts no attempt of that', async () => {
  const desk = await openDesk(store)
  await desk.queue('late')
  const liveness = createStillLiveness()
  const platform = createPlatform()
  let looks = 0
  const attempts: number[] = []
  const { deliver } = platform.delivery
  Object.assign(platform.delivery, {
    split(body: OutBody) {
      looks += 1
      if (looks < 8) liveness.doubt()
      return [body]
    },
    deliver(...all: Parameters<typeof deliver>) {
      attempts.push(all[1].attempts)
      return deliver(...all)
    },
  })
  for (let n = 0; n < 7; n++) {
    await desk.work(platform, { liveness })
    expect(platform.sent).toEqual([])
    expect(await store.server.admin.keys('*:ol:*')).toEqual([])
  }
  // It looks again soon, and not at once.
  expect(desk.woken).toEqual(Array(7).fill(250))
  await desk.work(platform, { liveness })
  expect([platform.sent, attempts]).toEqual([['late'], [1]])
})

test('begins nothing while its process may count as gone', async () => {
  const desk = await openDesk(store)
  await desk.queue('waits')
  const liveness = createStillLiveness()
  const gone = new AbortController()
  gone.abort()
  const sure = (): Sure => ({ holds: () => false, signal: gone.signal })
  const platform = createPlatform()
  await store.server.admin.config('RESETSTAT')
  await desk.work(platform, { liveness: { ...liveness, sure } })
  expect([platform.sent, desk.woken]).toEqual([[], [250]])
  expect(await store.server.admin.info('commandstats')).not.toContain('cmdstat_evalsha')
})

test('ends a request in time, so that nobody takes it for lost while it runs', async () => {
  const desk = await openDesk(store)
  await desk.queue('stuck')
  const untilAborted = (signal: AbortSignal): Promise<Outcome> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'unknown', reason: 'timeout' })))
  const platform = createPlatform({ stuck: untilAborted }, { sendTimeoutMs: 300 })
  await desk.work(platform)
  expect(await desk.stateOf('stuck')).toBe('unknown')
})

const hourMs = 3_600_000
test.each([
  ['the clock was set back meanwhile', -hourMs, 400],
  ['the machine slept', hourMs, 0],
])('sends nothing after a pause in which the row could be taken for lost: %s', async (_, setByMs, forMs) => {
  onTestFinished(() => void vi.useRealTimers())
  const desk = await openDesk(store)
  await desk.queue('late')
  const platform = createPlatform({}, { sendTimeoutMs: 300 })
  const paused: Kernel = {
    ...desk.kernel,
    async begin(sender, op) {
      const result = await desk.kernel.begin(sender, op)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + setByMs })
      await new Promise((resolve) => setTimeout(resolve, forMs))
      return result
    },
  }
  const stop = new AbortController()
  stop.abort()
  await desk.work(platform, { kernel: paused, signal: stop.signal })
  expect(platform.sent).toEqual([])
  expect(await desk.stateOf('late')).toBe('queued')
})

test('records an outcome although Redis was away when it became known', async () => {
  const desk = await openDesk(store)
  await desk.queue('a')
  let failures = 2
  const flaky: Kernel = {
    ...desk.kernel,
    async settle(...args) {
      failures -= 1
      if (failures >= 0) throw new BotError('store-unavailable', 'Redis is away.', { retry: { afterMs: 1 } })
      return desk.kernel.settle(...args)
    },
  }
  const platform = createPlatform()
  await desk.work(platform, { kernel: flaky })
  expect(platform.sent).toEqual(['a'])
  expect(await store.server.admin.keys('*:obq:*')).toEqual([])
})

test('after a shutdown it finishes the request in flight, begins no other and wakes another process', async () => {
  const desk = await openDesk(store)
  await desk.queue('first', 'second')
  const first = Promise.withResolvers<Outcome>()
  const platform = createPlatform({ first: () => first.promise })
  const stop = new AbortController()
  const working = desk.work(platform, { signal: stop.signal })
  const signal = await platform.begun('first')
  stop.abort()
  expect(signal.aborted).toBe(false)
  first.resolve({ kind: 'sent', receipt: '1' })
  await working
  expect(platform.sent).toEqual(['first'])
  expect(await desk.stateOf('second')).toBe('queued')
  expect(desk.hinted).toEqual([conversation])
  await desk.work(platform)
  expect(platform.sent).toEqual(['first', 'second'])
})

test('shows drafts until the answer is there, and then sends it', async () => {
  const desk = await openDesk(store)
  await desk.draft({ turn: 't1', text: '' })
  const seen = Promise.withResolvers<void>()
  const platform = createPlatform(
    {},
    {
      async showDraft(_, draft) {
        platform.drafts.push(draft.text)
        if (draft.text === '') await desk.draft({ turn: 't1', text: 'Hel' })
        if (draft.text === 'Hel') seen.resolve()
        return shown
      },
    },
  )
  const working = desk.work(platform)
  await seen.promise
  await desk.queue('Hello')
  await working
  expect(platform.drafts).toEqual(['', 'Hel'])
  expect(platform.sent).toEqual(['Hello'])
})

test('one sender shows a draft, others leave it alone', async () => {
  const desk = await openDesk(store)
  await desk.draft({ turn: 't1', text: 'Hel' })
  const seen = Promise.withResolvers<void>()
  const showDraft: ChannelDelivery['showDraft'] = async () => {
    seen.resolve()
    return shown
  }
  const platform = createPlatform({}, { showDraft })
  const working = desk.work(platform)
  await seen.promise
  const rival = createPlatform()
  await desk.work(rival)
  expect(rival.drafts).toEqual([])
  await desk.queue('Hello')
  await working
  expect(platform.sent).toEqual(['Hello'])
})

test('shows texts no faster than the platform wants', async () => {
  const desk = await openDesk(store)
  await desk.draft({ turn: 't1', text: 'a' })
  const times: number[] = []
  const platform = createPlatform(
    {},
    {
      streaming: () => ({ as: 'draft', everyMs: 150 }),
      async showDraft(_, draft) {
        times.push(Date.now())
        await desk.draft({ turn: 't1', text: `${draft.text}a` })
        if (times.length === 3) await desk.queue('done')
        return shown
      },
    },
  )
  await desk.work(platform)
  expect(times).toHaveLength(3)
  expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(295)
})

test('a shutdown ends the showing of a draft and gives the lease back', async () => {
  const desk = await openDesk(store)
  await desk.draft({ turn: 't1', text: 'Hel' })
  const stop = new AbortController()
  const showDraft: ChannelDelivery['showDraft'] = async () => {
    stop.abort()
    return shown
  }
  const platform = createPlatform({}, { showDraft })
  await desk.work(platform, { signal: stop.signal })
  expect(await store.server.admin.keys('*:ol:*')).toEqual([])
})

test('a sender that lost its lease while it asked writes no draft over the answer', async () => {
  const desk = await openDesk(store)
  const growing = (n: number): Draft => ({ turn: 't1', text: `part ${n} `.repeat(40), principal: 'telegram:7' })
  const streaming = { streaming: () => ({ as: 'edit', everyMs: 0 }) as const }
  const platform = createPlatform({}, streaming)
  const asking = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let asked = 0
  // Its first message is there; then Redis is silent for longer than the lease.
  const beforeDraft = async (): Promise<void> => {
    asked += 1
    if (asked !== 3) return
    asking.resolve()
    await answered.promise
  }
  const stop = new AbortController()
  await desk.draft(growing(1))
  const showDraft: ChannelDelivery['showDraft'] = async (_, draft) => {
    platform.drafts.push(draft.text)
    await desk.draft(growing(platform.drafts.length + 2))
    return shown
  }
  Object.assign(platform.delivery, { showDraft })
  const liveness = createStillLiveness()
  const working = desk.work(platform, { beforeDraft, liveness, signal: stop.signal })
  await platform.begun(`${growing(1).text.trimEnd()} …`)
  await desk.draft(growing(2))
  await asking.promise
  liveness.doubt()
  await store.server.admin.del(...(await store.server.admin.keys('*:ol:*')))
  await desk.queue('The whole answer.')
  const rival = createPlatform({}, streaming)
  await desk.work(rival)
  expect(rival.sent).toEqual(['The whole answer.'])
  const drafts = [...platform.drafts]
  answered.resolve()
  await working
  expect(platform.drafts).toEqual(drafts)
})

test('shows a table from its first row on, and no row that is being written', async () => {
  const desk = await openDesk(store)
  const head = 'Costs:\n\n| Day | Where |\n|---|---'
  await desk.draft({ turn: 't1', text: head })
  const texts: string[] = []
  const platform = createPlatform(
    {},
    {
      async showDraft(_, draft) {
        texts.push(draft.text)
        if (texts.length === 1) await desk.draft({ turn: 't1', text: `${head}|\n| 1 | Harbour |\n| 2 | Lig` })
        else await desk.queue('done')
        return shown
      },
    },
  )
  await desk.work(platform)
  expect(texts).toEqual(['Costs:\n', `${head}|\n| 1 | Harbour |`])
})

test.each([
  ['a sentence', 'and so it goes on', ' …'],
  ['a table', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3', '\n\n…'],
  ['code', '```ts\nconst a = 1\n```', '\n\n…'],
])('marks a message that grows behind %s as unfinished, and changes nothing else by it', async (_, end, mark) => {
  const desk = await openDesk(store)
  const text = `${'How it begins. '.repeat(10)}\n\n${end}`
  await desk.draft({ turn: 't1', text, principal: 'telegram:7' })
  const platform = createPlatform({}, { streaming: () => ({ as: 'edit', everyMs: 0 }), split: (body) => [body] })
  const growing = text.replace(/\n\| 3$/, '') + mark
  const working = desk.work(platform)
  await platform.begun(growing)
  await desk.queue('done')
  await working
  expect(platform.sent[0]).toBe(growing)
})
