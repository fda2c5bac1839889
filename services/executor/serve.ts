// Serves one claimed conversation: resumes the turn that a crash left open, then applies what waits, in order, until nothing does.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { Claimed, QueuedEvent } from '#shared/run/step.ts'
import { answerReaders } from './answer-readers.ts'
import { applyEvent, toRows } from '#services/executor/effects/apply.ts'
import type { ExecutorDeps } from './deps.ts'
import { createMailbox } from './mailbox.ts'
import { dropStopped, putOff, setAside } from './not-done.ts'
import { foldTail, type OpenTurn, type TurnStart } from './open-turn.ts'
import { nextAction, type Action } from './plan.ts'
import type { RunStore } from './run-store.ts'
import { finish, toKey, toPlace, type Served, type Serving } from './serving.ts'
import { parseState, touchSession } from './state.ts'
import { runTurn } from './turn.ts'
import { toWorkId } from './work-id.ts'

/** The last two were alone in their process (queues/workers/company.ts). */
const maxStarts = 6
const pendingPage = 200

export async function serveConversation(
  deps: ExecutorDeps,
  run: { conversation: ConversationId; claimed: Claimed; store: RunStore },
  signal: AbortSignal,
): Promise<Served> {
  const { conversation, claimed, store } = run
  const mailbox = createMailbox(store, claimed, pendingPage)
  const state = touchSession(parseState(claimed, claimed.atMs, deps.language), claimed.atMs, deps.sessionIdleMs)
  const serving: Serving = { deps, conversation, store, mailbox, state, busy: undefined }
  const answering = answerReaders(serving)
  try {
    const resumed = await resume(serving, claimed, signal)
    if (resumed) return resumed
    for (;;) {
      if (signal.aborted) return 'LEFT'
      await answering.settled()
      await mailbox.refresh()
      const action = nextAction(mailbox.waiting(), mailbox.stops())
      if (!action) return 'EMPTY'
      const result = await perform(serving, action, signal)
      if (result) return result
    }
  } finally {
    await answering.settled()
    mailbox.close()
  }
}

/** What an earlier owner left open goes on, unless it ended its workers. */
async function resume(serving: Serving, claimed: Claimed, signal: AbortSignal): Promise<Served | undefined> {
  const open = foldTail(claimed.tail)
  if (claimed.attempts > maxStarts) return await setAside(serving, open)
  return open ? await runOpen(serving, { turn: open, unsaved: [] }, signal) : undefined
}

async function perform(serving: Serving, action: Action, signal: AbortSignal): Promise<Served | undefined> {
  switch (action.kind) {
    case 'turn': {
      // A standing /depth beats what was inferred, never what this very message asks for.
      const { depth: standing } = serving.state
      const depth = action.class.type !== 'command' && standing ? standing : action.class.depth
      return await begin(serving, action.events, { class: { ...action.class, depth } }, signal)
    }
    case 'drop':
      return await dropStopped(serving, action)
    case 'absorb': {
      const seqs = action.events.map((item) => item.seq)
      return await finish(serving, { key: toKey('x', action.events), what: 'absorbed', seqs })
    }
    case 'one':
      return await applyOne(serving, action.event, signal)
    default:
      return action satisfies never
  }
}

async function applyOne(serving: Serving, item: QueuedEvent, signal: AbortSignal): Promise<Served | undefined> {
  const applied = await applyEvent(serving.deps, toPlace(serving), item)
  serving.state = applied.state
  if (applied.kind === 'turn') {
    const { depth, rule, text: given } = applied
    const found = { type: 'task', depth, complex: false, rule, confidence: 'high' } as const
    return await begin(serving, [item], { given, class: found }, signal)
  }
  const key = toWorkId('e', item)
  const rows = toRows(serving.deps, key, applied.bodies)
  return await finish(serving, { key, what: applied.what, seqs: [item.seq], rows, questions: applied.questions })
}

async function begin(
  serving: Serving,
  events: readonly QueuedEvent[],
  how: Pick<TurnStart, 'class'> & { given?: string },
  signal: AbortSignal,
): Promise<Served | undefined> {
  const { deps, mailbox } = serving
  const [first] = events
  if (!first) return undefined
  const { principal } = first.event
  if (await mailbox.isCongested()) return await putOff(serving, principal, events, how.given)
  const taken = { principal, firstSeq: first.seq, events: events.map((item) => item.seq) }
  const at = deps.now()
  const clock = deps.clock(at)
  const start: TurnStart = { v: 1, t: 'turn:start', at, turn: toWorkId('t', first), clock, ...taken, ...how }
  return await runOpen(serving, { turn: { start, entries: [start] }, unsaved: [start] }, signal)
}

async function runOpen(
  serving: Serving,
  begun: { readonly turn: OpenTurn; readonly unsaved: readonly JournalEntry[] },
  signal: AbortSignal,
): Promise<Served | undefined> {
  const { principal, at } = begun.turn.start
  serving.busy = { principal, sinceMs: at }
  const ended = await runTurn(serving.deps, toPlace(serving), begun, signal).finally(() => (serving.busy = undefined))
  if (ended.kind === 'LEFT') return 'LEFT'
  serving.state = ended.state
  return ended.released ? 'RELEASED' : undefined
}
