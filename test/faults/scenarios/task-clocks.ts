// Row 42 for tasks: the only worker's clock is an hour ahead, or an hour behind, and is set while steps run. A checkpoint's month, the day of an approval and how
// long a step waits for it end by Redis' time, none early and none more than five seconds late; a press counts until then. No step is done twice, no time
// is counted that nobody worked, nobody is told that a task stood still, and who dies at a step is followed up in time.
import { z } from 'zod'
import { partitionPrefix, toPartition } from '#queues/partition.ts'
import { openService, toOwners, type CardKind, type Service } from '#test/faults/rig/asking-cards.ts'
import type { Child } from '#test/faults/rig/child.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { guideOrder, parts, scriptGuide } from '#test/faults/rig/guide.ts'
import { findOpen, inParts, stateOf, type OpenCard } from '#test/faults/rig/many-cards.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { directPlace, findCard } from '#test/faults/rig/places.ts'
import { assert, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

const hourMs = 3_600_000
/** How long the first deadline still lies ahead when the days have passed: in that time nothing may fire early. */
const leftMs = 10_000
const mostLateMs = 5000
const leaseMs = 1000
/** So long a step takes that must stay with who began it. */
const stepMs = 4 * leaseMs
const recoveredMs = 12_000
const firstPerson = 600
const [, second, third] = parts
const clearing = 'task clear the list in three parts without stopping'

const paused = 'is paused: nobody answered for 30 days'
const looking: CardKind = { wish: guideOrder, button: 'Continue', wins: ': Continue' }
const approving: CardKind = { wish: clearing, button: 'Approve once', wins: 'approved once' }
const unmade = 'Nobody answered in time, so I did nothing.'
const failed = 'This step did not succeed'
const wonNotice = /^(Got it\.|won)$/
const outOfDate = /^(This message is out of date: its buttons no longer work\.|unknown)$/

export const taskClocks: Scenario = {
  name: 'task-clocks',
  rows: [42],
  async run(note) {
    for (const skewMs of [hourMs, -hourMs]) note(await skewed(skewMs))
  },
}

type Scene = { readonly fleet: Fleet; readonly clock: MovingClock; readonly wrong: MovingClock }

async function skewed(skewMs: number): Promise<string> {
  using clock = startMovingClock()
  using wrong = startMovingClock(skewMs)
  await using service = await openService()
  await using fleet = await startFleet({ clock, telegram: true, leaseMs, env: service.env })
  const scene = { fleet, clock, wrong }
  await scriptClearing(fleet, service)
  await scriptGuide(fleet)
  const people = [0, 2, 4, 6].map((nth) => firstPerson + nth)
  const env = { ...(await toOwners(fleet, { telegram: people })), ...wrong.env }
  // There is no other worker: who looks for deadlines has the wrong clock.
  const [worker] = await Promise.all(['router,executor', 'telegram', 'web'].map((roles) => fleet.start(roles, env)))
  assert(worker !== undefined, 'there is no worker')
  const places = await inParts([0, 1, 2, 3, 4, 5, 6, 7], (nth) =>
    directPlace(fleet, nth % 2 === 0 ? 'telegram' : 'web', firstPerson + nth),
  )
  const late = [...(await passApprovals(scene, places.slice(4))), ...(await passMonth(scene, places.slice(0, 4)))]
  assert(service.effects.length === 0, `${service.effects.length} calls were made that nobody approved`)
  const tookMs = await expectSteps(scene, worker, places.slice(0, 4))
  await fleet.pause(1500)
  const broken = await checkInvariants(fleet.redis.admin)
  assert(broken.length === 0, `broken: ${broken.join(', ')}`)
  return (
    `a worker ${skewMs > 0 ? 'ahead' : 'behind'} by an hour: of ${late.length} deadlines of tasks the latest ${Math.round(Math.max(...late))} ms late; ` +
    `a step followed up after ${tookMs} ms`
  )
}

/** The second step of whoever clears the list wishes for what is asked about twice. */
async function scriptClearing({ model }: Fleet, { origin }: Service): Promise<void> {
  const given = JSON.stringify({ method: 'DELETE', url: `${origin}/entry-0` })
  await model.script({
    when: { pattern: ', step 2 of 3:[\\s\\S]*clear the list', last: 'user' },
    answer: { kind: 'tools', calls: [{ id: 'c', name: 'http_request', arguments: given }] },
  })
}

/** Nobody approves: the card is over after its day, and two hours later the step has failed. How late each was, ms. */
async function passApprovals(scene: Scene, places: readonly Place[]): Promise<readonly number[]> {
  const { fleet, clock } = scene
  await inParts(places, (place) => place.command(clearing))
  const cards = await inParts(places, (place) => findOpen(fleet, { place, kind: approving }))
  const waited = await inParts(places, async (place) => ({ place, dueMs: await findTimer(fleet, place, 'waited') }))
  pass(scene, Math.min(...cards.map(({ dueMs }) => dueMs)))
  const over = await Promise.all(cards.map((open) => untilSaid(scene, open, unmade)))
  for (const { place } of waited) assert(!(await says(place, failed)), `a step of ${place.conversation} failed early`)
  pass(scene, Math.min(...waited.map(({ dueMs }) => dueMs)))
  const ended = await Promise.all(waited.map((one) => untilSaid(scene, one, failed)))
  assert(clock.now() > 0, 'time goes on')
  return [...over, ...ended]
}

/** Of tasks that wait at a checkpoint half are let go on a second before their month is over; the others are paused at its end. */
async function passMonth(scene: Scene, places: readonly Place[]): Promise<readonly number[]> {
  const { fleet, clock } = scene
  await inParts(places, (place) => place.command(guideOrder))
  const cards = await inParts(places, (place) => findOpen(fleet, { place, kind: looking }))
  pass(scene, Math.min(...cards.map(({ dueMs }) => dueMs)))
  const [pressed, left] = [cards.slice(0, 2), cards.slice(2)]
  const [told, late] = await Promise.all([
    Promise.all(pressed.map(async (open) => await pressAt(clock, open, open.dueMs - 1000))),
    Promise.all(left.map((open) => untilSaid(scene, open, paused))),
  ])
  assert(
    told.every((notice) => wonNotice.test(notice)),
    `who presses in time is told ${told.join(' | ')}`,
  )
  for (const { place } of pressed) await heard(place, second)
  const after = await Promise.all(left.map(async (open) => await pressAt(clock, open, 0)))
  assert(
    after.every((notice) => outOfDate.test(notice)),
    `who presses too late is told ${after.join(' | ')}`,
  )
  for (const { place } of left) await place.command('task 1 resume')
  for (const { place } of left) {
    await heard(place, 'Task #1 goes on')
    await pressOn(place)
    await heard(place, second)
  }
  return late
}

function pass({ clock, wrong }: Scene, dueMs: number): void {
  const byMs = dueMs - clock.now() - leftMs
  for (const one of [clock, wrong]) one.step(byMs)
}

async function pressAt(clock: MovingClock, open: OpenCard, atMs: number): Promise<string> {
  await new Promise((resolve) => void setTimeout(resolve, Math.max(0, atMs - clock.now())))
  return await (await open.place.press(open.card, open.data)).notice()
}

type Due = Pick<OpenCard, 'place' | 'dueMs'> & { readonly question?: string }

/** How late it was said, ms by the clock of Redis. What a card asks is open until its deadline. */
async function untilSaid({ fleet, clock }: Scene, due: Due, text: string): Promise<number> {
  const { place, question, dueMs } = due
  const lateMs = await eventually(
    async () => {
      const isOpen = question === undefined || (await stateOf(fleet, { place, question })) !== null
      const isSaid = await says(place, text)
      const nowMs = clock.now()
      assert((isOpen && !isSaid) || nowMs >= dueMs, `"${text}" came ${dueMs - nowMs} ms early in ${place.conversation}`)
      return isSaid ? nowMs - dueMs : undefined
    },
    async () => `"${text}" is not said in ${place.conversation}: ${JSON.stringify(await place.said())}`,
    40_000,
  )
  assert(lateMs <= mostLateMs, `"${text}" was said ${lateMs} ms late in ${place.conversation}`)
  return lateMs
}

/** Third steps run while the worker's clock is set, and then while whoever does them dies. How long until they were followed up, ms. */
async function expectSteps({ fleet, wrong }: Scene, worker: Child, places: readonly Place[]): Promise<number> {
  await fleet.model.latency(stepMs)
  const before = (await fleet.model.counters()).requests
  const [set, killed] = [places.slice(0, 2), places.slice(2)]
  const right = await fleet.start('router,executor')
  for (const place of set) await pressOn(place)
  await fleet.model.asked(before + set.length)
  // The machine that is behind hears the right time; the one that is ahead is set wrong once more.
  wrong.step(hourMs)
  for (const place of set) await heard(place, third)
  const { requests } = await fleet.model.counters()
  assert(requests === before + set.length, `${set.length} steps asked the model ${requests - before} times`)

  // Who is not to do the steps is frozen until they are taken.
  worker.freeze()
  for (const place of killed) await pressOn(place)
  const isTaken = ({ conversation }: Place): boolean =>
    right.holds().some(({ what, of }) => what === 'lease' && of === `${conversation}#1`)
  await eventually(async () => killed.every(isTaken) || undefined, 'the steps are not taken')
  worker.thaw()
  await right.kill()
  const atMs = performance.now()
  for (const place of killed) await heard(place, third)
  const tookMs = Math.max(0, Math.round(performance.now() - atMs - stepMs))
  assert(tookMs <= recoveredMs, `the steps were followed up after ${tookMs} ms`)

  await fleet.model.latency(0)
  for (const place of places) await pressOn(place)
  for (const place of places) await expectTold(fleet, place)
  return tookMs
}

/** One result; nothing of a time that did not pass. */
async function expectTold(fleet: Fleet, place: Place): Promise<void> {
  await heard(place, parts.join('\n\n'))
  const texts = (await place.said()).map(({ text }) => text)
  const count = texts.filter((text) => text.includes(parts.join('\n\n'))).length
  assert(count === 1, `the result is said ${count} times in ${place.conversation}`)
  for (const wrong of ['stood still', 'is lost: for ten', 'has reached its limits'])
    assert(
      !texts.some((text) => text.includes(wrong)),
      `${place.conversation} is told that it ${wrong}: ${JSON.stringify(texts)}`,
    )
  const { workMs } = await readOwn(fleet, place)
  assert(workMs < 5 * stepMs, `${place.conversation} is said to have worked for ${workMs} ms`)
}

const own = z.looseObject({ workMs: z.number() })

async function readOwn({ redis }: Fleet, { conversation }: Place): Promise<z.infer<typeof own>> {
  const key = `${partitionPrefix(toPartition(conversation))}r:${conversation}#1`
  const stored = await redis.admin.hgetall(key)
  const [, found = ''] = /"workMs":(\d+)/.exec(stored['f.tasks'] ?? stored['rest'] ?? '') ?? []
  assert(found !== '', `${key} has no time of work: ${JSON.stringify(stored).slice(0, 400)}`)
  return own.parse({ workMs: Number(found) })
}

/** When a timer of the first task fires, by the clock of Redis, ms. */
async function findTimer({ redis: { admin } }: Fleet, { conversation }: Place, timer: string): Promise<number> {
  const member = `${conversation}#1 tasks.${timer}`
  const dueMs = Number(await admin.zscore(`${partitionPrefix(toPartition(conversation))}timers`, member))
  assert(dueMs > 0, `${conversation} has no timer ${timer}`)
  return dueMs
}

async function pressOn(place: Place): Promise<void> {
  const { id, data } = await findCard(place, 'Continue')
  await (await place.press(id, data)).notice()
}

const says = async (place: Place, text: string): Promise<boolean> =>
  (await place.said()).some((card) => card.text.includes(text))

const heard = async (place: Place, text: string): Promise<unknown> =>
  await eventually(
    async () => (await says(place, text)) || undefined,
    async () => `nobody said "${text}" in ${place.conversation}: ${JSON.stringify(await place.said())}`,
    40_000,
  )
