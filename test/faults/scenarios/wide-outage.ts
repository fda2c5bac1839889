// Row 12 with many turns open: what waits for Redis to come back must not pile up. Longer than the kernel's patience of 30 s.
import { startFleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

const turns = 300
const downMs = 40_000
const maxGrowthMb = 50

export const wideOutage: Scenario = {
  name: 'redis-away-wide',
  rows: [12],
  async run(note) {
    await using fleet = await startFleet({ leaseMs: 3000, ledger: 'counters' })
    await fleet.start('router')
    const executor = await fleet.start('executor')
    await fleet.model.script({ gate: { name: 'wide', afterChunks: 1 } })
    for (let n = 0; n < turns; n++) await fleet.ask(`wide-${n}`, `what is open in ${n}?`)
    await fleet.model.asked(turns)
    await fleet.pause(1000)
    const before = executor.rssMb()
    await fleet.redis.kill()
    const seen: number[] = []
    for (const end = Date.now() + downMs; Date.now() < end; await fleet.pause(500)) seen.push(executor.rssMb())
    const peak = Math.max(...seen)
    await fleet.model.clearScript()
    await fleet.redis.restart()
    const backAtMs = Date.now()
    await fleet.answered(60_000)
    await expectInvariants(fleet, { extraModelCalls: turns })
    note(
      `${turns} turns open, Redis away ${downMs} ms: answered ${Date.now() - backAtMs} ms after; grew by ${peak - before} MB`,
    )
    assert(peak - before < maxGrowthMb, `the executor grew by ${peak - before} MB`)
  },
}
