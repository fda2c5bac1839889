// Questions on the desks of those whom they concern: each once, however many chats ask it, and gone where it is answered meanwhile.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Ports, RecordedTurn } from '#shared/feature/ports.ts'
import { mostOptionChars, mostOptions, mostSentenceChars, type Asks } from '#shared/memory/asks.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { ofAsked, type MemoryRecord, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { joinTaint, toTainted } from '#shared/model/taint.ts'
import { findBook, mayAsk, toHash } from '#services/curiosity/desk/book.ts'
import type { Question } from '#services/curiosity/gaps/dialogue.ts'
import { isSameMeaning } from '#services/curiosity/gaps/meaning.ts'
import { sharedWords, wordsOf } from '#services/curiosity/gaps/words.ts'
import type { Looked } from './looked.ts'

export type KeepDeps = { readonly memory: MemoryStore; readonly desks: Desks } & Pick<Ports['clock'], 'now'> &
  Pick<Ports['records'], 'findTurns'>

/** Of a person so many questions wait. The oldest make room for new ones, unless they stand on a card. */
const mostWaiting = 40

export type Own = Pick<Looked, 'conversation' | 'turns'> & {
  readonly principal: PrincipalId
  readonly own: readonly Question[]
  /** A model found them: they are known by the sentence that they are about. */
  readonly ofModel?: true
}

/** What came of this session and waits, and is told by `isAnswered` to be answered, goes. What was asked already is left to who asks. */
export async function dropAnswered(
  { memory, desks }: KeepDeps,
  { principal, conversation, turns }: Omit<Own, 'own'>,
  isAnswered: (record: MemoryRecord & { readonly asks: Asks }) => boolean,
): Promise<void> {
  const scope = ofAsked(principal)
  const waiting = await readWaiting(memory, principal)
  const session = turns[0]?.record.session
  // What came of a turn further back than is looked at was not answered for all that.
  const looked = new Set(turns.flatMap(({ about }) => about))
  const here = waiting.filter(
    ({ asks, from }) =>
      asks.in === conversation &&
      asks.session === session &&
      from.some((one) => one.conversation === conversation && one.messages.some((message) => looked.has(message))),
  )
  const book = await findBook(desks, principal)
  const gone = here.filter((one) => isAnswered(one) && mayAsk(book, toHash(one.asks.key)))
  if (gone.length === 0) return
  await memory.drop(
    scope,
    gone.map(({ number }) => number),
  )
}

/** Keeps what is new. Safe to repeat. Returns how many were. */
export async function addQuestions(
  deps: KeepDeps,
  { principal, own, conversation, turns, ofModel }: Own,
): Promise<number> {
  const { memory, desks, now } = deps
  const waiting = await readWaiting(memory, principal)
  const session = turns[0]?.record.session ?? ''
  const book = await findBook(desks, principal)
  const known = waiting.map(({ asks }) => asks.key)
  const added: Question[] = []
  for (const question of own) {
    const key = toKey(question.key)
    if (!mayAsk(book, toHash(key))) continue
    if (known.some((one) => isSameMeaning(one, key))) continue
    known.push(key)
    added.push(question)
  }
  const of = { principal, conversation, turns, session, ...(ofModel ? { ofModel } : {}) }
  const scope = ofAsked(principal)
  const least = waiting.filter(({ asks }) => mayAsk(book, toHash(asks.key))).toSorted((a, b) => a.saidAt - b.saidAt)
  const spare = least.slice(0, Math.max(0, waiting.length + added.length - mostWaiting)).map(({ number }) => number)
  if (spare.length > 0) await memory.drop(scope, spare)
  for (const question of added) await memory.write(scope, toRecord(question, of))
  if (added.length === 0) return 0
  // A conversation that was closed meanwhile has no mark that keeps out what comes late.
  if ((await deps.findTurns(conversation, session)).length > 0) await desks.wait(principal, now())
  else await memory.forget(conversation, 'all')
  return added.length
}

type WaitingRecord = MemoryRecord & { readonly asks: Asks }

async function readWaiting(memory: MemoryStore, principal: PrincipalId): Promise<readonly WaitingRecord[]> {
  const read = await memory.read(ofAsked(principal))
  return read === 'same'
    ? []
    : read.records.flatMap((one) => (one.asks && !one.asks.never ? [{ ...one, asks: one.asks }] : []))
}

type Of = Omit<Own, 'own'> & { readonly session: string }

function toRecord(question: Question, { principal, conversation, turns, session, ofModel }: Of): NewRecord {
  const { ask, kind, why, changes, assumed, options = [], key, said } = question
  const source = findSource(question, turns)
  const taint = joinTaint(source?.record.taint)
  const asks: Asks = {
    kind,
    options: options.slice(0, mostOptions).map((one) => one.slice(0, mostOptionChars).toWellFormed()),
    why: toSentence(why),
    changes: toSentence(changes),
    assumed: toSentence(assumed),
    key: toKey(key),
    in: conversation,
    session,
    group: source?.record.group === true,
    worth: worthOf[kind],
    ...(ofModel ? { said: toSentence(said) } : {}),
  }
  return {
    id: toEventId('turn', conversation, `${session} ${ofModel ? said : key}`),
    kind: 'fact',
    speaker: principal,
    text: ask,
    saidAt: source?.record.endedAt ?? 0,
    status: 'unconfirmed',
    origin: 'inferred',
    ...toTainted(taint),
    from: [{ conversation, messages: [...(source?.about ?? [])] }],
    asks,
  }
}

/** The turn whose answer has most words of the bot's sentence. */
function findSource({ said }: Question, turns: readonly RecordedTurn[]): RecordedTurn | undefined {
  const words = wordsOf(said)
  const counted = turns.map((turn) => ({ turn, shared: sharedWords(words, wordsOf(turn.record.answer)).length }))
  return counted.toSorted((a, b) => b.shared - a.shared)[0]?.turn
}

/** As it is kept: the same wherever it is compared. */
export const toKey = (key: string): string => key.slice(0, 200)

const toSentence = (text: string): string => text.slice(0, mostSentenceChars).toWellFormed()

/** What is answered with one press is worth most. */
const worthOf: Readonly<Record<Question['kind'], number>> = {
  choice: 0.9,
  'yes-no': 0.8,
  words: 0.7,
  judgement: 0.5,
  action: 0.4,
}
