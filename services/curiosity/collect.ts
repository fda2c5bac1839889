// Collects what only people can tell: once a turn has ended, its session is looked through by rules for what the answers rested on without knowing it. What is
// found waits on the desk of whom it concerns, and goes where it is answered meanwhile.
import type { Projection, ReaderJob } from '#shared/feature/projection.ts'
import type { DeskSettings } from '#services/curiosity/desk/settings.ts'
import type { IsPaused, Refuse } from '#services/curiosity/desk/ports.ts'
import { lookThrough } from '#services/curiosity/gaps/find-gaps.ts'
import { isStillOpen } from '#services/curiosity/reading/still-open.ts'
import { addQuestions, dropAnswered, toKey, type KeepDeps } from './keep-questions.ts'
import { holdWhileAsked, waitsForPerson } from './asked-otherwise.ts'
import { lookAt } from './looked.ts'
import { toRefused } from './to-refused.ts'

export type CollectDeps = KeepDeps & {
  readonly settings: Pick<DeskSettings, 'asks'>
  readonly refuse: Refuse
  readonly isPaused: IsPaused
}

export const createCollect = (deps: CollectDeps): Projection => ({
  name: 'collect',
  worker: 'curiosity',
  take: (line) => {
    const isTold =
      line.kind === 'turn' &&
      line.record.for === undefined &&
      (line.record.ending === 'answered' || waitsForPerson(line.record))
    return Promise.resolve(isTold ? [{ kind: 'job' }] : [])
  },
  async work(job) {
    await collect(deps, job)
    return []
  },
})

async function collect(deps: CollectDeps, { conversation, line }: ReaderJob): Promise<void> {
  if (line?.kind !== 'turn') return
  if (await holdWhileAsked(deps, { conversation, session: line.record.session })) return
  const looked = await lookAt(deps, conversation, line.record)
  if (!looked) return
  const { turns, dialogue, people } = looked
  const ruled = lookThrough({ isRefused: toRefused(deps.refuse) }, dialogue)
  for (const [principal, name] of people) {
    if ((await deps.settings.asks.find(principal)) === 'off') continue
    if (await deps.isPaused({ principal, conversation })) continue
    const own = ruled.questions.filter(({ to }) => to === name)
    const keys = new Set(own.map(({ key }) => toKey(key)))
    await dropAnswered(deps, { principal, conversation, turns }, ({ text, asks }) =>
      asks.said === undefined
        ? !keys.has(asks.key)
        : !isStillOpen({ ...asks, said: asks.said, question: text }, { dialogue, ruled }),
    )
    await addQuestions(deps, { principal, own, conversation, turns })
  }
}
