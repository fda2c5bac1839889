// A record of memory as somebody's order makes it.
import type { LogEntry } from '#shared/memory/log.ts'
import type { NewRecord } from '#shared/memory/record.ts'

let counted = 0

export function remembered(
  text: string,
  { conversation, message }: { readonly conversation: string; readonly message: string },
  more: Partial<NewRecord> = {},
): NewRecord {
  counted += 1
  return {
    id: `said-${counted}`,
    kind: 'fact',
    speaker: 'web:ann',
    text,
    saidAt: 1_700_000_000_000,
    status: 'confirmed',
    confirmedBy: 'web:ann',
    origin: 'said',
    from: [{ conversation, messages: [message] }],
    ...more,
  }
}

export const toLogEntry = (n: number, message: string, more: Partial<LogEntry> = {}): LogEntry => ({
  v: 1,
  id: `t${n}`,
  at: Date.now() - 1000 + n,
  asked: `question ${n}`,
  answered: `answer ${n}`,
  tools: [],
  tookMs: 1000,
  messages: [message],
  ...more,
})
