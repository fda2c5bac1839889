// The agent loop: [join ▶ model ▶ tools]* ▶ reply, every step journaled before the next begins.
//   model answers with tool calls -> run them, go on;  without -> the turn ends `answered`.
//   stop -> `stopped`;  a limit -> `limit:<name>`;  no budget -> `over-budget`;  no model -> `model-failed`.
//   lease lost or shutting down -> left as it is: the next owner resumes at the last finished step.
import type { Tool } from '#shared/model/tool.ts'
import type { JournalEntry } from '#shared/run/journal.ts'
import { askModel } from './ask-model.ts'
import type { ExecutorDeps } from './deps.ts'
import { endTurn, type Ended } from './end-turn.ts'
import { mayJoin, nextMove, type Move } from './next-move.ts'
import { eventsOf, stepsDone, type OpenTurn } from './open-turn.ts'
import type { Place } from './place.ts'
import { joinable } from './plan.ts'
import { openTurnRun, type Outcome, type TurnRun } from './turn-run.ts'
import { useTool } from './use-tool.ts'

/** Runs a turn to its end. `unsaved` are entries of a turn just begun, written with its first step. */
export async function runTurn(
  deps: ExecutorDeps,
  place: Place,
  begun: { turn: OpenTurn; unsaved: readonly JournalEntry[] },
  signal: AbortSignal,
): Promise<Ended> {
  const tools = deps.features.flatMap((feature) => feature.tools ?? [])
  const run = await openTurnRun(deps, place, begun, signal)
  try {
    for (;;) {
      const outcome = await makeMove(run, tools, await findMove(run))
      if (outcome) return await finish(run, outcome)
    }
  } finally {
    run.close()
  }
}

async function findMove(run: TurnRun): Promise<Move> {
  const { deps, place, start } = run
  const turn = run.turn()
  const own = eventsOf(turn)
  const find = async (): Promise<readonly number[]> => {
    await place.mailbox.refresh()
    const waiting = place.mailbox.waitingBeside(own)
    return joinable(waiting, start.principal, place.mailbox.taken(own)).map(({ seq }) => seq)
  }
  const joining = mayJoin(turn) && !run.interruption() ? await find() : []
  return nextMove(turn, {
    interruption: run.interruption(),
    nowMs: deps.now(),
    limits: deps.limits,
    joinable: joining,
  })
}

async function makeMove(run: TurnRun, tools: readonly Tool[], move: Move): Promise<Outcome> {
  switch (move.kind) {
    case 'leave':
    case 'end':
      return move
    case 'tool':
      return await useTool(run, tools, move.call)
    case 'join': {
      const entry: JournalEntry = { ...run.stamp(), t: 'turn:join', events: [...move.events] }
      return await run.save({ key: `${run.start.turn}/join/${move.events[0]}`, entries: [entry] })
    }
    case 'ask-model':
      return await askModel(run, tools)
    default:
      return move satisfies never
  }
}

async function finish(run: TurnRun, outcome: NonNullable<Outcome>): Promise<Ended> {
  if (outcome.kind === 'leave') return { kind: 'LEFT' }
  const { ending, entries = [], failure, setting } = outcome
  const turn = run.turn()
  const written = run.growing.written(stepsDone(turn))
  const about = { ending, failure, setting, cut: run.isCut(), written }
  return await endTurn(run.deps, run.place, { turn, entries, unsaved: run.unsaved(), ...about })
}
