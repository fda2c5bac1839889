// Plays scenarios on stands that take one run at a time: each once as it is, and once more with a kill at each place that this one has, whichever
// process is there: what takes people's messages in and their presses, the router, the executor, and whoever carries letters.
import { setTimeout as sleep } from 'node:timers/promises'
import { compare, findRepeated } from './compare.ts'
import { isLoose, readMade, setCurrent, toPlacePoints, type Current } from './places.ts'
import { playRun, type Outcome } from './run.ts'
import type { Opening, Scenario } from './scenario.ts'
import { openStand, type Stand } from './stand.ts'

export type Result = {
  readonly name: string
  steps: number
  kills: number
  /** Points that a run did not come by, since how often it does depends on how fast its processes are. */
  missed: number
  readonly troubles: string[]
}

type Point = Omit<Current, 'run'>
type Playing = { readonly scenarios: readonly Scenario[]; readonly lanes: number; readonly withKills: boolean }
type Options = Playing & { readonly env: Readonly<Record<string, string>>; readonly said: boolean }

const never: Point = { side: 'never', place: '', nth: 0 }

export async function playAlone({ scenarios, lanes, withKills, env, said }: Options): Promise<readonly Result[]> {
  const results = scenarios.map(({ name }): Result => ({ name, steps: 0, kills: 0, missed: 0, troubles: [] }))
  const opened = new Set<Opening>()
  let runs = 0
  let calmLeft = scenarios.length
  const tasks: ((stand: Stand) => Promise<void>)[] = scenarios.map((scenario, i) => async (stand) => {
    const result = results[i]
    if (!result) throw new Error(`${scenario.name} has no result.`)
    const toName = (): string => `${scenario.name}-n${(runs += 1)}`
    const calm = await play(stand, scenario, { point: never, run: toName(), result })
    calmLeft -= 1
    if (!calm) return
    if (said) console.log(`${scenario.name}: ${JSON.stringify([calm.outcome.said, calm.outcome.done], null, 1)}`)
    result.steps = calm.points.length
    result.troubles.push(...findRepeated(calm.outcome.steps), ...checkCalm(calm.outcome, scenario))
    if (!withKills) return
    const isKnown = scenario.opening !== undefined && opened.has(scenario.opening)
    if (scenario.opening) opened.add(scenario.opening)
    for (const point of isKnown ? calm.points.slice(calm.opened) : calm.points)
      tasks.push(async (other) => await kill(other, { scenario, point, run: toName(), calm: calm.outcome, result }))
  })
  const isLeft = (): boolean => tasks.length > 0 || calmLeft > 0
  const open = Array.from({ length: lanes }, async () => {
    await using stand = await openStand({ kind: 'alone', scenarios, lanes: 1, env })
    while (isLeft()) {
      const task = tasks.shift()
      // Another lane is still finding out what there is to do.
      await (task ? task(stand) : sleep(100))
    }
    return stand.deaths()
  })
  const deaths = await Promise.all(open)
  console.log(`alone: ${deaths.reduce((sum, one) => sum + one, 0)} processes killed`)
  return results
}

type Run = { readonly point: Point; readonly run: string; readonly result: Result }
type Played = { readonly outcome: Outcome; readonly points: readonly Point[]; readonly opened: number }

const toWhere = ({ side, place, nth }: Point): string =>
  side === 'never' ? 'without a kill' : `killed ${side} ${place} ${nth}`

async function play(stand: Stand, scenario: Scenario, { point, run, result }: Run): Promise<Played | undefined> {
  setCurrent(stand.stepsFolder, { ...point, run })
  try {
    const find = (): readonly Point[] => toPlacePoints(readMade(stand.stepsFolder, run))
    let opened = 0
    const outcome = await playRun(stand, scenario, run, () => (opened = find().length))
    return { outcome, points: find(), opened }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    result.troubles.push(`${toWhere(point)}: ${why}\n${stand.tails()}`)
    return undefined
  }
}

/** What a scenario says of its run that no other run can be compared with. */
function checkCalm({ done, questions }: Outcome, { makes }: Scenario): readonly string[] {
  return [
    ...(makes === undefined || makes === done.length ? [] : [`done was ${JSON.stringify(done)} without a kill`]),
    ...(questions === 0 ? [] : [`${questions} questions are open at the end`]),
  ]
}

type Kill = Run & { readonly scenario: Scenario; readonly calm: Outcome }

async function kill(stand: Stand, { scenario, calm, ...run }: Kill): Promise<void> {
  const { point, result } = run
  const killed = await play(stand, scenario, run)
  if (!killed) return
  const isMissed = killed.outcome.killedAtMs === undefined && isLoose(point)
  if (isMissed) result.missed += 1
  else result.kills += 1
  const found = compare(calm, { ...killed.outcome, ...(isMissed ? { killedAtMs: 0 } : {}) }, scenario)
  result.troubles.push(...found.map((trouble) => `${toWhere(point)}: ${trouble}`))
}
