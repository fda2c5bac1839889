// The permits for model calls that this process has. Redis is told again and again which are kept: a dead process's become free by themselves.
import type { ModelBudget } from '#shared/model/model-port.ts'

export type Permits = {
  /** It came with a reservation, and is this process's until then, ms. */
  reserved(id: string, untilMs: number): void
  /** Whether a reservation brought one that still holds, or the call has entered. */
  has(id: string): boolean
  /** It is kept from now on, for work under that budget, if any. */
  enter(id: string, budget: ModelBudget | undefined): void
  /** Kept no more. Returns the budget that kept it, '' for none; undefined when there was no permit. */
  drop(id: string): ModelBudget | '' | undefined
  close(): void
}

/** `keep` is told every so often of those that were entered, by their budget. */
export function createPermits(
  everyMs: number,
  keep: (budget: ModelBudget | '', ids: readonly string[]) => void,
): Permits {
  const permits = new Map<string, { readonly untilMs: number } | { readonly budget: ModelBudget | '' }>()
  const timer = setInterval(() => {
    const kept = new Map<ModelBudget | '', string[]>()
    for (const [id, permit] of permits)
      if ('budget' in permit) kept.set(permit.budget, [...(kept.get(permit.budget) ?? []), id])
      else if (permit.untilMs < Date.now()) permits.delete(id)
    for (const [budget, ids] of kept) keep(budget, ids)
  }, everyMs)
  timer.unref()
  return {
    reserved: (id, untilMs) => {
      permits.set(id, { untilMs })
    },
    has(id) {
      const permit = permits.get(id)
      return permit !== undefined && ('budget' in permit || permit.untilMs > Date.now())
    },
    enter: (id, budget) => {
      permits.set(id, { budget: budget ?? '' })
    },
    drop(id) {
      const permit = permits.get(id)
      if (!permits.delete(id)) return undefined
      return permit && 'budget' in permit ? permit.budget : ''
    },
    close: () => clearInterval(timer),
  }
}
