// What the features add to a turn's prompt, asked as the turn begins and kept with it, so that a prompt built again is the same.
import type { Feature } from '#shared/feature/feature.ts'
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { CameOf, ContextPart, ContextTurn } from '#shared/feature/context-part.ts'
import { readRetold } from '#shared/feature/kept.ts'
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { givenPart, type GivenPart } from '#services/executor/state/given-part.ts'
import { sliceOf, type WithSlices } from '#services/executor/state/slices.ts'
import { toForeign } from '#services/executor/state/told.ts'
import { within } from '#services/executor/run/within.ts'
import { headAndTail } from '#services/executor/state/fit-items.ts'

/** What was given, and the messages of other conversations that it was made of. */
export type Gathered = { readonly parts: readonly GivenPart[]; readonly from: readonly CameOf[] }

/** Never throws: of a part that fails or is late the operator is told, and the turn goes on without it. */
export async function gatherContext(
  deps: Pick<ExecutorDeps, 'features' | 'estimate' | 'onPartFailed'>,
  state: WithSlices,
  turn: Omit<ContextTurn, 'slice'>,
  signal: AbortSignal,
): Promise<Gathered> {
  const asked = deps.features.all.flatMap((feature) =>
    (feature.context ?? []).flatMap((part) =>
      part.applies?.(sliceOf(state, feature)) === false ? [] : [give(deps, state, { feature, part, turn }, signal)],
    ),
  )
  if (asked.length === 0) return nothing
  const all = (await Promise.all(asked)).flat()
  return { parts: all.map(({ part }) => part), from: all.flatMap(({ from }) => from) }
}
const nothing: Gathered = { parts: [], from: [] }

/** Of a text that is far too long only so much is measured. */
const mostCharsPerToken = 16
const mostReasonChars = 300
/** Of one part so many messages are named. */
const mostAbout = 100

function cutMiddle(text: string, chars: number): string {
  const half = Math.floor(chars / 2)
  return text.length <= chars ? text : `${text.slice(0, half)}\n${text.slice(-half)}`
}

async function give(
  { estimate, onPartFailed }: Pick<ExecutorDeps, 'estimate' | 'onPartFailed'>,
  state: WithSlices,
  { feature, part, turn }: { feature: Feature; part: ContextPart; turn: Omit<ContextTurn, 'slice'> },
  signal: AbortSignal,
): Promise<{ readonly part: GivenPart; readonly from: readonly CameOf[] }[]> {
  const late = new AbortController()
  const name = `${feature.name}.${part.name}`
  try {
    const given = await within(
      part.give({ ...turn, slice: sliceOf(state, feature) }, late.signal),
      part.withinMs,
      signal,
    )
    if (!given) return []
    const told = readRetold(given.text)
    const whole = typeof given.text === 'string' ? given.text : (told?.text ?? '')
    if (whole.trim() === '') return []
    const short = cutMiddle(whole, part.maxTokens * mostCharsPerToken)
    const text = estimate(short) <= part.maxTokens ? short : headAndTail(short, part.maxTokens, estimate)
    const reason = given.reason.slice(0, mostReasonChars).toWellFormed()
    const whose = told
      ? { source: told.source, ...toTainted(joinTaint(told.taint, given.taint)) }
      : { source: given.source ?? part.source, ...toTainted(given.taint) }
    const came = [{ conversation: turn.conversation, messages: told?.about ?? [] }, ...(given.about ?? [])]
    const about = toNames(turn.conversation, came)
    return [
      {
        part: givenPart.parse({
          name,
          text: text.toWellFormed(),
          reason,
          ...whose,
          ...(about.length > 0 ? { about } : {}),
        }),
        from: came.filter(({ conversation, messages }) => conversation !== turn.conversation && messages.length > 0),
      },
    ]
  } catch (error) {
    if (!signal.aborted) onPartFailed(name, error)
    return []
  } finally {
    late.abort()
  }
}

/** Messages as they are called here: the newest count. */
const toNames = (here: ConversationId, came: readonly CameOf[]): readonly string[] =>
  came
    .flatMap(({ conversation, messages }) =>
      conversation === here ? messages : messages.map((id) => toForeign(conversation, id)),
    )
    .slice(-mostAbout)
