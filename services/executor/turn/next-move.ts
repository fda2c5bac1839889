// What a turn does next: a rule of its journal and of what happened meanwhile. Pure, so that each branch can be read and tested alone.
import type { ToolCall } from '#shared/model/model-port.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import { findLimit, type LimitName, type TurnLimits } from '#shared/run/turn-limits.ts'
import { callsLeft, callsOf, isSuspended, stepsDone, type OpenTurn } from '#services/executor/run/open-turn.ts'

export type Move =
  /** The process stops or the lease is gone: the next owner goes on from the last finished step. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'end'; readonly ending: TurnEnding }
  /** Several are made at once, where all of their answer only read. */
  | { readonly kind: 'tools'; readonly calls: readonly ToolCall[] }
  /** Seqs of what came meanwhile and is to be read in this turn. */
  | { readonly kind: 'join'; readonly events: readonly number[] }
  | { readonly kind: 'ask-model' }
  /** It begins with calls that a person approved. */
  | { readonly kind: 'take-up' }

/** What ends a turn from outside. */
export type Interruption = 'left' | 'stopped' | 'late' | 'quiet'

export type Circumstances = {
  readonly interruption: Interruption | undefined
  readonly nowMs: number
  readonly limits: TurnLimits
  /** Seqs of waiting events that join now (`mayJoin`). */
  readonly joinable: readonly number[]
  /** Whether a call changes nothing. */
  reads(call: ToolCall): boolean
}

const mostAtOnce = 8
const byName: Readonly<Record<string, LimitName>> = { late: 'wall-time', quiet: 'quiet' }

/**
 * Whether messages may join now: before the model is asked again and not between its calls, and before it has answered at all only `corrected`,
 * where one of them corrects what it is asked. What is said while the last answer is rewritten or continued is a question of its own.
 */
export const mayJoin = (turn: OpenTurn, corrected: boolean): boolean =>
  (corrected || turn.entries.some((entry) => entry.t === 'llm:fin')) &&
  callsLeft(turn).length === 0 &&
  !isSuspended(turn) &&
  turn.start.last === undefined

export function nextMove(turn: OpenTurn, { interruption, nowMs, limits, joinable, reads }: Circumstances): Move {
  if (interruption === 'left') return { kind: 'leave' }
  if (interruption === 'stopped') return { kind: 'end', ending: 'stopped' }
  if (callsLeft(turn).length === 0 && isSuspended(turn)) return { kind: 'end', ending: 'suspended' }
  const limit = byName[interruption ?? 'none'] ?? findLimit(turn.entries, nowMs, limits)
  if (limit) return { kind: 'end', ending: `limit:${limit}` }
  const left = callsLeft(turn)
  if (left.length > 0) return { kind: 'tools', calls: left.slice(0, callsOf(turn).every(reads) ? mostAtOnce : 1) }
  if (turn.start.approved?.length && stepsDone(turn) === 0) return { kind: 'take-up' }
  return joinable.length > 0 ? { kind: 'join', events: joinable } : { kind: 'ask-model' }
}
