// A record of memory as somebody's order makes it.
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
