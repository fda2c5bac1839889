// What the features add to a turn's prompt, asked as the turn begins and kept with it, so that a prompt built again is the same.
import { z } from 'zod'
import type { ContextPart, ContextTurn, Feature } from '#shared/feature/feature.ts'
import { source } from '#shared/model/source.ts'
import type { ExecutorDeps } from '#services/executor/deps.ts'
import { sliceOf, type WithSlices } from '#services/executor/state/slices.ts'
import { headAndTail } from './fit-items.ts'

export const givenPart = z.object({ name: z.string(), source, text: z.string(), reason: z.string() })
export type GivenPart = z.infer<typeof givenPart>

/** Never throws: of a part that fails or is late the operator is told, and the turn goes on without it. */
export async function gatherContext(
  deps: Pick<ExecutorDeps, 'features' | 'estimate' | 'onPartFailed'>,
  state: WithSlices,
  turn: Omit<ContextTurn, 'slice'>,
): Promise<readonly GivenPart[]> {
  const asked = deps.features.all.flatMap((feature) =>
    (feature.context ?? []).map((part) => give(deps, state, { feature, part, turn })),
  )
  return (await Promise.all(asked)).flat()
}

async function give(
  { estimate, onPartFailed }: Pick<ExecutorDeps, 'estimate' | 'onPartFailed'>,
  state: WithSlices,
  { feature, part, turn }: { feature: Feature; part: ContextPart; turn: Omit<ContextTurn, 'slice'> },
): Promise<GivenPart[]> {
  const late = new AbortController()
  const name = `${feature.name}.${part.name}`
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${part.withinMs} ms.`)), part.withinMs)
  })
  try {
    const given = await Promise.race([part.give({ ...turn, slice: sliceOf(state, feature) }, late.signal), limit])
    if (!given || given.text.trim() === '') return []
    const isShort = estimate(given.text) <= part.maxTokens
    const text = isShort ? given.text : headAndTail(given.text, part.maxTokens, estimate)
    return [{ name, source: part.source, text: text.toWellFormed(), reason: given.reason }]
  } catch (error) {
    onPartFailed(name, error)
    return []
  } finally {
    clearTimeout(timer)
    late.abort()
  }
}
