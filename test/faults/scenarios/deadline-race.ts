// Row 39: a thousand cards on Telegram, Discord and the web are pressed around the moment in which their deadlines pass. Each ends once, as an
// answer or as expired, and its presser, its card and Redis say the same. A press after the end is told so and changes nothing.
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { askMany, dropped, inParts, over, shownAs, stateOf, type OpenCard } from '#test/faults/rig/many-cards.ts'
import { eventually } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const crowd = { telegram: 900, discord: 50, web: 50 }
const weekMs = 7 * 86_400_000
/** The first deadline comes so long after the clock was moved. */
const aheadMs = 5000
/** A press is made at most so much before the deadline, and after it: there, most expire before they are pressed. */
const earlyMs = 800
const lateMs = 1000
const wonNotice = /^(Got it\.|won|)$/
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/
const alreadyMine = /^(Got it\.|already|)$/

type Pressed = { readonly open: OpenCard; readonly notice: string; readonly atMs: number }

export const deadlineRace: Scenario = {
  name: 'deadline-race',
  rows: [39],
  async run(note) {
    using clock = startMovingClock()
    await using fleet = await startFleet({ clock, telegram: true, discord: true, env: { SAMPLE_FEATURE: '1' } })
    await scriptNotes(fleet)
    const roles = ['router', 'executor', 'executor', 'telegram', 'discord', 'web']
    await Promise.all(roles.map((role) => fleet.start(role)))
    await fleet.discord?.connected()
    const cards = await askMany(fleet, crowd, () => clock.now())
    const firstMs = Math.min(...cards.map(({ dueMs }) => dueMs))
    assert(firstMs > clock.now() + weekMs - 300_000, 'a deadline is less than a week away')
    clock.step(firstMs - clock.now() - aheadMs)

    const pressed = await Promise.all(cards.map((open) => pressAround(clock, open)))
    const won = pressed.filter(({ notice }) => wonNotice.test(notice)).length
    await inParts(pressed, (one) => expectOneEnd(fleet, one))
    // Both ends were many, else nothing raced.
    assert(won > 50 && won < cards.length - 50, `${won} of ${cards.length} presses won`)
    await inParts(
      pressed.filter((_, i) => i % 10 === 0),
      pressAgain,
    )
    await inParts(pressed, (one) => expectOneEnd(fleet, one))
    await fleet.pause(1500)
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    const close = pressed.filter(({ open, atMs }) => Math.abs(open.dueMs - atMs) < 50).length
    note(
      `${cards.length} cards pressed around their deadline, ${close} within 50 ms of it: ${won} answered, the others expired`,
    )
  },
}

async function pressAround(clock: MovingClock, open: OpenCard): Promise<Pressed> {
  const atMs = open.dueMs - earlyMs + Math.random() * (earlyMs + lateMs)
  await new Promise((resolve) => void setTimeout(resolve, atMs - clock.now()))
  const pressed = await open.place.press(open.card, open.data)
  return { open, notice: await pressed.notice(), atMs }
}

/** What its presser was told, what Redis has of it and what is shown are one and the same end. */
async function expectOneEnd(fleet: Fleet, { open, notice, atMs }: Pressed): Promise<void> {
  const hasWon = wonNotice.test(notice)
  assert(!hasWon || atMs <= open.dueMs, `${open.place.conversation}: a press won ${atMs - open.dueMs} ms too late`)
  assert(hasWon || outOfDate.test(notice), `${open.place.conversation}: the presser is told "${notice}"`)
  const text = hasWon ? dropped : over
  const ended = await eventually(
    async () => [await shownAs(open)].find((card) => card.text !== card.texts[0]),
    async () => `after "${notice}" a card shows ${JSON.stringify(await shownAs(open))}`,
    60_000,
  )
  const isShownOnce = ended.text === text && ended.texts.length === 2 && ended.copies === 0
  assert(
    isShownOnce && ended.buttons.length === 0,
    `${open.place.conversation}: after "${notice}" is shown ${JSON.stringify(ended)}`,
  )
  const state = await stateOf(fleet, open)
  assert(state === (hasWon ? 'answered' : null), `${open.place.conversation}: after "${notice}" Redis says ${state}`)
}

async function pressAgain({ open, notice }: Pressed): Promise<void> {
  const again = await (await open.place.press(open.card, open.data)).notice()
  const wanted = wonNotice.test(notice) ? alreadyMine : outOfDate
  assert(wanted.test(again), `${open.place.conversation}: after "${notice}" the next press is told "${again}"`)
}
