// Units under a network that loses replies, delays them, cuts or goes silent: nothing doubled, nothing lost, all settles.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLedger, driveEvent } from '#test/rig/kernel-drive.ts'
import { checkInvariants } from '#test/rig/oracle.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { startRedis, type PrivateRedis } from '#test/rig/redis.ts'
import { messageEvent, turnDecision } from '#test/contracts/kernel-fixtures.ts'
import { openRedisKernel } from '#test/rig/store.ts'

const silenceMs = 200
const conversations = Array.from({ length: 8 }, (_, i) => `telegram:loss${i}`)

let server: PrivateRedis
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())
beforeEach(async () => void (await server.admin.flushall()))

describe('units whose replies are lost', { timeout: 60_000 }, () => {
  for (const mode of ['cut-after-request', 'lose-replies', 'cut', 'swallow', 'delay'] as const) {
    it(`neither double nor lose anything while every call meets "${mode}" for a while`, async () => {
      await using proxy = await startProxy(server.port)
      const opened = await openRedisKernel(proxy.url, { patienceMs: 20_000, silenceMs })
      const drive = { kernel: opened.kernel, ledger: createLedger() }
      const faults = new AbortController()
      // Work goes on for as long as the faults do, however fast the machine is.
      const work = conversations.map(async (conversation) => {
        let n = 0
        while (!faults.signal.aborted) await driveEvent(drive, conversation, ++n)
        await driveEvent(drive, conversation, ++n)
        return n
      })
      const losing = mode === 'cut-after-request' || mode === 'lose-replies'
      for (let round = 0; round < (losing ? 5 : 3); round++) {
        await sleep(40)
        const { lostReplies } = proxy.counts()
        proxy.set(mode, silenceMs + 100)
        await sleep(400)
        if (losing) await expect.poll(() => proxy.counts().lostReplies, { timeout: 8000 }).toBeGreaterThan(lostReplies)
        proxy.set('pass')
      }
      faults.abort()
      const counts = await Promise.all(work)
      expect(proxy.counts().connections).toBeGreaterThan(2)
      for (const [i, conversation] of conversations.entries()) {
        const expected = Array.from({ length: counts[i] ?? 0 }, (_, n) => `turn${n + 1}-reply`)
        expect(drive.ledger.sent.get(conversation)).toEqual(expected)
      }
      expect(await checkInvariants(server.admin)).toEqual([])
      const left = await opened.kernel.claim(conversations[0] ?? '', 'last', 1000)
      expect(left).toMatchObject({ kind: 'CLAIMED', attempts: 1, pending: [], routedSeq: counts[0] })
      opened.close()
    })
  }

  it('counts one start when the replies of a claim were lost again and again', async () => {
    await using proxy = await startProxy(server.port)
    const { kernel, close } = await openRedisKernel(proxy.url, { patienceMs: 20_000, silenceMs })
    const event = messageEvent('telegram:claim', 1)
    await kernel.ingest({ event, dedupeKey: 'k', stop: 'none', echo: false })
    await kernel.route(event.conversation, 0, [turnDecision])
    proxy.set('cut-after-request')
    const claim = kernel.claim(event.conversation, 'w1', 60_000)
    await expect.poll(() => proxy.counts().lostReplies, { timeout: 8000 }).toBeGreaterThanOrEqual(4)
    proxy.set('pass')
    expect(await claim).toMatchObject({ kind: 'CLAIMED', attempts: 1, pending: [{ seq: 1 }] })
    close()
  })

  it('answers within the patience given when Redis stays silent', async () => {
    await using proxy = await startProxy(server.port)
    const { kernel, close } = await openRedisKernel(proxy.url, { patienceMs: 500, silenceMs })
    proxy.set('swallow')
    const event = messageEvent('telegram:silent', 1)
    const startedAtMs = performance.now()
    const refused = kernel.ingest({ event, dedupeKey: 'k', stop: 'none', echo: false })
    await expect(refused).rejects.toMatchObject({ code: 'store-unavailable', retry: { afterMs: 200 } })
    expect(performance.now() - startedAtMs).toBeLessThan(500 + 2 * silenceMs + 300)
    proxy.set('pass')
    await expect
      .poll(() => kernel.inbox(event.conversation, 1), { timeout: 3000 })
      .toEqual({ routedSeq: 0, events: [] })
    close()
  })

  it('goes on over a Redis that was killed and came back with its append-only file', async () => {
    await using own = await startRedis({ aof: true })
    const opened = await openRedisKernel(own.url, { patienceMs: 20_000, silenceMs })
    const drive = { kernel: opened.kernel, ledger: createLedger() }
    const work = conversations.map(async (conversation) => {
      for (let n = 1; n <= 60; n++) await driveEvent(drive, conversation, n)
    })
    await sleep(60)
    await own.restart()
    await Promise.all(work)
    expect(await checkInvariants(own.admin)).toEqual([])
    for (const conversation of conversations) expect(new Set(drive.ledger.sent.get(conversation)).size).toBe(60)
    opened.close()
  })
})
