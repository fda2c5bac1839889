// Collects what only people can tell: once a turn has ended, its session is looked through by rules for what the answers rested on without knowing it. What is
// found waits on the desk of whom it concerns, and goes where it is answered meanwhile.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import { ownOf } from '#shared/chat/spoken.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Ports, RecordedTurn } from '#shared/feature/ports.ts'
import type { Projection, ReaderJob } from '#shared/feature/projection.ts'
import { mostOptionChars, mostOptions, mostSentenceChars, type Asks } from '#shared/memory/asks.ts'
import { ofAsked, ofChat, ofPerson, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { anotherMember, joinTaint, toTainted } from '#shared/model/taint.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { findBook, mayAsk, toHash } from '#services/curiosity/desk/book.ts'
import type { DeskSettings } from '#services/curiosity/desk/settings.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { bot, type Dialogue, type KnownRecord, type Question, type Turn } from '#services/curiosity/gaps/dialogue.ts'
import { sharedWords, wordsOf } from '#services/curiosity/gaps/words.ts'
import { findGaps } from '#services/curiosity/gaps/find-gaps.ts'
import { hold, toSaid, waitsForPerson } from './asked-otherwise.ts'
import { toRefused } from './to-refused.ts'
import type { Refuse } from '#services/curiosity/desk/ports.ts'
import { toNames, type Names } from './names.ts'

export type CollectDeps = { readonly memory: MemoryStore; readonly desks: Desks } & Pick<Ports['clock'], 'now'> &
  Pick<Ports['records'], 'findTurns'> & { readonly settings: Pick<DeskSettings, 'asks'>; readonly refuse: Refuse }

/** Of a session so many turns are looked at, the newest; and of a person so many questions wait. */
const mostTurns = 8
const mostOfTurn = 10
const mostWaiting = 40
const mostKnown = 200

export const createCollect = (deps: CollectDeps): Projection => ({
  name: 'collect',
  worker: 'curiosity',
  take: (line) => {
    const isTold =
      line.kind === 'turn' &&
      line.record.for === undefined &&
      (line.record.ending === 'answered' || waitsForPerson(line.record))
    return Promise.resolve(isTold ? [{ kind: 'job' }] : [])
  },
  async work(job) {
    await collect(deps, job)
    return []
  },
})

async function collect(deps: CollectDeps, { conversation, line }: ReaderJob): Promise<void> {
  if (line?.kind !== 'turn') return
  const { record } = line
  const all = await deps.findTurns(conversation, record.session)
  const last = all.at(-1)?.record
  const isAsking = last !== undefined && waitsForPerson(last)
  await hold(deps, { conversation, session: record.session, people: all.map((one) => one.record.principal) }, isAsking)
  if (isAsking) return
  const turns = all.filter((one) => isUsable(one.record)).slice(-mostTurns)
  if (turns.length === 0) return
  const people = toNames(
    turns.map(({ record: { principal, name } }) => ({ principal, name })),
    record.language,
  )
  const found = await findAll(deps, { conversation, turns, language: record.language, people })
  for (const [principal, name] of people) {
    if ((await deps.settings.asks.find(principal)) === 'off') continue
    const own = found.filter(({ to }) => to === name)
    await settle(deps, { principal, own, conversation, turns })
  }
}

/** What was said in private is nobody else's, and a page that was read is no reason to ask anybody anything. */
const isUsable = ({ for: eyes, last, ending, taint = [] }: TurnRecord): boolean =>
  eyes === undefined && last === undefined && ending === 'answered' && taint.every((one) => one === anotherMember)

type Looked = {
  readonly conversation: ConversationId
  readonly turns: readonly RecordedTurn[]
  readonly language: Dialogue['language']
  readonly people: Names
}

async function findAll(
  { memory, refuse }: CollectDeps,
  { conversation, turns, language, people }: Looked,
): Promise<readonly Question[]> {
  const isGroup = turns.some(({ record }) => record.group)
  const scopes = new Set([...people.keys()].map((principal) => (isGroup ? ofChat(conversation) : ofPerson(principal))))
  const known = await Promise.all(
    [...scopes].map(async (scope) => {
      const read = await memory.read(scope)
      const records = read === 'same' ? [] : read.records.slice(0, mostKnown)
      return records.map(({ kind, text, status, speaker, name }): KnownRecord => {
        const who = people.get(speaker) ?? name ?? ''
        return { category: kind, who, content: text, status }
      })
    }),
  )
  const dialogue: Dialogue = {
    language,
    chat: isGroup ? 'group' : 'direct',
    people: [...people.values()],
    memory: known.flat(),
    turns: turns.flatMap(({ record }) => toTurns(record, people.get(record.principal) ?? '')),
  }
  return findGaps({ isRefused: toRefused(refuse) }, dialogue).slice(0, mostOfTurn)
}

const toTurns = (record: TurnRecord, who: string): readonly Turn[] => [
  { who, text: toSaid(ownOf(record.asked)), at: new Date(record.begunAt).toISOString() },
  { who: bot, text: record.answer, at: new Date(record.endedAt).toISOString() },
]

type Own = Pick<Looked, 'conversation' | 'turns'> & {
  readonly principal: PrincipalId
  readonly own: readonly Question[]
}

/** Keeps what is new, and drops what this session has answered. Safe to repeat. */
async function settle(deps: CollectDeps, { principal, own, conversation, turns }: Own): Promise<void> {
  const { memory, desks, now } = deps
  const scope = ofAsked(principal)
  const read = await memory.read(scope)
  const waiting = read === 'same' ? [] : read.records
  const [session = ''] = turns.map(({ record }) => record.session)
  const keys = new Set(own.map(({ key }) => toKey(key)))
  // What came of a turn further back than is looked at was not answered for all that.
  const looked = new Set(turns.flatMap(({ about }) => about))
  const isAnswered = ({ asks, from }: (typeof waiting)[number]): boolean =>
    asks?.in === conversation &&
    asks.session === session &&
    !keys.has(asks.key) &&
    from.some((one) => one.conversation === conversation && one.messages.some((message) => looked.has(message)))
  const book = await findBook(desks, principal)
  const answered = waiting.filter((one) => isAnswered(one) && mayAsk(book, toHash(one.asks?.key ?? '')))
  if (answered.length > 0)
    await memory.drop(
      scope,
      answered.map(({ number }) => number),
    )
  const known = new Set(waiting.map(({ asks }) => asks?.key))
  const room = mostWaiting - (waiting.length - answered.length)
  const added = own
    .filter(({ key }) => !known.has(toKey(key)) && mayAsk(book, toHash(toKey(key))))
    .slice(0, Math.max(0, room))
  for (const question of added)
    await memory.write(scope, toRecord(question, { principal, conversation, turns, session }))
  if (added.length === 0) return
  // A conversation that was closed meanwhile has no mark that keeps out what comes late.
  if ((await deps.findTurns(conversation, session)).length > 0) await desks.wait(principal, now())
  else await memory.forget(conversation, 'all')
}

type Of = Omit<Own, 'own'> & { readonly session: string }

function toRecord(question: Question, { principal, conversation, turns, session }: Of): NewRecord {
  const { ask, kind, why, changes, assumed, options = [], key } = question
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
  }
  return {
    id: toEventId('turn', conversation, `${session} ${key}`),
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
const toKey = (key: string): string => key.slice(0, 200)

const toSentence = (text: string): string => text.slice(0, mostSentenceChars).toWellFormed()

/** What is answered with one press is worth most. */
const worthOf: Readonly<Record<Question['kind'], number>> = {
  choice: 0.9,
  'yes-no': 0.8,
  words: 0.7,
  judgement: 0.5,
  action: 0.4,
}
