// What a conversation knows of approvals: what owners approved for good, which calls wait for an owner elsewhere, how often people were asked lately,
// and what they denied a moment ago.
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { ours, toOurs, type Ours } from '#shared/feature/kept.ts'
import { storable, type Slice } from '#shared/feature/slice.ts'
import { isAlike, mostPatterns, pattern, patternLivesMs, toHash, type Call, type Pattern } from './patterns.ts'

/** Calls that an owner was asked about in their direct chat. */
const sent = z.object({
  id: ours.max(200),
  requester: ours,
  /** Of who was asked, where, and the very calls: what comes back must have the same (`toBond`). */
  bond: ours.max(64),
  about: z.array(ours).max(20),
})
export type Sent = z.infer<typeof sent>
/** `who`: a requester, by `toShortName`. */
const asked = z.object({ who: ours.max(24), atMs: z.number() })
/** `hash`: of the very call, by `toShortHash`. */
const denied = z.object({ hash: ours.max(24), atMs: z.number() })

const approvals = z.object({
  patterns: z.array(pattern).max(mostPatterns),
  sent: z.array(sent),
  /** For whom people were asked within the last hour, each a card: from here, or by letter here. */
  asked: z.array(asked),
  denied: z.array(denied),
})
export type Approvals = z.infer<typeof approvals>
export type ApprovalsChange =
  | { readonly asked: { readonly who: PrincipalId; readonly atMs: number } }
  | { readonly sent: Sent }
  | { readonly decided: string }
  | { readonly denied: readonly z.infer<typeof denied>[] }
  | { readonly always: readonly Omit<Pattern, 'no'>[] }
  | { readonly revoke: number }

/** Of one requester: none uses up another's. */
export const mostCardsAnHour = 20
/** Of those that go to an owner: one person uses up half of what an owner is asked by all (`services/executor/state/asking.ts`). */
export const mostToOwnerAnHour = 10
/** Of all requesters of a conversation: more could not be counted. */
export const mostCardsOfAll = 80
/** Calls that wait for an owner, of one requester and of all: more are refused. */
const mostSentEach = 4
const mostSent = 40
const hourMs = 3_600_000
/** Nobody changes their mind about the very same call so soon; a model that was told no might ask again. */
const deniedForMs = 120_000

/** Characters of each list as it is stored: together they stay below what a slice may have (`services/executor/state/check-slice.ts`). */
const mostChars = { patterns: 5500, sent: 4500 } as const
/** What one more takes at most. */
const mostCharsOfSent = 1600
const fresh: Approvals = { patterns: [], sent: [], asked: [], denied: [] }

export const approvalsSlice: Slice<Approvals, ApprovalsChange> = {
  schema: storable(approvals),
  fresh,
  fold(slice, change) {
    if ('asked' in change) return addAsked(slice, change.asked)
    if ('sent' in change) return { ...slice, sent: newest([...slice.sent, change.sent], mostSent, mostChars.sent) }
    if ('decided' in change) return { ...slice, sent: slice.sent.filter(({ id }) => id !== change.decided) }
    if ('denied' in change) {
      const nowMs = Math.max(0, ...change.denied.map(({ atMs }) => atMs))
      const all = [...slice.denied, ...change.denied].filter(({ atMs }) => isWithin(atMs, nowMs, deniedForMs))
      return { ...slice, denied: all.slice(-mostCardsAnHour) }
    }
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

/** How many cards there were within the last hour, for all, or for one person. */
export function countLately(slice: Pick<Approvals, 'asked'>, nowMs: number, principal?: PrincipalId): number {
  const who = principal === undefined ? undefined : toShortName(principal)
  return slice.asked.filter((one) => isWithin(one.atMs, nowMs, hourMs) && (who === undefined || one.who === who)).length
}

/** Whether exactly this call was denied a moment ago; until when it is not asked for again. */
export const findDenied = ({ denied: all }: Approvals, call: Call, nowMs: number): number | undefined => {
  const found = all.findLast(
    ({ hash: known, atMs }) => known === toShortHash(call) && isWithin(atMs, nowMs, deniedForMs),
  )
  return found && found.atMs + deniedForMs
}

/** Whether a call of this person may wait for an owner, beside those that do. */
export function hasRoom({ sent: all }: Approvals, principal: PrincipalId): boolean {
  const ofThem = all.filter(({ requester }) => requester === principal)
  const isFull = all.length >= mostSent || JSON.stringify(all).length > mostChars.sent - mostCharsOfSent
  return ofThem.length < mostSentEach && !isFull
}

export const toShortHash = (call: Call): Ours => toOurs(toHash(call).slice(0, 22))
const toShortName = (principal: PrincipalId): Ours => toOurs(hash('sha256', principal, 'base64url').slice(0, 16))

/** Of two times of one clock; what lies ahead was written while it was wrong. */
const isWithin = (atMs: number, nowMs: number, ms: number): boolean => Math.abs(nowMs - atMs) < ms

/** What counts no more goes with the next card. */
function addAsked(slice: Approvals, { who, atMs }: { readonly who: PrincipalId; readonly atMs: number }): Approvals {
  const lately = slice.asked.filter((one) => isWithin(one.atMs, atMs, hourMs))
  return {
    ...slice,
    asked: [...lately, { who: toShortName(who), atMs }].slice(-mostCardsOfAll),
    denied: slice.denied.filter((one) => isWithin(one.atMs, atMs, deniedForMs)),
  }
}

/** Anew where the same was approved before; the oldest gives way, and what holds no more. */
function add(patterns: Pattern[], one: Omit<Pattern, 'no'>): Pattern[] {
  const no = Math.max(0, ...patterns.map((known) => known.no)) + 1
  const sinceMs = one.untilMs - patternLivesMs
  const others = patterns.filter((known) => known.untilMs > sinceMs && !isAlike(known, one))
  return newest([...others, { ...one, no }], mostPatterns, mostChars.patterns)
}

/** Of a list the last ones, so many at most and so many characters as they are stored. */
function newest<T>(all: readonly T[], most: number, mostOfChars: number): T[] {
  const kept = all.slice(-most)
  while (kept.length > 0 && JSON.stringify(kept).length > mostOfChars) kept.shift()
  return kept
}
