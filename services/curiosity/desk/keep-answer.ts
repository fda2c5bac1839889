// Keeps what somebody answered: as theirs, and for the chat where the question arose, if they say so.
import type { Localised } from '#shared/chat/message.ts'
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { AnswerEvent } from '#shared/chat/event.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import type { Access } from '#shared/feature/ports.ts'
import { mostRecordChars, ofChat, ofPerson, type MemoryScope, type NewRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { toEventId } from '#shared/memory/event-id.ts'
import type { Refuse } from './ports.ts'
import type { Saved } from './on-card.ts'
import type { Waiting } from './waiting.ts'
import { words } from './show.ts'

type Kept =
  | { readonly kind: 'kept'; readonly saved: readonly Saved[] }
  /** Nothing is kept. */
  | { readonly kind: 'refused'; readonly why: Localised }

type Of = { readonly question: Waiting; readonly forChat: boolean }

export type KeepDeps = { readonly memory: MemoryStore; readonly refuse: Refuse } & Pick<Access, 'isClosed'>

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
export async function keepAnswer(
  { memory, isClosed, refuse }: KeepDeps,
  context: Pick<AnswerContext, 'event' | 'principal' | 'about'>,
  { question, ...wanted }: Of,
): Promise<Kept> {
  const { event, principal, about } = context
  const answer = toAnswer(context, question)
  if (answer === '') return { kind: 'refused', why: words.nothing }
  const text = `${question.text} — ${answer}`
  if (text.length > mostRecordChars) return { kind: 'refused', why: words.tooLong }
  const forChat = wanted.forChat && !(await isClosed(question.asks.in))
  const refused = refuse(answer, { group: forChat })
  if (refused) return { kind: 'refused', why: refused.why }
  const said = event.words === undefined ? [] : [{ conversation: event.conversation, messages: [...about] }]
  const made: NewRecord = {
    id: toId(event),
    kind: question.asks.kind === 'judgement' ? 'preference' : 'fact',
    speaker: principal,
    text,
    saidAt: event.at,
    status: 'confirmed',
    confirmedBy: principal,
    origin: 'said',
    answers: question.asks.kind,
    ...(question.taint ? { taint: question.taint } : {}),
    from: [...question.from, ...said],
  }
  const scopes: readonly MemoryScope[] = [ofPerson(principal), ...(forChat ? [ofChat(question.asks.in)] : [])]
  const saved: Saved[] = []
  for (const scope of scopes) {
    const written = await memory.write(scope, made)
    if (written.kind === 'full') return { kind: 'refused', why: words.full }
    if (written.kind === 'gone') continue
    const { number, id } = written.record
    saved.push({ scope, number, id, ...(written.kind === 'repeat' ? { had: true } : {}) })
  }
  return { kind: 'kept', saved }
}

/** By a button, or in words. */
function toAnswer({ event }: Pick<AnswerContext, 'event'>, { asks }: Waiting): string {
  const { choice, words: said = '' } = event
  if (choice === 'yes' || choice === 'no') return words[choice][languageOf(asks.why)]
  const [, place] = /^a(\d)$/.exec(choice) ?? []
  if (place !== undefined) return asks.options[Number(place)] ?? ''
  return said.replaceAll(/\s+/g, ' ').trim().toWellFormed()
}

const languageOf = (text: string) => (/\p{Script=Han}/u.test(text) ? 'zh' : 'en')
