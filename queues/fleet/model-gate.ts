// What every model call passes: tokens and money per person, chat and day, reserved before it and charged after it, and one of the
// fleet's permits, so that all workers together make so many calls at once. A role pauses when "too many requests" was said to several.
// What is asked in the background has a budget by name: it counts under that too, has an eighth of the permits at most, and pauses by itself.
import { randomUUID } from 'node:crypto'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { toChat } from '#shared/chat/conversation.ts'
import type { CallFor, ModelBudget } from '#shared/model/model-port.ts'
import { groups, integer, list } from '#queues/reply.ts'
import { createBatch } from '#queues/batch.ts'
import type { CallUnit } from '#queues/units.ts'
import { createModelLines, toLane, type ModelLines } from './model-line.ts'
import { createPermits } from './permits.ts'

/** Tokens and micro-dollars a day; 0 means no limit. */
export type DailyLimit = { readonly tokens: number; readonly micros: number }
export const budgetScopes = ['person', 'chat', 'total'] as const
export type BudgetScope = (typeof budgetScopes)[number]
/** `owner`: of a person who owns the bot. */
export type BudgetLimits = Readonly<Record<BudgetScope | 'owner', DailyLimit>>
export type Spend = { readonly tokens: number; readonly micros: number }

/** Who pays for a call, and on which day (`YYYY-MM-DD` in the operator's time zone). */
export type Payer = {
  readonly conversation: ConversationId
  readonly principal: PrincipalId
  readonly day: string
  /** Of what is asked in the background. */
  readonly budget?: ModelBudget | undefined
  /** Whether the person owns the bot. */
  readonly isOwner?: boolean | undefined
}
/** Of one budget by name; `calls` are those that cost something. */
export type WorkSpend = Spend & { readonly calls: number }
/** `work`: of the budget that the payer names. */
export type Spent = Readonly<Record<BudgetScope, Spend>> & { readonly work: WorkSpend }

export type ReserveResult =
  | { readonly kind: 'OK' }
  | { readonly kind: 'OVER'; readonly scope: BudgetScope; readonly spentTokens: number }

export type ModelGate = {
  /** Reserves an upper bound under the call's id, and a permit if one is free; repeating it changes nothing. OVER reserves nothing. */
  reserve(payer: Payer, call: string, most: Spend): Promise<ReserveResult>
  /**
   * Waits for a permit unless the reservation brought one, first come first served in the fleet. It is kept until `leave` or `charge`; a
   * dead process's is free after `holdMs`. Rejects when `signal` aborts. What is done in the background begins only while nobody waits.
   */
  enter(what: CallFor, call: string, signal: AbortSignal): Promise<void>
  /** Gives the permit back and leaves the reservation as it is: it counts in full. */
  leave(call: string): Promise<void>
  /** Replaces the reservation by what was really spent, and gives the permit back. */
  charge(payer: Payer, call: string, spent: Spend): Promise<void>
  /**
   * Counts that the endpoint refused a person's call for its rate. Refusals of three within ten seconds pause the role for `forMs`; one
   * pauses what is done in the background under that budget, and nothing else.
   */
  refused(what: CallFor, principal: PrincipalId, forMs: number): Promise<void>
  /** Spent today, reservations included. */
  spent(payer: Payer): Promise<Spent>
  /** Keeps no more permits. */
  close(): void
}

export type ModelGateOptions = {
  readonly limits: BudgetLimits
  /** Calls the fleet makes at once. */
  readonly most: number
  readonly holdMs: number
}

const key = 'fl:{model}:'
const mostAtOnce = 64
/** How often a process asks for those who wait. */
const enterEveryMs = 50
/** A process that did not ask for so long holds up nobody. It loses nothing: its next question says how long its calls have waited. */
const believeMs = 200
/** So many people have to be refused before all pause. */
const mostRefused = 3

type Change = {
  readonly action: 'reserve' | 'charge' | 'read'
  readonly payer: Payer
  readonly id: string
  readonly spend: Spend
}
type Changed = {
  readonly over: BudgetScope | undefined
  readonly permitted: boolean
  readonly spentBy: (scope: BudgetScope | 'work') => Spend
  readonly calls: number
}

export function createModelGate(call: CallUnit, options: ModelGateOptions): ModelGate {
  const { most, holdMs } = options
  const permits = createPermits(holdMs / 3, (budget, ids) => {
    call('gate', key, ['keep', most, holdMs, budget, ...ids]).catch(() => {})
  })
  const giveBack = async (id: string, budget: string): Promise<void> => {
    await call('gate', key, ['leave', id, budget])
    lines.freed()
  }
  const lines = createLines(call, options, giveBack)
  const change = createChange(call, options)

  return {
    async reserve(payer, id, spend) {
      const untilMs = Date.now() + holdMs / 2
      const { over, permitted, spentBy } = await change({ action: 'reserve', payer, id, spend })
      if (over) return { kind: 'OVER', scope: over, spentTokens: spentBy(over).tokens }
      if (permitted) permits.reserved(id, untilMs)
      return { kind: 'OK' }
    },
    async enter({ role, budget }, id, signal) {
      if (!permits.has(id)) await lines.wait(toLane(role, budget), id, signal)
      permits.enter(id, budget)
    },
    async leave(id) {
      const budget = permits.drop(id)
      if (budget !== undefined) await giveBack(id, budget)
    },
    async charge(payer, id, spend) {
      permits.drop(id)
      await change({ action: 'charge', payer, id, spend })
      lines.freed()
    },
    async refused({ role, budget }, principal, forMs) {
      const people = budget === undefined ? mostRefused : 1
      await call('refuse', key, [budget ?? role, principal, Math.max(1, Math.round(forMs)), people])
    },
    async spent(payer) {
      const { spentBy, calls } = await change({ action: 'read', payer, id: '', spend: { tokens: 0, micros: 0 } })
      const work = { ...spentBy('work'), calls }
      return { person: spentBy('person'), chat: spentBy('chat'), total: spentBy('total'), work }
    },
    close() {
      permits.close()
      lines.close()
    },
  }
}

/** All that this process asks at once goes in one script, and one command. */
function createChange(
  call: CallUnit,
  { limits, most, holdMs }: ModelGateOptions,
): (change: Change) => Promise<Changed> {
  const limitArgs = ([...budgetScopes, 'owner'] as const).flatMap((scope) => [
    limits[scope].tokens,
    limits[scope].micros,
  ])
  return createBatch<Change, Changed>(mostAtOnce, async (changes) => {
    const args = changes.flatMap(({ action, payer, id, spend }) => {
      const { day, principal, conversation, budget = '', isOwner = false } = payer
      return [action, day, id, spend.tokens, spend.micros, principal, toChat(conversation), budget, isOwner ? '1' : '']
    })
    const flat = list(await call('gate', key, ['change', most, holdMs, ...limitArgs, ...args]))
    return groups(flat, 11).map(([over, permitted, ...spent]) => ({
      over: budgetScopes[integer(over) - 1],
      permitted: integer(permitted) === 1,
      calls: integer(spent.at(-1)),
      spentBy: (scope) => {
        const at = (scope === 'work' ? budgetScopes.length : budgetScopes.indexOf(scope)) * 2
        return { tokens: integer(spent[at]), micros: integer(spent[at + 1]) }
      },
    }))
  })
}

type GiveBack = (id: string, budget: string) => Promise<unknown>

/** Where calls wait for a permit; `giveBack` returns one that came too late. */
function createLines(call: CallUnit, { most, holdMs }: ModelGateOptions, giveBack: GiveBack): ModelLines {
  const process = randomUUID()
  return createModelLines({
    async letIn(lane, calls) {
      const [role = '', budget = ''] = lane.split(' ', 2)
      const waiting = calls.flatMap(({ id, waitedMs }) => [id, waitedMs])
      const args = [process, role, budget, most, holdMs, believeMs, ...waiting]
      const [granted, waitMs] = list(await call('enter', key, args))
      return { granted: integer(granted), waitMs: integer(waitMs) }
    },
    giveBack: (lane, id) => {
      giveBack(id, lane.split(' ', 2)[1] ?? '').catch(() => {})
    },
    enterEveryMs,
  })
}
