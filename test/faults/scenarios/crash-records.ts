// A turn is to be learned from once it has ended, and whoever ends it, reads its record or brings what came of that is killed right before and right
// after each unit on the way: it is said once. A record that ends its reader each time is passed over, and the next one comes.
import { shownIn } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { partitions } from '#queues/partition.ts'

const env = { SAMPLE_FEATURE: '1' }
const roles = 'router,executor,reflection'
const waitMs = 30_000
/** How often each unit is called: for the turn, for its record, and for the letter that comes of it. */
const points = { append: 3, start: 1, pass: 1, giveOut: 1, receive: 1, acknowledge: 1 }
const learned = (what: string): string => `Learned: ${what} `

export const crashRecords: Scenario = {
  name: 'crash-records',
  rows: [1, 4],
  async run(note) {
    await using fleet = await startFleet()
    const places: string[] = []
    for (const [unit, count] of Object.entries(points))
      for (let n = 1; n <= count; n++)
        for (const side of ['before', 'after']) {
          const place = `${unit}-${side}-${n}`
          await crash(fleet, place, `${unit}:${side}:${n}`)
          places.push(place)
        }
    await poison(fleet)
    // Whatever else is to come has come by then.
    await fleet.pause(3000)
    for (const place of places) assert((await count(fleet, place, learned(place))) === 1, `${place} was learned again`)
    await expectInvariants(fleet, { extraModelCalls: places.length, otherTexts: true })
    note(`${places.length} kills between a turn and what was made of it: each was learned once`)
    note('a record that killed its reader three times was passed over')
  },
}

async function crash(fleet: Fleet, place: string, at: string): Promise<void> {
  const crashing = await fleet.start(roles, { ...env, CRASH_AT: at })
  const follower = crashing.ended.then(async ({ signal }) => {
    assert(signal === 'SIGKILL', `${at}: the process ended by ${signal}`)
    return await fleet.start(roles, env)
  })
  await fleet.ask(place, `Learn ${place}`)
  await until(fleet, place, learned(place))
  const next = await Promise.race([follower, fleet.pause(3000)])
  assert(next !== undefined, `the process never reached ${at}:\n${crashing.tail()}`)
  await next.kill()
}

/** Three readers in a row die of one record; the fourth passes over it, and takes what comes behind. */
async function poison(fleet: Fleet): Promise<void> {
  const calm = await fleet.start('router,executor', env)
  for (const what of ['poison', 'medicine']) await fleet.answered(waitMs, [await fleet.ask('ill', `Learn ${what}`)])
  for (let died = 1; died <= 3; died++) {
    const dying = await fleet.start('reflection', { ...env, CRASH_READING: 'poison' })
    const { signal } = await dying.ended
    assert(signal === 'SIGKILL', `reader ${died} ended by ${signal}`)
  }
  await fleet.start('reflection', { ...env, CRASH_READING: 'poison' })
  await until(fleet, 'ill', learned('medicine'))
  assert((await count(fleet, 'ill', learned('poison'))) === 0, 'what killed its readers was learned')
  const looks = await Promise.all(
    Array.from({ length: partitions }, (_, partition) => fleet.kernel.lookAtRecords(partition)),
  )
  const aside = looks.reduce((sum, look) => sum + (look.aside['notes.learn'] ?? 0), 0)
  assert(aside === 1, `${aside} records were set aside`)
  await calm.stop()
}

const count = async (fleet: Fleet, chat: string, text: string): Promise<number> =>
  (await shownIn(fleet, chat)).filter((shown) => shown.text.startsWith(text)).length

async function until(fleet: Fleet, chat: string, text: string): Promise<void> {
  for (const endMs = Date.now() + waitMs; (await count(fleet, chat, text)) === 0; await fleet.pause(50))
    assert(Date.now() < endMs, `${chat}: nobody said "${text}" within ${waitMs} ms`)
}
