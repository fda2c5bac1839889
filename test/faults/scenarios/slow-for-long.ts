// For a minute everything is slow, and nobody is dead: Redis answers after half a second, or the machine has far too much to do. Work stays where it is.
import { spawn } from 'node:child_process'
import process from 'node:process'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import { readProcesses } from '#queues/fleet/process-key.ts'
import { startProxy } from '#test/rig/proxy.ts'
import { findFreePort } from '#test/rig/redis.ts'

const slowMs = 60_000
const roles = ['router', 'router', 'executor', 'executor', 'telegram', 'telegram', 'web']
const perSecond = 4
const chats = 40
const modelMs = 2000

/** Says something again and again until it is over, and waits for all answers. */
async function talkFor(fleet: Fleet, forMs: number): Promise<void> {
  const asked: Promise<unknown>[] = []
  const endMs = Date.now() + forMs
  for (let n = 0; Date.now() < endMs; n++) {
    const text = `what is message ${n}?`
    asked.push(n % 2 ? fleet.askTelegram(3000 + (n % chats), text) : fleet.ask(`s${n % chats}`, text))
    await fleet.pause(1000 / perSecond)
  }
  await Promise.all(asked)
}

/** `most`: of calls made twice, and of rows of which nobody knows. */
async function judge(fleet: Fleet, most: number, note: (line: string) => void): Promise<void> {
  await fleet.answered(90_000)
  await expectInvariants(fleet, { extraModelCalls: most, unknown: most })
  const { living } = await readProcesses(fleet.client)
  const lengthened = living.filter(({ lifeMs, usualMs }) => lifeMs > usualMs).length
  const waits = [...fleet.talk.asked.values()].flatMap((asked) => {
    const [answer] = fleet.talk.answersTo(asked.id)
    return answer ? [answer.atMs - asked.atMs] : []
  })
  note(
    `${fleet.talk.asked.size} messages answered, at most ${most} model calls repeated, ${lengthened} processes lengthened their key; ` +
      `wait p50 ${percentile(waits, 0.5)} ms, worst ${percentile(waits, 1)} ms`,
  )
  assert(lengthened <= most, `${lengthened} processes lengthened their key`)
}

export const slowForLong: readonly Scenario[] = [
  {
    name: 'redis-slow-for-a-minute',
    rows: ['liveness'],
    async run(note) {
      const redisPort = await findFreePort()
      await using proxy = await startProxy(redisPort)
      await using fleet = await startFleet({ telegram: true, leaseMs: 3000, redisPort, redisUrl: proxy.url })
      await Promise.all(roles.map((role) => fleet.start(role)))
      await fleet.model.script({ latencyMs: modelMs })
      await fleet.pause(3000)
      proxy.set('delay', 500)
      await talkFor(fleet, slowMs)
      proxy.set('pass')
      await judge(fleet, 0, note)
    },
  },
  {
    name: 'machine-full-for-a-minute',
    rows: ['liveness'],
    async run(note) {
      await using fleet = await startFleet({ telegram: true, leaseMs: 3000 })
      await Promise.all(roles.map((role) => fleet.start(role)))
      await fleet.model.script({ latencyMs: modelMs })
      const burning = Array.from({ length: 24 }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      )
      try {
        await talkFor(fleet, slowMs)
      } finally {
        for (const burner of burning) burner.kill('SIGKILL')
      }
      await judge(fleet, chats / 4, note)
    },
  },
]
