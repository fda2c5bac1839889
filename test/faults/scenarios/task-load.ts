// Issue 43, must-show 4: three executors, and three hundred tasks of six steps at once beside twenty chat messages a second. Replies in chats come as
// before, the tasks are shared among the executors, and when two of these are killed all tasks come to their end.
import { crowdOrder, chatQuestion, openCrowdModel, openOutside } from '#test/faults/rig/crowd.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, createRandom, percentile, type Scenario } from '#test/faults/rig/scenario.ts'
import type { Asked } from '#test/faults/rig/transcripts.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const tasks = 300
const stepsEach = 6
const tasksOfChat = 3
const perSecond = 20
const measuredMs = 40_000
/** Chats that ask, each again after five seconds. */
const asking = 100
/** A model's answer takes so long; real ones take longer. */
const latencyMs = 1000
/** Places of an executor, as an operator sets them on a small machine. */
const places = 24
const mostRatio = 1.3
const patienceMs = 420_000

export const taskLoad: Scenario = {
  name: 'task-load',
  rows: ['must show 4'],
  async run(note) {
    const fails = { random: createRandom(1), shares: { model: 0, tool: 0 } }
    const outside = await openOutside(fails)
    const model = await openCrowdModel({ ...fails, latencyMs })
    try {
      await using fleet = await startFleet({
        ledger: 'counters',
        env: {
          OPENAI_BASE_URL: model.url,
          CROWD_ORIGIN: outside.origin,
          FLOTILLA_EXECUTOR_CONCURRENCY: String(places),
          FLOTILLA_ANSWER_BUTTONS: 'off',
        },
      })
      await Promise.all(['router', 'executor', 'executor', 'executor', 'web'].map((role) => fleet.start(role)))
      await chat(fleet, 5000)
      const before = await chat(fleet, measuredMs)
      await order(fleet)
      const during = await chat(fleet, measuredMs)
      const doneMeanwhile = outside.done()
      const shares = [...outside.workers().values()]
      const victims = fleet.roles.filter(({ name }) => name === 'executor').slice(0, 2)
      await Promise.all(victims.map((child) => child.kill()))
      await untilDone(fleet, outside)
      note(
        `chat replies: p50 ${percentile(before, 0.5)} ms, p99 ${percentile(before, 0.99)} ms without tasks; ` +
          `p50 ${percentile(during, 0.5)} ms, p99 ${percentile(during, 0.99)} ms beside ${tasks} of them`,
      )
      note(
        `${doneMeanwhile} of ${tasks * stepsEach} steps were done before two executors were killed, by each ${shares.join(', ')}`,
      )
      const ratio = percentile(during, 0.99) / percentile(before, 0.99)
      assert(doneMeanwhile < tasks * stepsEach, 'all tasks had ended before an executor was killed')
      assert(shares.length === 3 && Math.max(...shares) < 2 * Math.min(...shares), `not shared: ${shares.join(', ')}`)
      assert(outside.doubled().length === 0, `done twice: ${outside.doubled().slice(0, 10).join(', ')}`)
      assert(ratio <= mostRatio, `the p99 of chat replies is ${ratio.toFixed(2)} of what it is without tasks`)
      await fleet.pause(1500)
      const broken = await checkInvariants(fleet.redis.admin)
      assert(broken.length === 0, `broken: ${broken.slice(0, 10).join(', ')}`)
    } finally {
      await Promise.all([model.close(), outside.close()])
    }
  },
}

async function order(fleet: Fleet): Promise<void> {
  for (let n = 0; n < tasks; n += tasksOfChat) {
    const place = await directPlace(fleet, 'web', 500 + n)
    for (let own = 0; own < tasksOfChat; own++) await place.command(crowdOrder(n + own, stepsEach, 'without stopping'))
  }
}

/** How long each reply took. */
async function chat(fleet: Fleet, forMs: number): Promise<readonly number[]> {
  const asked: Asked[] = []
  const begunAtMs = Date.now()
  for (let n = 0; n < (forMs / 1000) * perSecond; n++) {
    const aheadMs = begunAtMs + (n * 1000) / perSecond - Date.now()
    if (aheadMs > 0) await fleet.pause(aheadMs)
    asked.push(await fleet.ask(`chat-${n % asking}`, `${chatQuestion} ${n}?`))
  }
  await fleet.answered(60_000, asked)
  return asked.map(({ id, atMs }) => (fleet.talk.answersTo(id)[0]?.atMs ?? Infinity) - atMs)
}

async function untilDone(fleet: Fleet, outside: Awaited<ReturnType<typeof openOutside>>): Promise<void> {
  for (const endMs = Date.now() + patienceMs; ; await fleet.pause(1000)) {
    const states = await fleet.redis.admin.keys('fl:{p*}:r:web:*')
    const slices = await Promise.all(states.map((key) => fleet.redis.admin.hget(key, 'f.tasks')))
    const done = slices.join('').split('"state":"COMPLETED"').length - 1
    if (done === tasks) return
    assert(Date.now() < endMs, `${done} of ${tasks} tasks are done, and ${outside.done()} of their steps`)
  }
}
