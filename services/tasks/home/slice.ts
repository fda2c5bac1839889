// The tasks of a conversation, as the conversation knows them: a line each, kept up to date by what the tasks tell. The work itself is in the tasks.
import { z } from 'zod'
import { storable, type Slice } from '#shared/feature/slice.ts'
import { listed, type Listed } from '#services/tasks/view/listed.ts'
import type { News } from '#services/tasks/run/tell-home.ts'

const mostKept = 20
export const mostAtWork = 5
export const mostOfOne = 3

const own = z.object({
  last: z.number().int().nonnegative(),
  tasks: z.array(listed).max(mostKept).readonly(),
  /** What the chat has set (`settings.ts`). */
  checkpoints: z.boolean().exactOptional(),
  every: z.number().int().positive().exactOptional(),
})
export type Home = z.infer<typeof own>
export type HomeChange =
  | { readonly add: Listed }
  | { readonly news: News }
  | { readonly drop: number }
  | { readonly checkpoints: boolean }
  | { readonly every: number }

export const homeSlice: Slice<Home, HomeChange> = {
  schema: storable(own),
  fresh: { last: 0, tasks: [] },
  fold,
  inNewSession: (all) => all,
  atRest: (all) => all,
  forget: (all, id) =>
    all.tasks.some(({ title }) => title.about.includes(id))
      ? { ...all, tasks: all.tasks.filter(({ title }) => !title.about.includes(id)) }
      : all,
}

function fold(all: Home, change: HomeChange): Home {
  if ('checkpoints' in change || 'every' in change) return { ...all, ...change }
  if ('add' in change) return { ...all, last: Math.max(all.last, change.add.number), tasks: [...all.tasks, change.add] }
  if ('drop' in change) return { ...all, tasks: all.tasks.filter(({ number }) => number !== change.drop) }
  const { number, ...news } = change.news
  return { ...all, tasks: all.tasks.map((one) => (one.number === number ? { ...one, ...news } : one)) }
}

/** Below what a slice may have. */
const mostStored = 15_000

/** Numbers of tasks that are over and make room for this one, the oldest first; undefined where there is none for it. */
export function makeRoom(all: Home, add: Listed): readonly number[] | undefined {
  const gone: number[] = []
  for (let left = all; ;) {
    const after = fold(left, { add })
    if (after.tasks.length <= mostKept && JSON.stringify(after).length <= mostStored) return gone
    const oldest = left.tasks.find(isOver)
    if (!oldest) return undefined
    gone.push(oldest.number)
    left = fold(left, { drop: oldest.number })
  }
}

export const isOver = ({ state }: Listed): boolean => state === 'COMPLETED' || state === 'ERROR'
export const findTask = ({ tasks }: Home, number: number): Listed | undefined =>
  tasks.find((one) => one.number === number)
