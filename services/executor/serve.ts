// Serves one claimed conversation: resumes the turn that a crash left open, then applies what waits, in order, until nothing does.
// Commands that only read are answered at once, also while a turn runs.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { CommandView } from '#shared/feature.ts'
import type { Language } from '#shared/chat/message.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { toFirstRow, unbutton } from '#shared/run/out-row.ts'
import type { Append, Claimed, QueuedEvent } from '#shared/run/step.ts'
import { applyEvent, findCommand, toRows } from './apply.ts'
import type { ExecutorDeps } from './deps.ts'
import { describeEnding } from './ending-text.ts'
import { findText } from './growing-text.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { eventsOf, foldTail, itemsOf, type OpenTurn, type TurnStart } from './open-turn.ts'
import { nextAction, type Action } from './plan.ts'
import type { RunStore } from './run-store.ts'
import { keepPutOff, parseState, remember, toLanguage, toSnapshot, touchSession } from './state.ts'
import type { Place } from './place.ts'
import { texts } from './texts.ts'
import { runTurn } from './turn.ts'
import { toWorkId } from './work-id.ts'

/** RELEASED: nothing waits and the lease is given back. EMPTY: nothing waits, the lease is still held. LEFT: someone else goes on. */
export type Served = 'RELEASED' | 'EMPTY' | 'LEFT'

/** The last two were alone in their process (queues/workers/company.ts). */
const maxStarts = 6
const pendingPage = 200
/** So often one person is told that a /retry has to wait too. */
const stillEveryMs = 60_000

export async function serveConversation(
  deps: ExecutorDeps,
  run: { conversation: ConversationId; claimed: Claimed; store: RunStore },
  signal: AbortSignal,
): Promise<Served> {
  const { conversation, claimed, store } = run
  const mailbox = createMailbox(store, claimed, pendingPage)
  let state = touchSession(parseState(claimed, claimed.atMs, deps.language), claimed.atMs, deps.sessionIdleMs)
  let busy: CommandView['busy']
  const place = (): Place => ({ conversation, store, mailbox, state, busy })
  const answering = answerReaders(deps, mailbox, place)
  try {
    const open = foldTail(claimed.tail)
    if (claimed.attempts > maxStarts) {
      const result = await setAside(open)
      if (result) return result
    } else if (open) {
      const result = await turn(open, [])
      if (result) return result
    }
    for (;;) {
      if (signal.aborted) return 'LEFT'
      await answering.settled()
      await mailbox.refresh()
      const action = nextAction(mailbox.waiting(), mailbox.stops())
      if (!action) return 'EMPTY'
      const result = await perform(action)
      if (result) return result
    }
  } finally {
    await answering.settled()
    mailbox.close()
  }

  async function perform(action: Action): Promise<Served | undefined> {
    switch (action.kind) {
      case 'turn': {
        // A standing /depth beats what was inferred, never what this very message asks for.
        const depth = action.class.type !== 'command' && state.depth ? state.depth : action.class.depth
        return await begin(action.events, { class: { ...action.class, depth } })
      }
      case 'drop':
        return await dropStopped(action)
      case 'absorb':
        return await finish({
          key: toKey('x', action.events),
          what: 'absorbed',
          seqs: action.events.map((item) => item.seq),
        })
      case 'one':
        return await applyOne(action.event)
      default:
        return action satisfies never
    }
  }

  async function applyOne(item: QueuedEvent): Promise<Served | undefined> {
    const applied = await applyEvent(deps, place(), item)
    state = applied.state
    if (applied.kind === 'turn') {
      return await begin([item], {
        given: applied.text,
        class: { type: 'task', depth: applied.depth, complex: false, rule: applied.rule, confidence: 'high' },
      })
    }
    const key = toWorkId('e', item)
    const rows = toRows(deps, key, applied.bodies)
    return await finish({ key, what: applied.what, seqs: [item.seq], rows, questions: applied.questions })
  }

  async function dropStopped({ events, stop }: Extract<Action, { kind: 'drop' }>): Promise<Served | undefined> {
    const items = stop ? [...events, stop] : events
    return await finish({ ...tell('dropped', items), seqs: items.map((item) => item.seq) })
  }

  /** What crashed its worker every time leaves the mailbox with its turn; the person is told, and a replay can bring it back. */
  async function setAside(open: OpenTurn | undefined): Promise<Served | undefined> {
    const [first] = mailbox.waiting()
    const seqs = open ? eventsOf(open) : first ? [first.seq] : []
    const items = mailbox.taken(seqs)
    const events = items.map((item) => item.event)
    const asked = toAsked(items, open?.start.given)
    const principal = open?.start.principal ?? first?.event.principal
    if (asked && principal) state = { ...keepPutOff(state, principal), lastText: asked.slice(0, 4000) }
    const written = open ? ((await findText(store, open.start.turn))?.text.trim() ?? '') : ''
    if (!open || written === '') return await finish({ ...tell('setAside', items), seqs, setAside: seqs })
    const ended = { turn: open, ending: 'set-aside', written, cut: false } as const
    const said = describeEnding(ended, itemsOf(open, mailbox.find, state), { events, language: spoken(items) })
    const told = { items: said.items, messageIds: [], text: state.lastText ?? '', tokens: 0 }
    state = remember(state, told, { maxTokens: deps.historyTokens, estimate: deps.estimate })
    const replaces = toFirstRow(open.start.turn)
    return await finish({ ...tell('setAside', items, { text: said.text, replaces }), seqs, setAside: seqs })
  }

  /**
   * More answers wait than may be sent in time, so one more is not made. Each person is told so once in a while, unless another was told
   * a moment before, and more often when they ask again by /retry.
   */
  async function putOff(principal: string, items: readonly QueuedEvent[], given?: string): Promise<Served | undefined> {
    const nowMs = deps.now()
    const { text, toldAt: own, stillAt } = state.putOff?.[principal] ?? { text: '', toldAt: 0, stillAt: 0 }
    // What was said to another person lately stands here for all: it takes the place of an answer.
    const saidAt = Math.max(0, ...Object.values(state.putOff ?? {}).map((one) => one.toldAt))
    const toldAt = nowMs - saidAt < deps.replyExpiresInMs / 5 ? saidAt : own
    const isTold = nowMs - toldAt < deps.replyExpiresInMs
    const isQuiet = isTold && (given === undefined || nowMs - stillAt < stillEveryMs)
    state = keepPutOff(state, principal, {
      text: toAsked(items, given).slice(0, 4000) || text,
      toldAt: isTold ? toldAt : nowMs,
      stillAt: isQuiet || given === undefined ? stillAt : nowMs,
    })
    const [what, language] = [isTold ? 'stillCongested' : 'congested', spoken(items, given)] as const
    const { rows, ...told } = tell(what, items, { text: texts[what][language], language })
    return await finish({ ...told, ...(isQuiet || !rows ? {} : { rows }), seqs: items.map((item) => item.seq) })
  }

  /** As those speak to whom something is said. */
  function spoken(items: readonly QueuedEvent[], given?: string): Language {
    return toLanguage(state, toAsked(items, given))
  }

  /** A row that says something about some events: one of our texts, unless another is given. */
  function tell(
    what: 'dropped' | 'setAside' | 'congested' | 'stillCongested',
    items: readonly QueuedEvent[],
    said: { readonly text: string; readonly language?: Language; readonly replaces?: string } = {
      text: texts[what][spoken(items)],
    },
  ): Pick<Finished, 'key' | 'what' | 'rows'> {
    const key = toKey(`${what}-`, items)
    const answers = items.map((item) => item.event.id)
    return { key, what, rows: toRows(deps, key, [{ v: 1, kind: 'send', answers, language: spoken(items), ...said }]) }
  }

  async function begin(
    events: readonly QueuedEvent[],
    how: Pick<TurnStart, 'class'> & { given?: string },
  ): Promise<Served | undefined> {
    const [first] = events
    if (!first) return undefined
    const { principal } = first.event
    if (await mailbox.isCongested()) return await putOff(principal, events, how.given)
    const taken = { principal, firstSeq: first.seq, events: events.map((item) => item.seq) }
    const at = deps.now()
    const clock = deps.clock(at)
    const start: TurnStart = { v: 1, t: 'turn:start', at, turn: toWorkId('t', first), clock, ...taken, ...how }
    return await turn({ start, entries: [start] }, [start])
  }

  async function turn(open: OpenTurn, unsaved: readonly JournalEntry[]): Promise<Served | undefined> {
    busy = { principal: open.start.principal, sinceMs: open.start.at }
    const ended = await runTurn(deps, place(), { turn: open, unsaved }, signal).finally(() => (busy = undefined))
    if (ended.kind === 'LEFT') return 'LEFT'
    state = ended.state
    return ended.released ? 'RELEASED' : undefined
  }

  async function finish(step: Finished): Promise<Served | undefined> {
    const said = step.rows?.flatMap((row) => (row.body.kind === 'send' ? [row.body.text] : [])) ?? []
    const { offer, ...rest } = state
    // The buttons under the last reply go with the next one.
    const gone = said.length > 0 ? offer : undefined
    if (gone) state = rest
    const rows = [...(step.rows ?? []), ...(gone ? toRows(deps, `${step.key}-off`, [unbutton(gone.card)]) : [])]
    const saved = toSnapshot(state, deps.language)
    const result = await store.append({
      ...toStep({ ...step, rows }, deps.now()),
      closes: gone ? [gone.question] : [],
      known: mailbox.known(step.seqs),
      ...saved.stored,
      ...(said.length > 0 ? { reply: said.join('\n') } : {}),
      progress: true,
      release: true,
    })
    if (result.kind === 'FENCED' || result.kind === 'STOPPED') return 'LEFT'
    state = saved.state
    mailbox.drop(step.seqs)
    mailbox.noticeRouted(result.routedSeq)
    return result.released ? 'RELEASED' : undefined
  }
}

/** Something done with in one step, outside any turn. */
type Finished = Pick<Append, 'key' | 'rows' | 'questions' | 'setAside'> & {
  readonly what: string
  readonly seqs: readonly number[]
}

const toKey = (what: string, [first]: readonly QueuedEvent[]): string => (first ? toWorkId(what, first) : what)

/** What people asked in their own words; a command's words are not: what it takes up is given. */
function toAsked(items: readonly QueuedEvent[], given?: string): string {
  const messages = items.filter(({ decision }) => decision?.act !== 'command')
  return given ?? messages.flatMap(({ event }) => (event.kind === 'message' ? [event.text] : [])).join('\n')
}

function toStep({ what, seqs, ...step }: Finished, nowMs: number): Append {
  const entry: JournalEntry = { v: 1, at: nowMs, turn: step.key, t: 'applied', seqs: [...seqs], what }
  return { ...step, entries: [entry], consume: seqs }
}

/** Answers commands that only read as soon as they are routed, while a turn runs. */
function answerReaders(deps: ExecutorDeps, mailbox: Mailbox, place: () => Place): { settled(): Promise<void> } {
  let last: Promise<void> = Promise.resolve()
  const begun = new Set<number>()
  mailbox.onNews(() => {
    if (!place().busy) return
    for (const item of mailbox.waiting()) {
      if (begun.has(item.seq) || !findCommand(deps, item)?.readsOnly) continue
      begun.add(item.seq)
      last = last.then(() => answer(item)).catch(() => {})
    }
  })
  async function answer(item: QueuedEvent): Promise<void> {
    const applied = await applyEvent(deps, place(), item)
    if (applied.kind !== 'done') return
    const key = toWorkId('e', item)
    const { bodies, questions } = applied
    const seqs = [item.seq]
    const rows = toRows(deps, key, bodies)
    // Nothing is journaled, so that any number of them leaves nothing behind in the turn.
    await place().store.append({ key, entries: [], consume: seqs, rows, questions, known: mailbox.known(seqs) })
    mailbox.drop([item.seq])
  }
  return { settled: () => last }
}
