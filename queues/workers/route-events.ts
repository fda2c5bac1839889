// The router's worker: reads what is unrouted, decides by rules, writes the decisions in order by compare-and-set. It changes nothing else.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { toChat } from '#shared/chat/conversation.ts'
import { isNewer } from '#shared/errors.ts'
import type { ChatEvent } from '#shared/chat/event.ts'
import type { Decision, Ruling } from '#shared/chat/decision.ts'
import type { Access, AccessList } from '#queues/fleet/access.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { Hints } from '#queues/jobs/hints.ts'
import { addressedTogether, decidedTogether } from '#services/router/burst.ts'
import { isTaken } from '#services/router/find-answer.ts'
import { findAnswers, type SaidAnswers } from './find-answers.ts'
import type { Gathering } from './gather.ts'
import type { Gate } from './start-gate.ts'

export type DecideInput = {
  readonly event: ChatEvent
  readonly access: Access
  readonly previousReply?: string
}

export type RouterDeps = {
  readonly kernel: Pick<Kernel, 'inbox' | 'route' | 'forgetLooks' | 'leave' | 'findCards'>
  readonly access: Pick<AccessList, 'find'>
  readonly hints: Pick<Hints, 'execute'>
  readonly gathering: Pick<Gathering, 'ready'>
  /** Bounds the conversations of which a full page is looked at and decided at once: their events take memory, and wait for each other. */
  readonly fullPages: Gate
  /** Bounds the long texts that are decided at once: reading one takes as long as reading a hundred short ones, which wait behind it. */
  readonly longTexts: Gate
  decide(input: DecideInput): Decision | Promise<Decision>
  /** Decides without reading what the event says. */
  decideUnread(input: DecideInput): Decision
  /** For the operator: what could not be read, without its text. */
  onTrouble(what: string, error?: unknown): void
  /** It holds what only a newer release can read, and is left to it. */
  onLeft(conversation: ConversationId, reason: string): void
}

/** What one look takes where little waits, as nearly always: so much of every conversation can be under way at once. */
const glance = 8
const page = 100
/** Deciding a page takes milliseconds, and what a person still writes is held back for less than three seconds. */
const lostAfterMs = 3000
const longChars = 1000
const mostLooks = 3
const giveBackAgainMs = 1000
const aliveEveryMs = 1000
const decidedTogetherAtMost = 8

/** What not even the sender's rights can be decided of. */
const unreadable: Decision = { v: 1, act: 'ignore', rule: 'event.unreadable' }
const stranger: Access = { owner: false, person: false, chat: false, mode: 'mention' }

/**
 * Routes what waits in a conversation, but for what its senders are still writing. No event can hold it up: one that cannot be decided,
 * and a page whose deciding ended twice with the router, is routed without being read. A look that this process lives to see fail is
 * given back.
 */
export async function routeEvents(deps: RouterDeps, conversation: ConversationId, signal: AbortSignal): Promise<void> {
  try {
    await routeAll(deps, conversation, signal)
  } catch (error) {
    if (isNewer(error)) {
      await deps.kernel.leave('route', conversation)
      return deps.onLeft(conversation, error.message)
    }
    // What an event says is decided safely: this is Redis, or the way to it.
    await giveBack(deps, conversation, signal)
    throw error
  }
}

/** Counts the looks at what waits anew, as soon as Redis can be told. */
async function giveBack({ kernel }: RouterDeps, conversation: ConversationId, signal: AbortSignal): Promise<void> {
  const tell = async (): Promise<boolean> =>
    await kernel.forgetLooks(conversation).then(
      () => true,
      () => false,
    )
  while (!(await tell()) && !signal.aborted) await sleep(giveBackAgainMs, undefined, { signal }).catch(() => {})
}

async function routeAll(deps: RouterDeps, conversation: ConversationId, signal: AbortSignal): Promise<void> {
  for (let wanted = glance; ;) {
    const look = (): ReturnType<typeof decidePage> => decidePage(deps, conversation, wanted, signal)
    const decided = wanted === page ? await deps.fullPages(look) : await look()
    if (decided === 'more waits') {
      wanted = page
      continue
    }
    if (!decided) return
    const { routedSeq, decisions, ids } = decided
    const result = await deps.kernel.route(conversation, routedSeq, decisions, ids)
    // BEHIND may be our own write whose reply was lost: a spare hint is harmless, a missing one waits for the sweeper.
    if (result.kind === 'BEHIND') await deps.hints.execute(conversation)
    else if (result.work) await deps.hints.execute(conversation, result.wakes)
    if (result.kind === 'OK') for (const task of result.tasks ?? []) await deps.hints.execute(task)
    if (result.kind === 'OK' && decisions.length < page) return
    // What came meanwhile is mostly little again, and does not wait for those who say much.
    wanted = glance
  }
}

type Decided = { readonly routedSeq: number; readonly decisions: readonly Ruling[]; readonly ids: readonly string[] }

/**
 * Looks at `wanted` events that are unrouted and decides of them; undefined when nothing is to be routed now, or `signal` was aborted
 * before. A glance decides of all or of none. Throws when `signal` aborts meanwhile.
 */
async function decidePage(
  deps: RouterDeps,
  conversation: ConversationId,
  wanted: number,
  signal: AbortSignal,
): Promise<Decided | 'more waits' | undefined> {
  if (signal.aborted) return undefined
  const inbox = await deps.kernel.inbox(conversation, wanted, { lostAfterMs, allOrNone: wanted === glance })
  if (inbox.more) return 'more waits'
  const waiting = inbox.events.slice(0, deps.gathering.ready(conversation, inbox.events))
  if (waiting.length === 0) return undefined
  const server = waiting.findLast(({ event }) => event.server !== undefined)?.event.server
  const principals = [...new Set(waiting.map(({ event }) => event.principal))]
  const known = new Map(
    await Promise.all(
      principals.map(async (principal) => {
        const access = await deps.access.find(principal, toChat(conversation), server)
        return [principal, access] as const
      }),
    ),
  )
  const access = (principal: PrincipalId): Access => known.get(principal) ?? stranger
  const isUnreadable = (inbox.looks ?? 0) >= mostLooks
  const answers: SaidAnswers = isUnreadable
    ? new Map()
    : await findAnswers(deps.kernel, conversation, { inbox, waiting, access })
  // An answer is part of nothing else that its person writes.
  const said = addressedTogether(waiting.map(({ event }, i) => answers.get(i)?.answer ?? event))
  const events = waiting.map(({ event }, i) => (answers.has(i) ? event : (said[i] ?? event)))
  if (isUnreadable)
    deps.onTrouble(`Routers ended while deciding events of ${conversation}; ${events.length} are routed unread.`)
  const previous = inbox.previousReply === undefined ? {} : { previousReply: inbox.previousReply }
  const inputs = events.map((event) => ({ event, access: access(event.principal), ...previous }))
  const decideOne = async (input: DecideInput): Promise<Decision> => {
    if (isUnreadable || !isLong(input)) return await decideSafely(deps, isUnreadable, input)
    return await deps.longTexts(async () => {
      signal.throwIfAborted()
      return await decideSafely(deps, false, input)
    })
  }
  const decisions = await whileAlive(deps, conversation, async () => {
    const all: Decision[] = []
    // A full page stands before nobody who has said one thing.
    for (let from = 0; from < inputs.length; from += decidedTogetherAtMost) {
      signal.throwIfAborted()
      const part = inputs.slice(from, from + decidedTogetherAtMost)
      all.push(...(await Promise.all(part.map(decideOne))))
    }
    return all
  })
  const ids = waiting.map(({ event }) => event.id)
  const rulings = decidedTogether(said, decisions).map((otherwise, i): Ruling => {
    const answer = answers.get(i)
    return answer && isTaken(answer.rule, otherwise) ? { ...answer, otherwise } : otherwise
  })
  return { routedSeq: inbox.routedSeq, decisions: rulings, ids }
}

const isLong = ({ event }: DecideInput): boolean => 'text' in event && event.text.length > longChars

/** A router that is slow, since many events wait, did not die of these: while it works, no look at them counts. */
async function whileAlive<T>({ kernel }: RouterDeps, conversation: ConversationId, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    kernel.forgetLooks(conversation).catch(() => {})
  }, aliveEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

async function decideSafely(deps: RouterDeps, isUnreadable: boolean, input: DecideInput): Promise<Decision> {
  try {
    return isUnreadable ? deps.decideUnread(input) : await deps.decide(input)
  } catch (error) {
    deps.onTrouble(`Event ${input.event.id} could not be decided; it is routed unread.`, error)
    return isUnreadable ? unreadable : await decideSafely(deps, true, input)
  }
}
