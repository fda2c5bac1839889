// What a person is asked about their file: its changes, kept whole beside the conversation until they press. Each names the record as it was seen.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { languages } from '#shared/chat/message.ts'
import { memoryKinds, memoryScope, mostRecordChars } from '#shared/memory/record.ts'

/** `seen`: the record's words as they were (`toSeen`). */
const named = { number: z.number().int().positive(), seen: z.string().max(16) }
const change = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('new'),
    line: z.number().int(),
    kind: z.enum(memoryKinds),
    text: z.string().min(1).max(mostRecordChars),
    day: z.string().max(10).exactOptional(),
  }),
  /** `text`: other words; `day`: another day. What nobody confirmed is confirmed by it. */
  z.object({
    op: z.literal('edit'),
    ...named,
    kind: z.enum(memoryKinds),
    text: z.string().min(1).max(mostRecordChars).exactOptional(),
    day: z.string().max(10).exactOptional(),
  }),
  /** `done`: a to-do that has its cross. */
  z.object({ op: z.literal('drop'), ...named, done: z.literal(true).exactOptional() }),
])
export type Change = z.infer<typeof change>

export const proposal = z.object({
  v: z.literal(1),
  scope: memoryScope,
  /** The message that brought the file. */
  event: z.string(),
  /** The messages that its words came from. */
  about: z.array(z.string()),
  changes: z.array(change),
})
export type Proposal = Readonly<Omit<z.infer<typeof proposal>, 'about' | 'changes'>> & {
  readonly about: readonly string[]
  readonly changes: readonly Change[]
}

/** New records and edits of one file, and all changes together. */
export const mostWrites = 500
export const mostChanges = 5000

/** Of its card: where the proposal is kept. */
export const payload = z.object({ v: z.literal(1), language: z.enum(languages), name: z.string() })
export type Payload = z.infer<typeof payload>

export const toProposalName = (event: string): string => `memory-file-${hash('sha256', event, 'hex').slice(0, 24)}`
