// Who has nothing to do does nothing: of many executors beside many idle conversations each renews one key a second, and looks now and then whether
// work was forgotten.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

const executors = 16
const conversations = 10_000
const watchedMs = 60_000
/** Of a core, each. */
const mostShare = 0.01

export const idleFleet: Scenario = {
  name: 'idle-fleet',
  rows: ['liveness'],
  async run(note) {
    await using fleet = await startFleet({ ledger: 'counters', leaseMs: 3000 })
    await fleet.start('router')
    for (let n = 0; n < executors; n++) await fleet.start('executor')
    for (let n = 0; n < conversations; n += 100) {
      const some = Array.from({ length: 100 }, (_, i) => fleet.ask(`idle-${n + i}`, 'what is here?'))
      await fleet.answered(60_000, await Promise.all(some))
    }
    await fleet.pause(15_000)
    const before = await look(fleet)
    await fleet.pause(watchedMs)
    const after = await look(fleet)
    const seconds = (after.atMs - before.atMs) / 1000
    const shares = after.cpuMs.map((ms, i) => (ms - (before.cpuMs[i] ?? 0)) / (seconds * 1000))
    const perSecond = (after.commands - before.commands) / seconds / shares.length
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    note(
      `${executors} executors, ${conversations} idle conversations: ${(mean * 100).toFixed(2)} % of a core each, ` +
        `${(Math.max(...shares) * 100).toFixed(2)} % at most; ${perSecond.toFixed(1)} commands a second each`,
    )
    assert(mean <= mostShare, `an idle process takes ${(mean * 100).toFixed(2)} % of a core`)
  },
}

async function look(fleet: Fleet): Promise<{ atMs: number; commands: number; cpuMs: readonly number[] }> {
  const stats = await fleet.redis.admin.info('stats')
  const commands = Number(/total_commands_processed:(\d+)/.exec(stats)?.[1])
  return { atMs: performance.now(), commands, cpuMs: fleet.roles.map((child) => child.cpuMs()) }
}
