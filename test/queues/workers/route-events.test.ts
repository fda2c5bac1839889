// Facts about events that a router cannot decide: they hold up neither their conversation nor others.
import { expect, test } from 'vitest'
import { routeEvents, type RouterDeps } from '#queues/workers/route-events.ts'
import { createGate } from '#queues/workers/start-gate.ts'
import { BotError } from '#shared/errors.ts'
import type { Decision } from '#shared/chat/decision.ts'
import { freshConversation, messageEvent, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { createMemoryKernel } from '#test/twins/memory-kernel.ts'

const running = new AbortController().signal

async function bench(changes: Partial<RouterDeps>) {
  const clock = { ms: 1_000_000 }
  const kernel = createMemoryKernel(() => clock.ms)
  const conversation = freshConversation('web')
  const told: string[] = []
  const deps: RouterDeps = {
    kernel,
    access: { find: async () => ({ owner: true, person: true, chat: true, mode: 'mention' }) },
    hints: { execute: async () => {} },
    gathering: { ready: (_, events) => events.length },
    fullPages: createGate(10),
    longTexts: createGate(10),
    decide: () => turnDecision,
    decideUnread: () => unread,
    onTrouble: (what) => void told.push(what),
    onLeft: (_, reason) => void told.push(reason),
    ...changes,
  }
  const say = (id: string) =>
    kernel.ingest({ event: messageEvent(conversation, id), dedupeKey: id, stop: 'none', echo: false })
  const decisions = async (): Promise<(Decision | undefined)[]> =>
    (await kernel.pending(conversation, 0)).events.map(({ decision }) => decision)
  return { clock, kernel, conversation, deps, told, say, decisions }
}

const unread: Decision = { ...turnDecision, rule: 'query.unread' }

test('an event whose deciding throws is routed unread, the others as ever', async () => {
  const { conversation, deps, told, say, decisions } = await bench({
    decide: ({ event }) => {
      if (event.id.endsWith(':bad')) throw new RangeError('of its own')
      return turnDecision
    },
  })
  for (const id of ['first', 'bad', 'last']) await say(id)
  await routeEvents(deps, conversation, running)
  expect(await decisions()).toEqual([turnDecision, unread, turnDecision])
  expect(told).toEqual([expect.stringContaining(':bad')])
})

test('an event that not even the rest of the rules can decide is left out', async () => {
  const fails = (): never => {
    throw new RangeError('of its own')
  }
  const { kernel, conversation, deps, say } = await bench({ decide: fails, decideUnread: fails })
  await say('bad')
  await routeEvents(deps, conversation, running)
  expect(await kernel.inbox(conversation, 10)).toEqual({ routedSeq: 1, events: [] })
})

test('what two routers died of is routed unread by the third', async () => {
  const { clock, conversation, deps, told, say, decisions } = await bench({})
  await say('deadly')
  // A process that ends while it decides writes nothing, and nothing of it runs on.
  const dies: RouterDeps = { ...deps, access: { find: () => new Promise(() => {}) } }
  for (const _ of [1, 2]) {
    void routeEvents(dies, conversation, running)
    await new Promise(setImmediate)
    clock.ms += 5000
  }
  await routeEvents(deps, conversation, running)
  expect(await decisions()).toEqual([unread])
  expect(told).toEqual([expect.stringContaining(conversation)])
  await say('after')
  await routeEvents(deps, conversation, running)
  expect(await decisions()).toEqual([unread, turnDecision])
})

test('routers that look at the same time, and messages that are still written, are no such deaths', async () => {
  const { clock, conversation, deps, told, say, decisions } = await bench({})
  await say('a')
  const waits: RouterDeps = { ...deps, gathering: { ready: () => 0 } }
  for (let look = 0; look < 5; look += 1) {
    await routeEvents(waits, conversation, running)
    clock.ms += 500
  }
  await routeEvents(deps, conversation, running)
  expect(await decisions()).toEqual([turnDecision])
  expect(told).toEqual([])
})

test('looks that ended with an outage are no deaths, however many', async () => {
  const { clock, kernel, conversation, deps, told, say, decisions } = await bench({})
  await say('innocent')
  let tries = 0
  const away: RouterDeps = {
    ...deps,
    kernel: {
      ...kernel,
      route: async () => {
        throw new BotError('store-unavailable', 'gone', { retry: { afterMs: 1 } })
      },
      // Redis comes back later than the process notices that it is away.
      forgetLooks: async (of) =>
        tries++ === 0 ? await Promise.reject(new Error('gone')) : await kernel.forgetLooks(of),
    },
  }
  for (let outage = 0; outage < 3; outage += 1) {
    await expect(routeEvents(away, conversation, running)).rejects.toThrow('gone')
    clock.ms += 5000
  }
  await routeEvents(deps, conversation, running)
  expect(await decisions()).toEqual([turnDecision])
  expect(told).toEqual([])
})

test('a process that stops gives no look back for longer than it may', async () => {
  const { kernel, conversation, deps, say } = await bench({})
  await say('a')
  const gone = async (): Promise<never> => await Promise.reject(new Error('gone'))
  const stop = new AbortController()
  const route = (): Promise<never> => (stop.abort(), gone())
  const away: RouterDeps = { ...deps, kernel: { ...kernel, route, forgetLooks: gone } }
  await expect(routeEvents(away, conversation, stop.signal)).rejects.toThrow('gone')
})

test('of a crowd that says much few full pages are looked at at once, and a router that stops leaves the others alone', async () => {
  const looked: string[] = []
  const decided = Promise.withResolvers<Decision>()
  const { kernel, deps } = await bench({ fullPages: createGate(2), decide: () => decided.promise })
  const watched: RouterDeps = {
    ...deps,
    kernel: {
      ...kernel,
      inbox(name, limit, ...more) {
        if (limit > 8) looked.push(name)
        return kernel.inbox(name, limit, ...more)
      },
    },
  }
  const names = Array.from({ length: 40 }, () => freshConversation('web'))
  for (const name of names) {
    const said = Array.from({ length: 9 }, (_, n) => ({ event: messageEvent(name, `m${n}`), dedupeKey: `m${n}` }))
    for (const one of said) await kernel.ingest({ ...one, stop: 'none', echo: false })
  }
  const stop = new AbortController()
  const routed = Promise.allSettled(names.map((name) => routeEvents(watched, name, stop.signal)))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(looked).toEqual(names.slice(0, 2))
  stop.abort()
  decided.resolve(turnDecision)
  await routed
  expect(looked).toEqual(names.slice(0, 2))
  const states = await Promise.all(names.map((name) => kernel.inbox(name, 10, { lostAfterMs: 0 })))
  // Nobody's looks count: whoever comes next has the first one.
  expect(states.map(({ routedSeq, looks }) => [routedSeq, looks])).toEqual(names.map(() => [0, 1]))
})

test.each([1, 7, 8])(
  'while those who say much wait for each other, %s at once and what comes after do not',
  async (count) => {
    const decided = Promise.withResolvers<Decision>()
    const { kernel, deps, conversation, say, decisions } = await bench({
      fullPages: createGate(1),
      decide: ({ event }) => (event.conversation === flood ? decided.promise : turnDecision),
    })
    const flood = freshConversation('web')
    for (let n = 0; n < 9; n++)
      await kernel.ingest({ event: messageEvent(flood, `m${n}`), dedupeKey: `m${n}`, stop: 'none', echo: false })
    const flooded = routeEvents(deps, flood, running)
    for (let n = 0; n < count; n++) await say(`n${n}`)
    let isBehind = true
    const raced: RouterDeps = {
      ...deps,
      kernel: {
        ...kernel,
        async route(...all) {
          // Another router was first; then a message comes.
          const result = await kernel.route(...all)
          if (!isBehind) return result
          isBehind = false
          await say('later')
          return { kind: 'BEHIND' }
        },
      },
    }
    await routeEvents(raced, conversation, running)
    expect(await decisions()).toEqual(Array<Decision>(count + 1).fill(turnDecision))
    decided.resolve(turnDecision)
    await flooded
  },
)

test('after a look that was lost few are looked at at once', async () => {
  const { kernel, clock, conversation, deps, say, decisions } = await bench({ fullPages: createGate(1) })
  await say('a')
  await kernel.inbox(conversation, 10, { lostAfterMs: 0 })
  clock.ms += 3000
  const held = Promise.withResolvers<void>()
  const before = deps.fullPages(() => held.promise)
  const routed = routeEvents(deps, conversation, running)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await decisions()).toEqual([])
  held.resolve()
  await Promise.all([before, routed])
  expect(await decisions()).toEqual([turnDecision])
})

test('short texts do not wait for many long ones', async () => {
  const held = Promise.withResolvers<Decision>()
  const begun: string[] = []
  const { kernel, deps, conversation, say, decisions } = await bench({
    longTexts: createGate(2),
    decide: ({ event }) => {
      if (!('text' in event) || event.text.length < 1000) return turnDecision
      begun.push(event.id)
      return held.promise
    },
  })
  const long = Array.from({ length: 5 }, () => freshConversation('web'))
  for (const name of long) {
    const event = { ...messageEvent(name, 'm'), text: 'x'.repeat(1001) }
    await kernel.ingest({ event, dedupeKey: 'm', stop: 'none', echo: false })
  }
  const routed = long.map((name) => routeEvents(deps, name, running))
  await say('short')
  await routeEvents(deps, conversation, running)
  expect(await decisions()).toEqual([turnDecision])
  expect(begun).toHaveLength(2)
  held.resolve(turnDecision)
  await Promise.all(routed)
  expect(begun).toHaveLength(5)
})
