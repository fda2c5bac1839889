// Row 42: the only worker's clock is an hour ahead, or an hour behind, and then is set right. No deadline fires early and none more than five
// seconds late, of questions, choices and calls to be approved; a press counts until its deadline and not after it, no lease is taken from who
// holds it, and who dies is followed up in time.
import { choosing, deleting, openService, scriptAsking, toOwners } from '#test/faults/rig/asking-cards.ts'
import { scriptNotes } from '#test/faults/rig/cards.ts'
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { askMany, inParts, shownAs, stateOf, toPeople, type OpenCard } from '#test/faults/rig/many-cards.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const hourMs = 3_600_000
const crowd = { telegram: 20, web: 20 }
const approvers = { telegram: 10, web: 10 }
const firstApprover = 4001
/** The choice waits as long as the question, a week; the approval a day. */
const choosers = { telegram: 10, web: 10 }
const firstChooser = 3001
/** How long the last card still has when the days have passed: in that time nothing may fire early. */
const leftMs = 8000
const mostLateMs = 5000
const leaseMs = 1000
/** So long a turn takes that must stay with who began it. */
const turnMs = 4 * leaseMs
const recoveredMs = 12_000
const done = 'That took long.'
const wonNotice = /^(Got it\.|won)$/
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/

export const clockSkew: Scenario = {
  name: 'clock-skew',
  rows: [42],
  async run(note) {
    for (const skewMs of [hourMs, -hourMs]) note(await skewed(skewMs))
  },
}

async function skewed(skewMs: number): Promise<string> {
  using clock = startMovingClock()
  using wrong = startMovingClock(skewMs)
  await using service = await openService()
  const settings = { SAMPLE_FEATURE: '1', ...service.env }
  await using fleet = await startFleet({ clock, telegram: true, leaseMs, env: settings })
  await scriptNotes(fleet)
  await scriptAsking(fleet, service)
  const owners = await toOwners(fleet, { telegram: toPeople(approvers, 'telegram', firstApprover) })
  const env = { ...owners, ...wrong.env }
  // There is no other worker: who looks for deadlines has the wrong clock.
  const [worker] = await Promise.all(['router,executor', 'telegram', 'web'].map((roles) => fleet.start(roles, env)))
  assert(worker !== undefined, 'there is no worker')
  const clocks = { clock, wrong, skewMs }
  const calls = await askMany(fleet, approvers, { kind: deleting, from: firstApprover })
  const late = [await passDeadlines(fleet, clocks, calls)]
  const questions = [
    ...(await askMany(fleet, crowd)),
    ...(await askMany(fleet, choosers, { kind: choosing, from: firstChooser })),
  ]
  late.push(await passDeadlines(fleet, clocks, questions))
  assert(
    service.effects.length === 0,
    `${service.effects.length} calls were made that were asked about twice, and pressed once`,
  )
  const took = await expectLeases(fleet, worker, clocks)
  const broken = await checkInvariants(fleet.redis.admin)
  assert(broken.length === 0, `broken: ${broken.join(', ')}`)
  const passed = calls.length + questions.length
  return `a worker ${skewMs > 0 ? 'ahead' : 'behind'} by an hour: of ${passed} deadlines the latest ${Math.round(Math.max(...late))} ms late, followed up after ${took} ms`
}

/** Some are pressed a second before their deadline, and all others are over at it. How late the latest was, ms. */
async function passDeadlines(fleet: Fleet, { clock, wrong }: Clocks, cards: readonly OpenCard[]): Promise<number> {
  const firstMs = Math.min(...cards.map(({ dueMs }) => dueMs))
  const passMs = firstMs - clock.now() - leftMs
  for (const one of [clock, wrong]) one.step(passMs)

  const pressed = cards.filter((_, i) => i % 5 === 0)
  const left = cards.filter((_, i) => i % 5 > 0)
  const [won, lateMs] = await Promise.all([
    inParts(pressed, (open) => pressAt(clock, open, open.dueMs - 1000)),
    Promise.all(left.map((open) => untilOver(fleet, clock, open))),
  ])
  assert(
    won.every((notice) => wonNotice.test(notice)),
    `presses a second before the deadline are told ${won.join(' | ')}`,
  )
  const after = await inParts(left, (open) => pressAt(clock, open, 0))
  assert(
    after.every((notice) => outOfDate.test(notice)),
    `presses after it are told ${after.join()}`,
  )
  return Math.max(...lateMs)
}

async function pressAt(clock: MovingClock, open: OpenCard, atMs: number): Promise<string> {
  await new Promise((resolve) => void setTimeout(resolve, Math.max(0, atMs - clock.now())))
  return await (await open.place.press(open.card, open.data)).notice()
}

/** How late its card said that it was over, ms by the clock of Redis. */
async function untilOver(fleet: Fleet, clock: MovingClock, open: OpenCard): Promise<number> {
  const stillOpen = async (): Promise<number | undefined> => {
    const state = await stateOf(fleet, open)
    const nowMs = clock.now()
    // What has gone until now had gone before it was looked at.
    assert(state !== null || nowMs >= open.dueMs, `a question ended ${open.dueMs - nowMs} ms before its deadline`)
    if (state !== null) return undefined
    return (await shownAs(open)).isOver ? clock.now() - open.dueMs : undefined
  }
  const lateMs = await eventually(stillOpen, async () => `open: ${JSON.stringify(await shownAs(open))}`, 40_000)
  assert(lateMs <= mostLateMs, `a card was over ${lateMs} ms after its deadline`)
  return lateMs
}

type Clocks = { readonly clock: MovingClock; readonly wrong: MovingClock; readonly skewMs: number }

/** A worker with the right clock beside it: none takes the other's turn, also while a clock is set right, and either follows up the other. */
async function expectLeases(fleet: Fleet, worker: Child, { wrong, skewMs }: Clocks): Promise<number> {
  await fleet.model.script({ when: { text: 'what takes long?' }, answer: { kind: 'text', text: done } })
  await fleet.model.latency(turnMs)
  const right = await fleet.start('router,executor')
  const before = (await fleet.model.counters()).requests
  const chats = await inParts([1, 2, 3, 4, 5, 6], (n) => directPlace(fleet, 'telegram', 900 + n))
  await inParts(chats, (place) => place.say('what takes long?'))
  await fleet.model.asked(before + chats.length)
  // The machine that is behind hears the right time. One that is ahead is slowed down, and not set back.
  if (skewMs < 0) wrong.step(-skewMs)
  await inParts(chats, (place) => untilDone(place))
  const { requests } = await fleet.model.counters()
  assert(requests === before + chats.length, `${chats.length} turns asked the model ${requests - before} times`)

  // Who is not to take the turn is frozen until it is taken.
  worker.freeze()
  const first = await takenBy(fleet, right, 951)
  worker.thaw()
  const firstMs = await killed(right, first)
  const second = await takenBy(fleet, worker, 952)
  await fleet.start('router,executor')
  return Math.max(firstMs, await killed(worker, second))
}

/** A turn that this process has begun. */
async function takenBy(fleet: Fleet, holder: Child, who: number): Promise<Place> {
  const place = await directPlace(fleet, 'telegram', who)
  await place.say('what takes long?')
  const isHeld = (): boolean => holder.holds().some(({ what, of }) => what === 'lease' && of === place.conversation)
  await eventually(async () => (isHeld() ? true : undefined), `${holder.name} did not take the turn`)
  return place
}

/** How long after its end another process took up its turn, ms, as its answer tells. */
async function killed(holder: Child, place: Place): Promise<number> {
  await holder.kill()
  const atMs = performance.now()
  await untilDone(place, recoveredMs + turnMs)
  return Math.max(0, Math.round(performance.now() - atMs - turnMs))
}

async function untilDone(place: Place, timeoutMs?: number): Promise<void> {
  const answer = async () => (await place.said()).find(({ text }) => text === done)
  await eventually(answer, async () => `not answered: ${JSON.stringify(await place.said())}`, timeoutMs)
}
