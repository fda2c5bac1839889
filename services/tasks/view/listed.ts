// A task as its conversation lists it: kept up to date by what the task tells.
import { z } from 'zod'
import { keptOf, ours } from '#shared/feature/kept.ts'
import { taskStates } from '#services/tasks/graph/states.ts'
import { waits } from '#services/tasks/run/own.ts'

export const listed = z.object({
  number: z.number().int().positive(),
  title: keptOf(z.string().max(100)),
  asker: ours,
  state: z.enum(taskStates),
  waits: z.enum(waits),
  done: z.number().int().nonnegative(),
  all: z.number().int().nonnegative(),
  tokens: z.number().nonnegative(),
  /** ms since 1970. */
  begunAt: z.number(),
})
export type Listed = z.infer<typeof listed>
