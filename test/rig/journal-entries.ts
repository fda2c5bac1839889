// Entries of a turn's journal and rows of the outbox, small and valid: a test names what it is about.
import type { JournalEntry } from '#shared/run/journal.ts'
import type { OutBody, OutRow } from '#shared/run/out-row.ts'
import { ann, standard } from './events.ts'

type Entry<T extends JournalEntry['t']> = Extract<JournalEntry, { t: T }>
type Send = Extract<OutBody, { kind: 'send' }>

export const startedAtMs = 1000
const base = { v: 1, at: startedAtMs, turn: 't1' } as const

/** A turn over the first event. */
export const started = (more: Partial<Entry<'turn:start'>> = {}): Entry<'turn:start'> => ({
  ...base,
  t: 'turn:start',
  principal: ann,
  firstSeq: 1,
  events: [1],
  class: standard,
  clock: '',
  ...more,
})
export const asked = (step: number, attempt = 1): Entry<'llm:req'> => ({
  ...base,
  t: 'llm:req',
  step,
  attempt,
  role: 'main',
})
/** The answer of a step, that the model wrote. */
export const wrote = (text: string, more: Partial<Entry<'llm:fin'>> = {}): Entry<'llm:fin'> => ({
  ...base,
  t: 'llm:fin',
  step: 0,
  text,
  toolCalls: [],
  usage: { promptTokens: 10, completionTokens: 5 },
  model: 'm',
  ...more,
})
export const call = (id: string) => ({ id, name: 'look', arguments: `{"at":"${id}"}` })
/** The answer of a step, with these calls in it. */
export const said = (step: number, ...calls: readonly string[]): Entry<'llm:fin'> =>
  wrote(`said ${step}`, { step, toolCalls: calls.map(call) })
export const done = (step: number, callId: string, more: Partial<Entry<'tool:fin'>> = {}): Entry<'tool:fin'> => ({
  ...base,
  t: 'tool:fin',
  step,
  callId,
  ok: true,
  result: `found ${callId}`,
  source: 'others',
  ...more,
})
export const joined = (...events: number[]): Entry<'turn:join'> => ({ ...base, t: 'turn:join', events })
export const ended = (more: Partial<Entry<'turn:fin'>> = {}): Entry<'turn:fin'> => ({
  ...base,
  t: 'turn:fin',
  ending: 'answered',
  answers: [],
  ...more,
})
/** A turn that is open, with what it did. */
export const openTurn = (...entries: readonly JournalEntry[]) => ({
  start: started(),
  entries: [started(), ...entries],
})

export const toBody = (text: string, more: Partial<Send> = {}): Send => ({
  v: 1,
  kind: 'send',
  text,
  answers: [],
  language: 'en',
  ...more,
})
export const toRow = (id: string, body: OutBody): OutRow => ({ id, expiresInMs: 600_000, body })
