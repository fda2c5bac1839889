// Who hears that there is news for a conversation: the process that works on it, and no other.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectSubscriber } from '#queues/connection.ts'
import { createCompany } from '#queues/workers/company.ts'
import { executeConversation } from '#queues/workers/execute-conversation.ts'
import { createSignals, type Signals } from '#queues/fleet/signals.ts'
import { messageEvent, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { createStillLiveness } from '#test/rig/still-liveness.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
let all: Signals[] = []
beforeAll(async () => {
  store = await openStore()
  all = await Promise.all(
    ['one', 'other'].map((name) => createSignals(connectSubscriber(store.server.url), store.redis, name)),
  )
})
afterAll(async () => {
  for (const signals of all) signals.close()
  await store.stop()
})

async function take(conversation: string, n: number, stop: 'none' | 'own' = 'none'): Promise<void> {
  const event = messageEvent(conversation, n)
  await store.kernel.ingest({ event, dedupeKey: event.id, stop, echo: false })
}

test('a routed event, a stop and an erasure are told to the process that holds the conversation', async () => {
  const { kernel } = store
  const [one, other] = all
  if (!one || !other) throw new Error('There are two.')
  const heard: string[] = []
  for (const [name, signals] of [
    ['one', one],
    ['other', other],
  ] as const) {
    for (const conversation of ['web:a', 'web:b']) {
      signals.listen(conversation, () => void heard.push(`${name} ${conversation}`))
    }
  }
  await kernel.claim('web:a', '@one/1', 60_000)
  await take('web:a', 1)
  await kernel.route('web:a', 0, [turnDecision])
  await take('web:a', 2, 'own')
  await kernel.erase('web:a')
  // The other process hears of its own conversation after all that, and of nobody else's.
  await kernel.claim('web:b', '@other/1', 60_000)
  await take('web:b', 1, 'own')
  await expect.poll(() => heard.filter((what) => what.endsWith('web:b'))).toEqual(['other web:b'])
  await expect.poll(() => heard.filter((what) => what.endsWith('web:a'))).toEqual(Array(3).fill('one web:a'))
})

test('news of a conversation for which nobody listens is told apart, to the process whose lease it has', async () => {
  const unheard: string[] = []
  for (const [n, signals] of all.entries())
    signals.onUnheard((conversation) => void unheard.push(`${n} ${conversation}`))
  await store.kernel.claim('web:left', '@one/3', 60_000)
  await take('web:left', 1)
  expect(await store.kernel.route('web:left', 0, [turnDecision])).toMatchObject({ work: false })
  await expect.poll(() => unheard).toEqual(['0 web:left'])
})

test('nobody is to be woken where an executor hears of it, and somebody is where none does', async () => {
  const { kernel } = store
  for (const [name, owner, work] of [
    ['web:heard', '@one/4', false],
    ['web:gone', '@nobody/1', true],
  ] as const) {
    await take(name, 1)
    expect(await kernel.route(name, 0, [turnDecision])).toMatchObject({ work: true })
    await kernel.claim(name, owner, 60_000)
    await take(name, 2)
    expect(await kernel.route(name, 1, [turnDecision]), name).toMatchObject({ work })
  }
})

test('an owner that names no process is told with all', async () => {
  const heard: string[] = []
  for (const [n, signals] of all.entries()) signals.listen('web:plain', () => void heard.push(String(n)))
  await store.kernel.claim('web:plain', 'a-run', 60_000)
  await take('web:plain', 1, 'own')
  await expect.poll(() => heard.length).toBe(2)
})

test('where nobody works, nothing is told', async () => {
  const before = await store.server.admin.info('commandstats')
  const published = (stats: string): number => Number(/cmdstat_publish:calls=(\d+)/.exec(stats)?.[1] ?? 0)
  await take('web:idle', 1, 'own')
  expect(published(await store.server.admin.info('commandstats'))).toBe(published(before))
})

test('a stop whose signal is lost is told with the next renewal of the lease', async () => {
  const { kernel } = store
  const subscriber = connectSubscriber(store.server.url)
  const signals = await createSignals(subscriber, store.redis, 'deaf')
  subscriber.disconnect()
  await take('web:deaf', 1)
  await kernel.route('web:deaf', 0, [turnDecision])
  const hints = { inbound: async () => {}, outbound: async () => {}, execute: async () => {} }
  const liveness = createStillLiveness({ leaseMs: 2000 })
  const deps = {
    kernel,
    hints,
    signals,
    liveness,
    giveBack: () => {},
    company: createCompany(),
    onParked: () => {},
    onLeft: () => {},
  }
  let heard = 0
  const over = AbortSignal.timeout(8000)
  await executeConversation(
    {
      ...deps,
      async serve(run, signal) {
        const news = Promise.withResolvers<void>()
        run.store.onNews(() => {
          heard += 1
          news.resolve()
        })
        signal.addEventListener('abort', () => news.resolve())
        await take('web:deaf', 2, 'own')
        await news.promise
        return 'LEFT'
      },
    },
    'web:deaf',
    over,
  )
  expect(heard).toBe(1)
  expect(over.aborted).toBe(false)
  signals.close()
})
