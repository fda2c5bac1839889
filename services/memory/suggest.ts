// What was noticed of a person and waits for their word, as a source of the desk: which of it is to be kept. It is ripe when enough wait, one since an earlier
// session, or one that contradicts what is confirmed.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language } from '#shared/chat/message.ts'
import type { Answered, DeskSource, OnDesk, Ref, Shown } from '#shared/desk/source.ts'
import { renderCard } from '#shared/feature/card.ts'
import type { AnswerContext } from '#shared/feature/feature.ts'
import { toInertQuote } from '#shared/feature/inert.ts'
import { ofPerson, type MemoryRecord } from '#shared/memory/record.ts'
import { findAgainst, findContradicting } from './contradiction.ts'
import { comparing } from './comparing.ts'
import type { MemoryDeps } from './ports.ts'
import type { MemorySettings } from './settings.ts'
import { rewrite } from './rewrite.ts'
import { cameOf, toShown } from './words.ts'

/** The newest: each is compared with all that its person was asked. The others wait for their turn, or fade. */
const mostWaiting = 100
/** One waits for so long: its session has ended. */
const sessionMs = 8 * 3_600_000
/** What contradicts something is worth more than all questions, and all else less: it was noticed by rules, and may be worth nothing. */
const worths = { contradicts: 0.95, plain: 0.3 }

export const createSuggestions = (deps: MemoryDeps, { askAfter }: Pick<MemorySettings, 'askAfter'>): DeskSource => ({
  name: 'memory',
  async find(principal, nowMs) {
    const read = await deps.memory.read(ofPerson(principal))
    const records = read === 'same' ? [] : read.records
    const waiting = records.filter((one) => isSuggested(one, principal)).slice(0, mostWaiting)
    if (waiting.length === 0) return []
    const isEnough = waiting.length >= Number(await askAfter.find(principal))
    const isOld = ({ saidAt }: MemoryRecord): boolean => nowMs - saidAt >= sessionMs
    const areRipe = isEnough || waiting.some(isOld)
    const contradicting = findContradicting(waiting, records)
    const keys = new Set<string>()
    const toOwnKey = (one: MemoryRecord): string => {
      const key = toSuggestedKey(one)
      // What contradicts something is told at any time; and of two that say the same each has its own card.
      const own = contradicting.has(one) || keys.has(key) ? `memory ${one.id}` : key
      keys.add(own)
      return own
    }
    return waiting.map((one) => ({
      ref: { number: one.number, id: one.id },
      key: toOwnKey(one),
      kind: 'keep',
      text: one.text,
      worth: contradicting.has(one) ? worths.contradicts : worths.plain,
      since: one.saidAt,
      ripe: areRipe || contradicting.has(one),
      from: one.from,
    }))
  },
  async show(one, card) {
    const record = await findSuggested(deps, card.principal, one)
    return record?.status === 'unconfirmed' ? await showSuggested(deps, record, card) : undefined
  },
  answer: (context, one, card) => answerSuggested(deps, context, one, card),
  // It stays in the list as not confirmed, until it fades.
  close: async () => {},
})

/** By what it says: who said no to it, and says it again, is not asked again. It is no row of words, since it is about no topic. */
export const toSuggestedKey = ({ text, name }: Pick<MemoryRecord, 'text' | 'name'>): string => {
  const { words } = comparing.read({ text, ...(name === undefined ? {} : { name }) })
  return `memory ${words.toSorted().join('-')}-`
}

const isSuggested = ({ status, speaker, supersededBy }: MemoryRecord, principal: PrincipalId): boolean =>
  status === 'unconfirmed' && speaker === principal && supersededBy === undefined

async function findSuggested(
  { memory }: MemoryDeps,
  principal: PrincipalId,
  { number, id }: Ref,
): Promise<MemoryRecord | undefined> {
  const [record] = await memory.find(ofPerson(principal), [number])
  return record?.id === id ? record : undefined
}

async function showSuggested(deps: MemoryDeps, record: MemoryRecord, { language, typing }: OnDesk): Promise<Shown> {
  const against = await findAgainst(deps.memory, record)
  const how = typing ? { how: told.reply[language] } : {}
  const why = against ? tellAgainst(against, language) : told.why[language]
  const card = {
    kind: 'memory',
    candidates: [record.text],
    urgency: 'low',
    why,
    otherwise: told.otherwise[language],
    idle: true,
  } as const
  return {
    text: renderCard({ ...card, ...how }, language),
    title: record.text,
    answers: [
      [
        { id: 'yes', label: told.save[language] },
        { id: 'no', label: told.no[language] },
      ],
    ],
    type: { id: 'type', label: told.edit[language] },
    never: false,
    chat: false,
    ...(typing ? { words: true } : { words: false, loose: 'yes-no' }),
    ended: () => `${toInertQuote(record.text, 400, 6)}\n\n${told.edited[language]}`,
    from: cameOf([record, ...(against ? [against] : [])]),
    ...(record.taint ? { taint: record.taint } : {}),
  }
}

function tellAgainst({ number, text }: MemoryRecord, language: Language): string {
  const said = toShown(text)
  return language === 'zh'
    ? `第 ${number} 条说的不一样：“${said}”。选“记住”，它就取代第 ${number} 条。`
    : `Number ${number} says otherwise: “${said}”. If you save this, it takes the place of number ${number}.`
}

type Words = Pick<AnswerContext, 'event' | 'principal' | 'about'>

/** Safe to repeat. */
async function answerSuggested(
  deps: MemoryDeps,
  context: Words,
  one: Ref,
  { principal, typing }: OnDesk,
): Promise<Answered> {
  const { choice, words } = context.event
  const record = await findSuggested(deps, principal, one)
  if (!record) return { kind: 'gone', saved: [] }
  const saved = [{ scope: record.scope, number: record.number, id: record.id }]
  // A worker died after it was saved: the same press comes again.
  if (record.status === 'confirmed') return { kind: 'gone', saved: choice === 'no' ? [] : saved }
  if (typing && choice === '') {
    const written = await rewrite(deps, record, context)
    if (written.kind === 'refused') return written
    if (written.kind === 'gone') return { kind: 'gone', saved: [] }
    const { scope, number, id } = written.record
    return { kind: 'kept', saved: [{ scope, number, id }] }
  }
  if (choice === 'no' || (choice === '' && isNo(words))) {
    await deps.memory.drop(record.scope, [record.id], 'for-good')
    return { kind: 'declined' }
  }
  await deps.memory.change(record.scope, record.number, (before) => ({
    ...before,
    status: 'confirmed',
    confirmedBy: principal,
  }))
  return { kind: 'kept', saved }
}

/** Of words that are nothing but a yes or a no. */
const isNo = (words = ''): boolean => /^\s{0,20}(?:n(?:o|ope|ah)?(?![a-z])|don|never|不|别|没|否|甭)/iu.test(words)

const told = {
  save: { zh: '记住', en: 'Save' },
  edit: { zh: '改一改', en: 'Edit' },
  no: { zh: '不用', en: 'No' },
  why: { zh: '你说过，我留意到了', en: 'you said it, and it may be worth keeping' },
  otherwise: {
    zh: '我当它没有确认过，30 天后忘掉',
    en: 'I take it as not confirmed, and forget it after 30 days',
  },
  reply: {
    zh: '请在下一条消息里写下要我记的话，或回复这条消息。',
    en: 'Write the words that I should keep in your next message, or reply to this one with them.',
  },
  edited: { zh: '你改过了。', en: 'You worded it anew.' },
} as const
