// What a task tells its conversation of itself: enough for its list, and for a turn there to know what came of it.
import { z } from 'zod'
import { taskStates } from '#services/tasks/graph/states.ts'
import { waits, type TaskOwn } from './own.ts'
import type { TaskStep } from './work.ts'

export const news = z.object({
  number: z.number().int().positive(),
  state: z.enum(taskStates),
  waits: z.enum(waits),
  done: z.number().int().nonnegative(),
  all: z.number().int().nonnegative(),
  tokens: z.number().nonnegative(),
})
export type News = z.infer<typeof news>

export const tellHome = (
  { number, machine, waits: waiting, tokens, asker }: TaskOwn,
  { done, all }: { readonly done: number; readonly all: number },
): TaskStep => ({
  kind: 'signal',
  to: 'home',
  letter: 'news',
  payload: JSON.stringify({ number, state: machine.current_state, waits: waiting, done, all, tokens } satisfies News),
  serves: asker,
})
