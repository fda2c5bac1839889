// How a task came to where it stands: its plan forks at each rollback, and what lies on no way that led here is set aside. Pure.
import { mostPoints, type Point, type TaskOwn } from './own.ts'

type Ways = Pick<TaskOwn, 'forks'>

/** The generations that led to a step of one, each up to which of its steps. */
function wayTo(
  { forks }: Ways,
  at: { readonly generation: number; readonly step: number },
): ReadonlyMap<number, number> {
  const way = new Map<number, number>()
  for (let { generation, step } = at; !way.has(generation);) {
    way.set(generation, step)
    const fork = forks.find((one) => one.generation === generation)
    if (!fork) break
    generation = fork.from
    step = Math.min(step, fork.step)
  }
  return way
}

const toHere = ({ generation }: Pick<TaskOwn, 'generation'>) => ({ generation, step: Infinity })

/** Whether a point lies on the way that led to where the task stands; the others are set aside. */
export const isOnWay = (own: Ways & Pick<TaskOwn, 'generation'>, point: Point): boolean =>
  point.step <= (wayTo(own, toHere(own)).get(point.generation) ?? -1)

/** The step up to which the way to a point is the one to where the task stands. */
export function commonStep(own: Ways & Pick<TaskOwn, 'generation'>, point: Point): number {
  const here = wayTo(own, toHere(own))
  const shared = [...wayTo(own, point)].map(([generation, step]) => Math.min(step, here.get(generation) ?? 0))
  return Math.max(0, ...shared)
}

/** With this point as the newest: of a step that was done once more the former one goes. Where there are too many, what was set aside goes first. */
export function withPoint(own: Pick<TaskOwn, 'generation' | 'forks' | 'points'>, point: Point): readonly Point[] {
  const all = [
    ...own.points.filter(({ step, generation }) => step !== point.step || generation !== point.generation),
    point,
  ]
  while (all.length > mostPoints) {
    const aside = all.findIndex((one) => !isOnWay(own, one))
    // The beginning stays.
    all.splice(aside >= 0 ? aside : 1, 1)
  }
  return all
}
