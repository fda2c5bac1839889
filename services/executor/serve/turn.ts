// The agent loop: [join ▶ model ▶ tools]* ▶ reply, every step journaled before the next begins.
//   its person corrects what it is asked -> the call of the model is left, the correction joins, the model is asked again.
//   model answers with tool calls -> run them, go on;  without -> the turn ends `answered`.
//   stop -> `stopped`;  a limit -> `limit:<name>`;  no budget -> `over-budget`;  no model -> `model-failed`.
//   lease lost or shutting down -> left as it is: the next owner resumes at the last finished step.
import type { JournalEntry } from '#shared/run/journal.ts'
import { askModel } from '#services/executor/model/ask-model.ts'
import { toTiming } from '#services/executor/ending/timing.ts'
import { endTurn, type Ended } from '#services/executor/ending/end-turn.ts'
import { findJoining } from '#services/executor/turn/joining.ts'
import { mayJoin, nextMove, type Move } from '#services/executor/turn/next-move.ts'
import { stepsDone, type OpenTurn } from '#services/executor/run/open-turn.ts'
import type { Serving } from '#services/executor/step/serving.ts'
import { openTurnRun } from './open-turn-run.ts'
import type { Engine, Outcome, TurnRun, Unsaved } from '#services/executor/turn/turn-run.ts'
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
  const { deps, claim, engine } = run
  const turn = run.turn()
  // Before its first answer nothing joins but a correction, and of that the mailbox is told.
  if (mayJoin(turn, false) && !run.interruption()) await claim.mailbox.refresh()
  const joining = run.interruption() ? [] : findJoining(run)
  return nextMove(turn, {
    interruption: run.interruption(),
    nowMs: deps.now(),
    limits: engine.limits,
    joinable: joining,
    reads: ({ name }) => engine.tools().find((tool) => tool.name === name)?.effect === 'read',
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
  const { ending, entries = [], failure, raise, handed } = outcome
  const written = run.growing.written(stepsDone(run.turn()))
  const about = { ending, failure, raise, handed, cut: run.isCut(), held: run.held(), written }
  // Of the events, before those that it answers leave the mailbox.
  const [turn, events] = [run.turn(), run.facts().events]
  const ended = await endTurn(run.deps, run.claim, { turn, entries, unsaved: run.unsaved(), ...about })
  if (ended.kind === 'ENDED') {
    const whole = { ...turn, entries: [...turn.entries, ...entries] }
    run.deps.onEnded?.(run.claim.conversation, toTiming(whole, { events, ending, endedAt: run.deps.now() }))
  }
  return ended
}
