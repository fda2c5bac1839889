// Records of ended turns for tests.
import type { Recorded, TurnRecord, WorkRecord } from '#shared/run/record.ts'

export const turnRecord = (turn: string, more: Partial<TurnRecord> = {}): TurnRecord => ({
  v: 1,
  turn,
  session: 's1',
  principal: 'telegram:1',
  begunAt: 1_700_000_000_000,
  endedAt: 1_700_000_001_000,
  language: 'en',
  class: { type: 'query', depth: 'standard', complex: false, rule: 'question', confidence: 'high' },
  ending: 'answered',
  tools: [],
  context: [],
  tokens: { prompt: 10, completion: 5 },
  asked: `question of ${turn}`,
  answer: `answer of ${turn} 好`,
  ...more,
})

export const recorded = (turn: string, about: readonly string[] = [], more: Partial<TurnRecord> = {}): Recorded => ({
  kind: 'turn',
  about,
  record: turnRecord(turn, more),
})

export const workRecord = (work: string): WorkRecord => ({
  v: 1,
  work,
  feature: 'sample',
  principal: 'telegram:1',
  begunAt: 1_700_000_000_000,
  endedAt: 1_700_000_001_000,
  ended: 'timer',
  what: 'later',
  answer: 'Done.',
})
