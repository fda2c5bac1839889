// Serves one claimed conversation: resumes the turn that a crash left open, then applies what waits, in order, until nothing does.
import { isTask, type Address } from '#shared/chat/address.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { listModels } from '#shared/model/model-port.ts'
import type { Caused, Claimed, QueuedEvent } from '#shared/run/step.ts'
import { answerReadCommands } from './answer-read-commands.ts'
import { applyEvent } from '#services/executor/events/apply.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import { endOf, tellInstead } from './end-of.ts'
import { assemblePrompt } from '#services/executor/context/prompt.ts'
import { compactLater, isCompaction } from '#services/executor/compaction/when.ts'
import { createMailbox } from '#services/executor/run/mailbox.ts'
import { dropStopped, putOff } from './not-done.ts'
import { holdBack } from '#services/executor/step/hold-back.ts'
import { setAside } from './set-aside.ts'
import { toBegun } from './to-begun.ts'
import { foldTail, type OpenTurn, type TurnStart } from '#services/executor/run/open-turn.ts'
import { nextAction, type Action } from '#services/executor/turn/plan.ts'
import type { RunStore } from '#services/executor/run/run-store.ts'
import { createServing, finish, toKey, type Served, type Serving } from '#services/executor/step/serving.ts'
import { touchSession } from '#services/executor/state/state.ts'
import { parseState, toStored } from '#services/executor/state/stored.ts'
import { runTurn } from './turn.ts'
import type { Engine, Unsaved } from '#services/executor/turn/turn-run.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'

/** The last two were alone in their process (queues/workers/company.ts). */
const maxStarts = 6
const pendingPage = 200

type Run = {
  readonly address: Address
  readonly claimed: Claimed
  readonly store: RunStore
  /** Asked after each event or turn, where more waits: whether it is to go behind others. */
  mustLeave?(): boolean
}

export async function serveConversation(
  deps: ExecutorDeps,
  run: Run,
  signal: AbortSignal,
): Promise<Served | 'YIELDED'> {
  const { address, claimed, store } = run
  const mailbox = createMailbox(store, claimed, pendingPage)
  const state = parseState(deps.features, claimed, claimed.atMs)
  const serving = createServing(deps, { address, store, mailbox, state })
  const answering = answerReadCommands(serving)
  try {
    const resumed = await resume(serving, claimed, signal).catch(endOf(serving, [], signal))
    if (resumed) return resumed
    for (let done = 0; ; done += 1) {
      if (signal.aborted) return 'LEFT'
      await answering.drained()
      await mailbox.refresh()
      const action = nextAction(mailbox.waiting(), mailbox.stops())
      if (!action) return 'EMPTY'
      if (done > 0 && run.mustLeave?.()) return 'YIELDED'
      const events = action.kind === 'one' ? [action.event] : action.events
      const result = await perform(serving, action, signal).catch(endOf(serving, events, signal))
      if (result) return result
    }
  } finally {
    await answering.drained()
    mailbox.close()
  }
}

/** What an earlier owner left open goes on, unless it ended its workers. */
async function resume(serving: Serving, claimed: Claimed, signal: AbortSignal): Promise<Served | undefined> {
  const open = foldTail(claimed.tail)
  serving.settle(open)
  // As when it began: nothing of that is stored before its end.
  if (open && open.start.given === undefined) speak(serving, open.start.at)
  if (claimed.attempts > maxStarts) return await setAside(serving, open, [])
  return open ? await runOpen(serving, { turn: open, unsaved: { entries: [] } }, signal) : undefined
}

/** A session ends by silence, which only a person's words end: a press, a deletion or a command is no new talk. */
function speak(serving: Serving, nowMs: number): void {
  const { deps, state } = serving
  serving.keep(touchSession(deps.features, state, { nowMs, idleMs: deps.sessionIdleMs }))
}

async function perform(serving: Serving, action: Action, signal: AbortSignal): Promise<Served | undefined> {
  switch (action.kind) {
    case 'turn': {
      // A standing /depth beats what was inferred, never what this very message asks for.
      const { depth: standing } = serving.state.prefers
      const depth = action.class.type !== 'command' && standing ? standing : action.class.depth
      return await begin(serving, { events: action.events, how: { class: { ...action.class, depth } } }, signal)
    }
    case 'drop':
      return await dropStopped(serving, action)
    case 'absorb': {
      const seqs = action.events.map((item) => item.seq)
      return await finish(serving, { key: toKey('x', action.events), what: 'absorbed', seqs })
    }
    case 'one': {
      const held = await holdBack(serving, action.event)
      if (held) return held.served
      if (isCompaction(action.event.event)) return await compactLater(serving, action.event, signal)
      return await applyOne(serving, action.event, signal).catch(
        tellInstead(serving, signal, (refused) => applyOne(serving, action.event, signal, refused)),
      )
    }
    default:
      return action satisfies never
  }
}

async function applyOne(
  serving: Serving,
  item: QueuedEvent,
  signal: AbortSignal,
  refused?: Error,
): Promise<Served | undefined> {
  if (item.event.kind === 'message' && item.decision?.act !== 'command') speak(serving, serving.deps.now())
  const { state, turn, ...caused } = await applyEvent(serving.deps, refused ? { ...serving, refused } : serving, item)
  serving.keep(state)
  if (!turn) return await finish(serving, { ...caused, key: toWorkId('e', item), seqs: [item.seq] })
  const { what: _, closes: _2, about: _3, ...shown } = caused
  return await begin(serving, { events: [item], ...toBegun(state, item.event, turn), ...shown }, signal)
}

/** A turn that is to begin: what it takes in, and what its first step stores besides. */
type Beginning = Caused & {
  readonly events: readonly QueuedEvent[]
  readonly how: Pick<
    TurnStart,
    | 'class'
    | 'given'
    | 'seeks'
    | 'group'
    | 'about'
    | 'last'
    | 'asker'
    | 'taint'
    | 'for'
    | 'response'
    | 'approved'
    | 'unsure'
  >
  /** Whom it serves, if not who wrote the first of them. */
  readonly serves?: PrincipalId
}

async function begin(
  serving: Serving,
  { events, how, serves, ...shown }: Beginning,
  signal: AbortSignal,
): Promise<Served | undefined> {
  const { deps, mailbox } = serving
  const [first] = events
  if (!first) return undefined
  const principal = serves ?? first.event.principal
  // What somebody answered or approved is not to be lost.
  // A task says little.
  const mustWait = !how.response && !how.approved && !isTask(serving.address)
  if (mustWait && (await mailbox.isCongested())) return await putOff(serving, principal, events, { ...how, ...shown })
  const taken = { principal, firstSeq: first.seq, events: events.map((item) => item.seq) }
  const at = deps.now()
  if (how.given === undefined) speak(serving, at)
  // Somebody goes on with what was said before, however long ago.
  else serving.keep({ ...serving.state, session: { ...serving.state.session, lastAt: at } })
  const clock = deps.clock(at)
  const { model } = serving.state.prefers
  const role = model === undefined ? undefined : listModels(deps.model).find(({ name }) => name === model)?.role
  const chosen = role === undefined || role === 'main' ? {} : { role }
  const start: TurnStart = { v: 1, t: 'turn:start', at, turn: toWorkId('t', first), clock, ...taken, ...how, ...chosen }
  // What a command or an answer changed is stored with the first step; what is ordinary is stored at the end.
  const saved = how.given === undefined ? undefined : toStored(deps.features, serving.state)
  if (saved) serving.keep(saved.state)
  const unsaved: Unsaved = { ...shown, ...saved?.step, entries: [start] }
  return await runOpen(serving, { turn: { start, entries: [start] }, unsaved }, signal)
}

async function runOpen(
  serving: Serving,
  begun: { readonly turn: OpenTurn; readonly unsaved: Unsaved },
  signal: AbortSignal,
): Promise<Served | undefined> {
  const { principal, at } = begun.turn.start
  serving.setBusy({ principal, sinceMs: at })
  const { features, offered, limits } = serving.deps
  const { now: tools, shown: toShown } = features.tools
  const shown = (): ReturnType<Engine['shown']> => toShown(serving.state.tools)
  const inWindow = (tokens: number): ReturnType<Engine['offered']> => offered(tokens, shown())
  const engine: Engine = { tools, shown, offered: inWindow, limits, assemble: assemblePrompt }
  const ended = await runTurn(serving, engine, begun, signal).finally(() => serving.setBusy(undefined))
  if (ended.kind === 'LEFT') return 'LEFT'
  serving.keep(ended.state)
  serving.settle(undefined)
  return ended.released ? 'RELEASED' : undefined
}
