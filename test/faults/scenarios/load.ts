// Rows 45 and 47: ten thousand messages at once into one chat and over a thousand, and a worker told to stop with a hundred turns running.
import { startFleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'

const quietBoundMs = 10_000
const maxRssMb = 400

export const bursts: readonly Scenario[] = [burst('burst-one-chat', 1), burst('burst-thousand-chats', 1000)]

function burst(name: string, chats: number): Scenario {
  return {
    name,
    rows: [45],
    async run(note) {
      await using fleet = await startFleet({ leaseMs: 3000, ledger: 'counters' })
      const roles = await Promise.all(['router', 'executor', 'executor'].map((role) => fleet.start(role)))
      const messages = 10_000
      const ackMs: number[] = []
      const startedAtMs = Date.now()
      let quietMs = 0
      let peakMb = 0
      for (let n = 0; n < messages; n += 100) {
        const batch = Array.from({ length: 100 }, async (_, i) => {
          const atMs = Date.now()
          await fleet.ask(`b${(n + i) % chats}`, `what is number ${n + i}?`)
          ackMs.push(Date.now() - atMs)
        })
        await Promise.all(batch)
        if (n === 5000) {
          const quiet = await fleet.ask('quiet', 'what is it like to be alone?')
          void fleet.answered(60_000, [quiet]).then(
            () => (quietMs = Date.now() - quiet.atMs),
            () => (quietMs = Infinity),
          )
        }
        peakMb = Math.max(peakMb, ...roles.map((role) => role.rssMb()))
      }
      const sentMs = Date.now() - startedAtMs
      await fleet.answered(180_000)
      peakMb = Math.max(peakMb, ...roles.map((role) => role.rssMb()))
      const allMs = Date.now() - startedAtMs
      const p95 = percentile(ackMs, 0.95)
      await expectInvariants(fleet, { extraModelCalls: 0 })
      const { requests } = await fleet.model.counters()
      note(
        `${messages} messages into ${chats} chats in ${sentMs} ms (p95 ack ${p95} ms), all answered after ${allMs} ms with ` +
          `${requests} calls; a quiet chat after ${quietMs} ms; peak ${peakMb} MB`,
      )
      assert(p95 < 3000, `p95 ack ${p95} ms`)
      assert(quietMs > 0 && quietMs < quietBoundMs, `the quiet chat waited ${quietMs} ms`)
      assert(peakMb < maxRssMb, `a process took ${peakMb} MB`)
    },
  }
}

export const shutdown: Scenario = {
  name: 'shutdown',
  rows: [47],
  async run(note) {
    await using fleet = await startFleet({ leaseMs: 3000 })
    await fleet.start('router')
    const stopping = await fleet.start('executor')
    const turns = 100
    await fleet.model.script({ gate: { name: 'late', afterChunks: 1 } })
    for (let n = 0; n < turns; n++) await fleet.ask(`s${n}`, `what is shutting down ${n}?`)
    await fleet.model.asked(turns)
    await fleet.pause(300)
    const atMs = Date.now()
    const code = await stopping.stop()
    const tookMs = Date.now() - atMs
    const leases = await fleet.redis.admin.keys('fl:{p*}:lease:*')
    const counted = await Promise.all(
      (await fleet.redis.admin.keys('fl:{p*}:r:*')).map((key) => fleet.redis.admin.hexists(key, 'starts')),
    )
    const stalls = counted.reduce((sum, one) => sum + one, 0)
    await fleet.model.clearScript()
    await fleet.start('executor')
    await fleet.answered(20_000)
    await expectInvariants(fleet, { extraModelCalls: turns })
    note(
      `${turns} turns running: exit code ${code} after ${tookMs} ms, ${leases.length} leases kept, ${stalls} counted as a crash`,
    )
    assert(code === 0 && tookMs <= 25_000, `exit code ${code} after ${tookMs} ms`)
    assert(leases.length === 0, `${leases.length} leases were not given back`)
    assert(stalls === 0, `${stalls} turns count as crashed`)
  },
}
