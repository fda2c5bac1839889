// What waits to be asked: records of memory in a scope of its own, so that a question goes with the messages that it came of, as all that is kept does.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Asks } from '#shared/memory/asks.ts'
import { ofAsked, type MemoryRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { mayAsk, retiredKinds, toHash, type Book } from './book.ts'

export type Waiting = MemoryRecord & { readonly asks: Asks }

/** Nobody needs the answer any more. */
const livesMs = 14 * 86_400_000

export const isWaiting = (record: MemoryRecord): record is Waiting => record.asks !== undefined && !record.asks.held

/** What may be asked now, the worthiest first. What is too old is dropped, and so is what was asked already. */
export async function findWaiting(
  memory: MemoryStore,
  principal: PrincipalId,
  { book, nowMs }: { readonly book: Book; readonly nowMs: number },
): Promise<readonly Waiting[]> {
  const scope = ofAsked(principal)
  const read = await memory.read(scope)
  const all = read === 'same' ? [] : read.records.filter(isWaiting)
  const isOld = ({ saidAt, asks }: Waiting): boolean => nowMs - saidAt > livesMs || !mayAsk(book, toHash(asks.key))
  const old = all.filter((one) => isOld(one) && !isOpen(book, one, nowMs))
  if (old.length > 0)
    await memory.drop(
      scope,
      old.map(({ number }) => number),
    )
  const retired = retiredKinds(book)
  const left = all.filter((one) => !isOld(one) && !retired.has(one.asks.kind))
  return left.toSorted((a, b) => b.asks.worth - a.asks.worth || a.saidAt - b.saidAt)
}

/** It stands on a card that is open. One that ended without a word, since what it was about is forgotten, keeps nothing for ever. */
const isOpen = ({ asked }: Book, { asks }: Waiting, nowMs: number): boolean => {
  const key = toHash(asks.key)
  return asked.some((one) => one.key === key && one.how === 'open' && Math.abs(nowMs - one.at) < livesMs)
}

export async function findQuestion(
  memory: MemoryStore,
  principal: PrincipalId,
  { number, id }: { readonly number: number; readonly id: string },
): Promise<Waiting | undefined> {
  const [record] = await memory.find(ofAsked(principal), [number])
  return record?.id === id && isWaiting(record) ? record : undefined
}
