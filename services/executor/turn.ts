// The agent loop: [join ▶ model ▶ tools]* ▶ reply, every step journaled before the next begins.
//   model answers with tool calls -> run them, go on;  without -> the turn ends `answered`.
//   stop -> `stopped`;  a limit -> `limit:<name>`;  no budget -> `over-budget`;  no model -> `model-failed`.
//   lease lost or shutting down -> left as it is: the next owner resumes at the last finished step.
import type { MessageType } from '#shared/chat/decision.ts'
import type { ModelFailureKind, ModelResult, Usage } from '#shared/model/model-port.ts'
import type { Draft } from '#shared/run/draft.ts'
import type { JournalEntry, TurnEnding } from '#shared/run/journal.ts'
import type { Append, AppendResult } from '#shared/run/step.ts'
import { callModel } from './call-model.ts'
import { depthDecision, toMostTokens } from './depth.ts'
import type { ExecutorDeps } from './deps.ts'
import { endTurn, type Ended } from './end-turn.ts'
import type { Place } from './place.ts'
import { runTool } from './gateway.ts'
import { createGrowingText, findText } from './growing-text.ts'
import { findLimit } from '#shared/run/turn-limits.ts'
import {
  attemptsAt,
  callsLeft,
  eventsOf,
  itemsOf,
  stepsDone,
  textOf,
  toReplyTo,
  type OpenTurn,
  type TurnStart,
} from './open-turn.ts'
import { joinable } from './plan.ts'
import { assemblePrompt } from './prompt.ts'
import { toLanguage } from './state.ts'

/** Facts want the likeliest words, work products some freedom. */
const temperatures: Readonly<Record<MessageType, number>> = {
  social: 0.7,
  command: 0.3,
  meta: 0.2,
  query: 0.3,
  task: 0.6,
}
const modelAttemptsPerStep = 12
const nothing: Usage = { promptTokens: 0, completionTokens: 0 }

/** Runs a turn to its end. `unsaved` are entries of a turn just begun, written with its first step. */
export async function runTurn(
  deps: ExecutorDeps,
  place: Place,
  begun: { turn: OpenTurn; unsaved: readonly JournalEntry[] },
  signal: AbortSignal,
): Promise<Ended> {
  const { store, mailbox, conversation } = place
  let turn = begun.turn
  let unsaved = begun.unsaved
  const principal = turn.start.principal
  const id = turn.start.turn
  const guard = { principal, firstSeq: turn.start.firstSeq }
  const payer = { conversation, principal }
  const stamp = () => ({ v: 1, at: deps.now(), turn: id }) as const
  const tools = deps.features.flatMap((feature) => feature.tools ?? [])
  let stopped = false
  let isLate = false
  /** Ends what runs: a stop, the limit of time, or `signal`. Cheaper than AbortSignal.any, which every turn would pay. */
  const ended = new AbortController()
  const endNow = (): void => ended.abort()
  signal.addEventListener('abort', endNow, { once: true })
  const taken = turn.start.events.flatMap((seq) => mailbox.find(seq) ?? [])
  const language = toLanguage(place.state, textOf(turn, taken))
  const about = { turn: id, ...toStopper(turn.start), language, ...toReplyTo(taken) }
  const before = unsaved.length > 0 ? undefined : await findText(store, id)
  const growing = createGrowingText(store, about, { before, now: deps.now })
  let cut = false
  let setting: string | undefined

  const save = async (step: Append): Promise<AppendResult> => {
    const entries = [...unsaved, ...step.entries]
    const result = await store.append({ ...step, entries, unlessStopped: guard })
    if (isSaved(result)) {
      turn = { start: turn.start, entries: [...turn.entries, ...step.entries] }
      unsaved = []
      mailbox.noticeRouted(result.routedSeq)
    }
    return result
  }
  const end = (
    ending: TurnEnding,
    entries: readonly JournalEntry[] = [],
    failure?: ModelFailureKind,
  ): Promise<Ended> => {
    const written = growing.written(stepsDone(turn))
    return endTurn(deps, place, { turn, entries, unsaved, ending, cut, failure, setting, written })
  }
  const refused = async (result: AppendResult): Promise<Ended> =>
    result.kind === 'STOPPED' ? await end('stopped') : { kind: 'LEFT' }

  const forget = mailbox.onNews(() => {
    if (mailbox.stopSeq(principal) <= turn.start.firstSeq) return
    stopped = true
    endNow()
  })
  const late = setTimeout(() => ((isLate = true), endNow()), turn.start.at + deps.limits.maxWallMs - deps.now())
  try {
    for (;;) {
      if (signal.aborted) return { kind: 'LEFT' }
      if (stopped) return await end('stopped')
      const limit = isLate ? 'wall-time' : findLimit(turn.entries, deps.now(), deps.limits)
      if (limit) return await end(`limit:${limit}`)

      const [call] = callsLeft(turn)
      if (call) {
        const result = await useTool(call)
        if (result && !isSaved(result)) return await refused(result)
        continue
      }
      if (stepsDone(turn) > 0) {
        const joined = await join()
        if (joined && !isSaved(joined)) return await refused(joined)
      }
      const answer = await askModel()
      if (answer.kind === 'refused') return await refused(answer.result)
      if (answer.kind === 'over-budget') {
        // Only an owner can change it.
        if (await deps.isOwner(principal, conversation)) setting = answer.setting
        return await end('over-budget')
      }
      const { result } = answer
      if (result.kind === 'failure') {
        if (stopped) return await end('stopped')
        if (isLate && !signal.aborted) return await end('limit:wall-time')
        if (signal.aborted || result.failure === 'aborted') return { kind: 'LEFT' }
        return await end('model-failed', [], result.failure)
      }
      const step = stepsDone(turn)
      const { text, toolCalls, usage, model, finish } = result
      const broke = finish === 'length' || finish === 'filtered' ? { broke: finish } : {}
      const said = { text, toolCalls: [...toolCalls], ...broke, usage, model }
      const finished: JournalEntry = { ...stamp(), t: 'llm:fin', step, ...said }
      if (toolCalls.length === 0) return await end('answered', [finished])
      const saved = await save({ key: `${id}/fin/${step}`, entries: [finished], progress: true })
      if (!isSaved(saved)) return await refused(saved)
    }
  } finally {
    forget()
    clearTimeout(late)
    signal.removeEventListener('abort', endNow)
    growing.end()
  }

  async function askModel(): Promise<
    | { kind: 'answer'; result: ModelResult }
    | { kind: 'refused'; result: AppendResult }
    | { kind: 'over-budget'; setting: string }
  > {
    const step = stepsDone(turn)
    const attempt = attemptsAt(turn, step) + 1
    if (attempt > modelAttemptsPerStep)
      return { kind: 'answer', result: { kind: 'failure', failure: 'unavailable', message: 'Too many attempts.' } }
    const depth = turn.start.class.depth
    const { maxTokens: aimTokens, useTools } = depthDecision(depth)
    const maxOutputTokens = toMostTokens(aimTokens, deps.model.contextTokens)
    const offered = tools.filter((tool) => useTools || tool.effect === 'read')
    const prompt = assemblePrompt({
      state: place.state,
      class: turn.start.class,
      items: itemsOf(turn, mailbox.find, place.state),
      clock: turn.start.clock,
      tools: offered,
      budgetTokens: Math.floor(deps.model.contextTokens * 0.75) - maxOutputTokens,
      estimate: deps.estimate,
    })
    cut ||= prompt.cut
    const reservation = `${conversation}/${id}/${step}/${attempt}`
    const request: JournalEntry = { ...stamp(), t: 'llm:req', step, attempt, role: 'main' }
    const [saved, spentSetting] = await Promise.all([
      save({ key: `${id}/req/${step}/${attempt}`, entries: [request] }),
      deps.reserve(payer, reservation, prompt.tokens + maxOutputTokens),
    ])
    /** Not awaited: what is not settled counts in full, so a crash can only overstate what was spent. */
    const close = (spent: Usage | undefined): void => {
      const closing =
        spent && spentSetting === undefined ? deps.settle(payer, reservation, spent) : deps.leave(reservation)
      closing.catch(() => {})
    }
    if (!isSaved(saved)) {
      close(nothing)
      return { kind: 'refused', result: saved }
    }
    if (spentSetting !== undefined) return { kind: 'over-budget', setting: spentSetting }
    growing.restart(step)
    const result = await callModel(
      deps,
      {
        holder: reservation,
        principal,
        request: {
          role: 'main',
          messages: prompt.messages,
          tools: offered,
          maxOutputTokens,
          temperature: temperatures[turn.start.class.type],
          metadata: { depth, conversation },
        },
        firstAttempt: attempt,
        onText: growing.add,
        onAttempt: async (next, role) => {
          growing.restart(step)
          const again: JournalEntry = { ...stamp(), t: 'llm:req', step, attempt: next, role }
          const journaled = await save({ key: `${id}/req/${step}/${next}`, entries: [again] })
          return isSaved(journaled)
        },
      },
      ended.signal,
    ).catch((error: unknown) => {
      close(undefined)
      throw error
    })
    // Nobody tells what an aborted call cost: no less than it showed, and it may have been thinking of the rest.
    const shown = Math.max(aimTokens, deps.estimate(growing.written(step)))
    const unknown: Usage = { promptTokens: prompt.tokens, completionTokens: Math.min(maxOutputTokens, shown) }
    close(result.kind === 'reply' ? result.usage : result.failure === 'aborted' ? unknown : nothing)
    return { kind: 'answer', result }
  }

  async function useTool(call: { id: string; name: string; arguments: string }): Promise<AppendResult | undefined> {
    const step = stepsDone(turn) - 1
    const key = `${id}/tool/${step}/${call.id}`
    const begunBefore = turn.entries.some((entry) => entry.t === 'tool:req' && entry.key === key)
    const tool = tools.find((candidate) => candidate.name === call.name)
    if (!begunBefore) {
      const asked: JournalEntry = { ...stamp(), t: 'tool:req', step, callId: call.id, name: call.name, key }
      const saved = await save({ key: `${key}/req`, entries: [asked] })
      if (!isSaved(saved)) return saved
    }
    const context = { conversation, principal, idempotencyKey: `${conversation}/${key}` }
    const { mayUse, toolTimeoutMs: timeoutMs } = deps
    const gate = { tools: tool ? [tool] : [], mayUse, maxResultChars: 20_000, timeoutMs }
    const outcome =
      begunBefore && tool?.onCrash === 'ask'
        ? {
            ok: false,
            result:
              'The worker crashed during this call. Whether it took effect is unknown; it was not repeated. Tell the person.',
          }
        : await runTool(gate, call, context, ended.signal).catch(() => undefined)
    if (!outcome) return undefined
    const done: JournalEntry = { ...stamp(), t: 'tool:fin', step, callId: call.id, ...outcome }
    return await save({ key: `${key}/fin`, entries: [done], progress: true })
  }

  async function join(): Promise<AppendResult | undefined> {
    await mailbox.refresh()
    const own = mailbox.taken(eventsOf(turn))
    const events = joinable(mailbox.waitingBeside(eventsOf(turn)), principal, own).map((item) => item.seq)
    if (events.length === 0) return undefined
    const entry: JournalEntry = { ...stamp(), t: 'turn:join', events }
    return await save({ key: `${id}/join/${events[0]}`, entries: [entry] })
  }
}

/** A rewritten answer takes the place of the last one, so it does not become a message while it grows. */
const toStopper = ({ class: { rule }, principal }: TurnStart): Partial<Draft> =>
  rule === 'resize' ? {} : { principal }

type Saved = Extract<AppendResult, { kind: 'OK' | 'DUP' }>
const isSaved = (result: AppendResult): result is Saved => result.kind === 'OK' || result.kind === 'DUP'
