// Whether a reaction answers a question that is asked: a thumb of who may answer, on the open card that asks for yes or no. All other reactions are feedback. Pure.
import type { ReactionEvent } from '#shared/chat/event.ts'
import type { AskedCard } from '#shared/run/question.ts'
import type { Rights } from './decide.ts'
import type { FoundAnswer } from './find-answer.ts'

type Reacted = { readonly event: ReactionEvent; readonly seq: number; readonly access: Rights }

/** What says of which skin a thumb is, and how it is drawn. */
const looks = /\p{Emoji_Modifier}|\uFE0F/gu
const thumbs: ReadonlyMap<string, string> = new Map([
  ['👍', 'yes'],
  ['👎', 'no'],
])

export const mayReact = ({ emoji }: ReactionEvent): boolean => toChoice(emoji) !== undefined

export function findReacted({ event, seq, access }: Reacted, cards: readonly AskedCard[]): FoundAnswer | undefined {
  const { emoji, messageId, principal } = event
  const choice = toChoice(emoji)
  if (choice === undefined || !(access.owner || access.person || access.chat)) return undefined
  const card = cards.find((one) => one.card === messageId && one.afterSeq < seq)
  if (card?.question.loose !== 'yes-no' || card.question.stales || card.question.owner !== principal) return undefined
  return card.question.options.includes(choice) ? { card, choice, rule: 'answer.reaction' } : undefined
}

/** Undefined for another one, and for several at once. */
function toChoice(emoji: readonly string[]): string | undefined {
  const [one, another] = emoji
  return one === undefined || another !== undefined ? undefined : thumbs.get(one.replaceAll(looks, ''))
}
