// A group's matter is asked in a direct chat, and whoever writes, carries or reads a letter is killed right before and right after each unit that it
// takes: the question is asked once, the answer comes to the group once.
import { pressIn, shownIn } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { expectInvariants } from '#test/faults/rig/oracle.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { message } from '#test/rig/events.ts'

const env = { SAMPLE_FEATURE: '1' }
const waitMs = 20_000
/** How often each unit is called: for the letter there and for the one back. */
const points = { append: 4, giveOut: 2, receive: 2, acknowledge: 2 }
const asked = 'Do you permit it (the door)?'
const told = 'Permitted: the door'

export const crashLetters: Scenario = {
  name: 'crash-letters',
  rows: [1],
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
    await fleet.start('router,executor', env)
    // Whatever else is to come has come by then.
    await fleet.pause(3000)
    for (const place of places) {
      assert((await count(fleet, `direct-${place}`, asked)) === 1, `${place}: the question was asked again`)
      assert((await count(fleet, `group-${place}`, told)) === 1, `${place}: the answer came again`)
    }
    await expectInvariants(fleet, { extraModelCalls: 0, otherTexts: true })
    note(`${places.length} kills on the way of two letters: each was done once`)
  },
}

async function crash(fleet: Fleet, place: string, at: string): Promise<void> {
  const crashing = await fleet.start('router,executor', { ...env, CRASH_AT: at })
  const follower = crashing.ended.then(async ({ signal }) => {
    assert(signal === 'SIGKILL', `${at}: the process ended by ${signal}`)
    return await fleet.start('router,executor', env)
  })
  await write(fleet, place)
  await until(fleet, `direct-${place}`, asked)
  assert((await pressIn(fleet, `direct-${place}`, 'Permit')).kind === 'WON', `${place}: the press did not win`)
  await until(fleet, `group-${place}`, told)
  const ended = await Promise.race([follower, fleet.pause(3000)])
  assert(ended !== undefined, `the process never reached ${at}:\n${crashing.tail()}`)
  await ended.kill()
}

/** The command in the group. */
async function write({ kernel, hints }: Fleet, place: string): Promise<void> {
  const conversation = `web:group-${place}`
  const command = { name: 'permit', args: `web:direct-${place} the door` }
  const event = message({
    id: `permit-${place}`,
    conversation,
    principal: 'web:owner',
    at: Date.now(),
    text: `/permit ${command.args}`,
    command,
  })
  await kernel.ingest({ event, dedupeKey: event.id, stop: 'none', echo: true })
  await hints.inbound(conversation)
}

const count = async (fleet: Fleet, chat: string, text: string): Promise<number> =>
  (await shownIn(fleet, chat)).filter((shown) => shown.text === text).length

async function until(fleet: Fleet, chat: string, text: string): Promise<void> {
  for (const endMs = Date.now() + waitMs; (await count(fleet, chat, text)) === 0; await fleet.pause(50))
    assert(Date.now() < endMs, `${chat}: nobody said "${text}" within ${waitMs} ms`)
}
