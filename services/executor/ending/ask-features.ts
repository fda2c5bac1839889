// Asks the features what they want done as a turn ends. A feature that fails costs only its own wishes.
import { keeper } from '#shared/feature/kept.ts'
import type { EndedTurn } from '#shared/feature/feature.ts'
import type { Left } from '#shared/feature/left.ts'
import { callLinesOf } from './call-lines.ts'
import type { DecidedEnd } from './decide-end.ts'
import { findFailed } from './find-failed.ts'
import { findWrites } from './find-writes.ts'
import { carry } from '#services/executor/step/carry.ts'
import { joinCaused, type Caused } from '#shared/run/step.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { toTaskNumber } from '#services/executor/run/task-number.ts'
import { knownWorkOf } from '#services/executor/context/marks.ts'
import { findAwaited } from '#services/executor/gateway/awaited.ts'
import { findUnsure } from '#services/executor/gateway/kept-keys.ts'
import { type EndingTurn, type Stock } from './take-stock.ts'
import { taskOf } from '#services/executor/context/turn-items.ts'
import { toReplyTo } from '#services/executor/context/in-group.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { within } from '#services/executor/run/within.ts'
import { sliceOf, withoutCalledOff } from '#services/executor/state/slices.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

export type AfterFeatures = {
  readonly state: ConversationState
  readonly caused: Caused
  readonly wanted: readonly string[]
  /** Who asks for approvals failed to. */
  readonly isUnasked: boolean
  /** The work could not be handed over. */
  readonly isUntaken: boolean
}
const mostEndedMs = 5000

type Asked = Pick<DecidedEnd, 'said' | 'state'> & { readonly input: EndingTurn; readonly ended: Stock }

/** What the features want done now that the turn ends, each on what the one before it left. */
export async function askFeatures(deps: ExecutorDeps, claim: Claim, asked: Asked): Promise<AfterFeatures> {
  const { input, ended, state: first } = asked
  const { turn, about, language, events, taint } = ended.facts
  const { principal, turn: id } = turn.start
  const left = toLeft(deps, claim, asked)
  let after: AfterFeatures = { ...callOff(deps, first, input), wanted: [], isUnasked: false, isUntaken: false }
  for (const feature of input.isBare ? [] : deps.features.all) {
    const asks = feature.approvals !== undefined && left.awaiting.length > 0
    const handed = input.handed?.feature === feature.name ? input.handed.effects : []
    if ((!feature.ended && handed.length === 0) || (asks && input.isUnasked)) continue
    const before = after
    try {
      const wants = feature.ended?.({ ...left, slice: sliceOf(before.state, feature) }) ?? []
      // Most hooks need not wait, and a timer for each would cost every turn.
      const own = wants instanceof Promise ? await within(wants, mostEndedMs) : wants
      const effects = [...handed, ...own]
      if (effects.length === 0) {
        after = { ...before, isUnasked: before.isUnasked || asks }
        continue
      }
      const how = { answers: [], ...toReplyTo(claim.state, turn.start, events), mayChoose: false, taint }
      const at = { feature, step: `${id}-${feature.name}`, principal, language, about, ...how }
      const { state, turn: _, ...caused } = carry(deps, { ...claim, state: before.state }, effects, at)
      const wanted = [...before.wanted, feature.name]
      after = { ...before, state, caused: joinCaused(before.caused, caused), wanted }
    } catch (error) {
      deps.onFeatureFailed(feature.name, error)
      after = { ...before, isUnasked: before.isUnasked || asks, isUntaken: before.isUntaken || handed.length > 0 }
    }
  }
  return after
}

/** What each of them is told of the turn. */
function toLeft(deps: ExecutorDeps, claim: Claim, { input, ended, said, state }: Asked): Omit<EndedTurn, 'slice'> {
  const { facts, tokens } = ended
  const { turn, about, language, events, taint } = facts
  const { principal, turn: id, class: found, at: begunAt, response } = turn.start
  const { conversation } = claim
  return {
    conversation,
    ...toTaskNumber(claim),
    principal,
    language,
    turn: id,
    about,
    keep: keeper({ by: principal, taint, about: facts.aboutWords(said.text) }),
    class: found,
    ...knownWorkOf(deps, turn),
    ending: input.ending,
    begunAt,
    name: state.people?.[principal],
    title: events.findLast((event) => event.kind === 'message')?.title,
    tokens,
    // Features show it on their cards.
    asked: turn.start.for === undefined ? facts.text : taskOf(turn, events),
    text: said.text,
    callLines: () => callLinesOf(turn),
    awaiting: input.ending === 'suspended' ? findAwaited(turn, conversation) : [],
    failure: input.failure,
    ...toFailed(findFailed(deps, turn)),
    response,
    writes: findWrites(deps, turn, conversation),
    unsure: findUnsure(turn, conversation, (name) => deps.features.findTool(name)?.found),
  }
}

const toFailed = (failed: Left['failed']): Pick<Left, 'failed'> => (failed ? { failed } : {})

/** A stop ends all that its person is asked here, as where nothing runs: also what this very turn has asked. */
function callOff(
  { features }: ExecutorDeps,
  state: ConversationState,
  { ending, turn }: EndingTurn,
): Pick<AfterFeatures, 'state' | 'caused'> {
  if (ending !== 'stopped') return { state, caused: {} }
  const which = { asker: turn.start.principal }
  return { state: withoutCalledOff(features, state, which), caused: { cancels: [which] } }
}
