// Whether what somebody says answers a question that is asked: in reply to its card by an option's label, id or number, or by any words where the
// question takes them; without a reply only alone with the bot, or where replies are not told, as the next thing that is said, soon, only where it
// can mean nothing else, and where it is no question and no request. A question that asks people something (`loose`) is answered by what it asks for
// at any time, also in a short sentence, in a group where that is said to the bot; once its person said that they will write (`typing`), by any words
// that come next. When in doubt it is a message. Pure.
import type { Decision } from '#shared/chat/decision.ts'
import type { MessageEvent } from '#shared/chat/event.ts'
import { isLiteralStop } from '#shared/chat/stop.ts'
import type { AskedCard } from '#shared/run/question.ts'
import type { Rights } from './decide.ts'
import { isLoose } from './loose.ts'
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { findNamedOption } from './named-option.ts'

export type Heard = {
  readonly event: MessageEvent
  readonly seq: number
  readonly access: Rights
  /** It is no part of what its sender writes in several messages. */
  readonly isAlone: boolean
  /** So many commands that only tell something stand right before it, and are not routed yet. */
  readonly asides?: number
}
/** `choice` is empty where only the words answer. */
export type FoundAnswer = { readonly card: AskedCard; readonly choice: string; readonly rule: string }

/** What came so long before the question was asked is not said about it; platforms tell whole seconds. */
const toleranceMs = 2000
/** Without a reply. */
const soonMs = 10 * 60_000
/** Longer than any label, in whatever form of its characters. */
const longestChoiceChars = 256

/** Whether a message may be an answer at all: it is its sender's own words, and no order. */
export function mayAnswer({
  text,
  command,
  group,
  replyTo,
  quoted,
  media,
  album,
  unfinished,
  addressed,
}: MessageEvent): boolean {
  if (text.trim() === '' || command || isLiteralStop(text, command)) return false
  if (quoted?.length || media?.length || album !== undefined || unfinished) return false
  return !group || replyTo !== undefined || addressed
}

/** `isAll`: no other question is asked there. */
export function findAnswer(
  { event, seq, access, isAlone, asides = 0 }: Heard,
  { cards, isAll }: { readonly cards: readonly AskedCard[]; readonly isAll: boolean },
): FoundAnswer | undefined {
  if (!mayAnswer(event) || !(access.owner || access.person || access.chat)) return undefined
  const isAdmin = access.owner || event.senderIsAdmin === true
  const all = cards.filter(
    ({ question: { owner, admins } }) => owner === '*' || owner === event.principal || (admins && isAdmin),
  )
  // A question whose buttons act at once takes words in reply only, as a remark.
  const own = event.replyTo ? all : all.filter(({ question: { acts } }) => acts === undefined)
  const { text, replyTo, group, at, addressed, hidesReply = false } = event
  // Nobody answers what they have not seen.
  const isSeen = (one: AskedCard): boolean => one.afterSeq < seq && at + toleranceMs >= one.askedAtMs
  if (replyTo) {
    const { messageId } = replyTo
    const card = own.find((one) => (one.card === messageId || one.question.formerCard === messageId) && isSeen(one))
    const choice = card && !card.question.acts ? (findOption(card, text) ?? findAsked(card, text)?.choice) : undefined
    if (card && choice !== undefined) return { card, choice, rule: 'answer.reply' }
    // A long text comes in several messages, of which only the first is a reply.
    return card?.question.words && isAlone ? { card, choice: '', rule: 'answer.reply-words' } : undefined
  }
  if (!isAll || !isAlone) return undefined
  // A card that may not have arrived may not have been seen.
  const isKnown = (one: AskedCard): boolean => isSeen(one) && one.card !== undefined
  const isFirst = ({ afterSeq }: AskedCard): boolean => seq - asides <= afterSeq + 1
  const isNext = (one: AskedCard): boolean =>
    (!group || (hidesReply && addressed)) && isFirst(one) && at <= one.askedAtMs + soonMs
  const [asked, ...others] = own.filter(isAsking)
  const isOnly = asked !== undefined && others.length === 0 && addressed && isKnown(asked)
  const found = isOnly && (!asked.question.unasked || isFirst(asked)) ? findAsked(asked, text) : undefined
  if (asked && found !== undefined) {
    const isOfAnother = own.some(
      (one) =>
        one !== asked &&
        // Beside what guards something only a name is clear: a number or a yes may be meant for either.
        (findLabel(one, text) !== undefined || (one.question.stales ? !found.isName : takesWords(one) && isNext(one))),
    )
    return isOfAnother ? undefined : { card: asked, choice: found.choice, rule: 'answer.loose' }
  }
  const meant = own.filter((one) => takesWords(one) || findLabel(one, text) !== undefined)
  const [card] = meant
  // What guards something is answered by a press or a reply.
  if (!card || meant.length > 1 || !isKnown(card) || card.question.stales || (isAsking(card) && !takesWords(card)))
    return undefined
  if (!isNext(card)) return undefined
  const choice = findLabel(card, text)
  if (choice !== undefined) return { card, choice, rule: 'answer.label' }
  return card.question.words ? { card, choice: '', rule: 'answer.words' } : undefined
}

/** Words that only follow a question answer it where they tell something: a question or a request is a message, whatever was asked before. */
export const isTaken = (rule: string, otherwise: Decision): boolean =>
  rule !== 'answer.words' || ('class' in otherwise && otherwise.class?.tells === true)

/** It asks people something, and guards nothing. */
const isAsking = ({ question: { loose, stales } }: AskedCard): boolean => loose !== undefined && !stales
/** Without a reply: of what asks for something only that is known, until words are said to come. */
const takesWords = ({ question: { words, loose, typing } }: AskedCard): boolean =>
  words === true && (loose === undefined || typing === true)

type Asked = { readonly choice: string; readonly isName: boolean }

/** Of what asks for something, by the one option that is named; else empty for what is asked for. */
function findAsked(card: AskedCard, text: string): Asked | undefined {
  const { loose } = card.question
  if (loose === undefined) return undefined
  const place = loose === 'option' ? findPlace(card, toSame(text)) : undefined
  const choice = findLabel(card, text) ?? place ?? findNamedOption(card, text)
  if (choice !== undefined) return { choice, isName: loose === 'option' && isNamedBy(card, choice, text) }
  // What two options are called names none of them.
  const isOne = isLoose(loose, text) && !card.labels.some((_, i) => isLabel(card, i, toSame(text)))
  return isOne ? { choice: '', isName: false } : undefined
}

/** Its name stands in the text, and is no yes or no, which answers much else. */
function isNamedBy({ labels, question }: AskedCard, choice: string, text: string): boolean {
  const name = toSame(labels[question.options.indexOf(choice)] ?? '')
  return name !== '' && toSame(text).includes(name) && !isLoose('yes-no', name)
}

/** By its label or id, else by its number; undefined where that may be another. */
function findOption(card: AskedCard, text: string): string | undefined {
  const { options } = card.question
  const said = toSame(text)
  const named = options.filter((id, i) => said === toSame(id) || isLabel(card, i, said))
  if (named.length > 0) return named.length === 1 ? named[0] : undefined
  // A number may be the words that are wanted.
  const { words, loose } = card.question
  return words || loose === 'number' ? undefined : findPlace(card, said)
}

/** Where names have numbers it is no place. */
function findPlace({ question: { options }, labels }: AskedCard, said: string): string | undefined {
  const isCounted = labels.some((name) => /\p{N}/u.test(name)) || options.some((id) => /^\d/.test(id))
  return /^\d{1,3}$/.test(said) && !isCounted ? options[Number(said) - 1] : undefined
}

function findLabel(card: AskedCard, text: string): string | undefined {
  const said = toSame(text)
  const named = card.question.options.filter((_, i) => isLabel(card, i, said))
  return named.length === 1 ? named[0] : undefined
}

const isLabel = ({ labels }: AskedCard, i: number, said: string): boolean =>
  said !== '' && toSame(labels[i] ?? '') === said

/** Without its case and the width of its characters. */
const toSame = (text: string): string =>
  text.length > longestChoiceChars ? '' : toNormalForm(text, 'NFKC').trim().toLowerCase()
