// What waits for a person, of all sources: the desk is one line.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { DeskSource, Ref, Waiting } from '#shared/desk/source.ts'
import { isSameMeaning, toMeaning } from '#services/curiosity/gaps/meaning.ts'
import { createAskedAbout, mayAsk, retiredKinds, toHash, type Book } from './book.ts'

/** Of the source of this name. */
export type OfSource = Waiting & { readonly source: string }

/** One that stands on a card is kept for it so long at most: a card that ended without a word keeps nothing for ever. */
const cardKeepsMs = 14 * 86_400_000

type Sources = readonly DeskSource[]

/** What may be asked now, the worthiest first. What is too old is closed, and so is what was asked already. */
export async function findWaiting(
  sources: Sources,
  principal: PrincipalId,
  { book, nowMs }: { readonly book: Book; readonly nowMs: number },
): Promise<readonly OfSource[]> {
  const retired = retiredKinds(book)
  const found: OfSource[] = []
  for (const { name: source, find, close } of sources) {
    const all = await find(principal, nowMs)
    const isOld = ({ key, until = nowMs }: Waiting): boolean => until < nowMs || !mayAsk(book, toHash(key))
    const old = all.filter((one) => isOld(one) && !isOpen(book, one, nowMs))
    if (old.length > 0) await close(principal, old.map(toRef))
    found.push(...all.flatMap((one) => (isOld(one) || retired.has(one.kind) ? [] : [{ ...one, source }])))
  }
  const wasAsked = createAskedAbout(book)
  const once = found.filter((one) => !isRepeated(one, found, wasAsked))
  return once.toSorted((a, b) => b.worth - a.worth || a.since - b.since)
}

/** Something that was noticed, and that a question asks about already: it is not asked whether to keep it as well. */
function isRepeated({ kind, text }: OfSource, all: readonly OfSource[], wasAsked: (key: string) => boolean): boolean {
  if (kind !== 'keep') return false
  const meaning = toMeaning(text, [])
  return wasAsked(toHash(meaning)) || all.some((other) => other.kind !== 'keep' && isSameMeaning(other.key, meaning))
}

const toRef = ({ ref }: Waiting): Ref => ref

/** It stands on a card that is open. */
const isOpen = ({ asked }: Book, { key }: Waiting, nowMs: number): boolean =>
  asked.some((one) => one.key === toHash(key) && one.how === 'open' && Math.abs(nowMs - one.at) < cardKeepsMs)

/** All that waits, also what stands on a card. */
export async function readAll(sources: Sources, principal: PrincipalId, nowMs: number): Promise<readonly OfSource[]> {
  const found = await Promise.all(
    sources.map(async ({ name: source, find }) => (await find(principal, nowMs)).map((one) => ({ ...one, source }))),
  )
  return found.flat()
}
