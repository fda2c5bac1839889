// A card of calls that wait for approval, as its question keeps it: the calls byte by byte as they were shown, and what was decided of each so far.
//   open --once--> once            open --always--> always (owners; only what they lack the right to)
//   open --once--> really --really--> once   (what cannot be taken back, and what was made once perhaps)
//   open, really --deny--> denied            open, really --done--> done     (what was made once perhaps)
// One of which all calls are decided ends with its answer.
import { z } from 'zod'
import { conversationId, hidesReplies, principalId, type ConversationId } from '#shared/chat/conversation.ts'
import { taint } from '#shared/model/taint.ts'
import { awaits, type ApprovedCall } from '#shared/run/approval.ts'
import { hash } from 'node:crypto'

const states = ['open', 'really', 'once', 'always', 'denied', 'done'] as const
const pendingCall = z.object({
  name: z.string(),
  arguments: z.string(),
  key: z.string(),
  why: z.enum(awaits),
  taint,
  state: z.enum(states),
})
export type PendingCall = z.infer<typeof pendingCall>

export const pending = z.object({
  v: z.literal(1),
  /** Of the turn that asks, unique in its conversation. */
  id: z.string(),
  /** The conversation whose turn it is. */
  home: conversationId,
  /** The task of that conversation whose step it is. */
  ofTask: z.number().int().positive().exactOptional(),
  requester: principalId,
  /** As they are shown in a group, and what the group is called, where that is known. */
  name: z.string().exactOptional(),
  title: z.string().max(200).exactOptional(),
  approver: principalId,
  task: z.string(),
  calls: z.array(pendingCall).min(1).max(4),
  sinceMs: z.number(),
  /** The approver's, where it is known. */
  zone: z.string().exactOptional(),
  /** The whole of it was shown, where the card has only parts. */
  isShown: z.boolean(),
})
export type Pending = z.infer<typeof pending>

export const cardLivesMs = 86_400_000
/** So long at least a card may be answered that is asked again. */
const shortestMs = 600_000

export const readPending = (payload: string): Pending | undefined => {
  const read = pending.safeParse(toJson(payload))
  return read.success ? read.data : undefined
}
export const toJson = (payload: string): unknown => {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

export const leftMs = ({ sinceMs }: Pending, nowMs: number): number =>
  Math.min(cardLivesMs, Math.max(shortestMs, sinceMs + cardLivesMs - nowMs))
export const isOver = ({ sinceMs }: Pending, nowMs: number): boolean => nowMs >= sinceMs + cardLivesMs

export const isDecided = ({ state }: Pick<PendingCall, 'state'>): boolean => state !== 'open' && state !== 'really'

/** What a press or a word makes of a call. */
export type Wish = { readonly wish: 'once' | 'really' | 'always' | 'deny' | 'done'; readonly at: number | 'all' }

export function readWish(choice: string): Wish | undefined {
  const [, wish, place] = /^(once|really|always|deny|done)-(all|[0-3])$/.exec(choice) ?? []
  const found = (['once', 'really', 'always', 'deny', 'done'] as const).find((one) => one === wish)
  return found && place !== undefined ? { wish: found, at: place === 'all' ? 'all' : Number(place) } : undefined
}

/** "All" decides what nobody has decided yet; what cannot be taken back is asked again one by one. */
export function decide(card: Pending, { wish, at }: Wish, mayAlways: boolean): Pending {
  const calls = card.calls.map((call, nth): PendingCall => {
    if (isDecided(call) || (at !== 'all' && at !== nth)) return call
    return { ...call, state: next(call, wish, mayAlways) }
  })
  return { ...card, calls }
}

function next({ why, state, taint: read }: PendingCall, wish: Wish['wish'], mayAlways: boolean): PendingCall['state'] {
  if (wish === 'deny') return 'denied'
  if (wish === 'done') return why === 'lost' ? 'done' : state
  if (state === 'really') return wish === 'really' ? 'once' : 'really'
  if (wish === 'really') return 'open'
  if (why === 'destructive' || why === 'lost') return 'really'
  return wish === 'always' && mayAlways && isForGood({ why, taint: read }) ? 'always' : 'once'
}

/** Nothing that others may have led to, and nothing that cannot be taken back, is approved for good. */
export const isForGood = ({ why, taint: read }: Pick<PendingCall, 'why' | 'taint'>): boolean =>
  why === 'no-right' && read.length === 0

/** Whether a reply to the card is known as one: it stands where its approver is asked. */
export const isReplied = ({ home, approver, requester }: Pick<Pending, 'home' | 'approver' | 'requester'>): boolean =>
  approver !== requester || !hidesReplies(home)

/** A worker was lost during it: it took effect, perhaps. */
export const isLost = ({ why }: Pick<PendingCall, 'why'>): boolean => why === 'lost'
/** Nobody has said of it that it is done, either. */
export const isUnsure = ({ why, state }: Pick<PendingCall, 'why' | 'state'>): boolean =>
  isLost({ why }) && state !== 'done'

/** As it ends without an answer: nothing is made, and what somebody said is done stays so. */
export const toDenied = (card: Pending): Pending => ({
  ...card,
  calls: card.calls.map((call) => ({ ...call, state: call.state === 'done' ? 'done' : 'denied' })),
})

/** Binds an answer to who was asked, where, and exactly these calls. */
export const toBond = ({ approver, calls }: Pick<Pending, 'approver' | 'calls'>, where: ConversationId): string => {
  const what = calls.map(({ name, arguments: given, key }) => [name, given, key])
  return hash('sha256', JSON.stringify([approver, where, what]), 'base64url')
}

export const toApproved = ({ calls, approver: by }: Pending): ApprovedCall[] =>
  calls.flatMap(({ name, arguments: given, key, state }) =>
    state === 'once' || state === 'always' ? [{ name, arguments: given, key, by }] : [],
  )

/** What it was asked for. A step of a task names itself in its first line; what the model reads below that is for nobody else. */
export const toAsked = ({ task, ofTask }: { readonly task: string; readonly ofTask?: number | undefined }): string =>
  ofTask === undefined ? task : (task.split('\n', 1)[0] ?? '')
