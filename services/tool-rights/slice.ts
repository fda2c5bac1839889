// What a conversation knows of approvals: what owners approved for good, which calls wait for an owner elsewhere, how often people were asked lately,
// and what they denied a moment ago.
import { z } from 'zod'
import { ours, type Ours } from '#shared/feature/kept.ts'
import { storable, type Slice } from '#shared/feature/slice.ts'
import { mostPatterns, pattern, type Pattern } from './patterns.ts'

/** Calls that an owner was asked about in their direct chat. */
const sent = z.object({
  id: ours.max(200),
  to: ours,
  approver: ours,
  requester: ours,
  /** Of the very calls. */
  hash: ours.max(64),
  about: z.array(ours).max(20),
})
export type Sent = z.infer<typeof sent>
const denied = z.object({ hash: ours.max(64), atMs: z.number() })

const approvals = z.object({
  patterns: z.array(pattern).max(mostPatterns),
  sent: z.array(sent),
  /** For whom people were asked lately, each a card: from here, or by letter here. Older releases kept times alone. */
  asked: z.array(z.object({ who: ours, atMs: z.number() })).default([]),
  denied: z.array(denied),
})
export type Approvals = z.infer<typeof approvals>
export type ApprovalsChange =
  | { readonly asked: { readonly who: Ours; readonly atMs: number } }
  | { readonly sent: Sent }
  | { readonly decided: string }
  | { readonly denied: readonly z.infer<typeof denied>[] }
  | { readonly always: readonly Omit<Pattern, 'no'>[] }
  | { readonly revoke: number }

/** Of one requester: none uses up another's. */
export const mostCardsAnHour = 20
/** Of those that go to an owner: one person uses up half of what an owner is asked by all (`services/executor/asking`). */
export const mostToOwnerAnHour = 10
const mostAsked = 10 * mostCardsAnHour
/** Calls that wait for an owner, of one requester and of all: more are refused. */
export const mostSentEach = 4
export const mostSent = 40
const fresh: Approvals = { patterns: [], sent: [], asked: [], denied: [] }

export const approvalsSlice: Slice<Approvals, ApprovalsChange> = {
  schema: storable(approvals),
  fresh,
  fold(slice, change) {
    if ('asked' in change) return { ...slice, asked: [...slice.asked, change.asked].slice(-mostAsked) }
    if ('sent' in change) return { ...slice, sent: [...slice.sent, change.sent].slice(-mostSent) }
    if ('decided' in change) return { ...slice, sent: slice.sent.filter(({ id }) => id !== change.decided) }
    if ('denied' in change) return { ...slice, denied: [...slice.denied, ...change.denied].slice(-mostCardsAnHour) }
    if ('always' in change) return { ...slice, patterns: change.always.reduce(add, slice.patterns) }
    return { ...slice, patterns: slice.patterns.filter(({ no }) => no !== change.revoke) }
  },
  // What waits is of the session; what was approved for good, and how often people were asked, is not.
  inNewSession: (slice) => ({ ...slice, sent: [] }),
  // What an owner says to them afterwards comes too late.
  calledOff(slice, which) {
    if ('topic' in which) return slice
    return { ...slice, sent: 'all' in which ? [] : slice.sent.filter(({ requester }) => requester !== which.asker) }
  },
  atRest: ({ patterns }) => ({ ...fresh, patterns }),
  // Less is approved then.
  forget: (slice, messageId) => ({
    ...slice,
    patterns: slice.patterns.filter(({ about }) => !about.some((id) => id === messageId)),
    sent: slice.sent.filter(({ about }) => !about.some((id) => id === messageId)),
  }),
}

/** Anew where the same was approved before; the oldest gives way. */
function add(patterns: Pattern[], one: Omit<Pattern, 'no'>): Pattern[] {
  const no = Math.max(0, ...patterns.map((known) => known.no)) + 1
  const others = patterns.filter(({ tool, by, like }) => tool !== one.tool || by !== one.by || like !== one.like)
  return [...others, { ...one, no }].slice(-mostPatterns)
}
