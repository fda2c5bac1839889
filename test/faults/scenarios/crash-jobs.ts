// A job comes of the record of a turn, and whoever writes it, hands it out, does it or ends it is killed right before and right after each unit on the
// way: it is said once.
import { shownIn } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'

const env = { SAMPLE_FEATURE: '1' }
/** What a dead process held is due after half a minute. */
const waitMs = 75_000
const units = ['pass', 'takeJobs', 'beginJob', 'endJob', 'receive'] as const
const learned = (what: string): string => `Learned: ${what} `

export const crashJobs: Scenario = {
  name: 'crash-jobs',
  rows: [1, 4],
  async run(note) {
    await using fleet = await startFleet()
    await fleet.start('router,executor', env)
    const places: string[] = []
    for (const unit of units)
      for (const side of ['before', 'after']) {
        // Those who look for jobs find none at first.
        const nth = unit === 'takeJobs' ? 193 : 1
        const place = `${unit}-${side}`
        await crash(fleet, place, `${unit}:${side}:${nth}`)
        places.push(place)
      }
    await fleet.pause(3000)
    for (const place of places) assert((await count(fleet, place)) === 1, `${place} was learned again`)
    const left = await countJobs(fleet)
    assert(left === 0, `${left} jobs are left`)
    await expectInvariants(fleet, { extraModelCalls: places.length, otherTexts: true })
    note(`${places.length} kills between a record and what its job led to: each was learned once`)
  },
}

/** Those of memory's entities wait for two quiet minutes, as they should. */
async function countJobs({ client }: Fleet): Promise<number> {
  const keys = await client.keys('fl:{p*}:jobs:reflection')
  const jobs = await Promise.all(keys.map(async (key) => await client.zrange(key, '0', '-1')))
  return jobs.flat().filter((job) => !job.includes('memory.entities')).length
}

async function crash(fleet: Fleet, place: string, at: string): Promise<void> {
  const crashing = await fleet.start('reflection', { ...env, CRASH_AT: at })
  await fleet.ask(place, `Study ${place}`)
  const { signal } = await Promise.race([crashing.ended, late(fleet, `the process never reached ${at}`)])
  assert(signal === 'SIGKILL', `${at}: the process ended by ${signal}`)
  const next = await fleet.start('reflection', env)
  for (const endMs = Date.now() + waitMs; (await count(fleet, place)) === 0; await fleet.pause(50))
    assert(Date.now() < endMs, `${place}: nothing was learned within ${waitMs} ms`)
  await next.kill()
}

async function late(fleet: Fleet, what: string): Promise<never> {
  await fleet.pause(waitMs)
  throw new Error(what)
}

const count = async (fleet: Fleet, chat: string): Promise<number> =>
  (await shownIn(fleet, chat)).filter(({ text }) => text.startsWith(learned(chat))).length
