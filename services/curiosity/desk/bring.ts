// Brings the card into its person's direct chat, unless something else waits there by now.
import type { ConversationId, PrincipalId } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from '#shared/feature/effect.ts'
import type { CommandContext, LetterContext } from '#shared/feature/feature.ts'
import { toInertLine } from '#shared/feature/inert.ts'
import type { OpenQuestion } from '#shared/feature/open-question.ts'
import { say } from '#shared/feature/say.ts'
import { readStored } from '#shared/stored-json.ts'
import {
  bring,
  changeBook,
  findBook,
  findCard,
  findOpen,
  mayAsk,
  mayBring,
  release,
  toHash,
  wake,
  type Book,
} from './book.ts'
import { toCard } from './card.ts'
import type { OnCard } from './on-card.ts'
import { brought, findMoment, thereMs, wantsCards, type Brought, type MomentDeps } from './moment.ts'
import { findWaiting, readAll, type OfSource } from './waiting.ts'

type Effects = readonly StepEffect<never>[]

/** On one card. */
const mostOnCard = 3
const mostQuoted = 120

export async function bringCard(deps: MomentDeps, context: LetterContext): Promise<Effects> {
  const { event, language } = context
  const came = readStored('letter to a desk', brought, event.payload)
  const { principal, id, messages } = came
  if (!(await mayCome(deps, context, came))) return await releaseCard(deps, context)
  const taken = await findTaken(deps, principal, id)
  if (taken) return await toShown(deps, toFirst({ principal, id, language }, taken))
  const isCold = messages === undefined
  const found = await findMoment(deps, principal, isCold)
  const chosen = found?.waiting.slice(0, mostOnCard) ?? []
  if (!found || chosen.length === 0) return []
  const may = (book: Book): boolean => mayBring(book, found.moment)
  const { conversation } = context
  const isClaimed = await claim(deps, { principal, id, conversation, isCold, chosen, may })
  return isClaimed ? await toShown(deps, toFirst({ principal, id, language }, chosen)) : []
}

/** What a worker took for this card, and died before it was shown. */
async function findTaken(
  deps: MomentDeps,
  principal: PrincipalId,
  id: string,
): Promise<readonly OfSource[] | undefined> {
  const known = findCard(await findBook(deps.desks, principal), id)
  if (!known) return undefined
  const all = await readAll(deps.sources, principal, deps.now())
  return known.keys.flatMap((key) => all.find((one) => toHash(one.key) === key) ?? [])
}

/** It is still the same exchange, nothing else waits or runs, and its person may be written to. */
async function mayCome(
  deps: MomentDeps,
  { conversation, state }: LetterContext,
  { principal, messages, endedAt }: Brought,
): Promise<boolean> {
  if (state.busy || state.questions().some(({ to }) => to === principal || to === '*')) return false
  if (messages && !messages.some((one) => state.lastAbout.includes(one))) return false
  if (endedAt !== undefined && deps.now() - endedAt > thereMs) return false
  if (!(await wantsCards(deps, principal))) return false
  return (await deps.mayTalk({ principal, conversation })) && !(await deps.isClosed(conversation))
}

/** Its questions were taken, and are not shown: they may be asked another day. */
export async function releaseCard({ desks }: MomentDeps, { event }: Pick<LetterContext, 'event'>): Promise<Effects> {
  const { principal, id } = readStored('letter to a desk', brought, event.payload)
  if (findCard(await findBook(desks, principal), id))
    await changeBook(desks, principal, (book) => release(book, findCard(book, id)?.keys ?? []))
  return []
}

/** Nothing is said where none of its questions is there any more. */
async function toShown(deps: MomentDeps, first: OnCard): Promise<Effects> {
  const effects = await toCard(deps, first, false)
  return effects.some(({ kind }) => kind === 'ask') ? effects : []
}

/** `/questions now`: whatever the cadence says. */
export async function bringNow(deps: MomentDeps, context: CommandContext): Promise<Effects> {
  const { principal, language, event, state, conversation } = context
  if (event.group)
    return say(
      language,
      '你的问题只在与我的私聊里给你看。',
      'What waits for you is shown in the direct chat with me alone.',
    )
  const all = state.questions().filter(({ to }) => to === principal)
  const card = all.find(({ kind }) => kind === 'curiosity.card')
  const ahead = all.find(({ kind, guards, dueMs }) => kind !== 'curiosity.card' && !guards && dueMs !== undefined)
  if (card) return card.dueMs === undefined ? tellQueued(ahead, language) : say(language, isOpen.zh, isOpen.en)
  const id = `now-${event.id}`.slice(0, 120)
  await changeBook(deps.desks, principal, (book) => (book.ignored > 0 ? wake(book) : undefined))
  const taken = await findTaken(deps, principal, id)
  const chosen = taken ?? (await findAll(deps, principal)).slice(0, mostOnCard)
  const isClaimed =
    chosen.length > 0 && (await claim(deps, { principal, id, conversation, isCold: false, chosen, may: () => true }))
  if (!isClaimed) return (await tellElsewhere(deps, context)) ?? say(language, nothing.zh, nothing.en)
  const effects = await toCard(deps, toFirst({ principal, id, language }, chosen), false)
  const waits = ahead !== undefined && effects.some(({ kind }) => kind === 'ask')
  return waits ? [...tellQueued(ahead, language), ...effects] : effects
}

const isOpen = {
  zh: '有一张卡片还开着。请先在那张卡片上回答，或点「改天再问」。',
  en: 'A card is open already. Answer on it, or press “Not now” there.',
} as const satisfies Localised
const nothing = {
  zh: '现在没有想问你的。',
  en: 'There is nothing that I want to ask you now.',
} as const satisfies Localised

/** The card has its turn after this one. */
function tellQueued(ahead: OpenQuestion | undefined, language: Language): Effects {
  const asked = toInertLine(ahead?.text ?? '', mostQuoted)
  const text =
    asked === ''
      ? { zh: '这里开着的问题一有回答，我就问。', en: 'I ask as soon as the question that is open here is answered.' }
      : { zh: `“${asked}”一有回答，我就问。`, en: `I ask as soon as “${asked}” is answered.` }
  return [{ kind: 'send', text: text[language], about: [...(ahead?.about ?? [])] }]
}

/** Where the card is on which all stands that waits. A conversation knows nothing of others, but their bell does. */
async function tellElsewhere(
  deps: MomentDeps,
  { principal, conversation, language }: Pick<CommandContext, 'principal' | 'conversation' | 'language'>,
): Promise<Effects | undefined> {
  const nowMs = deps.now()
  const [key] = findOpen(await findBook(deps.desks, principal), nowMs, conversation)
  const found = (await readAll(deps.sources, principal, nowMs)).find((one) => toHash(one.key) === key)
  if (!found) return undefined
  const asked = toInertLine(found.text, mostQuoted)
  const isWeb = conversation.startsWith('web:')
  const zh = `有一张卡片开在我们的另一个会话里：“${asked}”。${isWeb ? '点铃铛可以过去。' : '请在那里回答。'}`
  const en = `A card is open in another conversation of ours: “${asked}”. ${isWeb ? 'The bell leads there.' : 'Answer it there.'}`
  return [{ kind: 'send', text: { zh, en }[language], about: [], cameOf: found.from }]
}

/** All that waits to be asked, the worthiest first. */
export async function findAll({ desks, sources, now }: MomentDeps, principal: string): Promise<readonly OfSource[]> {
  return await findWaiting(sources, principal, { book: await findBook(desks, principal), nowMs: now() })
}

type Claim = {
  readonly principal: string
  readonly conversation: ConversationId
  readonly id: string
  readonly isCold: boolean
  readonly chosen: readonly OfSource[]
  /** Asked again of the book as it is when it is written: another card may have come meanwhile. */
  may(book: Book): boolean
}

/** False where another card came first. The same card again, whose step was not stored, takes nothing more. */
async function claim(
  { desks, now }: MomentDeps,
  { principal, id, conversation, isCold, chosen, may }: Claim,
): Promise<boolean> {
  const keys = chosen.map(({ key }) => toHash(key))
  const kinds = chosen.map(({ kind }) => kind)
  let isOurs = false
  await changeBook(desks, principal, (book) => {
    const isKnown = findCard(book, id) !== undefined
    isOurs = isKnown || (may(book) && keys.every((key) => mayAsk(book, key)))
    return isKnown || !isOurs ? undefined : bring(book, { id, at: now(), cold: isCold, keys, in: conversation }, kinds)
  })
  return isOurs
}

const toFirst = (
  { principal, id, language }: Pick<OnCard, 'principal' | 'language'> & { readonly id: string },
  chosen: readonly OfSource[],
): OnCard => ({
  v: 1,
  card: id,
  principal,
  language,
  left: chosen.map(({ ref, source, key }) => ({ ...ref, source, key: toHash(key) })),
  of: chosen.length,
  saved: [],
  skipped: 0,
  never: 0,
  declined: 0,
  forChat: false,
  typing: false,
})
