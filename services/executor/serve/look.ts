// The prompt that a conversation's model would be given, made from what is stored by the way that a turn makes it. Nothing is asked of a model and nothing
// is changed: no lease, no step, no session that ends.
import { toChat, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import { listModels, modelOf, type ModelRole, type PromptMessage } from '#shared/model/model-port.ts'
import type { Source } from '#shared/model/source.ts'
import type { PromptPart, TurnRecord } from '#shared/run/record.ts'
import type { Claimed } from '#shared/run/step.ts'
import { mostTail } from '#services/executor/context/depth.ts'
import { gatherContext } from '#services/executor/context/gather.ts'
import { toHolds } from '#services/executor/context/holds.ts'
import { assemblePrompt } from '#services/executor/context/prompt.ts'
import { toFacts } from '#services/executor/context/turn-facts.ts'
import { preparePrompt, toAsked } from '#services/executor/model/prepare-prompt.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { foldTail, type OpenTurn } from '#services/executor/run/open-turn.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { touchSession, type ConversationState } from '#services/executor/state/state.ts'
import { parseState } from '#services/executor/state/stored.ts'
import { lookBack, type LookedAt, type Then } from './look-back.ts'

/** A conversation as it is stored, all of it of one moment. */
export type Stored = Pick<Claimed, 'snapshot' | 'parts' | 'rest' | 'tail'> & {
  readonly conversation: ConversationId
  /** Events of the mailbox, by their numbers. */
  findEvent(seq: number): ChatEvent | undefined
  /** What is kept whole of it. */
  readonly kept: Pick<RunStore, 'listArtifacts' | 'findArtifact'>
  findLastTurn(): Promise<TurnRecord | undefined>
}

export type Part = PromptPart & { readonly sources: readonly Source[]; readonly reason: string }
export type Look = {
  /** Of what moment it is, in words. */
  readonly moment: string
  readonly session: string
  /** For whom. */
  readonly principal: PrincipalId
  readonly depth: string
  readonly model: { readonly role: ModelRole; readonly name: string; readonly contextTokens: number }
  /** Of these the prompt has `tokens`, as we estimate them, and the answer may have `outputTokens` besides. */
  readonly budgetTokens: number
  readonly tokens: number
  readonly outputTokens: number
  readonly parts: readonly Part[]
  /** What others wrote that it holds. */
  readonly taint: readonly string[]
  readonly tools: readonly string[]
  readonly messages: readonly PromptMessage[]
}

/** `then`: an earlier turn, as it began. Throws BotError `bad-input` for what is not known of it, or not kept any more. */
export async function lookAtPrompt(
  deps: ExecutorDeps,
  stored: Stored,
  then: Then | undefined,
  signal: AbortSignal,
): Promise<Look> {
  const open = foldTail(stored.tail)
  const state = parseState(deps.features, stored, open?.start.at ?? deps.now())
  const looked = then
    ? await lookBack(deps, { state, kept: stored.kept }, then)
    : open
      ? lookAtTurn(deps, stored, { open, state })
      : await lookAhead(deps, stored, { state, signal })
  const { asked, moment } = looked
  const shown = deps.features.tools.shown(asked.state.session.id === state.session.id ? state.tools : undefined)
  const engine = { offered: (window: number) => deps.offered(window, shown), assemble: assemblePrompt }
  const { prompt, tools, maxOutputTokens, budgetTokens } = preparePrompt(deps, engine, asked)
  return {
    moment,
    session: asked.state.session.id,
    principal: asked.principal,
    depth: asked.class.depth,
    model: { role: asked.role, ...modelOf(deps.model, asked.role) },
    budgetTokens,
    tokens: prompt.tokens,
    outputTokens: maxOutputTokens,
    parts: prompt.held.map((part) => toPart(part, looked)),
    taint: prompt.taint,
    tools: tools.map(({ name }) => name),
    messages: prompt.messages,
  }
}

/** As the next step of the turn that is under way. */
function lookAtTurn(
  deps: ExecutorDeps,
  { findEvent }: Stored,
  { open, state }: { readonly open: OpenTurn; readonly state: ConversationState },
): LookedAt {
  const { turn, at, given } = open.start
  // As when it began: nothing of that is stored before its end.
  const begun = given === undefined ? touch(deps, state, at) : state
  const facts = toFacts(open, { mailbox: { find: findEvent }, state: begun })
  return { asked: toAsked(facts, begun), moment: `next in turn ${turn}, which runs` }
}

/** As if somebody asked now. */
async function lookAhead(
  deps: ExecutorDeps,
  { conversation, findLastTurn }: Stored,
  { state, signal }: { readonly state: ConversationState; readonly signal: AbortSignal },
): Promise<LookedAt> {
  const now = deps.now()
  const touched = touch(deps, state, now)
  const isNew = touched.session.id !== state.session.id
  const last = await findLastTurn()
  const principal = last?.asker ?? last?.principal ?? toChat(conversation)
  const depth = touched.prefers.depth ?? 'standard'
  const role = listModels(deps.model).find(({ name }) => name === touched.prefers.model)?.role ?? 'main'
  const { people = {}, session } = touched
  const about = {
    conversation,
    principal,
    group: Object.keys(people).length > 0,
    people,
    language: session.language ?? 'en',
    session: session.id,
    asked: touched.lastText ?? '',
    depth,
    holds: toHolds(touched),
    place: 'tail',
    mostTokens: mostTail(depth, modelOf(deps.model, role).contextTokens),
  } as const
  const { parts: context } = await gatherContext(deps, touched, about, signal)
  return {
    moment: isNew ? 'if somebody asked now; the last session has ended by silence' : 'if somebody asked now',
    asked: {
      state: { ...touched, context },
      principal,
      class: { type: 'query', depth, complex: false, rule: 'context', confidence: 'high' },
      items: [],
      clock: deps.clock(now),
      anchor: undefined,
      turn: 'next',
      role,
    },
  }
}

/** A session ends by silence. */
const touch = (
  { features, sessionIdleMs }: Pick<ExecutorDeps, 'features' | 'sessionIdleMs'>,
  state: ConversationState,
  nowMs: number,
): ConversationState => touchSession(features, state, { nowMs, idleMs: sessionIdleMs })

const reasons: Readonly<Record<string, string>> = {
  system: 'who the bot is; the same in every prompt',
  tools: 'what the turn may use',
  summary: 'what was said before that, summed up',
  history: 'what was said in this session, the newest that fits',
  turn: 'what was said and found in this turn',
  state: 'depth, length and time',
  anchor: 'what the turn is about, how far it is and what failed',
}

function toPart(part: PromptPart, { asked: { state, items } }: LookedAt): Part {
  const given = [...(state.prefix ?? []), ...(state.context ?? [])].find(({ name }) => name === part.name)
  if (given) return { ...part, sources: [given.source], reason: given.reason }
  if (part.name === 'summary' && state.summary?.taint)
    return { ...part, sources: ['own', 'others'], reason: reasons['summary'] ?? '' }
  const read = part.name === 'history' ? state.history : part.name === 'turn' ? items : []
  const sources = new Set(read.map(sourceOf))
  return { ...part, sources: sources.size > 0 ? [...sources] : ['own'], reason: reasons[part.name] ?? '' }
}

const usual = { user: 'person', assistant: 'own', tool: 'others' } as const
const sourceOf = ({ source, role }: HistoryItem): Source => source ?? usual[role]
