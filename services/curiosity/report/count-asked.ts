// What came of questions, counted by their kinds: from the book of each person, and from the records that their answers were kept as. No words of anybody.
import { findBook, mayAsk, retiredKinds, toHash } from '#services/curiosity/desk/book.ts'
import { readAll as readDesk } from '#services/curiosity/desk/waiting.ts'
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Desks } from '#shared/desk/desks.ts'
import { deskKinds, type DeskKind, type DeskSource } from '#shared/desk/source.ts'
import { ofChat, ofPerson, type MemoryRecord, type MemoryScope } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'

export const countNames = [
  'asked',
  'answered',
  'undone',
  'skipped',
  'never',
  'ignored',
  'later',
  'open',
  'used',
] as const
type CountName = (typeof countNames)[number]
/**
 * `asked` is all that stood on a card; `answered` of these has an answer that was not taken back, `later` was put off, and `open` has no end yet; `used`: a later prompt held the
 * answer, which is still kept.
 */
export type Counts = Readonly<Record<CountName, number>>
export type KindCounts = Counts & { readonly kind: DeskKind }

export type CountedPerson = {
  readonly principal: PrincipalId
  readonly kinds: readonly KindCounts[]
  /** They are asked no more of these, since they answered too few. */
  readonly retired: readonly DeskKind[]
  /** What waits to be asked. */
  readonly waiting: number
}
export type Counted = {
  /** Of all people together. */
  readonly kinds: readonly KindCounts[]
  /** Who was asked last first. */
  readonly people: readonly CountedPerson[]
  /** There may be more people than were counted. */
  readonly isPart: boolean
}

export type CountDeps = {
  readonly desks: Desks
  readonly memory: Pick<MemoryStore, 'read'>
  readonly sources: readonly DeskSource[]
  now(): number
}

const atOnce = 16

/** Reads the desks of so many people, a few at a time. Throws where the signal aborts. */
export async function countAsked(deps: CountDeps, most: number, signal?: AbortSignal): Promise<Counted> {
  const known = await deps.desks.findKnown(most)
  const waiting = await deps.desks.findWaiting(Number.MAX_SAFE_INTEGER, most)
  const all = [...new Set([...known, ...waiting])].slice(0, most)
  const looked = new Map<MemoryScope, Promise<ReadonlySet<string>>>()
  const people: CountedPerson[] = []
  for (let at = 0; at < all.length; at += atOnce) {
    signal?.throwIfAborted()
    const some = all.slice(at, at + atOnce)
    people.push(...(await Promise.all(some.map((principal) => countPerson(deps, principal, looked)))))
  }
  const every = people.flatMap((one) => one.kinds)
  const kinds = toKinds((kind, name) => sumOf(every.filter((one) => one.kind === kind).map((one) => one[name])))
  return { kinds, people, isPart: all.length === most }
}

/** By scope of a chat: the ids of what answers there, and was used. */
type Looked = Map<MemoryScope, Promise<ReadonlySet<string>>>

async function countPerson(
  { desks, memory, sources, now }: CountDeps,
  principal: PrincipalId,
  looked: Looked,
): Promise<CountedPerson> {
  const book = await findBook(desks, principal)
  const nowMs = now()
  const [own, waits] = await Promise.all([readAll(memory, ofPerson(principal)), readDesk(sources, principal, nowMs)])
  const used = await findUsed(memory, own, looked)
  const retired = retiredKinds(book)
  const endings = new Map<string, number>()
  for (const { kind, how } of book.asked) {
    for (const one of [`${kind} ${how}`, `${kind} asked`]) endings.set(one, (endings.get(one) ?? 0) + 1)
  }
  return {
    principal,
    kinds: toKinds((kind, name) =>
      name === 'used' ? used.filter((one) => one === kind).length : (endings.get(`${kind} ${name}`) ?? 0),
    ),
    retired: [...retired],
    waiting: waits.filter(
      ({ key, kind, until = nowMs }) => until >= nowMs && mayAsk(book, toHash(key)) && !retired.has(kind),
    ).length,
  }
}

/** The kinds of questions whose answers a later prompt held: as the person's own, or in the chat for which they were kept too. */
async function findUsed(
  memory: CountDeps['memory'],
  own: readonly MemoryRecord[],
  looked: Looked,
): Promise<readonly DeskKind[]> {
  const found: DeskKind[] = []
  for (const { id, answers, uses, from } of own) {
    if (answers === undefined) continue
    const chats = [...new Set(from.map(({ conversation }) => ofChat(conversation)))]
    if (uses > 0 || (await isUsedIn(memory, { id, chats }, looked))) found.push(answers.kind)
  }
  return found
}

async function isUsedIn(
  memory: CountDeps['memory'],
  { id, chats }: { readonly id: string; readonly chats: readonly MemoryScope[] },
  looked: Looked,
): Promise<boolean> {
  const found = chats.map((chat) => {
    const known = looked.get(chat) ?? findUsedIds(memory, chat)
    looked.set(chat, known)
    return known
  })
  return (await Promise.all(found)).some((ids) => ids.has(id))
}

async function findUsedIds(memory: CountDeps['memory'], scope: MemoryScope): Promise<ReadonlySet<string>> {
  const all = await readAll(memory, scope)
  return new Set(all.flatMap(({ id, answers, uses }) => (answers !== undefined && uses > 0 ? [id] : [])))
}

async function readAll(memory: CountDeps['memory'], scope: MemoryScope): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(scope)
  return read === 'same' ? [] : read.records
}

function toKinds(count: (kind: DeskKind, name: CountName) => number): readonly KindCounts[] {
  return deskKinds.map((kind) => ({ kind, ...toCounts((name) => count(kind, name)) }))
}

function toCounts(count: (name: CountName) => number): Counts {
  return {
    asked: count('asked'),
    answered: count('answered'),
    undone: count('undone'),
    skipped: count('skipped'),
    never: count('never'),
    ignored: count('ignored'),
    later: count('later'),
    open: count('open'),
    used: count('used'),
  }
}

/** Of all kinds together. */
export const toTotal = (kinds: readonly KindCounts[]): Counts =>
  toCounts((name) => sumOf(kinds.map((one) => one[name])))

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
