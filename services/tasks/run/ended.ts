// A turn of a task ends: what it came to is kept, and the task goes on by an event of its own, which decides what comes next.
import type { EndedTurn } from '#shared/feature/feature.ts'
import { toOurs } from '#shared/feature/kept.ts'
import { keepWrites as keepNewest, type Outcome, type TaskChange, type TaskOwn, type Undoing } from './own.ts'
import { keepLog } from './step-log.ts'
import { outputName, resultName, writesName } from './texts.ts'
import { goOnLater, set, type TaskDeps, type TaskStep } from './work.ts'

/** A turn that a lost worker left open was no work all the time. */
const mostTurnMs = 600_000

/** A line of its own, in any of the forms in which models write it. */
const mark = /^[ \t]{0,8}[*_`]{0,3}\[CHECKPOINT\][*_`]{0,3}[ \t]{0,8}$/gim

export function ended({ now }: TaskDeps, turn: EndedTurn<TaskOwn>): readonly TaskStep[] {
  const { slice, ending } = turn
  if (slice.phase === 'none') return []
  const { effects: written, changed: counted } = keepWrites(turn)
  const spent = {
    ...counted,
    tokens: slice.tokens + turn.tokens,
    workMs: slice.workMs + Math.min(mostTurnMs, Math.max(0, now() - turn.begunAt)),
  }
  const outcome = toOutcome(turn)
  const log = keepLog(turn, now())
  // What ends a turn that waits begins another one; what ended the planning has told the task already.
  if (outcome === 'waits' || (slice.phase === 'plan' && slice.outcome === 'done'))
    return [log, ...written, set({ ...spent, ...toWaiting(slice, outcome) }), ...toWaited(outcome)]
  const done = outcome === 'done' ? keepOutput(slice, turn.text) : { effects: [], changed: {} }
  const why = outcome === 'failed' ? toOurs(ending) : toOurs('')
  // Who answered after all has answered the card that asked how it goes on.
  const over: readonly TaskStep[] =
    slice.waits === 'recovery' && (slice.outcome === 'waits' || slice.why === 'waited')
      ? [{ kind: 'cancel', which: { topic: 'recovery' } }, set({ waits: 'nothing' })]
      : []
  return [
    log,
    ...written,
    ...done.effects,
    ...over,
    set({ ...spent, outcome, why, ...done.changed }),
    { kind: 'disarm', timer: 'waited' },
    goOnLater(slice),
  ]
}

/** An approval may be given for a day; after that a step waits for nothing that comes by itself. */
const waitedMs = 26 * 3_600_000
export const toWaited = (outcome: Outcome): readonly TaskStep[] =>
  outcome === 'waits' ? [{ kind: 'timer', timer: 'waited', inMs: waitedMs, payload: '' }] : []

const toWaiting = ({ phase, outcome: before }: TaskOwn, outcome: Outcome): TaskChange =>
  phase === 'plan' && before === 'done' ? {} : { outcome }

function toOutcome({ ending, slice, text }: EndedTurn<TaskOwn>): Outcome {
  if (ending === 'suspended') return 'waits'
  if (ending === 'stopped') return 'stopped'
  // A plan comes by its tool: prose is none.
  return ending === 'answered' && slice.phase !== 'plan' && text.trim() !== '' ? 'done' : 'failed'
}

function keepOutput(
  { phase, node, generation, notes, noted }: TaskOwn,
  text: string,
): { readonly effects: readonly TaskStep[]; readonly changed: TaskChange } {
  const said = text.replaceAll(mark, '').trim()
  const name =
    phase === 'result' || phase === 'undo' ? resultName : outputName({ number: Number(node.slice(2)), generation })
  return {
    effects: [{ kind: 'artifact', name, text: said }],
    changed: { isMarked: said.length < text.trim().length && phase === 'step', notes: notes.slice(noted), noted: 0 },
  }
}

/** What it changed outside is kept for a rollback. */
function keepWrites({ slice, writes }: EndedTurn<TaskOwn>): {
  readonly effects: readonly TaskStep[]
  readonly changed: TaskChange
} {
  if (writes.length === 0) return { effects: [], changed: {} }
  const [undoing] = slice.undos
  if (slice.phase === 'undo' && undoing && writes.every(({ isSure }) => isSure))
    return { effects: [], changed: { writes: toUndone(slice.writes, undoing) } }
  const nth = slice.writing
  const undoable = writes.flatMap(({ undo }, place) => (undo ? [place] : [])).slice(-8)
  return {
    effects: [{ kind: 'artifact', name: writesName(nth), text: JSON.stringify(writes) }],
    changed: { writing: nth + 1, writes: keepNewest([...slice.writes, { nth, undoable, undone: [] }]) },
  }
}

/** What was taken back is neither offered again nor named as a change that stands; nor is the call that did it. */
const toUndone = (writes: TaskOwn['writes'], { nth, place }: Undoing): TaskOwn['writes'] =>
  writes.map((one) =>
    one.nth === nth
      ? { ...one, undoable: one.undoable.filter((at) => at !== place), undone: [...one.undone, place] }
      : one,
  )
