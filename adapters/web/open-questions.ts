// The questions that wait for the reader in any listed conversation, for the page's badge and list. Whether one is open says Redis' record of
// it; what it asks, how urgently and until when says its card in the conversation's stream. Nothing is kept here.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import { BotError } from '#shared/errors.ts'
import { urgencies, type Urgency } from '#shared/run/question.ts'
import type { RedisClient } from '#queues/connection.ts'
import type { Kernel } from '#queues/kernel/kernel.ts'
import type { OutItem } from '#queues/shown/shown.ts'
import { findWaiting } from '#queues/questions/waiting-questions.ts'
import { fromStore } from '#queues/store-failure.ts'
import { toPosition } from '#queues/shown/out-position.ts'
import type { ConversationList } from './conversation-list.ts'
import { toFirstLine } from './first-line.ts'

export type OpenQuestion = {
  /** Its conversation, as in the list of conversations. */
  readonly id: string
  /** Its card, by the id the interface gives the message, and by its row, which a reply names. */
  readonly message: string
  readonly row: string
  /** What it asks, or else the first line of its card, without Markdown, at most 200 characters. */
  readonly line: string
  readonly urgency: Urgency
  /** Until when it may be answered, ms since 1970 by the clock of `now`. */
  readonly endsAt: number
}
/** One that has no card yet, since another one is shown first. */
export type WaitingQuestion = Pick<OpenQuestion, 'id' | 'line' | 'urgency'>
/** `now`: Redis' clock, by which questions end. `waiting`: what comes once others have ended. `desk`: how many wait until a card asks them. `isStopped`: an owner has those stopped. */
export type OpenQuestions = {
  readonly now: number
  readonly questions: readonly OpenQuestion[]
  readonly waiting: readonly WaitingQuestion[]
  readonly desk: number
  readonly isStopped: boolean
}

type DeskCount = { readonly count: number; readonly isStopped: boolean }
/** How many questions wait for a person until a card asks them, and whether an owner has all of that stopped. */
export type CountDesk = (principal: PrincipalId) => Promise<DeskCount>
/** Of nobody, or where it cannot be read. */
export const noDesk: DeskCount = { count: 0, isStopped: false }

const mostListed = 100
const pageItems = 100
/** Of one conversation, from its end. */
const mostItems = 1000

type Deps = {
  readonly redis: Pick<RedisClient, 'time' | 'hget'>
  readonly kernel: Pick<Kernel, 'findCards' | 'readOutBefore'>
  readonly list: Pick<ConversationList, 'ids'>
  /** Of the reader. */
  countDesk(): Promise<DeskCount>
}
type Card = {
  readonly item: OutItem
  readonly row: string
  readonly text: string
  readonly asks: { readonly urgency: Urgency; readonly deadlineMs: number; readonly title?: string }
}

/** The most urgent first, of these the one that ends first. */
export function createOpenQuestions({ redis, kernel, list, countDesk }: Deps): () => Promise<OpenQuestions> {
  /** The cards of these rows, or with `any` all that may be cards, the newest first. */
  async function findCards(id: string, sought: Set<string>, any: boolean): Promise<readonly Card[]> {
    const found: Card[] = []
    let position = '0'
    for (let looked = 0; looked < mostItems; looked += pageItems) {
      const items = await kernel.readOutBefore(`web:${id}`, position, pageItems)
      for (const item of items.toReversed()) {
        if (item.role !== 'bot' || item.body.kind !== 'send') continue
        const { row, text, asks } = item.body
        if (row === undefined || !(sought.delete(row) || any) || !asks) continue
        found.push({ item, row, text, asks })
      }
      const [first] = items
      const isDone = !any && sought.size === 0
      if (!first || items.length < pageItems || isDone) break
      position = first.id
    }
    return found.slice(0, mostListed)
  }

  async function findIn(id: string): Promise<readonly OpenQuestion[]> {
    const asked = await kernel.findCards(`web:${id}`, [])
    const known = asked.cards.flatMap(({ card = '' }) => (card === '' ? [] : [card]))
    if (asked.isAll && known.length === 0) return []
    const cards = await findCards(id, new Set(known), !asked.isAll)
    if (asked.isAll) return cards.map((card) => toQuestion(id, card))
    // Where so many are asked, the kernel says of each card only whether it is one of them.
    const open = await kernel.findCards(
      `web:${id}`,
      cards.map(({ row }) => row),
    )
    const rows = new Set(open.cards.map(({ card }) => card))
    return cards.filter(({ row }) => rows.has(row)).map((card) => toQuestion(id, card))
  }

  async function findWaitingIn(id: string): Promise<readonly WaitingQuestion[]> {
    const found = await findWaiting(redis, `web:${id}`)
    return found.flatMap(({ text, urgency }) => (text === '' ? [] : [{ id, line: toFirstLine(text), urgency }]))
  }

  return async () => {
    const ids = await list.ids()
    const found = await Promise.all(ids.map((id) => findIn(id).catch(orNone)))
    const waits = await Promise.all(ids.map((id) => findWaitingIn(id).catch(orNone)))
    const { count: desk, isStopped } = await countDesk().catch(orNoDesk)
    // Redis writes both numbers as text, whatever the client's types say.
    const [seconds = 0, micros = 0] = (await fromStore<unknown[]>(redis.time())).map(Number)
    const now = seconds * 1000 + Math.trunc(micros / 1000)
    const questions = found
      .flat()
      .filter(({ endsAt }) => endsAt > now)
      .toSorted((one, other) => rank(one) - rank(other) || one.endsAt - other.endsAt)
    const waiting = waits.flat().toSorted((one, other) => rank(one) - rank(other))
    return { now, questions: questions.slice(0, mostListed), waiting: waiting.slice(0, mostListed), desk, isStopped }
  }
}

/** What this release cannot read in one conversation hides nothing of the others. */
function orNone(error: unknown): readonly [] {
  if (error instanceof BotError && (error.code === 'store-newer' || error.code === 'store-corrupt')) return []
  throw error
}

function orNoDesk(error: unknown): DeskCount {
  orNone(error)
  return noDesk
}

const rank = ({ urgency }: WaitingQuestion): number => urgencies.indexOf(urgency)

function toQuestion(id: string, { item, row, text, asks: { urgency, deadlineMs, title } }: Card): OpenQuestion {
  const line = title ?? toFirstLine(text)
  return { id, message: toPosition(item), row, line, urgency, endsAt: item.at + deadlineMs }
}
