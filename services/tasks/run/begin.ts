// A task begins: its order is kept, and it is planned.
import { z } from 'zod'
import type { LetterContext } from '#shared/feature/feature.ts'
import { rework, tellTurn, toOurs, type Kept } from '#shared/feature/kept.ts'
import type { OutsideWrite } from '#shared/feature/left.ts'
import { readStored } from '#shared/stored-json.ts'
import { next } from '#services/tasks/graph/states.ts'
import { mostPlanned, readFound } from './found-plan.ts'
import type { TaskOwn } from './own.ts'
import { toPlanPrompt } from './prompts.ts'
import { takePlan } from './take-plan.ts'
import { orderName } from './texts.ts'
import { findAllWrites } from './undo.ts'
import { findOrder, goOnLater, set, toTurn, type TaskDeps, type TaskEffect, type Work } from './work.ts'

/** What the conversation tells a task that begins. */
export const brief = z.object({
  number: z.number().int().positive(),
  order: z.string().min(1).max(16_000),
  every: z.number().int().nonnegative(),
  server: z.string().max(140).exactOptional(),
  /** Others read what is said where it was ordered. */
  group: z.boolean(),
  /** Its steps, where the answer to the order has begun with them. */
  plan: z.array(z.string()).max(mostPlanned).readonly().exactOptional(),
})
export type Brief = z.infer<typeof brief>

export async function begin({ now }: TaskDeps, context: LetterContext<TaskOwn>): Promise<readonly TaskEffect[]> {
  const { event, slice, principal, keep } = context
  if (slice.number > 0) return []
  const { number, order, every, group, server = '', plan } = readStored('beginning of a task', brief, event.payload)
  const machine = next(slice.machine, 'task_spec_ready')
  const graph = plan && readFound(plan)
  const asker = toOurs(principal)
  const begun: readonly TaskEffect[] = [
    { kind: 'artifact', name: orderName, text: order, source: 'person' },
    set({ number, asker, machine, every, group, server: toOurs(server), begunAt: now(), ...planning(slice) }),
  ]
  if (graph) return [...begun, ...takePlan({ ...slice, machine }, graph), goOnLater({ asker })]
  return [...begun, toPlanTurn(context, { order: keep(order), whose: { asker, group }, tries: 0 })]
}

/** The plan is made once more: as somebody wishes, or since none came of the last try. */
export async function planAgain(work: Work): Promise<readonly TaskEffect[]> {
  const { slice } = work
  const wish = slice.notes.at(-1)
  // It is no failure that people want it otherwise, or stopped it.
  const tries = slice.outcome === 'again' ? 0 : slice.outcome === 'stopped' ? slice.tries : slice.tries + 1
  return [
    set({ ...planning(slice), tries }),
    toPlanTurn(work, {
      order: await findOrder(work),
      wish,
      made: await findAllWrites(work),
      whose: slice,
      tries,
    }),
  ]
}

const planning = ({ loop }: TaskOwn) => ({ phase: 'plan', outcome: 'none', waits: 'nothing', loop: loop + 1 }) as const

type Part =
  | { readonly kind: 'order' | 'wish'; readonly text: string }
  | { readonly kind: 'made'; readonly writes: readonly OutsideWrite[] }
type Planning = {
  readonly order: Kept
  readonly wish?: Kept | undefined
  /** What plans before it have changed outside. */
  readonly made?: readonly Kept<readonly OutsideWrite[]>[]
  readonly whose: Pick<TaskOwn, 'asker' | 'group'>
  readonly tries: number
}

function toPlanTurn({ about, language }: Work, { order, wish, made = [], whose, tries }: Planning): TaskEffect {
  const parts: readonly Kept<Part>[] = [
    rework(order, (text): Part => ({ kind: 'order', text })),
    ...(wish ? [rework(wish, (text): Part => ({ kind: 'wish', text }))] : []),
    ...made.map((one) => rework(one, (writes): Part => ({ kind: 'made', writes }))),
  ]
  return tellTurn(parts, toTurn(about, whose), (all) => {
    const textOf = (kind: 'order' | 'wish') => all.flatMap((one) => (one.kind === kind ? [one.text] : []))[0]
    const writes = all.flatMap((one) => (one.kind === 'made' ? one.writes : []))
    const text = toPlanPrompt({ order: textOf('order') ?? '', wish: textOf('wish'), made: writes, tries }, language)
    // Steps know what is remembered. If the plan came of it, all of the task would go with one thing that is forgotten.
    return { text, seeks: '' }
  })
}
