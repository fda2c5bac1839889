// The agent loop: [join ▶ model ▶ tools]* ▶ reply, every step journaled before the next begins.
//   model answers with tool calls -> run them, go on;  without -> the turn ends `answered`.
//   stop -> `stopped`;  a limit -> `limit:<name>`;  no budget -> `over-budget`;  no model -> `model-failed`.
//   lease lost or shutting down -> left as it is: the next owner resumes at the last finished step.
import type { JournalEntry } from '#shared/run/journal.ts'
import { askModel } from '#services/executor/model/ask-model.ts'
import { endTurn, type Ended } from '#services/executor/ending/end-turn.ts'
import { mayJoin, nextMove, type Move } from './next-move.ts'
import { eventsOf, stepsDone, type OpenTurn } from './open-turn.ts'
import { joinable } from './plan.ts'
import type { Serving } from './serving.ts'
import { openTurnRun, type Engine, type Outcome, type TurnRun, type Unsaved } from './turn-run.ts'
import { takeUpApproved } from '#services/executor/gateway/awaited.ts'
import { useTools } from '#services/executor/gateway/use-tool.ts'

/** Runs a turn to its end, with the tools, the limits and the prompt of `engine`. */
export async function runTurn(
  serving: Serving,
  engine: Engine,
  begun: { readonly turn: OpenTurn; readonly unsaved: Unsaved },
  signal: AbortSignal,
): Promise<Ended> {
  const run = await openTurnRun(serving, engine, begun, signal)
  try {
    for (;;) {
      const outcome = await makeMove(run, await findMove(run))
      if (outcome) return await finish(run, outcome)
    }
  } finally {
    run.close()
  }
}

async function findMove(run: TurnRun): Promise<Move> {
  const { deps, claim, start, engine } = run
  const turn = run.turn()
  const own = eventsOf(turn)
  const find = async (): Promise<readonly number[]> => {
    await claim.mailbox.refresh()
    const waiting = claim.mailbox.waitingBeside(own)
    return joinable(waiting, start.principal, { own: claim.mailbox.taken(own), about: start.about }).map(
      ({ seq }) => seq,
    )
  }
  const joining = mayJoin(turn) && !run.interruption() ? await find() : []
  return nextMove(turn, {
    interruption: run.interruption(),
    nowMs: deps.now(),
    limits: engine.limits,
    joinable: joining,
    reads: ({ name }) => engine.tools.find((tool) => tool.name === name)?.effect === 'read',
  })
}

async function makeMove(run: TurnRun, move: Move): Promise<Outcome> {
  switch (move.kind) {
    case 'leave':
    case 'end':
      return move
    case 'tools':
      return await useTools(run, move.calls)
    case 'join': {
      const entry: JournalEntry = { ...run.stamp(), t: 'turn:join', events: [...move.events] }
      return await run.save({ key: `${run.start.turn}/join/${move.events[0]}`, entries: [entry] })
    }
    case 'ask-model':
      return await askModel(run)
    case 'take-up':
      return await takeUpApproved(run)
    default:
      return move satisfies never
  }
}

async function finish(run: TurnRun, outcome: NonNullable<Outcome>): Promise<Ended> {
  if (outcome.kind === 'leave') return { kind: 'LEFT' }
  const { ending, entries = [], failure, raise } = outcome
  const written = run.growing.written(stepsDone(run.turn()))
  const about = { ending, failure, raise, cut: run.isCut(), held: run.held(), written }
  return await endTurn(run.deps, run.claim, { turn: run.turn(), entries, unsaved: run.unsaved(), ...about })
}
