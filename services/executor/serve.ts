// Serves one claimed conversation: resumes the turn that a crash left open, then applies what waits, in order, until nothing does.
// Commands that only read are answered at once, also while a turn runs.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { CommandView } from '#shared/feature.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import type { Claimed, QueuedEvent } from '#shared/run/step.ts'
import { applyEvent, findCommand, toRows } from './apply.ts'
import type { ExecutorDeps } from './deps.ts'
import { endTurn } from './end-turn.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { foldTail, type OpenTurn, type TurnStart } from './open-turn.ts'
import { nextAction, type Action } from './plan.ts'
import type { RunStore } from './run-store.ts'
import { parseState, touchSession } from './state.ts'
import type { Place } from './place.ts'
import { runTurn } from './turn.ts'

/** RELEASED: nothing waits and the lease is given back. EMPTY: nothing waits, the lease is still held. LEFT: someone else goes on. */
export type Served = 'RELEASED' | 'EMPTY' | 'LEFT'

const maxStarts = 3
const pendingPage = 200

export async function serveConversation(
  deps: ExecutorDeps,
  run: { conversation: ConversationId; claimed: Claimed; store: RunStore },
  signal: AbortSignal,
): Promise<Served> {
  const { conversation, claimed, store } = run
  const mailbox = createMailbox(store, claimed, pendingPage)
  let state = touchSession(parseState(claimed.snapshot, deps.now(), deps.language), deps.now(), deps.sessionIdleMs)
  let busy: CommandView['busy']
  const place = (): Place => ({ conversation, store, mailbox, state })
  const answering = answerReaders(deps, mailbox, place, () => busy)
  try {
    const open = foldTail(claimed.tail)
    if (claimed.attempts > maxStarts) {
      const ended = await setAside(deps, place(), open)
      if (ended.kind === 'LEFT') return 'LEFT'
      state = ended.state
      if (ended.released) return 'RELEASED'
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
        const depth = action.class.rule.startsWith('default') && state.depth ? state.depth : action.class.depth
        return await begin(action.events, { class: { ...action.class, depth } })
      }
      case 'drop':
        return await dropStopped(action)
      case 'absorb':
        return await finish({
          key: `x${action.events[0]?.seq}`,
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
    const applied = await applyEvent(deps, place(), item, busy)
    state = applied.state
    if (applied.kind === 'turn') {
      return await begin([item], {
        given: applied.text,
        class: { type: 'task', depth: 'standard', complex: false, rule: 'again', confidence: 'high' },
      })
    }
    const rows = toRows(`e${item.seq}`, applied.bodies)
    return await finish({
      key: `e${item.seq}`,
      what: applied.what,
      seqs: [item.seq],
      rows,
      questions: applied.questions,
    })
  }

  async function dropStopped(action: Extract<Action, { kind: 'drop' }>): Promise<Served | undefined> {
    const items = [...action.events, ...(action.stop ? [action.stop] : [])]
    const language = state.language ?? state.heard ?? 'en'
    const text =
      language === 'zh' ? '已停止，没有开始的消息也不再处理。' : 'Stopped; messages not begun yet are dropped.'
    const answers = items.map((item) => item.event.id)
    const rows = toRows(`d${items[0]?.seq}`, [{ v: 1, kind: 'send', text, answers, language }])
    return await finish({ key: `d${items[0]?.seq}`, what: 'dropped', seqs: items.map((item) => item.seq), rows })
  }

  async function begin(
    events: readonly QueuedEvent[],
    how: Pick<TurnStart, 'class'> & { given?: string },
  ): Promise<Served | undefined> {
    const [first] = events
    if (!first) return undefined
    const nowMs = deps.now()
    const start: TurnStart = {
      v: 1,
      at: nowMs,
      turn: `t${first.seq}`,
      t: 'turn:start',
      principal: first.event.principal,
      firstSeq: first.seq,
      events: events.map((item) => item.seq),
      class: how.class,
      clock: deps.clock(nowMs),
      ...(how.given === undefined ? {} : { given: how.given }),
    }
    return await turn({ start, entries: [start] }, [start])
  }

  async function turn(open: OpenTurn, unsaved: readonly JournalEntry[]): Promise<Served | undefined> {
    busy = { principal: open.start.principal, sinceMs: open.start.at }
    const ended = await runTurn(deps, place(), { turn: open, unsaved }, signal).finally(() => (busy = undefined))
    if (ended.kind === 'LEFT') return 'LEFT'
    state = ended.state
    return ended.released ? 'RELEASED' : undefined
  }

  async function finish(step: FinishedStep): Promise<Served | undefined> {
    const entry: JournalEntry = {
      v: 1,
      at: deps.now(),
      turn: step.key,
      t: 'applied',
      seqs: [...step.seqs],
      what: step.what,
    }
    const said = step.rows?.flatMap((row) => (row.body.kind === 'send' ? [row.body.text] : [])) ?? []
    const result = await store.append({
      key: step.key,
      entries: [entry],
      consume: step.seqs,
      rows: step.rows ?? [],
      questions: step.questions ?? [],
      snapshot: JSON.stringify(state),
      ...(said.length > 0 ? { reply: said.join('\n') } : {}),
      progress: true,
      release: true,
    })
    if (result.kind === 'FENCED' || result.kind === 'STOPPED') return 'LEFT'
    mailbox.drop(step.seqs)
    mailbox.noticeRouted(result.routedSeq)
    return result.released ? 'RELEASED' : undefined
  }
}

type FinishedStep = {
  readonly key: string
  readonly what: string
  readonly seqs: readonly number[]
  readonly rows?: ReturnType<typeof toRows>
  readonly questions?: Parameters<RunStore['append']>[0]['questions']
}

/** The event that crashed its worker every time, and its turn, leave the mailbox; the person is told, and a replay can bring them back. */
async function setAside(deps: ExecutorDeps, place: Place, open: OpenTurn | undefined): ReturnType<typeof endTurn> {
  const [head] = place.mailbox.waiting()
  const start: TurnStart = {
    v: 1,
    at: deps.now(),
    turn: `t${head?.seq ?? 0}`,
    t: 'turn:start',
    principal: head?.event.principal ?? 'console:nobody',
    firstSeq: head?.seq ?? 0,
    events: head ? [head.seq] : [],
    class: { type: 'query', depth: 'standard', complex: false, rule: 'set-aside', confidence: 'low' },
    clock: '',
  }
  const turn = open ?? { start, entries: [start] }
  return await endTurn(deps, place, {
    turn,
    entries: [],
    unsaved: open ? [] : [start],
    ending: 'set-aside',
    cut: false,
  })
}

/** Answers commands that only read as soon as they are routed, while a turn runs. */
function answerReaders(
  deps: ExecutorDeps,
  mailbox: Mailbox,
  place: () => Place,
  busy: () => CommandView['busy'],
): { settled(): Promise<void> } {
  let last: Promise<void> = Promise.resolve()
  const begun = new Set<number>()
  mailbox.onNews(() => {
    if (!busy()) return
    for (const item of mailbox.waiting()) {
      if (begun.has(item.seq) || !findCommand(deps, item)?.readsOnly) continue
      begun.add(item.seq)
      last = last.then(() => answer(item)).catch(() => {})
    }
  })
  async function answer(item: QueuedEvent): Promise<void> {
    const applied = await applyEvent(deps, place(), item, busy())
    if (applied.kind !== 'done') return
    const entry: JournalEntry = {
      v: 1,
      at: deps.now(),
      turn: `e${item.seq}`,
      t: 'applied',
      seqs: [item.seq],
      what: 'reader',
    }
    await place().store.append({
      key: `e${item.seq}`,
      entries: [entry],
      consume: [item.seq],
      rows: toRows(`e${item.seq}`, applied.bodies),
    })
    mailbox.drop([item.seq])
  }
  return { settled: () => last }
}
