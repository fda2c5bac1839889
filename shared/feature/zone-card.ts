// The card that asks a person for their time zone, for whichever feature needs it: it asks under a kind of its own, and stores the answer.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from './effect.ts'
import { findZoneSaid } from './find-zone.ts'
import { namedZones } from './named-zones.ts'

/** Of each continent some, in rows of three. */
const likely: Readonly<Record<Language, readonly (readonly string[])[]>> = {
  zh: [
    ['Asia/Shanghai', 'Asia/Hong_Kong', 'Asia/Taipei'],
    ['Asia/Singapore', 'Asia/Tokyo', 'Australia/Sydney'],
    ['Europe/London', 'America/New_York', 'America/Los_Angeles'],
  ],
  en: [
    ['Europe/London', 'Europe/Berlin', 'Africa/Johannesburg'],
    ['America/New_York', 'America/Los_Angeles', 'America/Sao_Paulo'],
    ['Asia/Kolkata', 'Asia/Tokyo', 'Australia/Sydney'],
  ],
}
/** Ids of choices have no stroke. */
const toId = (zone: string): string => zone.replaceAll('/', '-')

type Asked = {
  /** The feature's own kind of question, whose rule reads the choice by `findChosenZone`. */
  readonly question: string
  readonly payload: string
  /** Whose zone it is: one card is open for each. */
  readonly principal: PrincipalId
  /** What stands before the question; why it is asked when left out. */
  readonly text?: string
  /** It stands in the place of the card that was answered, whose words named no place. */
  readonly inPlace?: true
  /** Nothing waits for the answer: the card takes no other one's place, and ends none. */
  readonly isShown?: true
}

/** Of the cards on which something waits that needs the zone. */
const toTopic = (principal: PrincipalId): string => `zone ${principal}`

/** Once a zone is known: the cards that asked for it end, and their features do what waited. */
export const endZoneCards = (principal: PrincipalId): Extract<StepEffect<never>, { kind: 'cancel' }> => ({
  kind: 'cancel',
  which: { topic: toTopic(principal) },
})

/** Asks by a card. Who has chosen, or wrote /zone, is not asked again: their zone is known everywhere. */
export function askForZone(language: Language, asked: Asked): Extract<StepEffect<never>, { kind: 'ask' }> {
  const why = asked.text ?? (language === 'zh' ? '为此我需要知道你的时区。' : 'For this I need to know your time zone.')
  const how =
    language === 'zh'
      ? '请选择一个；没有列出的，直接写城市，例如“我在成都”，或写 `Asia/Shanghai` 这样的名称。'
      : 'Choose one. For another write where you are, such as “I’m in Lyon”, or a name such as `Europe/Paris`.'
  const rows = likely[language].map((zones) =>
    zones.flatMap((zone) => {
      const named = namedZones.find((one) => one.zone === zone)
      return named ? [{ id: toId(zone), label: named.city[language] }] : []
    }),
  )
  return {
    kind: 'ask',
    question: asked.question,
    text: `${why}${language === 'zh' ? '' : ' '}${how}`,
    options: rows,
    payload: asked.payload,
    topic: asked.isShown ? `${toTopic(asked.principal)} shown` : toTopic(asked.principal),
    words: true,
    ...(asked.inPlace ? { inPlace: true, again: true } : {}),
  }
}

export type ReadZone =
  | { readonly kind: 'zone'; readonly zone: string }
  /** Words that name no place that is known; or, with `isMore`, that say something else. */
  | { readonly kind: 'unknown'; readonly words: string; readonly isMore: boolean }
  /** The person does not want to say it. */
  | { readonly kind: 'declined' }

const declines =
  /^(?:no|nope|no thanks|no thank you|cancel|stop|skip|never ?mind|forget it|not now|later|不|不了|不用|不用了|不要|取消|算了|以后再说|跳过)[.!。！]?$/i

/** What a choice on that card, or what was said to it, means. */
export function readZone({
  choice,
  words = '',
}: {
  readonly choice: string
  readonly words?: string | undefined
}): ReadZone {
  const chosen = namedZones.find(({ zone }) => toId(zone) === choice)?.zone
  if (chosen !== undefined) return { kind: 'zone', zone: chosen }
  if (declines.test(words.trim())) return { kind: 'declined' }
  const said = findZoneSaid(words)
  return said?.kind === 'zone' ? said : { kind: 'unknown', words, isMore: said === undefined }
}

/** That the words name no place that is known. */
export const sayNoZone: Localised = {
  zh: '我不知道那是哪个时区。请写附近更大的城市。',
  en: 'I do not know the time zone of that. Please name a larger city nearby.',
}
