// A claimed conversation while it is served: its state as of the last stored step, and the one way in which a step outside any turn is stored.
import type { Language } from '#shared/chat/message.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { unbutton } from '#shared/run/out-row.ts'
import type { Append, Caused, QueuedEvent } from '#shared/run/step.ts'
import { saidIn } from '#services/executor/context/turn-items.ts'
import { toRows } from './carry.ts'
import { homeOf } from '#shared/chat/address.ts'
import type { ExecutorDeps } from '#services/executor/run/deps.ts'
import type { Claim } from '#services/executor/run/claim.ts'
import { toLanguage, type ConversationState } from '#services/executor/state/state.ts'
import { aboutEvent, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { toStored } from '#services/executor/state/stored.ts'
import { texts } from '#services/executor/run/texts.ts'
import { toWorkId } from '#services/executor/run/work-id.ts'

/** RELEASED: nothing waits and the lease is given back. EMPTY: nothing waits, the lease is still held. LEFT: someone else goes on. */
export type Served = 'RELEASED' | 'EMPTY' | 'LEFT'

export type Serving = Claim & {
  readonly deps: ExecutorDeps
  setBusy(busy: Claim['busy']): void
  /** The turn that is open as of the last stored step. */
  open(): OpenTurn | undefined
  /** A step was stored, with the state as it is now; `open` is the turn that it leaves open. */
  settle(open: OpenTurn | undefined): void
  /** The state is again as of the last stored step. */
  revert(): void
}

export function createServing(
  deps: ExecutorDeps,
  { address, store, mailbox, state: first }: Pick<Claim, 'address' | 'store' | 'mailbox' | 'state'>,
): Serving {
  let state = first
  let stored: { readonly state: ConversationState; readonly open: OpenTurn | undefined } = { state, open: undefined }
  let busy: Claim['busy']
  return {
    deps,
    conversation: homeOf(address),
    address,
    store,
    mailbox,
    get state() {
      return state
    },
    get busy() {
      return busy
    },
    keep: (next) => {
      state = next
    },
    setBusy: (next) => {
      busy = next
    },
    open: () => stored.open,
    settle: (open) => {
      stored = { state, open }
    },
    revert: () => {
      state = stored.state
    },
  }
}

/** Something done with in one step, outside any turn. */
export type Finished = Caused &
  Pick<Append, 'key' | 'closes' | 'setAside' | 'about' | 'artifacts' | 'reply'> & {
    readonly what: string
    readonly seqs: readonly number[]
  }

/** Stores a step; undefined when more may wait. */
export async function finish(serving: Serving, step: Finished): Promise<Served | undefined> {
  const { deps, store, mailbox } = serving
  const said = step.rows?.flatMap((row) => (row.body.kind === 'send' && !row.body.plan ? [row.body.text] : [])) ?? []
  // The buttons under the last reply go with the next one.
  const gone = said.length > 0 ? serving.state.under : undefined
  if (gone) serving.keep({ ...serving.state, under: undefined })
  // No turn is open now.
  if (serving.state.context) serving.keep({ ...serving.state, context: undefined })
  const isOff = step.rows?.some(({ body }) => body.kind === 'unbutton' && body.replaces === gone?.card) === true
  const off = gone && !isOff ? toRows(deps, `${step.key}-under`, [unbutton(gone.card)]) : []
  const rows = [...(step.rows ?? []), ...off]
  const saved = toStored(deps.features, serving.state)
  const events = step.seqs.flatMap((seq) => mailbox.find(seq) ?? [])
  const result = await store.append({
    ...toStep({ about: events.flatMap(aboutEvent), ...step, rows }, deps.now()),
    closes: [...(gone?.questions ?? []), ...(step.closes ?? [])],
    known: mailbox.known(step.seqs),
    folds: true,
    ...saved.step,
    ...(said.length > 0 ? { reply: said.join('\n') } : {}),
    progress: true,
    release: true,
  })
  if (result.kind === 'FENCED' || result.kind === 'STOPPED') return 'LEFT'
  serving.keep(saved.state)
  serving.settle(undefined)
  mailbox.drop(step.seqs)
  mailbox.noticeRouted(result.routedSeq)
  return result.released ? 'RELEASED' : undefined
}

function toStep({ what, seqs, ...step }: Finished, nowMs: number): Append {
  const entry: JournalEntry = { v: 1, at: nowMs, turn: step.key, t: 'applied', seqs: [...seqs], what }
  return { ...step, entries: [entry], consume: seqs }
}

/** A row that says something about some events: one of our texts, unless another is given. */
export function tell(
  serving: Serving,
  what: 'dropped' | 'setAside' | 'congested' | 'stillCongested',
  items: readonly QueuedEvent[],
  said: { readonly text: string; readonly language?: Language; readonly replaces?: string } = {
    text: texts[what][spoken(serving, items)],
  },
): Pick<Finished, 'key' | 'what' | 'rows'> {
  const key = toKey(`${what}-`, items)
  const answers = items.map((item) => item.event.id)
  const language = spoken(serving, items)
  return { key, what, rows: toRows(serving.deps, key, [{ v: 1, kind: 'send', answers, language, ...said }]) }
}

/** As those speak to whom something is said. */
export function spoken({ state }: Serving, items: readonly QueuedEvent[], given?: string): Language {
  return toLanguage(state, toAsked(items, given))
}

/** What people asked in their own words; a command's words are not: what it takes up is given. */
export function toAsked(items: readonly QueuedEvent[], given?: string): string {
  return given ?? saidIn(items.flatMap(({ event, decision }) => (decision?.act === 'command' ? [] : [event])))
}

export const toKey = (what: string, [first]: readonly QueuedEvent[]): string => (first ? toWorkId(what, first) : what)
