// `npm run test:scenarios`: plays every scenario once as it is, and once more with a kill at each of its steps, several at once; on the
// stand `alone` with a kill of whichever process makes it at each unit.
//   --only <part of a name>,…   --lanes n   --no-kills   --said   --list
//   --mutant lost-keys        tools have a new key for each run of a call: the comparison has to fail
//   --mutant lost-steps       who takes a turn over does not know of its last step: the comparison has to fail
// Ends with a table and one line `N passed, N failed`; the exit code is 1 when one failed.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { exitOnSignal } from '#test/rig/exit-on-signal.ts'
import { scenarios } from '#test/scenarios/groups/all.ts'
import { playAlone, type Result } from '#test/scenarios/rig/alone.ts'
import { compare, findRepeated } from '#test/scenarios/rig/compare.ts'
import { createPerson } from '#test/scenarios/rig/person.ts'
import { playRun, type Outcome } from '#test/scenarios/rig/run.ts'
import type { Scenario } from '#test/scenarios/rig/scenario.ts'
import { openStand, type Stand } from '#test/scenarios/rig/stand.ts'
import { toRunName, type KillPoint } from '#test/scenarios/rig/steps.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    lanes: { type: 'string', default: '8' },
    'no-kills': { type: 'boolean', default: false },
    mutant: { type: 'string' },
    said: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const lanes = Number(values.lanes)
/** Each has a fleet of its own. */
const mostStands = 6
const chosen = scenarios.filter(
  ({ name }) => values.only === undefined || values.only.split(',').some((part) => name.includes(part)),
)

let killsSoFar = 0

if (values.list) for (const { name, stand } of chosen) console.log(`${name.padEnd(32)} ${stand}`)
else if (chosen.length === 0) {
  console.error('No scenario is meant by that. --list names them all.')
  process.exitCode = 2
} else {
  exitOnSignal()
  // Each process that is started is killed with this one.
  process.setMaxListeners(0)
  process.exitCode = await playAll()
}

async function playAll(): Promise<number> {
  const startedAtMs = Date.now()
  const results: Result[] = []
  const env: Record<string, string> = values.mutant === undefined ? {} : { MUTANT: values.mutant }
  const alone = chosen.filter(({ stand }) => stand === 'alone')
  if (alone.length > 0)
    results.push(
      ...(await playAlone({
        scenarios: alone,
        lanes: Math.min(lanes, mostStands),
        withKills: !values['no-kills'],
        env,
        said: values.said,
      })),
    )
  for (const kind of ['narrow', 'poor', 'usual'] as const) {
    const own = chosen.filter(({ stand }) => stand === kind)
    if (own.length === 0) continue
    await using stand = await openStand({ kind, scenarios: own, lanes, env })
    results.push(...(await playOn(stand, own)))
    console.log(`${kind}: ${stand.deaths()} processes killed`)
  }
  console.log('')
  for (const { name, steps, kills, missed, troubles } of results) {
    const head = troubles.length > 0 ? 'FAILED' : 'passed'
    const more = missed > 0 ? `, ${missed} points not met` : ''
    console.log(
      `${head}  ${name.padEnd(32)} ${String(steps).padStart(3)} steps ${String(kills).padStart(3)} kills${more}`,
    )
    for (const trouble of troubles) console.log(`    ${trouble}`)
  }
  const failed = results.filter(({ troubles }) => troubles.length > 0).length
  const kills = results.reduce((sum, one) => sum + one.kills, 0)
  console.log(`${kills} kills, ${((Date.now() - startedAtMs) / 1000).toFixed(0)} s in all`)
  console.log(`${results.length - failed} passed, ${failed} failed`)
  return failed > 0 ? 1 : 0
}

async function playOn(stand: Stand, own: readonly Scenario[]): Promise<readonly Result[]> {
  await prepare(stand)
  const results = own.map((scenario): Result => ({ name: scenario.name, steps: 0, kills: 0, missed: 0, troubles: [] }))
  const kills: (() => Promise<void>)[] = []
  const calmly = async (scenario: Scenario, result: Result): Promise<void> => {
    const calm = await play(stand, scenario, { side: 'never', nth: 0 }, result)
    if (!calm) return
    result.steps = calm.steps.length
    if (values.said) console.log(`${scenario.name}: ${JSON.stringify(calm.said)}`)
    result.troubles.push(...findRepeated(calm.steps))
    if (!values['no-kills'])
      for (const point of toPoints(calm)) kills.push(() => kill(stand, { scenario, point, calm, result }))
  }
  await inLanes(
    own.flatMap((scenario, i) => {
      const result = results[i]
      return result ? [() => calmly(scenario, result)] : []
    }),
  )
  await inLanes(kills)
  return results
}

async function inLanes(waiting: (() => Promise<void>)[]): Promise<void> {
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) await one()
  }
  await Promise.all(Array.from({ length: lanes }, work))
}

/** Reminders ask for a time zone once; here it is known. */
async function prepare(stand: Stand): Promise<void> {
  const person = createPerson(stand, 'preparing')
  await person.command('/zone Europe/Berlin')
  await person.hear('Berlin')
}

/** After each step that is stored; and before those with the end of a call, whose effect is there already and whose end is not. */
function toPoints({ steps }: Outcome): KillPoint[] {
  return steps.flatMap(({ entries }, i): KillPoint[] => [
    { side: 'after', nth: i + 1 },
    ...(entries.some(({ t }) => t === 'tool:fin') ? [{ side: 'before', nth: i + 1 } as const] : []),
  ])
}

type Killing = {
  readonly scenario: Scenario
  readonly point: KillPoint
  readonly calm: Outcome
  readonly result: Result
}

async function kill(stand: Stand, { scenario, point, calm, result }: Killing): Promise<void> {
  const killed = await play(stand, scenario, point, result)
  if (!killed) return
  result.kills += 1
  const where = `killed ${point.side} step ${point.nth}`
  if ((killsSoFar += 1) % 50 === 0) console.log(`${killsSoFar} kills`)
  result.troubles.push(...compare(calm, killed, scenario).map((trouble) => `${where}: ${trouble}`))
}

async function play(
  stand: Stand,
  scenario: Scenario,
  point: KillPoint,
  { troubles }: Pick<Result, 'troubles'>,
): Promise<Outcome | undefined> {
  const where = point.side === 'never' ? 'without a kill' : `killed ${point.side} step ${point.nth}`
  try {
    return await playRun(stand, scenario, toRunName(scenario.name, point))
  } catch (error) {
    troubles.push(`${where}: ${error instanceof Error ? error.message : String(error)}\n${stand.tails()}`)
    return undefined
  }
}
