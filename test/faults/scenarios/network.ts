// Rows 17, 18 and 36: connections that stay open and say nothing, replies that are lost after Redis did the work, a slow Redis before a
// platform that waits three seconds.
import { startFleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { findFreePort } from '#test/rig/redis.ts'

const detectionMs = 45_000

export const halfOpen: Scenario = {
  name: 'half-open',
  rows: [17],
  async run(note) {
    // All roles reach Redis through the proxy, the test itself does not.
    const redisPort = await findFreePort()
    await using proxy = await startProxy(redisPort)
    await using fleet = await startFleet({ telegram: true, redisPort, redisUrl: proxy.url })
    const roles = await Promise.all(['router', 'executor', 'web', 'telegram'].map((name) => fleet.start(name)))
    const ask = async (when: string): Promise<void> => {
      await Promise.all([
        fleet.ask('a', `what is open ${when}?`),
        fleet.askTelegram(71, `what is open ${when}?`),
        fleet.askWeb('b', `what is open ${when}?`),
      ])
    }
    await ask('before')
    await fleet.answered(10_000)
    // Every connection that stands now is dead for ever, and nobody is told.
    proxy.strand()
    const strandedAtMs = Date.now()
    await ask('meanwhile')
    await fleet.answered(detectionMs)
    const detectedMs = Date.now() - strandedAtMs
    // Not only detected: each queue works as before.
    for (let n = 0; n < 3; n++) {
      await ask(`after ${n}`)
      await fleet.answered(10_000)
    }
    for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    await expectInvariants(fleet, { extraModelCalls: 3 })
    note(`all connections dead at once: answered after ${detectedMs} ms`)
  },
}

export const repliesLost: Scenario = {
  name: 'replies-lost',
  rows: [18],
  async run(note) {
    await using fleet = await startFleet({ telegram: true })
    const every = {
      REPEAT_UNITS: 'ingest,route,claim,renew,append,release,begin,settle,resolve,gate,enter,draft,lease',
    }
    await Promise.all(['router', 'executor', 'executor', 'web', 'telegram'].map((name) => fleet.start(name, every)))
    await fleet.model.latency(100)
    for (let n = 0; n < 60; n++) {
      await Promise.all([fleet.askWeb(`l${n % 6}`, `what is ${n}?`), fleet.askTelegram(600 + (n % 6), `what is ${n}?`)])
    }
    await fleet.answered(60_000)
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(`every unit of ${fleet.talk.asked.size} messages carried out twice, as after a lost reply`)
  },
}

export const repliesCut: Scenario = {
  name: 'replies-cut',
  rows: [18],
  async run(note) {
    // All roles reach Redis through the proxy, the test itself does not.
    const redisPort = await findFreePort()
    await using proxy = await startProxy(redisPort)
    await using fleet = await startFleet({ telegram: true, redisPort, redisUrl: proxy.url })
    const roles = await Promise.all(['router', 'executor', 'web', 'telegram'].map((name) => fleet.start(name)))
    const end = Date.now() + 60_000
    for (let n = 0; Date.now() < end; n++) {
      proxy.set('cut-after-request')
      const asked = Promise.all([
        fleet.askWeb(`c${n % 5}`, `what is ${n}?`),
        fleet.askTelegram(650 + (n % 5), `what is ${n}?`),
      ])
      await fleet.pause(250)
      proxy.set('pass')
      await asked
      await fleet.pause(350)
    }
    await fleet.answered(60_000)
    for (const role of roles) assert(role.isRunning(), `${role.name} ended:\n${role.tail()}`)
    const unknown = await expectInvariants(fleet, { extraModelCalls: fleet.talk.asked.size })
    note(
      `${proxy.counts().lostReplies} replies lost in a minute, ${fleet.talk.asked.size} messages, ${unknown} unknown`,
    )
  },
}

export const slowRedis: Scenario = {
  name: 'slow-redis',
  rows: [36],
  async run(note) {
    // All roles reach Redis through the proxy, the test itself does not.
    const redisPort = await findFreePort()
    await using proxy = await startProxy(redisPort)
    await using fleet = await startFleet({ telegram: false, redisPort, redisUrl: proxy.url })
    const web = await fleet.start('web')
    proxy.set('delay', 2000)
    const tookMs: number[] = []
    const statuses = new Map<number, number>()
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        fleet.tryWeb('slow', `what is slow ${n}?`, (status, ms) => {
          tookMs.push(ms)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      ),
    )
    const worst = Math.max(...tookMs)
    proxy.set('pass')
    await Promise.all([fleet.start('router'), fleet.start('executor')])
    // Whoever was refused sends again with the same key.
    await Promise.all(tries.map((again) => again()))
    await fleet.answered(30_000)
    assert(web.isRunning(), `web ended:\n${web.tail()}`)
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(
      `Redis 2 s away: worst answer ${worst} ms, ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')}`,
    )
    assert(worst <= 3200, `an answer took ${worst} ms`)
    assert(
      [...statuses.keys()].every((status) => status === 202 || status === 503),
      'neither accepted nor refused',
    )
  },
}
