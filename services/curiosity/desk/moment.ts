// When a card comes: at the end of a finished exchange, while its person is there and nothing else waits for them; else by itself, when enough waits or one
// has waited for long. One card a day, whatever brings it.
import { z } from 'zod'
import { createHash } from 'node:crypto'
import { principalId, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { LetterEffect } from '#shared/feature/effect.ts'
import type { Ports } from '#shared/feature/ports.ts'
import type { Projection, ReaderJob } from '#shared/feature/projection.ts'
import { findBook, mayBring, type Moment } from './book.ts'
import type { CardDeps } from './card.ts'
import { isQuietHour } from '#shared/desk/hours.ts'
import type { DeskSettings } from './settings.ts'
import { findWaiting, type OfSource } from './waiting.ts'

export type MomentDeps = CardDeps &
  Pick<Ports['clock'], 'now' | 'timeZone'> &
  Pick<Ports['people'], 'findZoneOf' | 'findDirect'> &
  Pick<Ports['access'], 'mayTalk' | 'isClosed'> &
  Pick<Ports['records'], 'findTurn'> & {
    readonly settings: DeskSettings
    /** An owner has curiosity stopped. */
    isQuiet(): Promise<boolean>
  }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** So long nothing is said after an answer. */
export const quietMs = 2 * minuteMs
/** Who said nothing for longer is not there any more. */
export const thereMs = 15 * minuteMs
/** So many bring a card by themselves; fewer once one has waited for a day. */
const enough = 3
const lookEveryMs = 10 * minuteMs
const lookAgainMs = hourMs
/** At a time: each of their jobs looks for its own among them. */
const mostPeople = 500

/** What brings a card: the messages of an exchange and its end, ms since 1970, where somebody is there. */
export const brought = z.object({
  principal: principalId,
  id: z.string().max(120),
  messages: z.array(z.string()).exactOptional(),
  endedAt: z.number().exactOptional(),
})
export type Brought = z.infer<typeof brought>

/** Whether a card may come, and of what. */
export async function findMoment(
  deps: MomentDeps,
  principal: PrincipalId,
  isCold: boolean,
): Promise<{ readonly moment: Moment; readonly waiting: readonly OfSource[] } | undefined> {
  const { settings } = deps
  if (!(await wantsCards(deps, principal))) return undefined
  const nowMs = deps.now()
  const book = await findBook(deps.desks, principal)
  const [hours, perWeek] = [await settings.hours.find(principal), Number(await settings.perWeek.find(principal))]
  const zone = await deps.findZoneOf(principal)
  if (isCold && zone === undefined) return undefined
  const isQuiet = isQuietHour(nowMs, zone ?? deps.timeZone, hours)
  const moment = { nowMs, isQuiet, isCold, perWeek }
  if (!mayBring(book, moment)) return undefined
  const waiting = await findWaiting(deps.sources, principal, { book, nowMs })
  const ripe = waiting.filter((one) => one.ripe)
  const hasEnough = ripe.length >= enough || ripe.some(({ since }) => nowMs - since >= dayMs)
  return ripe.length > 0 && (!isCold || hasEnough) ? { moment, waiting } : undefined
}

/** Neither they nor an owner have said that nobody is to be asked. */
export const wantsCards = async (
  { settings, isQuiet }: Pick<MomentDeps, 'settings' | 'isQuiet'>,
  principal: PrincipalId,
): Promise<boolean> => (await settings.asks.find(principal)) === 'on' && !(await isQuiet())

export const createMoment = (deps: MomentDeps): Projection => ({
  name: 'moment',
  worker: 'curiosity',
  take: (line) => {
    const isEnd = line.kind === 'turn' && line.record.group === undefined && line.record.ending === 'answered'
    return Promise.resolve(isEnd ? [{ kind: 'job', inMs: quietMs }] : [])
  },
  work: async (job) => (job.line ? await afterExchange(deps, job) : await byItself(deps, job)),
  tick: {
    everyMs: lookEveryMs,
    async run() {
      const people = await deps.desks.findWaiting(deps.now(), mostPeople)
      const found = await Promise.all(people.map(async (one) => ({ one, direct: await deps.findDirect(one) })))
      // Who has no direct chat may open one some day.
      for (const { one, direct } of found) if (!direct) await lookLater(deps, one, dayMs)
      return found.flatMap(({ one, direct }) => (direct ? [{ conversation: direct, name: toName(one) }] : []))
    },
  },
})

/** A job of the clock has no words: it names its person so. */
const toName = (principal: PrincipalId): string => createHash('sha1').update(principal).digest('hex')

async function afterExchange(deps: MomentDeps, { conversation, line }: ReaderJob): Promise<readonly LetterEffect[]> {
  if (line?.kind !== 'turn') return []
  const { principal, turn, endedAt } = line.record
  if (deps.now() - endedAt > thereMs) return []
  const last = await deps.findTurn(conversation, 'last')
  if (last?.record.turn !== turn || !(await findMoment(deps, principal, false))) return []
  return [toCard(conversation, { principal, id: line.name, messages: [...line.messages], endedAt })]
}

async function byItself(deps: MomentDeps, { conversation, name }: ReaderJob): Promise<readonly LetterEffect[]> {
  const people = await deps.desks.findWaiting(deps.now(), mostPeople)
  const principal = people.find((one) => name.startsWith(`${toName(one)}@`))
  if (principal === undefined) return []
  await lookLater(deps, principal, lookAgainMs)
  // In the middle of an exchange nothing comes by itself: its end brings the card.
  const last = await deps.findTurn(conversation, 'last')
  if (last && Math.abs(deps.now() - last.record.endedAt) < quietMs) return []
  const found = await findMoment(deps, principal, true)
  return found ? [toCard(conversation, { principal, id: name })] : []
}

/** They are looked at again, unless nothing waits for them. Put first, so that one who cannot be looked at keeps nobody from being looked at. */
async function lookLater({ sources, desks, now }: MomentDeps, principal: PrincipalId, inMs: number): Promise<void> {
  const nowMs = now()
  await desks.wait(principal, nowMs + inMs)
  const waiting = await findWaiting(sources, principal, { book: await findBook(desks, principal), nowMs })
  if (waiting.length === 0) await desks.wait(principal, undefined)
}

const toCard = (to: ConversationId, payload: Brought): LetterEffect => ({
  kind: 'letter',
  to,
  letter: 'bring',
  payload: JSON.stringify(payload),
})
