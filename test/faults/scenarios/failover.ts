// Redis moves to its replica under load while the old primary lives on and keeps its connections. Nothing accepted is lost, nothing
// is answered twice, and every process finds the new primary by itself.
import { findFreePort } from '#test/rig/redis.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { startReplica } from '#test/rig/redis-replica.ts'
import { startFleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

const chats = 20
const recoveryMs = 10_000

export const failover: Scenario = {
  name: 'failover',
  rows: [12],
  async run(note) {
    const redisPort = await findFreePort()
    await using proxy = await startProxy(redisPort)
    await using fleet = await startFleet({
      redisPort,
      redisUrl: proxy.url,
      ownUrl: proxy.url,
      telegram: true,
      leaseMs: 3000,
    })
    await using replica = await startReplica(fleet.redis)
    const roles = await Promise.all(['router', 'executor', 'web', 'telegram'].map((name) => fleet.start(name)))
    await fleet.model.latency(200)
    const load = (when: string) =>
      Promise.all(
        Array.from({ length: chats }, async (_, i) => {
          await fleet.askWeb(`f${i}`, `what was it ${when} in ${i}?`)
          await fleet.askTelegram(600 + i, `what was it ${when} in ${i}?`)
        }),
      )
    await load('before')
    const during = load('during')
    await fleet.pause(100)
    proxy.moveTo(replica.redis.port)
    await replica.failOver()
    const movedAtMs = Date.now()
    await during
    await load('after')
    await fleet.answered(recoveryMs + 20_000)
    const tookMs = Date.now() - movedAtMs
    assert(tookMs < recoveryMs, `all was answered only ${tookMs} ms after the failover`)
    for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    const unknown = await expectInvariants(fleet, { extraModelCalls: fleet.talk.asked.size })
    note(`${fleet.talk.asked.size} messages over a failover, all answered ${tookMs} ms after it, ${unknown} unknown`)
  },
}
