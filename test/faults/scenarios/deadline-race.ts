// Row 39: more than a thousand cards on Telegram, Discord and the web are pressed around the moment in which their deadlines pass: questions, choices,
// and calls to be approved, by their person or by an owner for a member. Each ends once, as an answer or as expired, and its presser, its card, Redis,
// what the bot says then and what was called say the same. A press after the end is told so and changes nothing.
import {
  choosing,
  countEffects,
  deletingOf,
  openService,
  scriptAsking,
  toOwners,
  writingOf,
  type CardKind,
  type Service,
} from '#test/faults/rig/asking-cards.ts'
import { scriptNotes } from '#test/faults/rig/cards.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import {
  askMany,
  askOwner,
  inParts,
  pressOnce,
  shownAs,
  stateOf,
  toPeople,
  type OpenCard,
  type ShownCard,
} from '#test/faults/rig/many-cards.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const crowd = { telegram: 900, discord: 50, web: 50 }
const choosers = { telegram: 60, discord: 20, web: 20 }
const firstChooser = 3001
const approvers = { telegram: 60, discord: 20, web: 20 }
const firstApprover = 4001
const calls = 100
/** Who is asked for a member, one thing at a time: the first of the owners. */
const owner = 4000
const member = 5001
const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** The first deadline comes so long after the clock was moved. */
const aheadMs = 5000
/** A press is made at most so much before the deadline, and after it: there, most expire before they are pressed. */
const earlyMs = 800
const lateMs = 1000
const wonNotice = /^(Got it\.|won|)$/
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/
const alreadyMine = /^(Got it\.|already|)$/

type Stage = { readonly fleet: Fleet; readonly service: Service; readonly clock: MovingClock }
type Pressed = { readonly open: OpenCard; readonly notice: string; readonly atMs: number }

export const deadlineRace: Scenario = {
  name: 'deadline-race',
  rows: [39],
  async run(note) {
    using clock = startMovingClock()
    await using service = await openService()
    const env = { SAMPLE_FEATURE: '1', ...service.env }
    await using fleet = await startFleet({ clock, telegram: true, discord: true, env })
    await startAll(fleet, service)
    const stage = { fleet, service, clock }
    const cards = await askAll(stage)
    const firstMs = Math.min(...cards.map(({ dueMs }) => dueMs))
    clock.step(firstMs - clock.now() - aheadMs)

    const pressed = await Promise.all(cards.map((open) => pressAround(clock, open)))
    await inParts(pressed, (one) => expectOneEnd(stage, one))
    const races = [...Map.groupBy(pressed, ({ open }) => open.kind.button)].map(([name, some]) =>
      expectBothEnds(name, some),
    )
    await inParts(
      pressed.filter((_, i) => i % 10 === 0 || i >= cards.length - 2),
      pressAgain,
    )
    // Whatever would be said or made twice has been by then.
    await fleet.pause(1500)
    await inParts(pressed, (one) => expectOneEnd(stage, one))
    const broken = await checkInvariants(fleet.redis.admin)
    assert(broken.length === 0, `broken: ${broken.join(', ')}`)
    const close = pressed.filter(({ open, atMs }) => Math.abs(open.dueMs - atMs) < 50).length
    note(`${cards.length} cards pressed around their deadline, ${close} within 50 ms of it: ${races.join('; ')}`)
  },
}

async function startAll(fleet: Fleet, service: Service): Promise<void> {
  await scriptNotes(fleet)
  await scriptAsking(fleet, service, calls + 2)
  const env = await toOwners(fleet, {
    telegram: [owner, ...toPeople(approvers, 'telegram', firstApprover)],
    discord: [owner, ...toPeople(approvers, 'discord', firstApprover)],
  })
  const roles = ['router', 'executor', 'executor', 'telegram', 'discord', 'web']
  await Promise.all(roles.map((role) => fleet.start(role, env)))
  await fleet.discord?.connected()
}

/** The calls come last and wait a day, the others a week: all are due within half a minute. */
async function askAll({ fleet, clock }: Stage): Promise<readonly OpenCard[]> {
  const now = (): number => clock.now()
  const questions = [
    ...(await askMany(fleet, crowd)),
    ...(await askMany(fleet, choosers, { kind: choosing, from: firstChooser })),
  ]
  const firstMs = Math.min(...questions.map(({ dueMs }) => dueMs))
  assert(firstMs > now() + weekMs - 300_000, 'a deadline is less than a week away')
  clock.step(weekMs - dayMs)
  const kind = (nth: number): CardKind => deletingOf(`entry-${nth}`)
  const once = await askMany(fleet, approvers, { kind, from: firstApprover })
  const twice = await inParts(once, (open) => pressOnce(fleet, open))
  const owners: OpenCard[] = []
  for (const [nth, channel] of (['telegram', 'discord'] as const).entries()) {
    const [home, place] = [await directPlace(fleet, channel, member), await directPlace(fleet, channel, owner)]
    owners.push(await askOwner(fleet, { home, place, kind: writingOf(`entry-${calls + nth}`) }))
  }
  return [...questions, ...twice, ...owners]
}

async function pressAround(clock: MovingClock, open: OpenCard): Promise<Pressed> {
  const atMs = open.dueMs - earlyMs + Math.random() * (earlyMs + lateMs)
  await new Promise((resolve) => void setTimeout(resolve, atMs - clock.now()))
  const pressed = await open.place.press(open.card, open.data)
  return { open, notice: await pressed.notice(), atMs }
}

/** What its presser was told, what Redis has of it, what is shown and said, and what was called are one and the same end. */
async function expectOneEnd({ fleet, service }: Stage, { open, notice, atMs }: Pressed): Promise<void> {
  const { place, kind } = open
  const hasWon = wonNotice.test(notice)
  assert(!hasWon || atMs <= open.dueMs, `${place.conversation}: a press won ${atMs - open.dueMs} ms too late`)
  assert(hasWon || outOfDate.test(notice), `${place.conversation}: the presser is told "${notice}"`)
  // How often the bot says that it goes on with an answer, and without one.
  const answered = hasWon && kind.answered !== undefined ? 1 : 0
  const goneOn = !hasWon && kind.goesOn !== undefined ? 1 : 0
  const hasEnded = (card: ShownCard): boolean =>
    (hasWon ? card.hasWon : card.isOver) && card.answered >= answered && card.goneOn >= goneOn
  const ended = await eventually(
    async () => [await shownAs(open)].find(hasEnded),
    async () => `${place.conversation}: after "${notice}" is shown ${JSON.stringify(await shownAs(open))}`,
    60_000,
  )
  const isOneEnd = ended.hasWon === hasWon && ended.isOver !== hasWon && ended.texts.length === open.texts + 1
  const isSaidOnce = ended.copies === 0 && ended.answered === answered && ended.goneOn === goneOn
  assert(
    isOneEnd && isSaidOnce && ended.buttons.length === 0,
    `${place.conversation}: after "${notice}" is shown ${JSON.stringify(ended)}`,
  )
  const state = await stateOf(fleet, open)
  assert(state === (hasWon ? 'answered' : null), `${place.conversation}: after "${notice}" Redis says ${state}`)
  if (kind.entry === undefined) return
  const made = countEffects(service, kind.entry)
  assert(made === (hasWon ? 1 : 0), `${place.conversation}: after "${notice}" its call was made ${made} times`)
}

/** Both were many, else nothing raced. Resolves with how many of them won. */
function expectBothEnds(button: string, pressed: readonly Pressed[]): string {
  const won = pressed.filter(({ notice }) => wonNotice.test(notice)).length
  const few = Math.floor(pressed.length / 20)
  assert(won >= few && won <= pressed.length - few, `of ${pressed.length} presses of ${button} ${won} won`)
  return `${button} won ${won} of ${pressed.length}`
}

async function pressAgain({ open, notice }: Pressed): Promise<void> {
  const again = await (await open.place.press(open.card, open.data)).notice()
  const wanted = wonNotice.test(notice) ? alreadyMine : outOfDate
  assert(wanted.test(again), `${open.place.conversation}: after "${notice}" the next press is told "${again}"`)
}
