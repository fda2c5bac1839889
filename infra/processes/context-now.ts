// The prompt that a conversation's model would be given, made from what is stored as the executor makes it. Nothing is asked of a model and nothing is
// changed: no lease, no step, no session that ends.
import { toChat, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { listModels, modelOf, type ModelRole, type PromptMessage } from '#shared/model/model-port.ts'
import type { Source } from '#shared/model/source.ts'
import type { PromptPart, TurnRecord } from '#shared/run/record.ts'
import { findTurnFacts, lookAt, type Looked } from '#queues/workers/look-at.ts'
import { readOriginals } from '#services/executor/compaction/originals.ts'
import { toExchanges } from '#services/executor/context/exchanges.ts'
import { mostTail } from '#services/executor/context/depth.ts'
import { gatherContext } from '#services/executor/context/gather.ts'
import type { HistoryItem } from '#services/executor/state/history-item.ts'
import { assemblePrompt, type PromptInput } from '#services/executor/context/prompt.ts'
import { itemsOf, textOf, toInstructed } from '#services/executor/context/turn-items.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { preparePrompt } from '#services/executor/model/prepare-prompt.ts'
import { eventsOf, foldTail } from '#services/executor/run/open-turn.ts'
import { toAnchor } from '#services/executor/planning/anchor.ts'
import { touchSession, type ConversationState } from '#services/executor/state/state.ts'
import { parseState } from '#services/executor/state/stored.ts'
import type { Runtime } from './runtime.ts'

export type Part = PromptPart & { readonly sources: readonly Source[]; readonly reason: string }
export type ContextNow = {
  readonly conversation: ConversationId
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
  /** Names of the newest turns on record, the newest first. */
  readonly turns: readonly string[]
}

type Asked = Pick<PromptInput, 'state' | 'principal' | 'class' | 'items' | 'clock' | 'anchor'> & {
  readonly turn: string
  readonly role: ModelRole
  readonly moment: string
}

export type LookDeps = Pick<Runtime, 'redis' | 'kernel'> & { readonly executor: ExecutorDeps }

/** `at`: the name of an earlier turn. Throws BotError `bad-input` for what is not known, or not kept any more. */
export async function findContext(
  deps: LookDeps,
  { conversation, at }: { readonly conversation: ConversationId; readonly at?: string | undefined },
  signal: AbortSignal,
): Promise<ContextNow> {
  const looked = await lookAt(deps.redis, conversation)
  if (!looked) throw new BotError('bad-input', `Nothing is stored of a conversation ${conversation}.`)
  const { executor } = deps
  const state = parseState(executor.features, looked, foldTail(looked.tail)?.start.at ?? executor.now())
  const { messages: about, newest: turns } = await findTurnFacts(deps.redis, conversation, at)
  const asked =
    at === undefined
      ? await askNow(deps, { conversation, looked, state }, signal)
      : await askThen(deps, conversation, {
          state,
          at,
          about,
          turns,
          record: (await deps.kernel.findTurn(conversation, { turn: at }))?.record,
        })
  const engine = { offered: executor.offered, assemble: assemblePrompt }
  const { prompt, tools, maxOutputTokens, budgetTokens } = preparePrompt(executor, engine, asked)
  return {
    conversation,
    moment: asked.moment,
    session: asked.state.session.id,
    principal: asked.principal,
    depth: asked.class.depth,
    model: { role: asked.role, ...modelOf(executor.model, asked.role) },
    budgetTokens,
    tokens: prompt.tokens,
    outputTokens: maxOutputTokens,
    parts: prompt.held.map((part) => toPart(part, asked)),
    taint: prompt.taint,
    tools: tools.map(({ name }) => name),
    messages: prompt.messages,
    turns,
  }
}

type Here = { readonly conversation: ConversationId; readonly looked: Looked; readonly state: ConversationState }

/** As the next step of the turn that is under way, or as if somebody asked now. */
async function askNow(
  { executor, kernel }: LookDeps,
  { conversation, looked, state }: Here,
  signal: AbortSignal,
): Promise<Asked> {
  const open = foldTail(looked.tail)
  if (open) {
    const { principal, clock, turn, role = 'main', at, given } = open.start
    // As when it began: nothing of that is stored before its end.
    const begun = given === undefined ? touch(executor, state, at) : state
    const items = itemsOf(open, looked.findEvent, begun)
    const moment = `next in turn ${turn}, which runs`
    const events = eventsOf(open).flatMap((seq) => looked.findEvent(seq) ?? [])
    const language = toInstructed(begun, open, events)
    const anchor = toAnchor(open, () => textOf(open, events), language)
    const instructed = { ...begun, session: { ...begun.session, language } }
    return { state: instructed, principal, class: open.start.class, items, clock, anchor, turn, role, moment }
  }
  const now = executor.now()
  const touched = touch(executor, state, now)
  const isNew = touched.session.id !== state.session.id
  const last = (await kernel.findTurn(conversation, 'last'))?.record
  const principal = last?.asker ?? last?.principal ?? toChat(conversation)
  const depth = touched.prefers.depth ?? 'standard'
  const { people = {} } = touched
  const group = Object.keys(people).length > 0
  const language = touched.session.language ?? 'en'
  const whose = { conversation, principal, group, people, language, session: touched.session.id }
  const about = {
    ...whose,
    asked: touched.lastText ?? '',
    depth,
    place: 'tail',
    mostTokens: mostTail(depth, modelOf(executor.model, 'main').contextTokens),
  } as const
  const { parts: context } = await gatherContext(executor, touched, about, signal)
  const found = { type: 'query', depth, complex: false, rule: 'context', confidence: 'high' } as const
  const role = listModels(executor.model).find(({ name }) => name === touched.prefers.model)?.role ?? 'main'
  const moment = isNew ? 'if somebody asked now; the last session has ended by silence' : 'if somebody asked now'
  const clock = executor.clock(now)
  return { state: { ...touched, context }, principal, class: found, items: [], clock, turn: 'next', role, moment }
}

/** A session ends by silence. */
const touch = (
  { features, sessionIdleMs }: Pick<ExecutorDeps, 'features' | 'sessionIdleMs'>,
  state: ConversationState,
  nowMs: number,
): ConversationState => touchSession(features, state, { nowMs, idleMs: sessionIdleMs })

type Then = {
  readonly state: ConversationState
  readonly at: string
  /** Platform ids of the messages that the turn came of. */
  readonly about: readonly string[]
  readonly turns: readonly string[]
  readonly record: TurnRecord | undefined
}

/**
 * As the turn began: what stood in the history before it, and what was said in it. What was summed up since is read where it is kept whole. What
 * features gave then is not kept.
 */
async function askThen(
  { executor, kernel }: LookDeps,
  conversation: ConversationId,
  { state: now, at, about, turns, record }: Then,
): Promise<Asked> {
  if (!record) {
    const known = turns.length === 0 ? 'No turn is on record there.' : `On record are ${turns.join(', ')}.`
    throw new BotError('bad-input', `There is no record of a turn "${at.slice(0, 64)}". ${known}`)
  }
  const isSame = record.session === now.session.id
  const isOwn = ({ messageId }: UserItem): boolean => messageId !== undefined && about.includes(messageId)
  const isAbout = (item: UserItem): boolean => item.about?.some((id) => about.includes(id)) === true
  const stands = isSame && findBegin(now.history, isOwn) >= 0
  const state = stands ? now : await withOriginals(kernel, conversation, { state: now, session: record.session })
  const own = findBegin(state.history, isOwn)
  const first = own < 0 ? findBegin(state.history, isAbout) : own
  if (first < 0)
    throw new BotError(
      'bad-input',
      isSame
        ? `What was said in turn ${at} does not stand in the history any more: it was forgotten, or did not fit.`
        : `Turn ${at} belongs to session ${record.session}, and what was said in it is not kept any more; now it is ${now.session.id}.`,
    )
  const length = state.history.slice(first).findIndex((item) => item.role !== 'user')
  const items = state.history.slice(first, length < 0 ? undefined : first + length)
  const { principal, class: found, model } = record
  const history = state.history.slice(0, first)
  const role = listModels(executor.model).find(({ name }) => name === model)?.role ?? 'main'
  const summed = stands ? '' : '; what a summary stood for stands word for word'
  const moment = `as turn ${at} began; what features gave to its prompt is not kept${summed}`
  const clock = executor.clock(record.begunAt)
  return { state: { ...state, history, context: [] }, principal, class: found, items, clock, turn: at, role, moment }
}

/** The history of a session from its beginning, without a summary. */
async function withOriginals(
  kernel: LookDeps['kernel'],
  conversation: ConversationId,
  { state, session }: { readonly state: ConversationState; readonly session: string },
): Promise<ConversationState> {
  const store = {
    listArtifacts: () => kernel.listArtifacts(conversation),
    findArtifact: (name: string) => kernel.findArtifact(conversation, name),
  }
  const before = (await readOriginals(store, session)).flat()
  const since = session === state.session.id ? state.history : []
  return { ...state, history: [...before, ...since], summary: undefined }
}

/**
 * Where a turn begins: the last words that are its own, or else that are about the same; -1 where there are none. Later turns may be about its messages,
 * too: by what they have found again of them.
 */
function findBegin(history: readonly HistoryItem[], isOf: (item: UserItem) => boolean): number {
  const exchanges = toExchanges(history)
  const at = exchanges.findLastIndex((exchange) => exchange.some((item) => item.role === 'user' && isOf(item)))
  return at < 0 ? -1 : exchanges.slice(0, at).flat().length
}
type UserItem = Extract<HistoryItem, { role: 'user' }>

const reasons: Readonly<Record<string, string>> = {
  system: 'who the bot is; the same in every prompt',
  tools: 'what the turn may use',
  summary: 'what was said before that, summed up',
  history: 'what was said in this session, the newest that fits',
  turn: 'what was said and found in this turn',
  state: 'depth, length and time',
  anchor: 'what the turn is about, how far it is and what failed',
}

function toPart(part: PromptPart, { state, items }: Asked): Part {
  const given = state.context?.find(({ name }) => name === part.name)
  if (given) return { ...part, sources: [given.source], reason: given.reason }
  if (part.name === 'summary' && state.summary?.taint)
    return { ...part, sources: ['own', 'others'], reason: reasons['summary'] ?? '' }
  const read = part.name === 'history' ? state.history : part.name === 'turn' ? items : []
  const sources = new Set(read.map(sourceOf))
  return { ...part, sources: sources.size > 0 ? [...sources] : ['own'], reason: reasons[part.name] ?? '' }
}

const usual = { user: 'person', assistant: 'own', tool: 'others' } as const
const sourceOf = ({ source, role }: HistoryItem): Source => source ?? usual[role]
