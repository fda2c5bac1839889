// What the features add to a turn's prompt, asked as the turn begins and kept with it, so that a prompt built again is the same.
import type { Feature } from '#shared/feature/feature.ts'
import type { CameOf } from '#shared/feature/came-of.ts'
import type { ContextPart, ContextTurn } from '#shared/feature/context-part.ts'
import { readRetold } from '#shared/feature/kept.ts'
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { givenPart, type GivenPart } from '#services/executor/state/given-part.ts'
import { newest, toNames } from '#services/executor/state/came-of.ts'
import { sliceOf, type WithSlices } from '#services/executor/state/slices.ts'
import { within } from '#services/executor/run/within.ts'
import { headAndTail } from '#services/executor/state/fit-items.ts'

/** What each part is told, but for its slice and its budget. `mostTokens`: what all of them may have together. */
export type AskedFor = Omit<ContextTurn, 'slice' | 'budgetTokens'> & { readonly mostTokens: number }

/** What was given, and the messages of other conversations that it was made of. `isWhole`: no part failed or was late. */
export type Gathered = {
  readonly parts: readonly GivenPart[]
  readonly from: readonly CameOf[]
  readonly isWhole: boolean
}

/** Never throws: of a part that fails or is late the operator is told, and the turn goes on without it. */
export async function gatherContext(
  deps: Pick<ExecutorDeps, 'features' | 'estimate' | 'onPartFailed'>,
  state: WithSlices,
  { place, ...turn }: AskedFor & { readonly place: 'prefix' | 'tail' },
  signal: AbortSignal,
): Promise<Gathered> {
  const wanted = deps.features.all
    .flatMap((feature) => (feature.context ?? []).map((part) => ({ feature, part })))
    .filter(({ feature, part }) => placeOf(part) === place && part.applies?.(sliceOf(state, feature)) !== false)
    .toSorted((a, b) => (b.part.priority ?? 0) - (a.part.priority ?? 0))
  if (wanted.length === 0) return nothing
  const given = await Promise.all(wanted.map((one) => give(deps, state, { ...one, turn }, signal)))
  const all = given.flatMap((one) => one ?? [])
  return {
    parts: all.map(({ part }) => part),
    from: all.flatMap(({ from }) => from),
    isWhole: !given.includes(undefined),
  }
}
const nothing: Gathered = { parts: [], from: [], isWhole: true }

/** The most that their parts of the prefix have together, by what each says of itself, tokens. */
export const prefixTokensOf = ({ all }: Pick<ExecutorDeps['features'], 'all'>): number =>
  all
    .flatMap(({ context = [] }) => context)
    .filter((part) => placeOf(part) === 'prefix')
    .reduce((sum, { maxTokens }) => sum + maxTokens, 0)

export const placeOf = ({ place = 'tail' }: Pick<ContextPart, 'place'>): 'prefix' | 'tail' => place

/** Of a text that is far too long only so much is measured. */
const mostCharsPerToken = 16
const mostReasonChars = 300

function cutMiddle(text: string, chars: number): string {
  const half = Math.floor(chars / 2)
  return text.length <= chars ? text : `${text.slice(0, half)}\n${text.slice(-half)}`
}

async function give(
  { estimate, onPartFailed }: Pick<ExecutorDeps, 'estimate' | 'onPartFailed'>,
  state: WithSlices,
  { feature, part, turn }: { feature: Feature; part: ContextPart; turn: AskedFor },
  signal: AbortSignal,
): Promise<{ readonly part: GivenPart; readonly from: readonly CameOf[] }[] | undefined> {
  const late = new AbortController()
  const name = `${feature.name}.${part.name}`
  const { mostTokens, ...whose } = turn
  const budgetTokens = Math.min(part.maxTokens, mostTokens)
  try {
    const given = await within(
      part.give({ ...whose, budgetTokens, slice: sliceOf(state, feature) }, late.signal),
      part.withinMs,
      signal,
    )
    if (!given) return []
    const told = readRetold(given.text)
    const whole = typeof given.text === 'string' ? given.text : (told?.text ?? '')
    if (whole.trim() === '') return []
    const short = cutMiddle(whole, budgetTokens * mostCharsPerToken)
    const text = estimate(short) <= budgetTokens ? short : headAndTail(short, budgetTokens, estimate)
    const reason = given.reason.slice(0, mostReasonChars).toWellFormed()
    const words = told
      ? { source: told.source, ...toTainted(joinTaint(told.taint, given.taint)) }
      : { source: given.source ?? part.source, ...toTainted(given.taint) }
    const came = newest([{ conversation: turn.conversation, messages: told?.about ?? [] }, ...(given.about ?? [])])
    const about = toNames(turn.conversation, came)
    return [
      {
        part: givenPart.parse({
          name,
          text: text.toWellFormed(),
          reason,
          ...words,
          ...(about.length > 0 ? { about } : {}),
        }),
        from: came.filter(({ conversation, messages }) => conversation !== turn.conversation && messages.length > 0),
      },
    ]
  } catch (error) {
    late.abort()
    if (!signal.aborted) onPartFailed(name, error)
    return undefined
  }
}
