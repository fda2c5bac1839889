// What is known of how a person is asked: what was asked, how it ended, and when cards came. It holds no words of anybody: questions are known by hashes of
// what they mean. Pure, but for `changeBook`.
import { hash } from 'node:crypto'
import { z } from 'zod'
import { conversationId, type ConversationId, type PrincipalId } from '#shared/chat/conversation.ts'
import type { Desks } from '#shared/desk/desks.ts'
import { deskKinds, type DeskKind } from '#shared/desk/source.ts'
import { BotError } from '#shared/errors.ts'
import { readStored } from '#shared/stored-json.ts'

const dayMs = 86_400_000
const mostAsked = 400
const mostCards = 20
const mostNever = 200
/** After so many cards in a row without an answer none comes by itself. */
const mostIgnored = 4

export const endings = ['open', 'answered', 'skipped', 'never', 'ignored', 'gone', 'undone', 'later'] as const
export type Ending = (typeof endings)[number]

const askedBefore = z.object({ key: z.string(), kind: z.enum(deskKinds), at: z.number(), how: z.enum(endings) })
const card = z.object({
  id: z.string(),
  at: z.number(),
  cold: z.boolean(),
  keys: z.array(z.string()).readonly(),
  /** Where it came. */
  in: conversationId,
})
const shape = z.object({
  v: z.literal(1),
  /** The newest last. */
  asked: z.array(askedBefore).readonly(),
  cards: z.array(card).readonly(),
  /** What is never to be asked about. */
  never: z.array(z.string()).readonly(),
  /** Cards in a row that nobody touched. */
  ignored: z.number().int().nonnegative(),
  /** When they were told in a group how to open a direct chat, and what brought that. */
  invited: z.object({ id: z.string(), at: z.number() }).exactOptional(),
  /** Cards in a row that were put off. */
  later: z.number().int().positive().exactOptional(),
})
export type Book = z.infer<typeof shape>
export type Card = z.infer<typeof card>

const fresh: Book = { v: 1, asked: [], cards: [], never: [], ignored: 0 }

const slotChars = 4
const mostSlots = 8
/** A key of such words alone says what its question is about. */
const isWord = /^(?:[a-z]+|\d+(?:[.:]\d+)*|\p{Script=Han}{1,2})$/u

/** By which a question is known once its words are gone: a hash of its key and, behind a dot, a short one of each of its words, which tell its topic. */
export function toHash(key: string): string {
  const words = [...new Set(key.split(' '))]
  const slots = words.every((word) => isWord.test(word))
    ? words.map((word) => toDigest(word).slice(0, slotChars)).toSorted()
    : []
  return [toDigest(key).slice(0, 16), ...(slots.length > 0 ? [slots.slice(0, mostSlots).join('')] : [])].join('.')
}
const toDigest = (text: string): string => hash('sha256', text, 'base64url')

/** Whether half of what it is about is what another one is about, and no single word: never about that is never about this. */
export function isOfTopic(known: string, key: string): boolean {
  const [own, other] = [toSlots(key), new Set(toSlots(known))]
  const common = own.filter((slot) => other.has(slot)).length
  return common >= Math.min(fewestCommon, own.length) && own.length > 0 && 2 * common >= own.length
}
const fewestCommon = 2
const toSlots = (key: string): readonly string[] => key.split('.')[1]?.match(/.{4}/gu) ?? []

/** Tells of a hash of words whether a question was asked that says as much: most words of both are the same. What was asked is read once for all. */
export function createAskedAbout({ asked }: Book): (key: string) => boolean {
  const known = asked.flatMap((one) => (one.how === 'gone' || isFree(one) ? [] : [new Set(toSlots(one.key))]))
  return (key) => {
    const own = toSlots(key)
    return known.some((other) => {
      const common = own.filter((slot) => other.has(slot)).length
      return common >= fewestCommon && common >= mostlySame * Math.max(own.length, other.size)
    })
  }
}
const mostlySame = 0.6

/** It was put off, or what came of it was taken back: as if it had not been asked. */
const isFree = ({ how }: Book['asked'][number]): boolean => how === 'later' || how === 'undone'

/** Whether it may be put on a card: nothing is asked twice. */
export const mayAsk = ({ asked, never }: Book, key: string): boolean =>
  !never.some((one) => one === key || isOfTopic(one, key)) && !asked.some((one) => one.key === key && !isFree(one))

/** After so many questions of a kind it is known whether they are liked: of those that were, at least so much is answered. */
const [enoughAsked, leastAnswered] = [20, 0.2]

/** Kinds of questions of which too few are answered: they are asked no more. */
export function retiredKinds({ asked }: Book): ReadonlySet<DeskKind> {
  const ended = asked.filter(({ how }) => how !== 'open' && how !== 'gone' && how !== 'later')
  return new Set(
    deskKinds.filter((kind) => {
      const own = ended.filter((one) => one.kind === kind)
      const answered = own.filter(({ how }) => how === 'answered' || how === 'undone').length
      return own.length >= enoughAsked && answered < leastAnswered * own.length
    }),
  )
}

/** How long a card may be answered. */
export const cardLivesMs = 3 * dayMs

export type Moment = {
  readonly nowMs: number
  /** It is in the quiet hours of the person. */
  readonly isQuiet: boolean
  /** Nobody is there: it comes by itself. */
  readonly isCold: boolean
  /** How many a week may come so. */
  readonly perWeek: number
}

/** Whether a card may come now. */
export function mayBring({ cards, ignored }: Book, { nowMs, isQuiet, isCold, perWeek }: Moment): boolean {
  if (isQuiet || ignored >= mostIgnored) return false
  // A clock that was ahead for a moment must not silence anybody for long.
  const lately = cards.filter(({ at }) => at <= nowMs + dayMs)
  const last = lately.at(-1)
  if (last && nowMs - last.at < dayMs * 2 ** ignored) return false
  return !isCold || lately.filter(({ at, cold }) => cold && nowMs - at < 7 * dayMs).length < perWeek
}

export const findCard = ({ cards }: Book, id: string): Card | undefined => cards.find((one) => one.id === id)

/** Keys on open cards; with `butIn`, on those in other conversations. A card in a deleted conversation counts until its three days are over. */
export function findOpen({ cards, asked }: Book, nowMs: number, butIn?: ConversationId): readonly string[] {
  const open = new Set(asked.flatMap(({ key, how }) => (how === 'open' ? [key] : [])))
  const lately = cards.filter((one) => one.in !== butIn && Math.abs(nowMs - one.at) < cardLivesMs)
  return lately.flatMap(({ keys }) => keys.filter((key) => open.has(key)))
}

/** The card of these questions comes. */
export function bring(book: Book, added: Card, kinds: readonly DeskKind[]): Book {
  const asked = added.keys.map((key, at) => ({ key, kind: kinds[at] ?? 'words', at: added.at, how: 'open' as const }))
  return {
    ...book,
    cards: [...book.cards, added].slice(-mostCards),
    // A question that comes again counts once.
    asked: [...book.asked.filter((one) => !(isFree(one) && added.keys.includes(one.key))), ...asked].slice(-mostAsked),
  }
}

/** How a question ended. An answer, and a button, says that somebody is there. */
export function end(book: Book, key: string, how: Ending): Book {
  const asked = book.asked.map((one) => (one.key === key && one.how === 'open' ? { ...one, how } : one))
  const never = how === 'never' ? [...new Set([...book.never, key])].slice(-mostNever) : book.never
  const isThere = how === 'answered' || how === 'skipped' || how === 'never'
  return { ...(isThere ? wake(book) : book), asked, never }
}

/** All of a card is taken back, as if it had been put off; answers count as taken back. */
export function undo(book: Book, id: string): Book {
  const keys = findCard(book, id)?.keys ?? []
  const undone = book.asked.map((one) =>
    keys.includes(one.key) && one.how === 'answered' ? { ...one, how: 'undone' as const } : one,
  )
  return free({ ...book, asked: undone, never: without(book.never, keys) }, keys, ['skipped', 'never'])
}

/** They may be asked about again. */
export const lift = (book: Book, keys: readonly string[]): Book =>
  free({ ...book, never: without(book.never, keys) }, keys, ['never'])

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((one) => !some.includes(one))

const free = (book: Book, keys: readonly string[], ended: readonly Ending[]): Book => ({
  ...book,
  asked: book.asked.map((one) => (keys.includes(one.key) && ended.includes(one.how) ? { ...one, how: 'later' } : one)),
})

/** They were not seen, or not for long enough: they may be asked another day. */
export const release = (book: Book, keys: readonly string[]): Book => ({
  ...book,
  asked: book.asked.filter(({ key, how }) => how !== 'open' || !keys.includes(key)),
})

/** The person puts the rest of a card off. Who does so again and again is asked less often, as who ignores cards is. */
export function putOff(book: Book, keys: readonly string[]): Book {
  const later = (book.later ?? 0) + 1
  return { ...free(book, keys, ['open']), later, ignored: later - 1 }
}

/** Nobody touched the card until its end. */
export const ignore = (book: Book, keys: readonly string[]): Book => ({
  ...keys.reduce((left, key) => end(left, key, 'ignored'), book),
  ignored: book.ignored + 1,
})

/** Whether they may be told in a group how to open a direct chat: once a month at most. */
export const mayInvite = ({ invited }: Book, nowMs: number): boolean =>
  invited === undefined || Math.abs(nowMs - invited.at) >= 30 * dayMs

export const invite = (book: Book, invited: NonNullable<Book['invited']>): Book => ({ ...book, invited })

/** The person asks for what waits: they are there again. */
export function wake(book: Book): Book {
  const { later: _, ...rest } = book
  return { ...rest, ignored: 0 }
}

/** Of two accounts that are linked: what either was asked both were. The same twice is the same. Throws BotError `store-corrupt`. */
export function mergeBooks(first: string, second: string): string {
  const books = [first, second].map((text) => readStored('desk of a person', shape, text))
  const asked = new Map<string, Book['asked'][number]>()
  // The later one counts; where both are of one moment, the one that has ended.
  for (const each of books.flatMap((book) => book.asked)) {
    const known = asked.get(each.key)
    if (!known || known.at < each.at || (known.at === each.at && known.how === 'open')) asked.set(each.key, each)
  }
  const cards = new Map(books.flatMap((book) => book.cards.map((one) => [one.id, one])))
  const invited = books.flatMap((book) => book.invited ?? []).toSorted((a, b) => b.at - a.at)[0]
  const merged: Book = {
    v: 1,
    asked: [...asked.values()].toSorted((a, b) => a.at - b.at).slice(-mostAsked),
    cards: [...cards.values()].toSorted((a, b) => a.at - b.at).slice(-mostCards),
    never: [...new Set(books.flatMap((book) => book.never))].slice(-mostNever),
    ignored: Math.min(...books.map((book) => book.ignored)),
    ...(invited && { invited }),
  }
  return JSON.stringify(merged)
}

const mostTries = 10

/** By one that cannot be read nobody is asked, and nothing else stops; `changeBook` throws there, so that it is never written over. */
const shut: Book = { ...fresh, ignored: mostIgnored }

export async function findBook(desks: Desks, principal: PrincipalId): Promise<Book> {
  const { text } = await desks.find(principal)
  if (text === undefined) return fresh
  try {
    return readStored('desk of a person', shape, text)
  } catch {
    return shut
  }
}

/** Tries again where somebody else wrote meanwhile. Undefined: `change` wants nothing changed. */
export async function changeBook(
  desks: Desks,
  principal: PrincipalId,
  change: (book: Book) => Book | undefined,
): Promise<Book | undefined> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { version, text } = await desks.find(principal)
    const changed = change(text === undefined ? fresh : readStored('desk of a person', shape, text))
    if (!changed) return undefined
    if (await desks.write(principal, version, JSON.stringify(changed))) return changed
  }
  throw new BotError('store-unavailable', `The desk of ${principal} changes all the time. Try again.`)
}
