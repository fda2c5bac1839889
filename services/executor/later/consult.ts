// Asks a feature what is to be done about an event that is its own: a question that ended, a timer that fired.
import type { Effect } from '#shared/feature/effect.ts'
import type { Asking, Feature } from '#shared/feature/feature.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/claim.ts'
import type { ExecutorDeps } from '#services/executor/deps.ts'
import { attempt, toAt, type Applied } from '#services/executor/effects/applied.ts'
import { toAsking } from '#services/executor/effects/asking.ts'
import { carry } from '#services/executor/effects/carry.ts'
import { recordWork, type Ended } from '#services/executor/ending/record.ts'
import { toLanguage } from '#services/executor/state/state.ts'

type Rule = (asking: Asking) => Promise<readonly Effect[]>

/** In the language that is spoken, or that its words are in, for whom the event names; by a second rule where the first cannot be done. */
export async function consult(
  deps: ExecutorDeps,
  claim: Claim,
  { feature, item, event }: { readonly feature: Feature; readonly item: QueuedEvent; readonly event: Ended },
  ...[rule, ...instead]: readonly [Rule, ...Rule[]]
): Promise<Applied> {
  const words = (item.event.kind === 'answer' && item.event.words) || ''
  const at = toAt({ feature, item, language: toLanguage(claim.state, words) })
  const asking = await toAsking(deps, claim, at)
  const toWork = (one: Rule) => async (): Promise<Applied> => ({
    ...carry(deps, claim, await one(asking), at),
    what: event.kind,
  })
  const applied = await attempt(deps, claim, at, toWork(rule), ...instead.map(toWork))
  const said = applied.rows.some(({ body }) => body.kind === 'send')
  // A turn that begins has a record of its own.
  if (applied.turn !== undefined || !(said || event.kind === 'answer' || event.kind === 'expired')) return applied
  const { step: work, principal, about } = at
  const done = { work, feature: feature.name, principal, about, atMs: deps.now(), rows: applied.rows }
  return { ...applied, records: [...applied.records, recordWork(event, done)] }
}
