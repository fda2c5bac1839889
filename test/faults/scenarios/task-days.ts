// Rows 40 and 41 for tasks, on Telegram and the web: a checkpoint is pressed after all were killed and seven days have passed; others lie open until their month
// is over while everything is away, and each task is then paused, told once, and gone on with when somebody says so.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { guideOrder, parts, scriptGuide } from '#test/faults/rig/guide.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { directPlace, findCard } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const dayMs = 86_400_000
const paused = 'is paused: nobody answered for 30 days'
const [first, second, third] = parts

export const taskDays: Scenario = {
  name: 'task-days',
  rows: [40, 41],
  async run(note) {
    using clock = startMovingClock()
    await using fleet = await startFleet({ clock, telegram: true })
    await scriptGuide(fleet)
    await startAll(fleet)
    const places = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((nth) => directPlace(fleet, nth % 2 === 0 ? 'telegram' : 'web', 400 + nth)),
    )
    await Promise.all(places.map((place) => place.command(guideOrder)))
    for (const place of places) await heard(place, first)

    await Promise.all(fleet.roles.map((role) => role.kill()))
    clock.step(7 * dayMs)
    await startAll(fleet)
    const [early, late] = [places.slice(0, 2), places.slice(2)]
    for (const place of early) await pressOn(place)
    for (const place of early) await heard(place, second)
    for (const place of late) assert(!(await says(place, paused)), `${place.conversation} is paused after 7 days`)

    const old = await Promise.all(late.map((place) => findCard(place, 'Continue')))
    await Promise.all(fleet.roles.map((role) => role.stop()))
    clock.step(25 * dayMs)
    const backMs = Date.now()
    await startAll(fleet)
    for (const place of late) await heard(place, paused)
    const tookMs = Date.now() - backMs
    for (const place of early)
      assert(!(await says(place, paused)), `${place.conversation} is paused before its month is over`)
    // A press on the card of before changes nothing.
    for (const [at, place] of late.entries()) {
      const card = old[at]
      if (card) await (await place.press(card.id, card.data)).notice()
    }
    await fleet.pause(3000)
    for (const place of late) assert((await count(place, paused)) === 1, `${place.conversation} is told more than once`)
    for (const place of late)
      assert(!(await says(place, second)), `${place.conversation} went on by a card that was over`)

    for (const place of late) await place.command('task 1 resume')
    for (const place of late) await heard(place, 'Task #1 goes on')
    for (const place of late) await pressOn(place)
    for (const place of late) await heard(place, second)
    for (const place of places) await pressOn(place)
    for (const place of places) await heard(place, third)
    for (const place of places) await pressOn(place)
    for (const place of places) await heard(place, parts.join('\n\n'))
    await fleet.pause(1500)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    for (const place of places) await expectNoneOpen(fleet, place)
    note(
      `${early.length} checkpoints pressed after a crash and 7 days; ${late.length} over after 32 days, told once ${tookMs} ms after the return; all went on to their end`,
    )
  },
}

const startAll = async (fleet: Fleet): Promise<void> =>
  void (await Promise.all(['router', 'executor', 'telegram', 'web'].map((role) => fleet.start(role))))

async function pressOn(place: Place): Promise<void> {
  const { id, data } = await findCard(place, 'Continue')
  const pressed = await place.press(id, data)
  await pressed.notice()
  await eventually(
    async () => (await place.said()).find((card) => card.id === id && card.buttons.length === 0),
    `the card has its buttons still in ${place.conversation}`,
  )
}

const count = async (place: Place, text: string): Promise<number> =>
  (await place.said()).filter((card) => card.text.includes(text)).length
const says = async (place: Place, text: string): Promise<boolean> => (await count(place, text)) > 0

const heard = async (place: Place, text: string): Promise<unknown> =>
  await eventually(
    async () => (await says(place, text)) || undefined,
    async () => `nobody said "${text}" in ${place.conversation}: ${JSON.stringify(await place.said())}`,
    30_000,
  )

/** A task that is done asks nothing more. */
async function expectNoneOpen({ kernel }: Fleet, { conversation }: Place): Promise<void> {
  const { cards } = await kernel.findCards(conversation, [])
  assert(cards.length === 0, `${conversation} still asks ${cards.length} things`)
}
