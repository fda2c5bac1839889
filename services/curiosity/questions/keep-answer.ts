// Keeps what somebody answered: as theirs, and for the chat where the question arose, if they say so. The record is the episode as well: it has the question,
// the answer, who gave it and when, and the messages that it came of, with which it goes; `/log` tells it from there.
import type { Localised } from '#shared/chat/message.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { AnswerEvent } from '#shared/chat/event.ts'
import type { Desks } from '#shared/desk/desks.ts'
import type { Answered, Saved } from '#shared/desk/source.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import type { Access } from '#shared/feature/ports.ts'
import { mostRecordChars, ofChat, ofPerson, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import { findBook, toHash } from '#services/curiosity/desk/book.ts'
import type { Refuse } from '#services/curiosity/desk/ports.ts'
import { words } from '#services/curiosity/desk/show.ts'
import type { Collected } from './collected.ts'
import { isForNoGroup, languageOf, notForGroup, tellsNothing } from './read-answer.ts'
import { findTaste } from './taste.ts'

type Of = { readonly question: Collected; readonly forChat: boolean }

export type KeepDeps = { readonly memory: MemoryStore; readonly desks: Desks; readonly refuse: Refuse } & Pick<
  Access,
  'isClosed'
>

type Answering = Pick<AnswerContext, 'event' | 'principal' | 'about'>

const toId = ({ conversation, id }: AnswerEvent): string => toEventId('said', conversation, id)

/** What this answer was kept as, by whoever worked on it before; `in`: for the chat of that conversation, too. */
export async function findAnswer(
  memory: MemoryStore,
  event: AnswerEvent,
  { principal, in: chat }: { readonly principal: PrincipalId; readonly in?: ConversationId },
): Promise<readonly Saved[]> {
  const scopes = [ofPerson(principal), ...(chat === undefined ? [] : [ofChat(chat)])]
  const read = await Promise.all(scopes.map(async (scope) => await memory.read(scope)))
  const all = read.flatMap((one) => (one === 'same' ? [] : one.records))
  return all.filter(({ id }) => id === toId(event)).map(({ scope, number, id }) => ({ scope, number, id }))
}

/** Safe to repeat. A chat that is closed to the bot is told nothing. */
export async function keepAnswer(deps: KeepDeps, context: Answering, { question, forChat }: Of): Promise<Answered> {
  const answer = toAnswer(context, question)
  const isTyped = context.event.words !== undefined && context.event.choice === ''
  if (answer === '') return { kind: 'refused', why: words.nothing }
  if (isTyped && tellsNothing(answer)) return { kind: 'declined' }
  const text = `${question.text} — ${answer}`
  if (text.length > mostRecordChars) return { kind: 'refused', why: words.tooLong }
  const isWanted = forChat && !(await deps.isClosed(question.asks.in))
  const refused = findRefused(deps, { answer, text, forChat: isWanted && isTyped })
  if (refused) return { kind: 'refused', why: refused }
  const made = await toRecord(deps, context, { question, text })
  const { principal } = context
  const own = await write(deps, ofPerson(principal), made)
  if (own === 'full') return { kind: 'refused', why: words.full }
  const chat = isWanted ? await write(deps, ofChat(question.asks.in), withName(made, context)) : 'gone'
  const saved = [own, chat].flatMap((one) => (one === 'full' || one === 'gone' ? [] : [one]))
  const isMissed = forChat && (chat === 'full' || chat === 'gone')
  return { kind: 'kept', saved, ...(isMissed ? { missed: true } : {}) }
}

/** A value without the word that says what it is is a secret behind a question that has the word. */
function findRefused(
  { refuse }: KeepDeps,
  { answer, text, forChat }: { readonly answer: string; readonly text: string; readonly forChat: boolean },
): Localised | undefined {
  const alone = refuse(answer, { group: forChat })
  if (alone) return refuse(answer, { group: false }) ? alone.why : notForGroup
  const whole = refuse(text, { group: false })
  if (whole?.matter === 'secret') return whole.why
  return forChat && isForNoGroup(answer) ? notForGroup : undefined
}

type Made = { readonly question: Collected; readonly text: string }

async function toRecord(
  { desks }: KeepDeps,
  { event, principal, about }: Answering,
  { question, text }: Made,
): Promise<NewRecord> {
  const { asks, taint, from } = question
  const taste = findTaste(question.text, asks)
  const said = event.words === undefined ? [] : [{ conversation: event.conversation, messages: [...about] }]
  const key = toHash(asks.key)
  const { asked } = await findBook(desks, principal)
  return {
    id: toId(event),
    kind: taste === undefined ? 'fact' : 'preference',
    speaker: principal,
    text,
    saidAt: event.at,
    status: 'confirmed',
    confirmedBy: principal,
    origin: 'said',
    answers: {
      kind: asks.kind,
      question: question.text,
      askedAt: asked.findLast((one) => one.key === key)?.at ?? question.saidAt,
      in: event.conversation,
      ...(taste === undefined ? {} : { taste }),
    },
    ...(taint ? { taint } : {}),
    from: [...from, ...said],
  }
}

/** Others are told who said it. */
const withName = (made: NewRecord, { event: { name } }: Answering): NewRecord =>
  name === undefined ? made : { ...made, name: name.slice(0, 100).toWellFormed() }

async function write({ memory }: KeepDeps, scope: MemoryScope, made: NewRecord): Promise<Saved | 'full' | 'gone'> {
  const written = await memory.write(scope, made)
  if (written.kind === 'full' || written.kind === 'gone') return written.kind
  const { number, id } = written.record
  return { scope, number, id, ...(written.kind === 'repeat' ? { had: true } : {}) }
}

/** By a button, or in words. */
export function toAnswer(
  { event }: { readonly event: Pick<AnswerEvent, 'choice' | 'words'> },
  { asks }: Collected,
): string {
  const { choice, words: said = '' } = event
  if (choice === 'yes' || choice === 'no') return words[choice][languageOf(asks.why)]
  const [, place] = /^a(\d)$/.exec(choice) ?? []
  if (place !== undefined) return asks.options[Number(place)] ?? ''
  return said.replaceAll(/\s+/g, ' ').trim().toWellFormed()
}
