// Asks a feature what is to be done about an event that is its own: a question that ended, a timer that fired.
import type { Language } from '#shared/chat/message.ts'
import type { Effect } from '#shared/feature/effect.ts'
import { joinTaint } from '#shared/model/taint.ts'
import type { Asking, Feature } from '#shared/feature/feature.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { attempt, toAt, type Applied } from './applied.ts'
import { toAsking } from './asking.ts'
import { carry } from '#services/executor/step/carry.ts'
import { withNames } from '#services/executor/step/to-body.ts'
import { recordWork, type Ended } from '#services/executor/step/record.ts'
import type { Shown } from '#services/executor/state/asking.ts'
import { boundAbout, toLanguage, type ConversationState } from '#services/executor/state/state.ts'

type Consulted = {
  readonly feature: Feature
  readonly item: QueuedEvent
  readonly event: Ended
  /** What the question was that has ended, where it is known. */
  readonly card?: Pick<Shown, 'language'> | undefined
}
type Rule = (asking: Asking) => Promise<readonly Effect[]>

/**
 * In the language that its words are in, that of the card that has ended, or that is spoken; for whom the event names; by a second rule where the
 * first cannot be done.
 */
export async function consult(
  deps: ExecutorDeps,
  claim: Claim,
  { feature, item, event, card }: Consulted,
  ...[rule, ...instead]: readonly [Rule, ...Rule[]]
): Promise<Applied> {
  const at = toAt({ feature, item, language: toSpoken(claim.state, item, card) })
  const asking = await toAsking(deps, claim, at)
  let wanted: readonly Effect[] = []
  const toWork = (one: Rule) => async (): Promise<Applied> => {
    wanted = await one(asking)
    return { ...carry(deps, claim, wanted, at), what: event.kind }
  }
  const applied = await attempt(deps, claim, at, toWork(rule), ...instead.map(toWork))
  const said = applied.rows.some(({ body }) => body.kind === 'send')
  // A turn that begins has a record of its own.
  if (applied.turn !== undefined || !(said || event.kind === 'answer' || event.kind === 'expired')) return applied
  const { step: work, principal } = at
  // What it repeats may come from other messages than those that it is about itself, also of other conversations.
  const told = wanted
    .map((effect) => withNames(claim, effect, at))
    .flatMap((effect) => (effect.kind === 'send' || effect.kind === 'ask' ? effect : []))
  const about = boundAbout([...at.about, ...told.flatMap((one) => one.about ?? [])])
  const taint = joinTaint(at.taint, ...told.map((one) => one.taint))
  const done = { work, feature: feature.name, principal, about, taint, atMs: deps.now(), rows: applied.rows }
  return { ...applied, records: [...applied.records, recordWork(event, done)] }
}

/**
 * Words that are no Chinese tell nothing of an answer: they may be a name, an address, or a button's number. A letter that comes where nothing was
 * heard yet speaks as where it was written.
 */
function toSpoken(state: ConversationState, { event }: QueuedEvent, card: Consulted['card']): Language {
  if (event.kind === 'letter') return toLanguage({ ...state, heard: state.heard ?? event.language }, '')
  const words = (event.kind === 'answer' && event.words) || ''
  return card?.language === undefined
    ? toLanguage(state, words)
    : toLanguage({ ...state, heard: card.language }, words.replaceAll(/[a-z]/gi, ''))
}
