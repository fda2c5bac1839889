// A machine whose clock is nine hours ahead: an executor and a channel's process on it change no history, no day of a budget and no
// hint, and neither do those with a right clock after it.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'

const hourMs = 3_600_000
const aheadMs = 9 * hourMs

export const clockAhead: Scenario = {
  name: 'clock-ahead',
  rows: ['clock'],
  async run(note) {
    // Nine hours on it is another day, whenever this runs.
    const hours = (20 - new Date().getUTCHours() + 24) % 24
    const timeZone = hours > 12 ? `Etc/GMT+${24 - hours}` : `Etc/GMT-${hours}`
    await using fleet = await startFleet({
      telegram: true,
      env: { FLOTILLA_TIME_ZONE: hours === 0 ? 'UTC' : timeZone },
    })
    using clock = startMovingClock(aheadMs)
    const wrong = clock.env
    await Promise.all([fleet.start('router'), fleet.start('telegram', wrong)])
    const said: string[] = []
    let requests = 0
    for (const env of [{}, wrong, {}]) {
      const executor = await fleet.start('executor', env)
      for (const place of ['web', 'telegram']) {
        const text = 'what is remembered?'
        const asked = place === 'web' ? await fleet.ask('c', text) : await fleet.askTelegram(7, text)
        said.push(asked.text)
        await fleet.answered(15_000, [asked])
      }
      await expectRemembered(fleet, said, (requests += 2))
      assert((await executor.stop()) === 0, `an executor did not end in order:\n${executor.tail()}`)
    }
    const days = (await fleet.redis.admin.keys('fl:{model}:????-??-??')).length
    assert(days === 1, `tokens were counted on ${days} days`)
    await expectHintsFound(fleet, wrong)
    await expectInvariants(fleet, { extraModelCalls: 0 })
    note(`${said.length} turns by executors of two clocks: each saw all before it, on one day`)
  },
}

/** The last two requests hold all that was said before in their conversation. */
async function expectRemembered(fleet: Fleet, said: readonly string[], requests: number): Promise<void> {
  const { entries } = await fleet.model.asked(requests)
  for (const [i, entry] of entries.slice(-2).entries()) {
    const seen = JSON.stringify(entry.messages)
    const missing = said.filter((_, place) => place % 2 === i).filter((text) => !seen.includes(text))
    assert(missing.length === 0, `a turn knew nothing of ${missing.length} earlier messages: ${missing.join(', ')}`)
  }
}

/** A lost hint is found while the queue holds others, added by a process with the wrong clock. */
async function expectHintsFound(fleet: Fleet, wrong: Readonly<Record<string, string>>): Promise<void> {
  const router = fleet.roles.find(({ name }) => name === 'router')
  await router?.kill()
  await fleet.start('router', wrong)
  const lost = await fleet.ask('lost', 'what is lost?')
  const queue = 'fl:{execute}:execute'
  await waitForJobs(fleet, 1)
  await fleet.redis.admin.del(`${queue}:wait`, `${queue}:de:${lost.conversation}`)
  // Work due within half a second of the next hint's is taken to have one behind it.
  await fleet.pause(700)
  await fleet.ask('hinted', 'what is hinted?')
  await waitForJobs(fleet, 2)
  await fleet.start('executor')
  await fleet.answered(15_000)
}

async function waitForJobs({ redis, pause }: Fleet, count: number): Promise<void> {
  const untilMs = Date.now() + 10_000
  while ((await redis.admin.llen('fl:{execute}:execute:wait')) < count) {
    assert(Date.now() < untilMs, `${count} hints were awaited in vain`)
    await pause(20)
  }
}
