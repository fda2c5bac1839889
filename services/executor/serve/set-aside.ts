// What crashed its worker every time, and what cannot be done at all, leaves the mailbox; its sender is told, and a replay can bring it back.
import { isTask } from '#shared/chat/address.ts'
import { setTaskAside } from './set-task-aside.ts'
import { toFirstRow } from '#shared/run/out-row.ts'
import type { QueuedEvent } from '#shared/run/step.ts'
import { toOrigin } from '#services/executor/context/origin.ts'
import { toFacts } from '#services/executor/context/turn-facts.ts'
import { describeEnding } from '#services/executor/ending/ending-text.ts'
import { recordTurn } from '#services/executor/step/record.ts'
import { planEndRow } from '#services/executor/planning/plan-rows.ts'
import { findText } from '#services/executor/turn/growing-text.ts'
import { keptChars } from './not-done.ts'
import { eventsOf, messageIdsOf, quotedIdsOf, type OpenTurn } from '#services/executor/run/open-turn.ts'
import { finish, spoken, tell, toAsked, type Served, type Serving } from '#services/executor/step/serving.ts'
import { boundAbout, keepPutOff } from '#services/executor/state/state.ts'
import { remember, toHistoryRoom } from '#services/executor/state/remember.ts'

/** Sets the turn aside; without one the first of `events`, or of all that waits. */
export async function setAside(
  serving: Serving,
  open: OpenTurn | undefined,
  events: readonly QueuedEvent[],
): Promise<Served | undefined> {
  const { deps, store, mailbox } = serving
  const [first] = [...events, ...mailbox.waiting()]
  const seqs = open ? eventsOf(open) : first ? [first.seq] : []
  const items = mailbox.taken(seqs)
  if (isTask(serving.address)) return await setTaskAside(serving, items)
  const asked = toAsked(items, open?.start.given)
  const principal = open?.start.principal ?? first?.event.principal
  const taken = items.map(({ event }) => event)
  const quoted = quotedIdsOf(taken)
  const about = boundAbout([...(open?.start.about ?? []), ...quoted, ...messageIdsOf(taken)])
  if (asked && principal)
    serving.keep({
      ...keepPutOff(serving.state, principal),
      lastText: asked.slice(0, keptChars),
      lastAbout: about,
      lastQuoted: quoted,
      lastOf: toOrigin({ ...open?.start, principal }, taken),
    })
  // The next turn arms another timer: this one has fired.
  if (taken.some(({ kind }) => kind === 'session_end'))
    serving.keep({ ...serving.state, session: { ...serving.state.session, timed: undefined } })
  const written = open ? ((await findText(store, open.start.turn))?.text.trim() ?? '') : ''
  const language = spoken(serving, items)
  const expiresInMs = deps.replyExpiresInMs
  const plan = open ? planEndRow({ turn: open, ending: 'set-aside', language, expiresInMs }) : []
  if (!open || written === '') {
    const row = tell(serving, 'setAside', items)
    return await finish(serving, { ...row, rows: [...plan, ...(row.rows ?? [])], seqs, setAside: seqs })
  }
  const facts = toFacts(open, serving)
  const ended = { turn: open, ending: 'set-aside', written, cut: false } as const
  const told = { events: taken, language }
  const said = describeEnding(ended, facts.items, told)
  const turn = { items: said.items, messageIds: [], about, quoted, text: serving.state.lastText ?? '', tokens: 0 }
  const record = {
    facts: { turn: open, events: taken, language, about: facts.about, taint: facts.taint },
    ending: 'set-aside',
    endedAt: deps.now(),
    asked,
    answer: said.text,
  } as const
  const records = [recordTurn(serving.state, record)]
  serving.keep(remember(serving.state, turn, toHistoryRoom(deps)))
  const replaces = toFirstRow(open.start.turn)
  const row = tell(serving, 'setAside', items, { text: said.text, replaces })
  return await finish(serving, { ...row, rows: [...plan, ...(row.rows ?? [])], records, seqs, setAside: seqs, about })
}
