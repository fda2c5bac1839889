// What a session is looked through as: its newest turns as a dialogue, in which each person has one name, with what is remembered where they are.
import type { ConversationId } from '#shared/chat/conversation.ts'
import { ownOf } from '#shared/chat/spoken.ts'
import type { Ports, RecordedTurn } from '#shared/feature/ports.ts'
import { ofChat, ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import type { MemoryStore } from '#shared/memory/store.ts'
import { anotherMember } from '#shared/model/taint.ts'
import type { TurnRecord } from '#shared/run/record.ts'
import { bot, type Dialogue, type KnownRecord, type Turn } from '#services/curiosity/gaps/dialogue.ts'
import { sharedWords, wordsOf } from '#services/curiosity/gaps/words.ts'
import { withQuestion } from './asked-otherwise.ts'
import { isTold, toNames, type Names } from './names.ts'

/** Of a session so many turns are looked at, the newest. */
const mostTurns = 8
/** Of each scope, the newest; and those of them that have most words in common with the turns. */
const mostRead = 1000
const mostKnown = 50
/** A member of a group who said something there so lately may be asked, too, where they are named. */
const memberForMs = 7 * 86_400_000
const mostMembers = 10
/** Of one turn. */
const mostFailed = 5

export type Looked = {
  readonly conversation: ConversationId
  readonly turns: readonly RecordedTurn[]
  /** Where each of them begins in the dialogue. */
  readonly begins: readonly number[]
  readonly dialogue: Dialogue
  readonly people: Names
}

type LookDeps = { readonly memory: MemoryStore } & Pick<Ports['records'], 'findTurns'>

/** Undefined where there is nothing that may be looked at. */
export async function lookAt(
  { memory, findTurns }: LookDeps,
  conversation: ConversationId,
  { session, language }: Pick<TurnRecord, 'session' | 'language'>,
): Promise<Looked | undefined> {
  const all = (await findTurns(conversation, session)).filter((one) => isUsable(one.record))
  const turns = all.slice(-mostTurns)
  if (turns.length === 0) return undefined
  const isGroup = turns.some(({ record }) => record.group)
  const speakers = new Set(turns.map(({ record }) => record.principal))
  const scopes = isGroup ? [ofChat(conversation)] : [...speakers].map(ofPerson)
  const records = (await Promise.all(scopes.map((scope) => readRecords(memory, scope)))).flat()
  const spoke = turns.map(({ record: { principal, name } }) => ({ principal, name }))
  const nowMs = turns.at(-1)?.record.endedAt ?? 0
  const members = isGroup ? findMembers([...all.toReversed().map(toSaid), ...records], spoke, nowMs) : []
  const people = toNames([...spoke, ...members], language)
  const each = turns.map(({ record }) => toTurns(record, people.get(record.principal) ?? ''))
  const said = each.flat()
  const dialogue: Dialogue = {
    language,
    chat: isGroup ? 'group' : 'direct',
    people: [...people.values()],
    memory: chooseRecords(records, said, people),
    turns: said,
  }
  const begins = each.map((_, at) => each.slice(0, at).flat().length)
  return { conversation, turns, begins, dialogue, people }
}

/** What was said in private is nobody else's, and a page that was read is no reason to ask anybody anything. */
export const isUsable = ({ for: eyes, last, ending, taint = [] }: TurnRecord): boolean =>
  eyes === undefined && last === undefined && ending === 'answered' && taint.every((one) => one === anotherMember)

/** What something newer took the place of says nothing any more. */
async function readRecords(memory: MemoryStore, scope: string): Promise<readonly MemoryRecord[]> {
  const read = await memory.read(scope)
  if (read === 'same') return []
  return read.records.slice(0, mostRead).filter(({ validTo, supersededBy }) => (validTo ?? supersededBy) === undefined)
}

type Spoke = { readonly principal: string; readonly name: string | undefined }

type Said = { readonly speaker: string; readonly name?: string; readonly saidAt: number }
const toSaid = ({ record: { principal, name, endedAt } }: RecordedTurn): Said => ({
  speaker: principal,
  ...(name === undefined ? {} : { name }),
  saidAt: endedAt,
})

/** Members who lately said something to the bot, or something that is remembered, and whose name is nobody else's here. */
function findMembers(said: readonly Said[], spoke: readonly Spoke[], nowMs: number): readonly Spoke[] {
  const taken = new Set(spoke.map(({ name = '' }) => name.trim().toLowerCase()))
  const known = new Set(spoke.map(({ principal }) => principal))
  const members = new Map<string, Spoke>()
  for (const { speaker, name, saidAt } of said) {
    const plain = (name ?? '').trim().toLowerCase()
    if (known.has(speaker) || members.has(speaker) || nowMs - saidAt > memberForMs) continue
    if (members.size >= mostMembers || taken.has(plain) || !isTold(name)) continue
    taken.add(plain)
    members.set(speaker, { principal: speaker, name })
  }
  return [...members.values()]
}

function chooseRecords(
  records: readonly MemoryRecord[],
  turns: readonly Turn[],
  people: Names,
): readonly KnownRecord[] {
  const words = wordsOf(
    turns
      .map(({ text }) => text.slice(0, 1000))
      .join('\n')
      .slice(-2000),
  )
  const weighed = records.map((record) => ({ record, common: sharedWords(wordsOf(record.text), words).length }))
  return weighed
    .toSorted((one, other) => other.common - one.common)
    .slice(0, mostKnown)
    .map(({ record: { kind, text, status, speaker, name } }) => {
      const who = people.get(speaker) ?? name ?? ''
      return { category: kind, who, content: text, status }
    })
}

/** What only says that it was heard stands between two people as if the bot had said something. */
const bare =
  /^(?:ok(?:ay)?|sure|fine|good|great|thanks?|thank you|you['’]re welcome|gladly|好的?|嗯|收到|行|明白了?|没问题|不客气|谢谢)?[\s\p{P}\p{S}\p{Emoji_Presentation}]{0,9}$/iu

function toTurns(record: TurnRecord, who: string): readonly Turn[] {
  const asked = { who, text: withQuestion(ownOf(record.asked)), at: new Date(record.begunAt).toISOString() }
  if (bare.test(record.answer)) return [asked]
  const failed = record.tools.flatMap(({ name, ok }) => (ok ? [] : [name])).slice(0, mostFailed)
  const answered = { who: bot, text: record.answer, at: new Date(record.endedAt).toISOString() }
  return [asked, failed.length > 0 ? { ...answered, failed } : answered]
}
