// The marks that features put before answers. They are for people alone: an answer is worked with, remembered and shown while it grows without
// them, also where the model wrote them itself.
import type { Refused } from '#shared/run/approval.ts'
import type { Answered } from '#shared/feature/marks.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { callsOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import { sliceOf } from '#services/executor/state/slices.ts'
import type { ConversationState } from '#services/executor/state/state.ts'

type Deps = Pick<ExecutorDeps, 'features'>

/** Of what was said in a session the newest, as far as a mark looks at it. */
const mostTold = 30

export const unmarked = ({ features }: Deps, text: string): string =>
  features.all.reduce((left, { marks }) => marks?.without(left) ?? left, text)

/** What is shown of a growing answer; `toShown` is the last that is done to it. */
export const unmarkedDrafts = (
  deps: Deps,
  store: Pick<RunStore, 'draft'>,
  toShown: (text: string) => string = (text) => text,
): Pick<RunStore, 'draft'> => ({
  draft: (draft) => store.draft({ ...draft, text: toShown(unmarked(deps, draft.text)) }),
})

/** The turn with the model's last words unmarked: as they are `shown`; for the history only where no prompt has had them yet. */
export function unmarkedTurn(deps: Deps, turn: OpenTurn, shown: boolean): OpenTurn {
  if (!shown && callsOf(turn).length > 0) return turn
  const last = turn.entries.findLast((entry) => entry.t === 'llm:fin')
  const text = last && unmarked(deps, last.text)
  // As a rule there are no marks in it.
  if (!last || text === undefined || text === last.text) return turn
  return { ...turn, entries: turn.entries.map((entry) => (entry === last ? { ...last, text } : entry)) }
}

/** What was done in the turn, as far as marks and those who learn of its end are told. */
export function workOf(turn: OpenTurn): Pick<Answered, 'tools' | 'last'> {
  const { entries, start } = turn
  const { last } = start
  // Most turns call none.
  if (!entries.some((entry) => entry.t === 'llm:fin' && entry.toolCalls.length > 0)) return { tools: [], last }
  const begun = new Set<string>()
  const done = new Set<string>()
  const refused = new Map<string, Refused>()
  for (const entry of entries) {
    if (entry.t === 'tool:req' || entry.t === 'tool:fin') begun.add(toCall(entry))
    if (entry.t === 'tool:fin' && entry.ok) done.add(toCall(entry))
    if (entry.t === 'tool:fin' && entry.refused) refused.set(toCall(entry), entry.refused)
  }
  const tools = entries.flatMap((entry) =>
    entry.t === 'llm:fin'
      ? entry.toolCalls.map(({ id: callId, name }) => {
          const call = toCall({ ...entry, callId })
          const why = refused.get(call)
          const unmade = begun.has(call) ? {} : { unmade: true as const }
          return { name, ok: done.has(call), ...unmade, ...(why ? { refused: why } : {}) }
        })
      : [],
  )
  return { tools, last }
}

/** The same as it may be kept: a name that the model made up is its words. */
export function knownWorkOf({ features }: Deps, turn: OpenTurn): Pick<Answered, 'tools' | 'last'> {
  const { tools, last } = workOf(turn)
  return { tools: tools.map((one) => (features.findTool(one.name) ? one : { ...one, name: 'unknown' })), last }
}

/** Endpoints number the calls of each step anew. */
const toCall = ({ step, callId }: { readonly step: number; readonly callId: string }): string => `${step} ${callId}`

/** What the first feature that has something to say puts before the answer as people see it. */
export function markOf(
  deps: Deps,
  state: ConversationState,
  { turn, asked, ...answer }: Pick<Answered, 'language' | 'asked' | 'text'> & { readonly turn: OpenTurn },
): string | undefined {
  const work = workOf(turn)
  const about = {
    ...answer,
    ...work,
    type: turn.start.class.type,
    asked: work.last ? (state.lastText ?? '') : asked,
    told: state.history
      .filter(isOwnWord)
      .slice(-mostTold)
      .map((item) => item.text),
  }
  for (const feature of deps.features.all) {
    const mark = feature.marks?.of({ ...about, slice: sliceOf(state, feature) })
    if (mark) return mark
  }
  return undefined
}

/** Said by the person of a direct chat, without words of others. In a group names stand with what is said. */
const isOwnWord = (item: HistoryItem): boolean =>
  item.role === 'user' && item.source === 'person' && item.name === undefined
