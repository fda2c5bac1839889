// Rows 2, 3 and 8: a router killed with a thousand messages on their way, executors killed while the model streams, an executor that
// was paused for longer than its lease and comes back.
import { startFleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'

export const routerKilled: Scenario = {
  name: 'router-killed',
  rows: [2],
  async run(note) {
    await using fleet = await startFleet()
    await fleet.start('executor')
    let router = await fleet.start('router')
    const messages = 1000
    let kills = 0
    for (let n = 0; n < messages; n++) {
      await fleet.ask(`r${n % 100}`, `what is message ${n}?`)
      if (n % 200 === 199) {
        await router.kill()
        kills += 1
        router = await fleet.start('router')
      }
    }
    await fleet.answered(60_000)
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(`${messages} messages, ${kills} kills of the router`)
  },
}

/** SIGKILL while the model streams: one repeated call, no partial text, and an answer within the bound. */
export function executorKilledMidStream(how: {
  readonly name: string
  readonly leaseMs: number
  readonly kills: number
  readonly boundMs: number
}): Scenario {
  return {
    name: how.name,
    rows: [3],
    async run(note) {
      await using fleet = await startFleet({ leaseMs: how.leaseMs })
      await fleet.start('router')
      let next = await fleet.start('executor')
      const tookMs: number[] = []
      for (let n = 1; n <= how.kills; n++) {
        const gate = `gate-${n}`
        await fleet.model.script({ gate: { name: gate, afterChunks: 2 }, times: 1 })
        const before = (await fleet.model.counters()).requests
        const asked = await fleet.ask(`k${n}`, `what is streaming number ${n} of this test?`)
        await fleet.model.asked(before + 1)
        await fleet.pause(60)
        const [victim] = [next]
        // The next one is there already, as in a fleet of several: recovery is the lease's end, the sweep and the call.
        next = await fleet.start('executor')
        const killedAtMs = Date.now()
        await victim.kill()
        await fleet.model.open(gate)
        await fleet.answered(30_000, [asked])
        tookMs.push(Date.now() - killedAtMs)
        const calls = (await fleet.model.counters()).requests - before
        assert(calls === 2, `kill ${n}: ${calls} model calls instead of 2`)
      }
      await expectInvariants(fleet, { extraModelCalls: how.kills })
      const p95 = percentile(tookMs, 0.95)
      note(
        `${how.kills} kills, lease ${how.leaseMs} ms: recovery p50 ${percentile(tookMs, 0.5)}, p95 ${p95}, worst ${Math.max(...tookMs)} ms`,
      )
      assert(p95 <= how.boundMs, `recovery p95 ${p95} ms, more than ${how.boundMs} ms`)
    },
  }
}

export const zombie: Scenario = {
  name: 'zombie',
  rows: [8],
  async run(note) {
    await using fleet = await startFleet()
    await fleet.start('router')
    const paused = await fleet.start('executor')
    const gates = ['z1', 'z2', 'z3']
    const asked = []
    for (const [i, gate] of gates.entries()) {
      await fleet.model.script({ gate: { name: gate, afterChunks: 1 }, times: 1, when: { text: `zombie ${i}` } })
      asked.push(await fleet.ask(`z${i}`, `what is zombie ${i} doing?`))
    }
    await fleet.model.asked(gates.length)
    await fleet.pause(100)
    paused.freeze()
    await fleet.start('executor')
    await fleet.pause(fleet.leaseMs * 2)
    await fleet.answered(15_000)
    // It wakes up with complete answers to all it asked for, and leases long gone.
    await fleet.model.open(...gates)
    paused.thaw()
    await fleet.pause(1500)
    assert(paused.isRunning(), `the paused process died:\n${paused.tail()}`)
    const again = await Promise.all(gates.map((_, i) => fleet.ask(`z${i}`, `and what is zombie ${i} doing now?`)))
    await fleet.answered(15_000, again)
    await expectInvariants(fleet, { extraModelCalls: gates.length })
    note(
      `${asked.length} conversations taken from a process paused for ${fleet.leaseMs * 2} ms; nothing it wrote counted`,
    )
  },
}

export const capFreed: Scenario = {
  name: 'cap-freed',
  rows: [3],
  async run(note) {
    await using fleet = await startFleet({ env: { FLOTILLA_MODEL_CONCURRENCY: '2' } })
    await fleet.start('router')
    const victim = await fleet.start('executor')
    await fleet.model.script({ gate: { name: 'full', afterChunks: 1 } })
    await Promise.all([fleet.ask('full-1', 'what fills the first place?'), fleet.ask('full-2', 'and the second?')])
    await fleet.model.asked(2)
    await fleet.start('executor')
    const killedAtMs = Date.now()
    await victim.kill()
    await fleet.model.clearScript()
    await fleet.answered(12_000)
    await expectInvariants(fleet, { extraModelCalls: 2 })
    note(`both permits under the cap belonged to the dead: answered after ${Date.now() - killedAtMs} ms`)
  },
}
