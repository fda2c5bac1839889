// What stands in the prompts of a turn besides what people say: it is asked for as the turn begins, and stored with its first step.
import { joinCaused } from '#shared/run/step.ts'
import { compactFirst } from '#services/executor/compaction/when.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import { toFacts } from '#services/executor/context/turn-facts.ts'
import { gatherContext, placeOf, type AskedFor } from '#services/executor/context/gather.ts'
import { type Unsaved } from '#services/executor/turn/turn-run.ts'
import { isInGroup } from '#services/executor/context/in-group.ts'
import { toHolds } from '#services/executor/context/holds.ts'
import { type OpenTurn } from '#services/executor/run/open-turn.ts'
import { report } from '#services/executor/step/report.ts'
import type { Serving } from '#services/executor/step/serving.ts'
import { toStored } from '#services/executor/state/stored.ts'

import { toChat } from '#shared/chat/conversation.ts'
import { meet } from '#shared/chat/people.ts'
import { modelOf } from '#shared/model/model-port.ts'
import { mostPrefix, mostTail } from '#services/executor/context/depth.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

type Begun = { readonly turn: OpenTurn; readonly unsaved: Unsaved }

/** Sums up what does not fit, then asks the features. */
export async function withGiven(serving: Serving, { turn, unsaved }: Begun, signal: AbortSignal): Promise<Unsaved> {
  const { principal, turn: work } = turn.start
  const done = await compactFirst(serving.deps, serving, { work, principal }, signal)
  if (!done) return await withContext(serving, { turn, unsaved }, signal)
  const saved = toStored(serving.deps.features, done.state)
  serving.keep(saved.state)
  const caused = joinCaused(unsaved, { records: done.records, artifacts: done.artifacts })
  const parts = { ...unsaved.parts, ...saved.step.parts }
  const summed = { ...unsaved, ...caused, ...saved.step, parts }
  return await withContext(serving, { turn, unsaved: summed }, signal)
}

/** Asks the features what they add to its prompts: to their end for this turn, and to their beginning once a session. */
async function withContext(serving: Serving, { turn, unsaved }: Begun, signal: AbortSignal): Promise<Unsaved> {
  const { deps, conversation } = serving
  const state = withTools(deps, serving.state)
  const isKept = state !== serving.state
  if (!isKept && !state.context && !deps.features.all.some((feature) => feature.context?.length)) return unsaved
  const { principal, class: found, turn: step, role = 'main' } = turn.start
  const { contextTokens } = modelOf(deps.model, role)
  const { events, text, language } = toFacts(turn, serving)
  const about = {
    conversation,
    principal,
    group: isInGroup(state, events, turn.start),
    people: meet(state.people, events) ?? {},
    language,
    session: state.session.id,
    asked: turn.start.seeks ?? text,
    depth: found.depth,
    holds: toHolds(state),
  }
  const tailTokens = mostTail(found.depth, contextTokens)
  const [prefix, tail] = await Promise.all([
    toPrefix(serving, { ...about, mostTokens: mostPrefix(contextTokens) }, signal),
    gatherContext(deps, state, { ...about, place: 'tail', mostTokens: tailTokens }, signal),
  ])
  if (!isKept && tail.parts.length === 0 && !state.context && prefix.parts === state.prefix) return unsaved
  const given: ConversationState = { ...state, context: tail.parts, prefix: prefix.parts }
  const reported = report({ conversation, state: given }, [...prefix.from, ...tail.from], { principal, step })
  const saved = toStored(deps.features, reported.state)
  serving.keep(saved.state)
  const { letters } = joinCaused(unsaved, { letters: reported.letters })
  return { ...unsaved, ...saved.step, letters, parts: { ...unsaved.parts, ...saved.step.parts } }
}

/** The lists of tools that change stay as they are at the session's first turn. */
function withTools({ features }: Serving['deps'], state: ConversationState): ConversationState {
  const tools = state.tools ?? features.tools.toKeep()
  return tools === state.tools ? state : { ...state, tools }
}

/** What stands at the beginning as long as the session goes; asked for again where a part failed, or where nobody waits for it any more. */
async function toPrefix(
  { deps, state }: Serving,
  about: AskedFor,
  signal: AbortSignal,
): Promise<{ readonly parts: ConversationState['prefix']; readonly from: readonly CameOf[] }> {
  const hasAny = deps.features.all.some(({ context = [] }) => context.some((part) => placeOf(part) === 'prefix'))
  if (state.prefix || !hasAny) return { parts: state.prefix, from: [] }
  // It stays for whoever asks later: in a group nobody's own words stand in it.
  const principal = about.group ? toChat(about.conversation) : about.principal
  const asked = { ...about, principal, place: 'prefix' } as const
  const { parts, from, isWhole } = await gatherContext(deps, state, asked, signal)
  if (!isWhole || signal.aborted) return { parts: undefined, from: [] }
  let left = about.mostTokens
  const fits = parts.filter(({ text }) => (left -= deps.estimate(text)) >= 0)
  return { parts: fits, from }
}
