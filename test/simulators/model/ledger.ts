// Everything the model endpoint was asked and how each request ended. In `counters` mode no entry is kept, for benchmarks.
// Each entry goes open → finished | refused | cut | aborted once; the first cause wins.
import type { IncomingHttpHeaders } from 'node:http'
import { createBell } from '#test/simulators/signals.ts'
import type { CompletionMessage, CompletionRequest } from './request.ts'

/** `refused`: answered with a status ≥ 400; `cut`: the simulator broke off on purpose; `aborted`: the client went away first. */
export type ModelOutcome = 'finished' | 'refused' | 'cut' | 'aborted'

export type ModelLedgerEntry = {
  /** Counts from 1, in order of arrival. */
  readonly n: number
  /** ms since 1970. */
  readonly at: number
  readonly model: string
  readonly messages: readonly CompletionMessage[]
  readonly stream: boolean
  readonly tools: readonly string[]
  readonly maxTokens: number | undefined
  readonly temperature: number | undefined
  /** `authorization` shows its last four characters only. */
  readonly headers: Readonly<Record<string, string>>
  /** How many requests were open with this one when it came. */
  readonly openThen: number
  status: number | undefined
  outcome: 'open' | ModelOutcome
  endedAt: number | undefined
}

export type ModelCounters = {
  requests: number
  open: number
  /** The most that were ever open at once. */
  maxOpen: number
  finished: number
  refused: number
  cut: number
  aborted: number
}

/** Requests, by the model they name. */
export type RequestsByModel = Readonly<Record<string, number>>

export type OpenRequest = { end(outcome: ModelOutcome, status: number): void }

export type ModelLedger = {
  readonly entries: readonly ModelLedgerEntry[]
  readonly counters: Readonly<ModelCounters>
  readonly byModel: RequestsByModel
  /** Resolves with the first entry, past or future, that matches. Rejects after 10 s unless told otherwise. */
  waitFor(matches: (entry: ModelLedgerEntry) => boolean, timeoutMs?: number): Promise<ModelLedgerEntry>
  /** Resolves once the counters match. */
  waitForCounters(matches: (counters: ModelCounters) => boolean, timeoutMs?: number): Promise<void>
  /** Forgets the entries and counters; open requests stay counted as open. */
  clear(): void
}

export type WritableModelLedger = ModelLedger & {
  begin(request: CompletionRequest, headers: IncomingHttpHeaders): OpenRequest
}

export function createModelLedger(mode: 'full' | 'counters'): WritableModelLedger {
  const entries: ModelLedgerEntry[] = []
  const counters: ModelCounters = { requests: 0, open: 0, maxOpen: 0, finished: 0, refused: 0, cut: 0, aborted: 0 }
  const byModel: Record<string, number> = {}
  const bell = createBell()
  return {
    entries,
    counters,
    byModel,
    waitFor: (matches, timeoutMs) => bell.until(() => entries.find(matches), 'a model request', timeoutMs),
    waitForCounters: async (matches, timeoutMs) => {
      await bell.until(() => matches(counters) || undefined, 'the model counters', timeoutMs)
    },
    clear: () => {
      entries.length = 0
      for (const model of Object.keys(byModel)) delete byModel[model]
      Object.assign(counters, { requests: 0, maxOpen: counters.open, finished: 0, refused: 0, cut: 0, aborted: 0 })
    },
    begin: (request, headers) => {
      counters.requests += 1
      byModel[request.model] = (byModel[request.model] ?? 0) + 1
      counters.open += 1
      counters.maxOpen = Math.max(counters.maxOpen, counters.open)
      const entry = mode === 'full' ? toEntry(request, headers, counters) : undefined
      if (entry !== undefined) entries.push(entry)
      let isOpen = true
      bell.ring()
      return {
        end: (outcome, status) => {
          if (!isOpen) return
          isOpen = false
          counters.open -= 1
          counters[outcome] += 1
          if (entry !== undefined) Object.assign(entry, { outcome, status, endedAt: Date.now() })
          bell.ring()
        },
      }
    },
  }
}

function toEntry(request: CompletionRequest, headers: IncomingHttpHeaders, counters: ModelCounters): ModelLedgerEntry {
  return {
    n: counters.requests,
    at: Date.now(),
    model: request.model,
    messages: request.messages,
    stream: request.stream === true,
    tools: (request.tools ?? []).map((tool) => tool.function.name),
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    temperature: request.temperature ?? undefined,
    headers: redact(headers),
    openThen: counters.open,
    status: undefined,
    outcome: 'open',
    endedAt: undefined,
  }
}

function redact(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const text = String(value)
    kept[name] = name === 'authorization' || name === 'cookie' || name === 'api-key' ? `***${text.slice(-4)}` : text
  }
  return kept
}
