// `scale`: processor time per message under a flood with one and with four processes in the middle: executors beside one router, or
// the middle hop of the baseline beside one process with the outer two. The baseline shows what four in place of one cost any such
// chain on this machine: less work at each wake-up, and caches shared by more processes.
import type { Child } from './child.ts'
import { toFigure } from './figures.ts'
import type { Load, LoadResult } from './load.ts'
import type { Place } from './place.ts'
import type { Size } from './throughput.ts'

type Side = Exclude<Load['side'], 'floor'>
type Cost = { readonly cpuMs: number; readonly perS: number }
type Pair = { readonly one: Cost; readonly four: Cost }

/**
 * Four and one in turns. The processes in the middle are started anew, and each is warmed up and then measured with equally many
 * messages, since its code gets faster for tens of thousands of them; the outer process and the load stay.
 */
export async function measureScale(place: Place, size: Size) {
  const start = {
    fleet: { outer: () => place.startFleet(['router']), middle: () => place.startFleet(['executor']) },
    baseline: { outer: () => place.startBaseline('first', 'third'), middle: () => place.startBaseline('second') },
  }
  const load = await place.startLoad()
  const outer = { fleet: await start.fleet.outer(), baseline: await start.baseline.outer() }
  const pairs: Record<Side, Pair[]> = { fleet: [], baseline: [] }
  for (let n = 0; n < Math.min(size.runs, 3); n++) {
    for (const side of ['fleet', 'baseline'] as const) {
      const costOf = async (count: number): Promise<Cost> => {
        await place.clear()
        const middle = await Promise.all(Array.from({ length: count }, start[side].middle))
        const send = (part: string, each: number): Promise<LoadResult> =>
          load.ask({ ...flood, side, label: `${side}${count}.${n}${part}`, conversations: each * count })
        await send('w', size.warmUp)
        await place.clear()
        const cost = await measure([outer[side], ...middle], () => send('m', size.messages / 2))
        for (const child of middle) await child.stop()
        return cost
      }
      const four = await costOf(4)
      pairs[side].push({ one: await costOf(1), four })
    }
  }
  for (const child of [load, ...Object.values(outer)]) await child.stop()
  const ratios = (side: Side): readonly number[] => pairs[side].map(({ one, four }) => four.cpuMs / one.cpuMs)
  const figure = (side: Side, count: keyof Pair, of: keyof Cost) => toFigure(pairs[side].map((pair) => pair[count][of]))
  return {
    cpuRatio4: toFigure(ratios('fleet')).median,
    cpuRatios4: toFigure(ratios('fleet')),
    baselineCpuRatio4: toFigure(ratios('baseline')).median,
    baselineCpuRatios4: toFigure(ratios('baseline')),
    cpuMsPerMessage1: figure('fleet', 'one', 'cpuMs'),
    cpuMsPerMessage4: figure('fleet', 'four', 'cpuMs'),
    baselineCpuMsPerMessage1: figure('baseline', 'one', 'cpuMs'),
    baselineCpuMsPerMessage4: figure('baseline', 'four', 'cpuMs'),
    messagesPerS1: figure('fleet', 'one', 'perS'),
    messagesPerS4: figure('fleet', 'four', 'perS'),
  }
}

const flood = { perConversation: 1, ratePerS: 0, atOnce: 50 }

async function measure(processes: readonly Child[], flooded: () => Promise<LoadResult>): Promise<Cost> {
  const before = await totalCpuMs(processes)
  const { wallMs, messages } = await flooded()
  return { cpuMs: ((await totalCpuMs(processes)) - before) / messages, perS: (messages * 1000) / wallMs }
}

async function totalCpuMs(children: readonly Child[]): Promise<number> {
  const stats = await Promise.all(children.map((child) => child.stats()))
  return stats.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}
