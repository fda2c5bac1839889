// What a turn may use before it is ended by name.
import type { Usage } from '#shared/model/model-port.ts'
import type { JournalEntry } from './journal.ts'

export type TurnLimits = {
  readonly maxSteps: number
  readonly maxToolCalls: number
  readonly maxTokens: number
  readonly maxWallMs: number
  /** What its answers of models may cost together, where their prices are known. */
  readonly money?: MoneyLimit | undefined
  /** The same call with the same arguments this often in a row; twice as often for two calls taking turns. */
  readonly maxIdenticalCalls: number
  /** So often the model may put right what could not be called as it wrote it. */
  readonly maxRepairs: number
}

/** In whole micro-dollars; nothing is known of a model without a price. */
export type MoneyLimit = {
  readonly maxMicros: number
  toMicros(model: string, usage: Usage): number | undefined
}

export const defaultLimits: TurnLimits = {
  maxSteps: 25,
  maxToolCalls: 40,
  maxTokens: 200_000,
  maxWallMs: 30 * 60_000,
  maxIdenticalCalls: 3,
  maxRepairs: 3,
}

export type LimitName =
  | 'steps'
  | 'tool-calls'
  | 'tokens'
  | 'money'
  | 'wall-time'
  | 'identical-calls'
  | 'malformed-calls'
  /** An owner has the fleet do nothing by itself. */
  | 'quiet'

/** The limit that a turn with these finished entries has reached, if any. */
export function findLimit(entries: readonly JournalEntry[], nowMs: number, limits: TurnLimits): LimitName | undefined {
  const steps = entries.filter((entry) => entry.t === 'llm:fin')
  const calls = steps.flatMap((step) => step.toolCalls)
  const tokens = steps.reduce((sum, step) => sum + step.usage.promptTokens + step.usage.completionTokens, 0)
  const { money } = limits
  const startedAt = entries[0]?.at ?? nowMs
  if (steps.length >= limits.maxSteps) return 'steps'
  if (calls.length + countAgain(entries) >= limits.maxToolCalls) return 'tool-calls'
  if (tokens >= limits.maxTokens) return 'tokens'
  if (money && sumMicros(steps, money) >= money.maxMicros) return 'money'
  if (nowMs - startedAt >= limits.maxWallMs) return 'wall-time'
  if (countMalformed(entries) > limits.maxRepairs) return 'malformed-calls'
  const prints = calls.map((call) => `${call.name} ${call.arguments}`)
  return repeats(prints, 1, limits.maxIdenticalCalls) || repeats(prints, 2, limits.maxIdenticalCalls)
    ? 'identical-calls'
    : undefined
}

const sumMicros = (steps: readonly Answer[], { toMicros }: MoneyLimit): number =>
  steps.reduce((sum, { model, usage }) => sum + (toMicros(model, usage) ?? 0), 0)
type Answer = Extract<JournalEntry, { t: 'llm:fin' }>

/** Calls that were made once more by themselves. */
const countAgain = (entries: readonly JournalEntry[]): number =>
  entries.filter((entry) => entry.t === 'tool:req' && entry.again !== undefined).length

/** Answers with a call that could not be made. */
const countMalformed = (entries: readonly JournalEntry[]): number =>
  new Set(entries.flatMap((entry) => (entry.t === 'tool:fin' && entry.malformed ? [entry.step] : []))).size

/** Whether the last calls repeat a cycle of `length` at least `times` times. */
function repeats(prints: readonly string[], length: number, times: number): boolean {
  const last = prints.slice(-length * times)
  return last.length === length * times && last.every((print, i) => print === last[i % length])
}
