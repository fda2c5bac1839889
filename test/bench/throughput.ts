// `spread`, `burst` and `light`: our side, the baseline and the floor in turns, on the same Redis, after warm-up.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { ProcessStats } from './count-writes.ts'
import { percentile, round, toFigure, type Figure } from './figures.ts'
import type { Load, LoadResult } from './load.ts'
import type { Side } from './answers.ts'
import type { Place } from './place.ts'

export type Size = { readonly runs: number; readonly messages: number; readonly warmUp: number; readonly light: number }

type Sides = Readonly<Record<Side | 'load', Child>>
type Run = LoadResult & {
  readonly perS: number
  readonly cpuMs: number
  readonly redisMs: number
  readonly roundTrips: number
}

const atOnce = 50
const quietMs = 400

export async function openSides(place: Place): Promise<Sides> {
  return {
    fleet: await place.startFleet(['router', 'executor']),
    baseline: await place.startBaseline(),
    floor: await place.startFloor(),
    load: await place.startLoad(),
  }
}

/** Messages/s of all in turns; `ratio` is the median of the runs' own ratios, since a run's two halves share its noise. */
export async function measureFlood(place: Place, sides: Sides, of: { size: Size; perConversation: number }) {
  const { size, perConversation } = of
  const runs: Record<Side, Run>[] = []
  for (let n = 0; n <= size.runs; n++) {
    const messages = n === 0 ? size.warmUp : size.messages
    const load = { conversations: Math.ceil(messages / perConversation), perConversation, ratePerS: 0, atOnce }
    const baseline = await once(place, sides, { ...load, side: 'baseline', label: `b${perConversation}.${n}` })
    const fleet = await once(place, sides, { ...load, side: 'fleet', label: `f${perConversation}.${n}` })
    const floor = await once(place, sides, { ...load, side: 'floor', label: `s${perConversation}.${n}` })
    if (n > 0) runs.push({ fleet, baseline, floor })
  }
  const ratios = (to: Side): number[] => runs.map((run) => run.fleet.perS / run[to].perS)
  return {
    ratio: toFigure(ratios('baseline')).median,
    ratios: toFigure(ratios('baseline')),
    floorRatio: toFigure(ratios('floor')).median,
    floorRatios: toFigure(ratios('floor')),
    messagesPerS: toFigure(runs.map(({ fleet }) => fleet.perS)),
    turnsPerS: toFigure(runs.map(({ fleet }) => (fleet.perS * fleet.rows) / fleet.messages)),
    baselineMessagesPerS: toFigure(runs.map(({ baseline }) => baseline.perS)),
    floorMessagesPerS: toFigure(runs.map(({ floor }) => floor.perS)),
    cpuMsPerMessage: toFigure(runs.map(({ fleet }) => fleet.cpuMs / fleet.messages)),
    baselineCpuMsPerMessage: toFigure(runs.map(({ baseline }) => baseline.cpuMs / baseline.messages)),
    floorCpuMsPerMessage: toFigure(runs.map(({ floor }) => floor.cpuMs / floor.messages)),
    redisMsPerMessage: toFigure(runs.map(({ fleet }) => fleet.redisMs / fleet.messages)),
    baselineRedisMsPerMessage: toFigure(runs.map(({ baseline }) => baseline.redisMs / baseline.messages)),
    floorRedisMsPerMessage: toFigure(runs.map(({ floor }) => floor.redisMs / floor.messages)),
    roundTrips: toFigure(runs.map(({ fleet }) => fleet.roundTrips)),
    baselineRoundTrips: toFigure(runs.map(({ baseline }) => baseline.roundTrips)),
    messages: size.messages,
    runs: size.runs,
  }
}

/** Latency at 50 messages/s, each in a fresh conversation. */
export async function measureLight(place: Place, sides: Sides, size: Size) {
  const load = { conversations: size.light, perConversation: 1, ratePerS: 50, atOnce }
  const runs: Record<Side, Run>[] = []
  const notify = async (on: boolean): Promise<void> => {
    for (const side of [sides.baseline, sides.floor]) await side.ask({ kind: 'notify', on })
  }
  await notify(true)
  for (let n = 0; n < size.runs; n++) {
    const baseline = await once(place, sides, { ...load, side: 'baseline', label: `bl.${n}` })
    const fleet = await once(place, sides, { ...load, side: 'fleet', label: `fl.${n}` })
    const floor = await once(place, sides, { ...load, side: 'floor', label: `sl.${n}` })
    runs.push({ fleet, baseline, floor })
  }
  await notify(false)
  const at = (side: Side, percent: number): Figure =>
    toFigure(runs.map((run) => percentile(run[side].latenciesMs, percent)))
  const ratio = (percent: number, to: Side = 'baseline'): Figure =>
    toFigure(runs.map((run) => percentile(run.fleet.latenciesMs, percent) / percentile(run[to].latenciesMs, percent)))
  return {
    p50Ratio: ratio(50).median,
    p99Ratio: ratio(99).median,
    p50Ratios: ratio(50),
    p99Ratios: ratio(99),
    p50Ms: at('fleet', 50),
    p99Ms: at('fleet', 99),
    baselineP50Ms: at('baseline', 50),
    baselineP99Ms: at('baseline', 99),
    floorP50Ratio: ratio(50, 'floor').median,
    floorP99Ratio: ratio(99, 'floor').median,
    floorP50Ms: at('floor', 50),
    floorP99Ms: at('floor', 99),
    roundTrips: toFigure(runs.map(({ fleet }) => fleet.roundTrips)),
    baselineRoundTrips: toFigure(runs.map(({ baseline }) => baseline.roundTrips)),
    messages: size.light,
    runs: size.runs,
  }
}

/** One run of one side, from an empty Redis. */
async function once(place: Place, sides: Sides, load: Load): Promise<Run> {
  await place.clear()
  const worker = sides[load.side]
  const redisBefore = await place.redisCpuMs()
  const before = [await worker.stats(), await sides.load.stats()]
  const result = await sides.load.ask<LoadResult>(load)
  await sleep(quietMs)
  const after = [await worker.stats(), await sides.load.stats()]
  const redisMs = (await place.redisCpuMs()) - redisBefore
  const [work, sent] = after.map((stats, i) => difference(stats, before[i]))
  return {
    ...result,
    perS: round((result.messages * 1000) / result.wallMs),
    cpuMs: work?.cpuMs ?? 0,
    redisMs,
    roundTrips: ((work?.writes ?? 0) + (sent?.writes ?? 0)) / result.messages,
  }
}

function difference(after: ProcessStats, before: ProcessStats | undefined): ProcessStats {
  return { cpuMs: after.cpuMs - (before?.cpuMs ?? 0), writes: after.writes - (before?.writes ?? 0) }
}
