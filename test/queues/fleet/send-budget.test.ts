// Facts about the send budget on a real Redis: never more than a window allows, in the order of asking, drafts only where there is room.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  createSendBudget,
  type Bucket,
  type CallKind,
  type SendBudget,
  type SendLimits,
} from '#queues/fleet/send-budget.ts'
import { openStore, type Store } from '#test/rig/store.ts'

let store: Store
let budget: SendBudget
beforeAll(async () => {
  store = await openStore({ patienceMs: 500 })
})
beforeEach(async () => {
  await store.server.admin.flushall()
  budget = createBudget()
})
afterAll(() => store.stop())

/** Of a process that ends with its test: calls that no test has ended are renewed no more. */
function createBudget(aheadMs?: number): SendBudget {
  let isOver = false
  onTestFinished(() => void (isOver = true))
  return createSendBudget(async (...args) => (isOver ? 0 : await store.call(...args)), aheadMs)
}

const wide = { count: 1000, perMs: 1000 }
const limits = (more: Partial<SendLimits> = {}): SendLimits => ({
  bot: 'telegram:1',
  chat: 'telegram:7',
  perBot: [wide],
  perChat: [wide],
  cosmetics: [wide],
  ...more,
})

const acquire = (to: SendLimits, id: string): Promise<number> => budget.acquire(to, { kind: 'send', id })
const mayShow = (to: SendLimits, kind: CallKind, id: string): Promise<boolean> => budget.mayShow(to, { kind, id })
const mayEdit = (to: SendLimits, id: string): Promise<boolean> => mayShow(to, 'edit', id)
const mayType = (to: SendLimits, id: string): Promise<boolean> => mayShow(to, 'typing', id)

test('gives each row the next free permit and keeps it for the row', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 1000 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  const second = await acquire(slow, 'b:1')
  const third = await acquire(slow, 'c:1')
  expect(second).toBeGreaterThan(900)
  expect(third - second).toBeGreaterThan(950)
  expect(await acquire(slow, 'b:1')).toBeLessThanOrEqual(second)
  expect(await acquire(slow, 'd:1')).toBeGreaterThan(third)
})

test('every sender counts against the bot, each chat against itself', async () => {
  const chat = (name: string): SendLimits =>
    limits({ chat: name, perBot: [{ count: 3, perMs: 2000 }], perChat: [{ count: 2, perMs: 5000 }] })
  expect(await acquire(chat('telegram:1'), 'a:1')).toBe(0)
  expect(await acquire(chat('telegram:1'), 'b:1')).toBe(0)
  expect(await acquire(chat('telegram:1'), 'c:1')).toBeGreaterThan(4900)
  expect(await acquire(chat('telegram:2'), 'd:1')).toBe(0)
  const waits = await acquire(chat('telegram:3'), 'e:1')
  expect(waits).toBeGreaterThan(1500)
  expect(waits).toBeLessThanOrEqual(2200)
})

test('a flood never exceeds a window, and wastes no more than a tenth of it', async () => {
  const tight = limits({ perBot: [{ count: 20, perMs: 500 }] })
  // Each was let go between its last question and the answer, which may come late on a busy machine.
  const askedAtMs: number[] = []
  const sentAtMs: number[] = []
  const startedAtMs = performance.now()
  let lateMs = 0
  await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const own = { ...tight, chat: `telegram:${n % 40}` }
      for (let waitMs = 1, dueAtMs = Infinity; waitMs > 0;) {
        const atMs = performance.now()
        waitMs = await acquire(own, `r${n}:1`)
        lateMs = Math.max(lateMs, performance.now() - dueAtMs)
        dueAtMs = atMs + waitMs
        if (waitMs > 0) await sleep(waitMs)
        else askedAtMs.push(atMs)
      }
      sentAtMs.push(performance.now())
    }),
  )
  askedAtMs.sort((a, b) => a - b)
  sentAtMs.sort((a, b) => a - b)
  // Who comes late for a permit still has it, and is by so much nearer to those behind it.
  for (let n = 20; n < sentAtMs.length; n++) {
    expect((sentAtMs[n] ?? 0) - (askedAtMs[n - 20] ?? 0)).toBeGreaterThan(490 - lateMs)
  }
  // What is due in one moment goes in three parts, within half a window.
  expect(performance.now() - startedAtMs).toBeLessThan(4 * 500 * 1.2 + 250 + lateMs)
})

test('a sender that is busy comes late for all its permits, and loses none of its time by that', async () => {
  const [rows, count, perMs, handledMs] = [200, 20, 500, 14]
  const waiting = Array.from({ length: rows }, (_, n) => ({ id: `r${n}:1`, dueMs: 0 }))
  // Each was let go between its last question and the answer, which may come late on a busy machine.
  const sent: { readonly askedMs: number; readonly answeredMs: number }[] = []
  let asked = 0
  // It handles one after another: those that come for the first time first, so that those whose time has come are late.
  while (waiting.length > 0 && asked < 4 * rows) {
    const one = waiting.toSorted((a, b) => a.dueMs - b.dueMs)[0]
    if (!one) break
    await sleep(Math.max(handledMs, one.dueMs - performance.now()))
    asked++
    const askedMs = performance.now()
    const waitMs = await acquire(limits({ chat: one.id, perBot: [{ count, perMs }] }), one.id)
    const answeredMs = performance.now()
    one.dueMs = answeredMs + waitMs
    if (waitMs > 0) continue
    sent.push({ askedMs, answeredMs })
    waiting.splice(waiting.indexOf(one), 1)
  }
  // Each is handled when it comes and when it may go, and about every other one a third time.
  expect(waiting).toEqual([])
  for (let n = count; n < rows; n++)
    expect((sent[n]?.answeredMs ?? 0) - (sent[n - count]?.askedMs ?? 0)).toBeGreaterThan(perMs * 0.98)
})

test('a draft is shown only where nothing waits, and within its share', async () => {
  const group = limits({ perChat: [{ count: 4, perMs: 60_000 }], cosmetics: [{ count: 2, perMs: 60_000 }] })
  expect(await mayEdit(group, 'd1')).toBe(true)
  expect(await mayEdit(group, 'd2')).toBe(true)
  expect(await mayEdit(group, 'd3')).toBe(false)
  expect(await acquire(group, 'a:1')).toBe(0)
  expect(await acquire(group, 'b:1')).toBe(0)
  expect(await acquire(group, 'c:1')).toBeGreaterThan(50_000)
  expect(await mayEdit({ ...group, cosmetics: [wide] }, 'd4')).toBe(false)
})

test('that a reply is written is shown once in four seconds a chat, for half of the permits, and not into a pause', async () => {
  const few = (chat: string): SendLimits => limits({ chat, perBot: [{ count: 4, perMs: 60_000 }] })
  expect(await mayType(few('telegram:1'), 'one topic')).toBe(true)
  expect(await mayType(few('telegram:1'), 'another topic')).toBe(false)
  await budget.pause(few('telegram:9'), 'chat', 5000)
  expect(await mayType(few('telegram:9'), 'paused')).toBe(false)
  expect(await mayType(few('telegram:2'), 'another chat')).toBe(true)
  expect(await mayType(few('telegram:3'), 'beyond the half')).toBe(false)
  expect(await acquire(few('telegram:3'), 'a:1')).toBe(0)
  expect(await acquire(few('telegram:3'), 'b:1')).toBe(0)
  expect(await acquire(few('telegram:3'), 'c:1')).toBeGreaterThan(0)
  expect(await mayType(limits({ chat: 'telegram:5' }), 'again')).toBe(true)
  budget.ended(limits({ chat: 'telegram:5' }), { kind: 'typing', id: 'again' })
  await sleep(4100)
  expect(await mayType(limits({ chat: 'telegram:5' }), 'after four seconds')).toBe(true)
})

test('that the bot types counts in its chat with all else', async () => {
  const group = limits({ perChat: [{ count: 2, perMs: 60_000 }] })
  expect(await mayType(group, 'typing')).toBe(true)
  expect(await acquire(group, 'a:1')).toBe(0)
  expect(await acquire(group, 'b:1')).toBeGreaterThan(50_000)
  const other = limits({ chat: 'telegram:8', perChat: [{ count: 1, perMs: 60_000 }] })
  expect(await acquire(other, 'c:1')).toBe(0)
  expect(await mayType(other, 'no room')).toBe(false)
})

test('calls of a kind share a bucket beside what their chat may do, or in place of what the bot may', async () => {
  const bucket = (name: string): Bucket => ({ name, perChat: [{ count: 1, perMs: 60_000 }] })
  const byRoute = limits({ buckets: { send: bucket('send'), edit: bucket('edit') } })
  expect(await acquire(byRoute, 'a:1')).toBe(0)
  expect(await acquire(byRoute, 'b:1')).toBeGreaterThan(50_000)
  expect(await budget.acquire(byRoute, { kind: 'edit', id: 'c:1' })).toBe(0)
  expect(await acquire({ ...byRoute, chat: 'telegram:8' }, 'd:1')).toBe(0)
  const perBot = [{ count: 1, perMs: 60_000 }]
  const byMethod = (chat: string): SendLimits =>
    limits({ bot: 'feishu:1', chat, buckets: { send: { name: 'send', perBot }, edit: { name: 'edit', perBot } } })
  expect(await acquire(byMethod('feishu:1'), 'a:1')).toBe(0)
  expect(await acquire(byMethod('feishu:2'), 'b:1')).toBeGreaterThan(10_000)
  expect(await budget.acquire(byMethod('feishu:2'), { kind: 'edit', id: 'c:1' })).toBe(0)
})

test('a cosmetic call is told when there may be room, and is promised nothing', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 1000 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  for (const id of ['x', 'y']) {
    const waitMs = await budget.acquireCosmetic(slow, { kind: 'edit', id })
    expect(waitMs).toBeGreaterThan(900)
    expect(waitMs).toBeLessThanOrEqual(1072)
  }
  const answerMs = await acquire(slow, 'b:1')
  expect(answerMs).toBeLessThanOrEqual(1072)
  // The answer goes first.
  expect(await budget.acquireCosmetic(slow, { kind: 'edit', id: 'x' })).toBeGreaterThan(answerMs + 900)
})

test('for a minute after a pause its chat goes half as fast and shows nothing in the making; others do as ever', async () => {
  const chat = (name: string): SendLimits => limits({ chat: name, perChat: [{ count: 4, perMs: 4000 }] })
  await budget.pause(chat('telegram:7'), 'chat', 200)
  expect(await budget.acquireCosmetic(chat('telegram:7'), { kind: 'edit', id: 'x' })).toBeGreaterThan(0)
  await sleep(250)
  expect(await budget.isOpen(chat('telegram:7'))).toBe(true)
  expect(await mayEdit(chat('telegram:7'), 'y')).toBe(false)
  expect(await mayType(chat('telegram:7'), 'z')).toBe(false)
  expect(await acquire(chat('telegram:7'), 'a:1')).toBe(0)
  // Taking buttons away waits for its turn as well.
  expect(await budget.acquireCosmetic(chat('telegram:7'), { kind: 'edit', id: 'w' })).toBeGreaterThan(1900)
  const second = await acquire(chat('telegram:7'), 'b:1')
  const third = await acquire(chat('telegram:7'), 'c:1')
  expect(second).toBeGreaterThan(1900)
  expect(third - second).toBeGreaterThan(1900)
  for (const id of ['d:1', 'e:1', 'f:1']) expect(await acquire(chat('telegram:8'), id)).toBe(0)
  expect(await mayType(chat('telegram:8'), 'typing')).toBe(true)
  const ttlMs = await store.server.admin.pttl('fl:{send:telegram:1}:wide:telegram:7')
  expect(ttlMs).toBeGreaterThan(55_000)
  expect(ttlMs).toBeLessThanOrEqual(60_200)
  // The minute is over.
  await store.server.admin.del('fl:{send:telegram:1}:wide:telegram:7')
  expect(await mayEdit(limits(), 'again')).toBe(true)
})

test('a pause of the whole bot makes no chat slower after it', async () => {
  await budget.pause(limits(), 'bot', 100)
  expect(await acquire(limits(), 'a:1')).toBeGreaterThan(0)
  await sleep(150)
  for (const id of ['a:1', 'b:1']) expect(await acquire(limits(), id)).toBe(0)
  expect(await mayEdit(limits(), 'x')).toBe(true)
})

test('a chat told to wait is left alone, others are not, and a shorter wait does not end a longer one', async () => {
  await budget.pause(limits(), 'chat', 5000)
  await budget.pause(limits(), 'chat', 100)
  expect(await acquire(limits(), 'a:1')).toBeGreaterThan(4500)
  expect(await budget.isOpen(limits())).toBe(false)
  expect(await budget.isOpen(limits({ chat: 'telegram:8' }))).toBe(true)
  expect(await acquire(limits({ chat: 'telegram:8' }), 'b:1')).toBe(0)
  await budget.pause(limits(), 'bot', 3000)
  expect(await acquire(limits({ chat: 'telegram:8' }), 'c:1')).toBeGreaterThan(2500)
})

test('keeps the permit of who comes late for it', async () => {
  const slow = limits({ perBot: [{ count: 1, perMs: 100 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  expect(await acquire(slow, 'b:1')).toBeGreaterThan(0)
  expect(await acquire(slow, 'c:1')).toBeGreaterThan(100)
  await sleep(700)
  expect(await acquire(slow, 'd:1')).toBe(0)
  // It goes next, and not in the same moment.
  const waitMs = await acquire(slow, 'b:1')
  expect(waitMs).toBeLessThanOrEqual(101)
  await sleep(waitMs)
  expect(await acquire(slow, 'b:1')).toBe(0)
})

test('a call that is under way counts as sent now, and once it has ended by when it did', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 200 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  await sleep(300)
  // Nobody knows whether it has arrived.
  expect(await mayType(slow, 'typing')).toBe(false)
  expect(await acquire(slow, 'b:1')).toBeGreaterThan(190)
  expect(await acquire(limits({ ...slow, chat: 'telegram:8' }), 'c:1')).toBe(0)
  await sleep(250)
  const waitMs = await acquire(slow, 'b:1')
  expect(waitMs).toBeGreaterThan(150)
  budget.ended(slow, { kind: 'send', id: 'a:1' })
  await sleep(waitMs)
  // The end reached Redis a little after the wait was told.
  const restMs = await acquire(slow, 'b:1')
  expect(restMs).toBeLessThan(100)
  await sleep(restMs)
  expect(await acquire(slow, 'b:1')).toBe(0)
  // It asks again before it sends, and does not stand in its own way.
  expect(await acquire(slow, 'b:1')).toBe(0)
})

test('a call whose sender fell silent stops nobody for longer than three seconds', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 100 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  await sleep(200)
  expect(await mayEdit(slow, 'd1')).toBe(false)
  const { admin } = store.server
  const key = 'fl:{send:telegram:1}:underway:telegram:7'
  expect(await admin.pttl(key)).toBeLessThanOrEqual(3000)
  await admin.zadd(key, String(Number(await admin.zscore(key, 'a:1')) - 3000), 'a:1')
  await sleep(150)
  expect(await mayEdit(slow, 'd1')).toBe(true)
})

test('a call that takes long holds its chat until it ends', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 100 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  await sleep(4500)
  expect(await acquire(slow, 'b:1')).toBeGreaterThan(90)
  budget.ended(slow, { kind: 'send', id: 'a:1' })
  await sleep(250)
  expect(await acquire(slow, 'b:1')).toBe(0)
})

test('who comes late goes without the margin, and not sooner than the window has it', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 60_000 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  budget.ended(slow, { kind: 'send', id: 'a:1' })
  expect(await acquire(slow, 'b:1')).toBeGreaterThan(64_000)
  // Almost a minute goes by.
  const { admin } = store.server
  const [sent, promised] = ['fl:{send:telegram:1}:sent:chat:telegram:7', 'fl:{send:telegram:1}:chat:telegram:7']
  await admin.zincrby(sent, -59_950, 'a:1')
  await admin.zincrby(promised, -65_000, 'b:1')
  const waitMs = await acquire(slow, 'b:1')
  expect(waitMs).toBeGreaterThan(0)
  expect(waitMs).toBeLessThanOrEqual(51)
})

test('a part of a millisecond that is still to be waited is no permit', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 60_000 }], cosmetics: [{ count: 1, perMs: 60_000 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  expect(await acquire(slow, 'b:1')).toBeGreaterThan(60_000)
  const { admin } = store.server
  const promised = 'fl:{send:telegram:1}:chat:telegram:7'
  // It comes in the last millisecond before its time, whenever that is.
  for (let n = 0; n < 50; n++) {
    const [seconds, micros] = await admin.time()
    await admin.zadd(promised, String(Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) + 0.7), 'b:1')
    expect(await acquire(slow, 'b:1')).toBeGreaterThan(0)
  }
})

test('who is late for a permit hides nothing that was sent since', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 200 }] })
  expect(await acquire(slow, 'a:1')).toBe(0)
  budget.ended(slow, { kind: 'send', id: 'a:1' })
  expect(await acquire(slow, 'late:1')).toBeGreaterThan(0)
  await sleep(500)
  expect(await acquire(slow, 'b:1')).toBe(0)
  const waitMs = await acquire(slow, 'c:1')
  expect(waitMs).toBeGreaterThan(100)
  expect(waitMs).toBeLessThanOrEqual(215)
  expect(await mayEdit(slow, 'd')).toBe(false)
})

test('those who all come late for their permits exceed no window together, and wait no longer than for that', async () => {
  const tight = limits({ perBot: [{ count: 5, perMs: 300 }] })
  const ids = Array.from({ length: 20 }, (_, n) => `r${n}:1`)
  for (const id of ids) await acquire(tight, id)
  // The process stood still, as on a busy machine, until the time of each was over.
  await sleep(1500)
  const askedAtMs: number[] = []
  const grantedAtMs: number[] = []
  const startedAtMs = performance.now()
  await Promise.all(
    ids.map(async (id) => {
      for (let waitMs = 1; waitMs > 0; await sleep(waitMs)) {
        const atMs = performance.now()
        waitMs = await acquire(tight, id)
        if (waitMs === 0) askedAtMs.push(atMs)
      }
      grantedAtMs.push(performance.now())
    }),
  )
  askedAtMs.sort((a, b) => a - b)
  grantedAtMs.sort((a, b) => a - b)
  // Each was let go between its last question and the answer.
  for (let n = 5; n < ids.length; n++) expect((grantedAtMs[n] ?? 0) - (askedAtMs[n - 5] ?? 0)).toBeGreaterThan(290)
  expect(performance.now() - startedAtMs).toBeLessThan(3 * 300 * 1.5)
})

test('what it keeps ends by itself', async () => {
  const slow = limits({ perChat: [{ count: 1, perMs: 100 }], perBot: [], cosmetics: [] })
  for (const id of ['a:1', 'b:1', 'c:1']) await acquire(slow, id)
  const keys = await store.server.admin.keys('*send*')
  const ttlsMs = await Promise.all(keys.map((key) => store.server.admin.pttl(key)))
  expect(ttlsMs).toHaveLength(3)
  for (const ttlMs of ttlsMs) expect(ttlMs).toBeGreaterThan(0)
  for (const ttlMs of ttlsMs) expect(ttlMs).toBeLessThan(20_000)
})

test('where all chats together want too much, permits are promised for a while ahead, and what came last goes first', async () => {
  const few = createBudget(10_000)
  const chat = (n: number): SendLimits => limits({ chat: `telegram:${n}`, perBot: [{ count: 1, perMs: 1000 }] })
  const startedAtMs = Date.now() - 60_000
  for (let n = 0; n < 40; n++) await few.acquire(chat(n), { kind: 'send', id: `r${n}`, cameAtMs: startedAtMs + n })
  const key = 'fl:{send:telegram:1}:'
  const promised = await store.server.admin.zcard(`${key}bot`)
  expect(promised).toBeGreaterThan(9)
  expect(promised).toBeLessThan(13)
  // Three permits are free again: not for a notice, nor for what many are newer than, but for the newest that waits, and for what is new.
  const last = await store.server.admin.zrange(`${key}bot`, '-3', '-1')
  await store.server.admin.zrem(`${key}bot`, ...last)
  expect(await few.acquire(chat(20), { kind: 'send', id: 'r20', cameAtMs: startedAtMs + 20 })).toBeGreaterThan(10_000)
  expect(await few.acquireForNotice(chat(41), 'notice')).toBeGreaterThan(4000)
  expect(await store.server.admin.zscore(`${key}bot:refused`, 'notice')).toBeNull()
  for (const lost of ['r20', 'notice']) expect(await store.server.admin.zscore(`${key}bot`, lost)).toBeNull()
  await few.acquire(chat(39), { kind: 'send', id: 'r39', cameAtMs: startedAtMs + 39 })
  await few.acquire(chat(42), { kind: 'send', id: 'new' })
  for (const won of ['r39', 'new']) expect(await store.server.admin.zscore(`${key}bot`, won)).not.toBeNull()
  expect(await store.server.admin.zscore(`${key}bot:refused`, 'r39')).toBeNull()
})

/** Sets Redis' clock back by moving what is stored. */
async function setClockBack(ms: number): Promise<void> {
  const { admin } = store.server
  for (const key of await admin.keys('*send*')) {
    if ((await admin.type(key)) !== 'zset') {
      await admin.pexpire(key, (await admin.pttl(key)) + ms)
      continue
    }
    const all = await admin.zrange(key, '0', '-1', 'WITHSCORES')
    for (let i = 0; i < all.length; i += 2) await admin.zadd(key, String(Number(all[i + 1]) + ms), all[i] ?? '')
  }
}

test('Redis’ clock that is set back silences nobody for longer than those before take, or than a pause', async () => {
  const tight = (n: number): SendLimits =>
    limits({ chat: `telegram:${n}`, perBot: [{ count: 5, perMs: 167 }], perChat: [{ count: 1, perMs: 1000 }] })
  for (let n = 0; n < 10; n++) await acquire(tight(n), `r${n}`)
  await budget.pause(tight(99), 'chat', 5000)
  await setClockBack(3_600_000)
  expect(await acquire(tight(77), 'new')).toBeLessThanOrEqual(2 * 179)
  expect(await acquire(tight(1), 'again')).toBeLessThanOrEqual(1072)
  expect(await acquire(tight(99), 'paused')).toBeLessThanOrEqual(5000)
  expect(await store.server.admin.pttl('fl:{send:telegram:1}:pause:telegram:99')).toBeLessThanOrEqual(5000)
})

test.each([60_000, 300_000])('nor does one that is set back by %d ms, less than a row may wait', async (backMs) => {
  const tight = limits({ perBot: [{ count: 5, perMs: 167 }], perChat: [{ count: 1, perMs: 1000 }] })
  expect(await acquire(tight, 'sent:1')).toBe(0)
  expect(await acquire(tight, 'promised:1')).toBeGreaterThan(0)
  await setClockBack(backMs)
  expect(await acquire(tight, 'promised:1')).toBeLessThanOrEqual(1072)
  expect(await acquire(tight, 'new:1')).toBeLessThanOrEqual(2144)
})

test('Redis’ clock that is set back by some ms forgets nothing that was sent', async () => {
  const slow = limits({ perBot: [{ count: 2, perMs: 1000 }], perChat: [{ count: 2, perMs: 1000 }] })
  for (const id of ['a:1', 'b:1']) expect(await acquire(slow, id)).toBe(0)
  await setClockBack(50)
  expect(await acquire(slow, 'c:1')).toBeGreaterThan(900)
  expect(await acquire({ ...slow, chat: 'telegram:8' }, 'd:1')).toBeGreaterThan(900)
})
