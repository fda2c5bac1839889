// Eight senders of one chat do all that senders do: they come at their time, late or never, send what nobody would miss, are slow, and are told to wait.
// However these meet, no window of the chat ever holds more calls than it may.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSendBudget, type Asked, type SendLimits } from '#queues/fleet/send-budget.ts'
import { runs } from '#test/rig/property-runs.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
beforeAll(async () => void (store = await openStore({ patienceMs: 500 })))
afterAll(() => store.stop())

const total = { count: 6, perMs: 150 }
const message = { count: 1, perMs: 15 }
const limits: SendLimits = {
  bot: 'telegram:1',
  chat: 'telegram:-7',
  perBot: [],
  perChat: [total],
  buckets: { send: { name: 'message', perChat: [message] }, edit: { name: 'message', perChat: [message] } },
  cosmetics: [{ count: 3, perMs: 150 }],
}

/** `lateMs`: how much later than told it comes; it never comes again where that is above 40. */
const step = fc.record({
  kind: fc.constantFrom('send', 'edit', 'draft'),
  how: fc.constantFrom('acquire', 'acquire', 'acquireCosmetic', 'mayShow'),
  lateMs: fc.integer({ min: 0, max: 50 }),
  tookMs: fc.integer({ min: 0, max: 25 }),
  told: fc.integer({ min: 0, max: 20 }),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** ms; between `askedMs` and `answeredMs` it got its permit, and it ended at `endedMs` or a little later. */
type Made = { readonly kind: string; readonly askedMs: number; readonly answeredMs: number; endedMs: number }

test('no window holds more than it may, whoever is late or slow', async () => {
  const senders = fc.array(fc.array(step, { minLength: 6, maxLength: 6 }), { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(senders, async (all) => {
      await store.server.admin.flushall()
      const made: Made[] = []
      await Promise.all(all.map((steps, n) => send(steps, `s${n}`, made)))
      expect(made.length).toBeGreaterThan(8)
      for (const one of made) {
        expect(near(one, total.perMs, made).length).toBeLessThan(total.count)
        if (one.kind !== 'draft')
          expect(near(one, message.perMs, made).filter(({ kind }) => kind !== 'draft')).toEqual([])
      }
    }),
    { ...runs(10), endOnFailure: true },
  )
}, 180_000)

/** Those that surely had their permits before it, and were surely under way then, or had ended less than `ms` before. */
const near = (one: Made, ms: number, made: readonly Made[]): Made[] =>
  made.filter((other) => other.answeredMs < one.askedMs && other.endedMs > one.answeredMs - (ms - 1.5))

async function send(steps: readonly Step[], name: string, made: Made[]): Promise<void> {
  const budget = createSendBudget(store.call)
  const ask = async (how: Step['how'], asked: Asked): Promise<number> =>
    how === 'mayShow' ? ((await budget.mayShow(limits, asked)) ? 0 : Infinity) : await budget[how](limits, asked)
  for (const [n, { kind, how, lateMs, tookMs, told }] of steps.entries()) {
    const asked: Asked = { kind, id: `${name}/${n}` }
    for (let tries = 0; tries < 20; tries++) {
      const askedMs = performance.now()
      const waitMs = await ask(how, asked)
      const answeredMs = performance.now()
      if (waitMs === 0) {
        const call: Made = { kind, askedMs, answeredMs, endedMs: Infinity }
        made.push(call)
        await sleep(tookMs)
        call.endedMs = performance.now()
        budget.ended(limits, asked)
        if (told === 20) await budget.pause(limits, 'chat', 10)
        break
      }
      if (how !== 'acquire' || lateMs > 40) break
      await sleep(waitMs + lateMs)
    }
  }
}
