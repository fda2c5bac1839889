// What a run with a kill in it must share with the run without one: what is said at the end, what is done outside, exactly once by key, and what is
// kept. No step that was finished before the kill is made again; of what was under way at the kill each may be made once more.
import type { Deed, Outcome } from './run.ts'
import type { Scenario } from './scenario.ts'
import type { StoredStep } from './steps.ts'

/** What is wrong with a run, in plain words; nothing where it is as it should be. */
export function compare(calm: Outcome, killed: Outcome, scenario: Scenario): string[] {
  const { killedAtMs = 0 } = killed
  const hasMore = isUnknown(killed, scenario)
  const before = killed.steps.filter(({ at }) => at <= killedAtMs)
  return [
    ...(killed.killedAtMs === undefined ? ['nothing was killed: the run has fewer steps'] : []),
    ...compareSaid(calm, killed, scenario),
    ...compareDone(calm.done, killed.done, { before, mayMiss: hasMore }),
    ...compareAsked(calm.asked, killed.asked, {
      before,
      tries: scenario.tries ?? 1,
      hasMore,
    }),
    ...findRepeated(killed.steps),
    ...(['artifacts', 'records', 'timers', 'questions'] as const)
      .filter((what) => calm[what] !== killed[what] && !(what === 'records' && (scenario.sumsUp || hasMore)))
      // A task keeps what it did in each turn, and a person's answer begins one more.
      .filter((what) => what !== 'artifacts' || !hasMore || killed.artifacts !== calm.artifacts + 1)
      .map((what) => `${killed[what]} ${what} are kept instead of ${calm[what]}`),
  ]
}

/** Whether the person was asked about a call of which nobody knows whether it took effect: their answer begins a turn more. */
const isUnknown = ({ said }: Outcome, { unknown }: Scenario): boolean =>
  unknown !== undefined && JSON.stringify(said).includes(unknown)

function compareSaid(calm: Outcome, killed: Outcome, scenario: Scenario): string[] {
  const wanted = JSON.stringify(calm.said)
  const found = JSON.stringify(killed.said)
  if ([wanted, JSON.stringify(scenario.orSaid)].includes(found) || isUnknown(killed, scenario)) return []
  return [`said ${found}\n      instead of ${wanted}`]
}

const namesOf = (deeds: readonly Deed[]): string =>
  deeds
    .map(({ what }) => what)
    .toSorted()
    .join('; ')

type Found = { readonly before: readonly StoredStep[]; readonly mayMiss: boolean }

function compareDone(calm: readonly Deed[], killed: readonly Deed[], { before, mayMiss }: Found): string[] {
  const isSame = namesOf(calm) === namesOf(killed) || (mayMiss && killed.length === 0)
  const differs = isSame ? [] : [`done was ${namesOf(killed)} instead of ${namesOf(calm)}`]
  const finished = keysOf(before, 'tool:fin')
  const begun = keysOf(before, 'tool:req')
  const repeated = killed.flatMap(({ what, key, hits }) => {
    const usual = calm.find((deed) => deed.what === what)?.hits ?? 1
    const id = key.split('/').slice(1).join('/')
    const isUnderWay = begun.has(id) && !finished.has(id)
    // A later call under its key, as without a kill too: the key names the first one.
    const mayRepeat = isUnderWay || (usual > 1 && [...begun].some((one) => !finished.has(one)))
    return hits <= usual + (mayRepeat || !key.includes('/tool/') ? 1 : 0) ? [] : [`${what} was done ${hits} times`]
  })
  return [...differs, ...repeated]
}

/** Calls as their keys end. */
const keysOf = (steps: readonly StoredStep[], kind: string): ReadonlySet<string> =>
  new Set(
    steps
      .flatMap(({ entries }) => entries)
      .flatMap(({ t, turn, step, callId }) => (t === kind ? [`${turn}/tool/${step}/${callId}`] : [])),
  )

function compareAsked(
  calm: ReadonlyMap<string, number>,
  killed: ReadonlyMap<string, number>,
  {
    before,
    tries,
    hasMore,
  }: { readonly before: readonly StoredStep[]; readonly tries: number; readonly hasMore: boolean },
): string[] {
  const entries = before.flatMap((step) => step.entries)
  const isUnderWay =
    entries.findLastIndex(({ t }) => t === 'llm:req') > entries.findLastIndex(({ t }) => t === 'llm:fin')
  const extra = [...killed].flatMap(([what, count]) => {
    const more = count - (calm.get(what) ?? 0)
    return more > 0 ? [{ what, more }] : []
  })
  const sum = extra.reduce((all, { more }) => all + more, 0)
  // The turn that a person's answer begins asks once.
  return sum <= (isUnderWay ? tries : 0) + (hasMore ? 1 : 0)
    ? []
    : [`the model was asked again: ${extra.map(({ what, more }) => `${more} × "${what}"`).join(', ')}`]
}

/** What the journal has twice: the end of a step or of a call, or the beginning of a turn. */
export function findRepeated(steps: readonly StoredStep[]): string[] {
  const seen = new Map<string, number>()
  for (const { t, turn, step, callId } of steps.flatMap(({ entries }) => entries))
    if (t !== 'llm:req') {
      const name = `${t} ${turn} ${step ?? ''} ${callId ?? ''}`
      seen.set(name, (seen.get(name) ?? 0) + 1)
    }
  return [...seen].flatMap(([name, count]) =>
    count > 1 && !name.startsWith('turn:join') ? [`${name} was journaled ${count} times`] : [],
  )
}
