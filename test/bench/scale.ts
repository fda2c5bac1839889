// `scale`: processor time per message of the fleet's own processes (one router, and one or four executors) under a flood.
import type { Child } from './child.ts'
import { toFigure } from './figures.ts'
import type { LoadResult } from './load.ts'
import type { Place } from './place.ts'
import type { Size } from './throughput.ts'

const executorCounts = [1, 4] as const

/** One and four in turns; both fleets are started anew and warmed up equally per process. */
export async function measureScale(place: Place, size: Size) {
  const costs: Record<(typeof executorCounts)[number], { cpuMs: number; perS: number }[]> = { 1: [], 4: [] }
  for (let n = 0; n < Math.min(size.runs, 3); n++) {
    for (const count of executorCounts)
      costs[count].push(await measure(place, size, { count, label: `x${count}.${n}` }))
  }
  const [one, four] = executorCounts.map((count) => toFigure(costs[count].map(({ cpuMs }) => cpuMs)))
  const ratios = costs[1].map(({ cpuMs }, n) => (costs[4][n]?.cpuMs ?? Number.NaN) / cpuMs)
  return {
    cpuRatio4: toFigure(ratios).median,
    cpuRatios4: toFigure(ratios),
    cpuMsPerMessage1: one,
    cpuMsPerMessage4: four,
    messagesPerS1: toFigure(costs[1].map(({ perS }) => perS)),
    messagesPerS4: toFigure(costs[4].map(({ perS }) => perS)),
  }
}

async function measure(place: Place, size: Size, of: { count: number; label: string }) {
  await place.clear()
  const executors = Array.from({ length: of.count }, () => place.startFleet('executor'))
  const fleet = await Promise.all([place.startFleet('router'), ...executors])
  const load = await place.startLoad()
  const send = (label: string, conversations: number): Promise<LoadResult> =>
    load.ask({ side: 'fleet', label: of.label + label, conversations, perConversation: 1, ratePerS: 0, atOnce: 50 })
  try {
    await send('w', size.warmUp * of.count)
    await place.clear()
    const before = await totalCpuMs(fleet)
    const { wallMs, messages } = await send('m', size.messages)
    return { cpuMs: ((await totalCpuMs(fleet)) - before) / messages, perS: (messages * 1000) / wallMs }
  } finally {
    for (const child of [load, ...fleet]) await child.stop()
  }
}

async function totalCpuMs(children: readonly Child[]): Promise<number> {
  const stats = await Promise.all(children.map((child) => child.stats()))
  return stats.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}
