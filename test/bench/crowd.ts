// `wide` and `memory`: a thousand conversations at once against a model that takes 2 s, served by one executor process, and by
// `all`. Memory is resident, without Redis and simulators: `allMb` and `executorPeakMb` are the peaks with the thousand open,
// `executorMb` is one executor at rest after its warm-up, and `perConversationKb` what each open conversation adds to that.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import { round, toFigure } from './figures.ts'
import type { LoadResult } from './load.ts'
import type { Place } from './place.ts'

const conversations = 1000
const modelLatencyMs = 2000
const warmUp = 300

/** What the processes named by `watch` hold while everybody waits. */
type Crowd = { readonly wallMs: number; readonly idleMb: number; readonly openMb: number; readonly peakMb: number }

export async function measureCrowd(place: Place, runs: number) {
  const separate = await withFleet(place, [['router'], ['executor']], (parts) => crowds(place, parts, runs))
  const all = await withFleet(place, [['all']], (parts) => crowds(place, parts, runs))
  const flooded = await withFleet(place, [['all']], (parts) => flood(place, parts))
  // Only the first crowd meets a heap that has not grown yet.
  const [first] = separate
  return {
    wide: {
      wallMs: toFigure(separate.map((crowd) => crowd.wallMs)).median,
      wallsMs: toFigure(separate.map((crowd) => crowd.wallMs)),
      allWallsMs: toFigure(all.map((crowd) => crowd.wallMs)),
      conversations,
      modelLatencyMs,
    },
    memory: {
      allMb: round(Math.max(...all.map((crowd) => crowd.peakMb))),
      executorMb: round(first?.idleMb ?? 0),
      executorPeakMb: round(Math.max(...separate.map((crowd) => crowd.peakMb))),
      perConversationKb: round((((first?.openMb ?? 0) - (first?.idleMb ?? 0)) * 1024) / conversations),
      allIdleMb: round(all[0]?.idleMb ?? 0),
      allAfterFloodMb: round(flooded),
    },
  }
}

/** Starts one process for each list of roles; the last is the one watched. */
async function withFleet<T>(
  place: Place,
  roles: readonly (readonly string[])[],
  use: (parts: { watched: Child; load: Child }) => Promise<T>,
): Promise<T> {
  await place.clear()
  const fleet = await Promise.all(roles.map((names) => place.startFleet(names)))
  const load = await place.startLoad()
  const watched = fleet.at(-1)
  if (!watched) throw new Error('No process to watch.')
  try {
    await place.setModelLatency(0)
    await send(load, 'warm', warmUp)
    return await use({ watched, load })
  } finally {
    for (const child of [load, ...fleet]) await child.stop()
    await place.setModelLatency(0)
  }
}

async function crowds(place: Place, { watched, load }: { watched: Child; load: Child }, runs: number) {
  await place.setModelLatency(modelLatencyMs)
  const found: Crowd[] = []
  for (let n = 0; n < runs; n++) {
    await sleep(1000)
    const idleMb = watched.memory().nowMb
    const done = send(load, `crowd${n}`, conversations)
    // All have been claimed by then, and the first answers are not here yet.
    await sleep(modelLatencyMs - 100)
    const openMb = watched.memory().nowMb
    const { wallMs } = await done
    found.push({ wallMs, idleMb, openMb, peakMb: watched.memory().peakMb })
  }
  return found
}

async function flood(place: Place, { watched, load }: { watched: Child; load: Child }): Promise<number> {
  await place.setModelLatency(0)
  await send(load, 'flood', 5 * conversations)
  return watched.memory().peakMb
}

function send(load: Child, label: string, count: number): Promise<LoadResult> {
  return load.ask({ side: 'fleet', label, conversations: count, perConversation: 1, ratePerS: 0, atOnce: 100 })
}
