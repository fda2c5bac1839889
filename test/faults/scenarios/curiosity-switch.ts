// Threat T26: an owner stops curiosity, or all that acts by itself, for everybody at once, while its jobs run and more of them are due; twenty times. Five
// seconds later nothing is collected, marked or asked any more. Once it is lifted, what was collected before is there, and what waited is done.
import { partitions, partitionPrefix } from '#queues/partition.ts'
import { startAnswering, type Answering } from '#test/faults/rig/answering.ts'
import { openDeskReader, type DeskReader } from '#test/faults/rig/desk-reader.ts'
import { startFleet, type Fleet } from '#test/faults/rig/fleet.ts'
import { isCard, meet, nextWord, raise, scriptQuiet, type Neighbour } from '#test/faults/rig/neighbours.ts'
import { eventually, type Place } from '#test/faults/rig/place.ts'
import { directPlace } from '#test/faults/rig/places.ts'
import { assert, createRandom, type Scenario } from '#test/faults/rig/scenario.ts'
import { startMovingClock, type MovingClock } from '#test/rig/moving-clock.ts'

type Switching = { readonly seed: number; readonly trials: number; readonly pairs: number }

const owner = 4999
/** What an owner says, and is told. */
const switches = [
  {
    stop: 'curiosity stop all',
    stopped: 'From now on I ask nobody',
    start: 'curiosity start all',
    started: 'I collect questions again',
  },
  { stop: 'quiet on', stopped: 'I do nothing by myself', start: 'quiet off', started: 'I act by myself' },
] as const
const roles = ['router', 'telegram', 'executor', 'executor', 'curiosity', 'curiosity'] as const

const minuteMs = 60_000
const quietMs = 2.2 * minuteMs
const nextDayMs = 24 * 60 * minuteMs + 10 * minuteMs
const boundMs = 5000
/** So long nothing happens after that, and after more has become due. */
const watchMs = 3000
const lookEveryMs = 200
const onItsWayMs = 35_000
const patienceMs = 300_000

type Stage = {
  readonly fleet: Fleet
  readonly clock: MovingClock
  readonly boss: Place
  readonly people: readonly Neighbour[]
  readonly reader: DeskReader
  readonly answering: Answering
  readonly random: () => number
}

/** How long something went on after the owner was told, and after they had said it, ms; how many jobs were due and not done. */
type Trial = {
  readonly afterToldMs: number
  readonly afterSaidMs: number
  readonly held: number
  readonly collected: number
}

export function curiositySwitch(how: Switching): Scenario {
  return {
    name: 'curiosity-switch',
    rows: ['T26'],
    async run(note) {
      const morning = new Date()
      morning.setUTCHours(34, 0, 0, 0)
      using clock = startMovingClock(morning.getTime() - Date.now())
      await using fleet = await startFleet({
        clock,
        telegram: true,
        leaseMs: 4000,
        env: { FLOTILLA_OWNERS: `telegram:${owner}` },
      })
      await scriptQuiet(fleet)
      await Promise.all(roles.map((role) => fleet.start(role)))
      const people = await meet(fleet, how.pairs)
      const boss = await directPlace(fleet, 'telegram', owner)
      const answering = startAnswering(fleet, people)
      const stage = {
        fleet,
        clock,
        boss,
        people,
        reader: openDeskReader(fleet),
        answering,
        random: createRandom(how.seed),
      }
      const trials: Trial[] = []
      for (let nth = 0; nth < how.trials; nth += 1) trials.push(await tryOnce(stage, nth))
      await answering.stop()
      const late = trials.filter(({ afterToldMs }) => afterToldMs > boundMs)
      const told = trials.map(({ afterToldMs }) => afterToldMs)
      assert(
        late.length === 0,
        `${late.length} of ${trials.length} went on for longer than ${boundMs} ms: ${told.join(', ')}`,
      )
      const held = trials.reduce((sum, one) => sum + one.held, 0)
      const idle = trials.filter((one) => one.held === 0).length
      assert(2 * idle < trials.length, `in ${idle} trials nothing was due`)
      note(
        `${trials.length} of ${trials.length} within ${boundMs} ms: the slowest stopped ${Math.max(...told)} ms after the owner was told, ` +
          `${Math.max(...trials.map(({ afterSaidMs }) => afterSaidMs))} ms after they said it; ${held} jobs that were due waited in ${trials.length - idle} of them, ` +
          `${trials.reduce((sum, one) => sum + one.collected, 0)} things collected before were there afterwards, and ${answering.cards.size} messages asked them`,
      )
    },
  }
}

async function tryOnce(stage: Stage, nth: number): Promise<Trial> {
  const { fleet, clock, people, reader, answering, random } = stage
  const said = switches[nth % switches.length] ?? switches[0]
  await Promise.all(people.map(async (one) => await raiseAlone(fleet, one)))
  await eventually(
    async () => ((await Promise.all(people.map(reader.findMissing))).flat().length === 0 ? true : undefined),
    async () => (await Promise.all(people.map(reader.findMissing))).flat().join('; '),
    patienceMs,
  )
  answering.pause(true)
  await fleet.pause(1000)
  // Some are asked now, and others say something new, which is looked at.
  clock.step(quietMs)
  const [, ...others] = people
  const talking = Promise.all(others.filter((_, at) => at % 2 === 0).map(async (one) => await raiseAlone(fleet, one)))
  talking.catch(() => {})
  await fleet.pause(random() * 1500)
  const saidAtMs = performance.now()
  await order(stage, said.stop, said.stopped)
  const toldAtMs = performance.now()
  const before = await look(stage)
  // What they said becomes due while all is stopped.
  const due = talking.then(async () => {
    // Jobs that are due later than what may be under way.
    const isRead = async (): Promise<true | undefined> =>
      (await countJobs(stage, quietMs)) > (await countJobs(stage, onItsWayMs)) ? true : undefined
    await eventually(isRead, 'nobody has read what they said', patienceMs)
    clock.step(quietMs)
  })
  const lastAtMs = await watch(stage, before, { fromMs: toldAtMs, due })
  const held = await countJobs(stage, onItsWayMs)
  const kept = await look(stage)
  await order(stage, said.start, said.started)
  const after = await look(stage)
  for (const record of kept.collected) assert(after.collected.has(record), `${record} is gone`)
  answering.pause(false)
  await settle(stage)
  clock.step(nextDayMs)
  return {
    afterToldMs: Math.max(0, Math.round(lastAtMs - toldAtMs)),
    afterSaidMs: Math.max(0, Math.round(lastAtMs - saidAtMs)),
    held,
    collected: kept.collected.size,
  }
}

async function raiseAlone(fleet: Fleet, one: Neighbour): Promise<void> {
  const [place] = one.alone
  if (place) await raise(fleet, one, place, { word: nextWord(), kind: 'yes-no' })
}

async function order({ boss, fleet }: Stage, command: string, told: string): Promise<void> {
  const count = async (): Promise<number> => (await boss.said()).filter(({ text }) => text.includes(told)).length
  const before = await count()
  await boss.command(command)
  await eventually(
    async () => ((await count()) > before ? true : undefined),
    `the owner was not told "${told}": ${fleet.roles.map((role) => role.tail(3)).join('\n')}`,
    patienceMs,
  )
}

type State = { readonly collected: ReadonlySet<string>; readonly done: ReadonlySet<string> }

/** What curiosity has done: what waits, what the books say, which cards are shown, and how often a model was asked. */
async function look({ fleet, people, reader }: Stage): Promise<State> {
  const calls = await fleet.model.readingsAsked()
  const all = await Promise.all(
    people.map(async (one) => {
      const [waiting, book, shown] = await Promise.all([
        reader.waiting(one),
        reader.book(one),
        Promise.all(one.alone.map(async (place) => await place.said())),
      ])
      const cards = shown.flat().flatMap(({ id, texts }) => texts.filter(isCard).map((text) => `${id} ${text}`))
      return {
        collected: waiting.map(({ id }) => `${one.principal} ${id}`),
        done: [JSON.stringify(book), ...cards].map((what) => `${one.principal} ${what}`),
      }
    }),
  )
  return {
    collected: new Set(all.flatMap(({ collected }) => collected)),
    done: new Set([`${calls} calls`, ...all.flatMap(({ done }) => done)]),
  }
}

type Watched = { readonly fromMs: number; readonly due: Promise<void> }

/** When something was seen to change last; when it began to look, where nothing did. */
async function watch(stage: Stage, first: State, { fromMs, due }: Watched): Promise<number> {
  let [seen, lastAtMs, untilMs] = [first, fromMs, Infinity]
  const isDue = due.finally(() => {
    untilMs = Math.max(performance.now(), fromMs + boundMs) + watchMs
  })
  isDue.catch(() => {})
  while (performance.now() < untilMs) {
    await stage.fleet.pause(lookEveryMs)
    const now = await look(stage)
    const atMs = performance.now()
    if (isOther(now.collected, seen.collected) || isOther(now.done, seen.done)) lastAtMs = atMs
    seen = now
  }
  await isDue
  return lastAtMs
}

const isOther = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size !== other.size || [...one].some((what) => !other.has(what))

/** Jobs that are due by then and are not done; what is on its way to a process is due again after twenty seconds. */
async function countJobs({ fleet: { client }, clock }: Stage, withinMs: number): Promise<number> {
  const counts = Array.from({ length: partitions }, async (_, partition) => {
    return await client.zcount(`${partitionPrefix(partition)}jobs:curiosity`, '-inf', clock.now() + withinMs)
  })
  return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0)
}

/** All that is due is done, and nobody has a card that they have not answered. */
async function settle(stage: Stage): Promise<void> {
  const { people, reader } = stage
  const isSettled = async (): Promise<boolean> => {
    const books = await Promise.all(people.map(reader.book))
    const missing = (await Promise.all(people.map(reader.findMissing))).flat()
    return (
      (await countJobs(stage, onItsWayMs)) === 0 &&
      missing.length === 0 &&
      books.every(({ asked }) => asked.every(({ how }) => how !== 'open'))
    )
  }
  await eventually(
    async () => ((await isSettled()) ? true : undefined),
    async () =>
      `${await countJobs(stage, onItsWayMs)} jobs are due; ${(await Promise.all(people.map(reader.findMissing))).flat().join('; ')}`,
    patienceMs,
  )
}
