// Records of turns as readers get them.
import type { RecordLine, TurnRecord } from '#shared/run/record.ts'

let counted = 0

export function recordOf(asked: string, more: Partial<TurnRecord> = {}): TurnRecord {
  return {
    v: 1,
    turn: `t${(counted += 1)}`,
    session: 's1',
    principal: 'web:ann',
    begunAt: Date.now() - 1000,
    endedAt: Date.now(),
    language: 'en',
    class: { type: 'query', depth: 'standard', complex: false, rule: 'default', confidence: 'high' },
    ending: 'answered',
    tools: [],
    context: [],
    tokens: { prompt: 1, completion: 1 },
    asked,
    answer: 'I see.',
    ...more,
  }
}

/** `messages`: one, named by the turn, unless given. */
export function lineOf(
  record: TurnRecord,
  {
    conversation = 'web:home',
    messages = [`m-${record.turn}`],
  }: { conversation?: string; messages?: readonly string[] } = {},
): Extract<RecordLine, { kind: 'turn' }> {
  return { name: `${counted}-0`, kind: 'turn', conversation, id: record.turn, record, messages }
}
