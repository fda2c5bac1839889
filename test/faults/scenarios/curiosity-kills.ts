// Row 7: processes that collect what only people can tell, and bring it, are killed fifty times, at random moments and between two writes, while people talk
// and days pass; so are those that step through the cards, also between the book and the card. Once Redis comes back without its last second, in which cards
// were shown. In the end each thing was collected once and asked once, and what people saw is what the book says.
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { startAnswering, type Answering } from '#test/faults/rig/answering.ts'
import { openDeskReader, type DeskReader } from '#test/faults/rig/desk-reader.ts'
import type { Child } from '#test/faults/rig/child.ts'
import { killAgain } from '#test/faults/rig/kill-again.ts'
import {
  meet,
  meetOwner,
  nextWord,
  raise,
  say,
  scriptQuiet,
  setZone,
  type Matter,
  type Neighbour,
} from '#test/faults/rig/neighbours.ts'
import { isCard } from '#test/faults/rig/neighbours.ts'
import { eventually } from '#test/faults/rig/place.ts'
import { assert, createRandom, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'
import { checkInvariants } from '#test/rig/oracle.ts'

type CuriosityKills = { readonly seed: number; readonly kills: number; readonly pairs: number; readonly days: number }

/** Between what a worker of curiosity does: before or after each of these it dies. */
const workerUnits = [
  'memoryRead',
  'memoryWrite',
  'memoryDrop',
  'desk',
  'pass',
  'takeJobs',
  'beginJob',
  'moveJob',
  'endJob',
  'receive',
] as const
/** The book is written by `desk`, and the card by `append`. */
const executorUnits = ['desk', 'desk', 'append', 'memoryWrite', 'memoryDrop', 'memoryChange'] as const
const roles = ['router', 'telegram', 'web', 'reflection'] as const

const secondMs = 1000
const lookEveryMs = 200
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** The two quiet minutes, and a little more. */
const quietMs = 2.2 * minuteMs
/** A job is left to its process for half a minute. */
const heldMs = 31_000
const patienceMs = 300_000
/** Redis loses its last writes in one of these, while cards come. */
const lossDay = 1
const mostDrainDays = 8

type Month = {
  readonly fleet: Fleet
  readonly clock: MovingClock
  readonly people: readonly Neighbour[]
  /** They are asked by cards that come by themselves. */
  readonly silent: readonly Neighbour[]
  readonly reader: DeskReader
  readonly answering: Answering
  readonly note: (line: string) => void
}

export function curiosityKills(how: CuriosityKills): Scenario {
  return {
    name: 'curiosity-kills',
    rows: [7],
    async run(note) {
      const random = createRandom(how.seed)
      // Mid-morning of the next day: nobody is asked at night.
      const morning = new Date()
      morning.setUTCHours(34, 0, 0, 0)
      using clock = startMovingClock(morning.getTime() - Date.now())
      await using fleet = await startFleet({ clock, telegram: true, leaseMs: 4000 })
      await scriptQuiet(fleet)
      await Promise.all(roles.map((role) => fleet.start(role)))
      const executors = [await fleet.start('executor'), await fleet.start('executor')]
      const workers = [await fleet.start('curiosity'), await fleet.start('curiosity')]
      const people = [...(await meet(fleet, how.pairs)), await meetOwner(fleet)]
      const silent = people.slice(0, 2)
      const reader = openDeskReader(fleet)
      const answering = startAnswering(fleet, people)
      const month = { fleet, clock, people, silent, reader, answering, note }
      for (const one of silent) {
        const [place] = one.alone
        if (place) await say(place, one.who, `hello ${nextWord()}`, 'echo: ')
        await setZone(fleet, one.principal, 'UTC')
      }
      const heard: string[] = []
      const { deaths, lost, killedMs, late } = await die(month, how, { workers, executors, random, heard })
      const days = await drain(month)
      await answering.stop()
      await judge(month, heard)
      const matters = people.flatMap((one) => one.matters)
      note(`${tell(deaths)} of curiosity and ${tell(lost)} of executors in ${(killedMs / secondMs).toFixed(0)} s`)
      note(
        `${matters.length} things of ${people.length} people (${matters.filter(({ kind }) => kind === 'keep').length} noticed): each collected once, ` +
          `each shown on one card; ${answering.cards.size} messages with cards, 0 doubles; ${late} times no card on a day, and ${days} more days until nothing waited`,
      )
    },
  }
}

const tell = (deaths: readonly string[]): string =>
  `${deaths.length} kills (${deaths.filter((one) => one !== 'random').length} between two writes: ${[...new Set(deaths)].toSorted().join(', ')})`

type Dying = {
  readonly workers: readonly Child[]
  readonly executors: readonly Child[]
  readonly random: () => number
  readonly heard: string[]
}

/** Days pass for as long as processes are killed. */
async function die(month: Month, { kills, days }: CuriosityKills, { workers, executors, ...killing }: Dying) {
  const [over, killed] = [new AbortController(), new AbortController()]
  const how = { ...killing, until: over.signal }
  const begunAtMs = Date.now()
  const dying = killAgain(month.fleet, workers, {
    ...how,
    role: 'curiosity',
    units: workerUnits,
    kills,
    everyMs: 2000,
    patienceMs: 8000,
  })
  const others = killAgain(month.fleet, executors, {
    ...how,
    role: 'executor',
    units: executorUnits,
    kills: Infinity,
    everyMs: 12_000,
    patienceMs: 30_000,
  })
  dying.then(() => killed.abort()).catch(() => {})
  // Either may fail before it is waited for.
  const failed = Promise.all([dying, others]).then(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  let late = 0
  for (let day = 0; day < days || !killed.signal.aborted; day += 1)
    late += await Promise.race([failed, pass(month, day)])
  over.abort()
  const [deaths, lost] = await Promise.all([dying, others])
  return { deaths, lost, killedMs: Date.now() - begunAtMs, late }
}

async function judge({ fleet, people, reader, answering, note }: Month, heard: readonly string[]): Promise<void> {
  const found = await Promise.all(people.map(async (one) => await reader.findBreaches(one, answering.answers)))
  const breaches = [...found.flat(), ...(await findLeft(fleet)), ...(await settled(fleet))]
  for (const line of breaches.length > 0 ? heard : []) note(line)
  assert(breaches.length === 0, `${breaches.length} breaches:\n  ${breaches.slice(0, 30).join('\n  ')}`)
}

/** They talk, two minutes pass, and cards come. Resolves with how many had none that day. */
async function pass(month: Month, day: number): Promise<number> {
  const { people, silent, clock } = month
  const dayAtMs = clock.now()
  await talk(month, day)
  await collected(month)
  if (day === lossDay) await loseSecond(month)
  else clock.step(quietMs)
  const talking = people.filter((one) => !silent.includes(one))
  const late = await asked(month, talking, dayAtMs)
  clock.step(dayMs + 10 * minuteMs)
  return late.length
}

async function talk({ fleet, people, silent }: Month, day: number): Promise<void> {
  const inGroups = new Map<Neighbour, Matter>(people.map((one) => [one, { word: nextWord(), kind: 'yes-no' }]))
  const byGroup = Map.groupBy(people, ({ group }) => group)
  await Promise.all(
    [...byGroup].map(async ([group, members]) => {
      for (const one of members) {
        const matter = inGroups.get(one)
        if (matter) await raise(fleet, one, group, matter)
      }
    }),
  )
  await Promise.all(
    people.map(async (one, nth) => {
      const [place] = one.alone
      const common = inGroups.get(one)
      if (!place || silent.includes(one)) return
      await raise(fleet, one, place, { word: nextWord(), kind: 'keep' })
      await raise(fleet, one, place, { word: nextWord(), kind: 'words' })
      // The same comes up there, too.
      if (common && (nth + day) % 2 === 0) await raise(fleet, one, place, common)
    }),
  )
}

/** All that came up is collected: once. */
async function collected({ people, reader, clock, fleet }: Month): Promise<void> {
  const look = async (): Promise<readonly string[]> => (await Promise.all(people.map(reader.findMissing))).flat()
  await steps(
    clock,
    2,
    async () => ((await look()).length === 0 ? true : undefined),
    async () => [...(await look()), ...(await describeJobs(fleet))].join('\n'),
  )
}

/** What there is of jobs, of readers that gave up, and what the workers said last. */
async function describeJobs({ client, roles: running }: Fleet): Promise<readonly string[]> {
  const partitioned = await client.keys('fl:{p*}:*')
  const of = partitioned.filter((key) => /:(?:jobs:curiosity|held:curiosity|readers)$/.test(key))
  const all = await Promise.all(
    of.map(async (key) => {
      const found = key.includes(':jobs:')
        ? await client.zrange(key, '0', '-1', 'WITHSCORES')
        : await client.hgetall(key)
      return `${key} ${JSON.stringify(found)}`
    }),
  )
  return [...all, ...running.map((role) => `--- ${role.name} ${role.pid}\n${role.tail(5)}`)]
}

/** Those who had no card although something waits for them. */
async function asked(
  { reader, clock, fleet, note }: Month,
  people: readonly Neighbour[],
  sinceMs: number,
): Promise<readonly Neighbour[]> {
  const isDone = async (one: Neighbour): Promise<boolean> => {
    const { cards, asked: known } = await reader.book(one)
    const isToday = cards.some(({ at }) => at >= sinceMs)
    return known.every(({ how }) => how !== 'open') && (isToday || (await reader.waiting(one)).length === 0)
  }
  const late = async (): Promise<readonly Neighbour[]> => {
    const all = await Promise.all(people.map(async (one) => ({ one, done: await isDone(one) })))
    return all.flatMap(({ one, done }) => (done ? [] : [one]))
  }
  try {
    await steps(
      clock,
      10,
      async () => ((await late()).length === 0 ? true : undefined),
      async () => (await late()).map(({ principal }) => principal).join(', '),
    )
    return []
  } catch {
    const left = await late()
    for (const one of left)
      note(`${one.principal} has no card, or has not done with it: ${JSON.stringify(await reader.book(one))}`)
    await fleet.pause(0)
    return left
  }
}

/** Waits, and has half a minute pass now and then, so that what a dead process held is due. */
async function steps(
  clock: MovingClock,
  most: number,
  find: () => Promise<true | undefined>,
  why: () => Promise<string>,
): Promise<void> {
  let [taken, atMs] = [0, performance.now()]
  await eventually(
    async () => {
      if (performance.now() - atMs > 6000 && taken < most) {
        ;[taken, atMs] = [taken + 1, performance.now()]
        clock.step(heldMs)
      }
      return await find()
    },
    why,
    patienceMs,
  )
}

/** The first cards are there; and Redis comes back as it was a moment before. */
async function loseSecond({ fleet, people, answering, clock, note }: Month): Promise<void> {
  const count = async (): Promise<number> => {
    const said = await Promise.all(
      people.slice(0, -1).flatMap(({ alone }) => alone.map(async (place) => await place.said())),
    )
    return said.flat().filter(({ text }) => isCard(text)).length
  }
  const before = await count()
  answering.pause(true)
  let [goBack, copiedAtMs] = [await fleet.redis.copyFiles(), Date.now()]
  clock.step(quietMs)
  for (const endMs = Date.now() + patienceMs; (await count()) === before; await fleet.pause(lookEveryMs)) {
    assert(Date.now() < endMs, 'no card came')
    ;[goBack, copiedAtMs] = [await fleet.redis.copyFiles(), Date.now()]
  }
  await fleet.pause(secondMs)
  await fleet.redis.kill()
  const lostMs = Date.now() - copiedAtMs
  const shown = (await count()) - before
  await goBack()
  await fleet.redis.restart()
  // Nobody presses what Redis does not know yet.
  await fleet.pause(3 * secondMs)
  answering.pause(false)
  note(`${lostMs} ms of Redis lost, ${shown} cards shown in them`)
}

/** Until nothing waits for anybody. Resolves with how many days that took. */
async function drain(month: Month): Promise<number> {
  const { people, reader, clock, fleet } = month
  for (let day = 0; day < mostDrainDays; day += 1) {
    const waiting = await Promise.all(people.map(async (one) => ({ one, count: (await reader.waiting(one)).length })))
    const left = waiting.filter(({ count }) => count > 0).map(({ one }) => one)
    if (left.length === 0) {
      // The last card may just have come.
      await asked(month, people, 0)
      return day
    }
    const sinceMs = clock.now()
    for (const one of left) {
      const [place] = one.alone
      if (place) await say(place, one.who, `hello ${nextWord()}`, 'echo: ')
    }
    await fleet.pause(2 * secondMs)
    clock.step(quietMs)
    await asked(month, left, sinceMs)
    clock.step(dayMs + 10 * minuteMs)
  }
  return mostDrainDays
}

/** Jobs of the workers that nobody does any more. */
async function findLeft({ client, pause }: Fleet): Promise<readonly string[]> {
  await pause(2 * secondMs)
  const keys = await client.keys('fl:{p*}:jobs:curiosity')
  return (await Promise.all(keys.map(async (key) => await client.zrange(key, '0', '-1'))))
    .flat()
    .map((job) => `the job ${job} is left`)
}

/** A lease may still be about to end. */
async function settled({ redis: { admin }, pause }: Fleet): Promise<readonly string[]> {
  for (let times = 0; times < 10; times += 1) {
    if ((await checkInvariants(admin)).length === 0) return []
    await pause(500)
  }
  return await checkInvariants(admin)
}
