// The card that asks a person for their time zone, for whichever feature needs it: it asks under a kind of its own, and stores the answer.
import type { PrincipalId } from '#shared/chat/conversation.ts'
import type { Language, Localised } from '#shared/chat/message.ts'
import type { StepEffect } from './effect.ts'

/** Zones as people name them, by a city. */
type Named = { readonly zone: string; readonly city: Localised }
const toNamed = (zone: string, zh: string, en: string): Named => ({ zone, city: { zh, en } })

export const namedZones: readonly Named[] = [
  toNamed('Asia/Shanghai', '北京', 'Beijing'),
  toNamed('Asia/Hong_Kong', '香港', 'Hong Kong'),
  toNamed('Asia/Taipei', '台北', 'Taipei'),
  toNamed('Asia/Singapore', '新加坡', 'Singapore'),
  toNamed('Asia/Tokyo', '东京', 'Tokyo'),
  toNamed('Asia/Seoul', '首尔', 'Seoul'),
  toNamed('Asia/Kolkata', '新德里', 'Delhi'),
  toNamed('Asia/Dubai', '迪拜', 'Dubai'),
  toNamed('Australia/Sydney', '悉尼', 'Sydney'),
  toNamed('Africa/Johannesburg', '约翰内斯堡', 'Johannesburg'),
  toNamed('Africa/Lagos', '拉各斯', 'Lagos'),
  toNamed('Europe/London', '伦敦', 'London'),
  toNamed('Europe/Berlin', '柏林', 'Berlin'),
  toNamed('America/New_York', '纽约', 'New York'),
  toNamed('America/Chicago', '芝加哥', 'Chicago'),
  toNamed('America/Los_Angeles', '洛杉矶', 'Los Angeles'),
  toNamed('America/Sao_Paulo', '圣保罗', 'São Paulo'),
]

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
  /** Nothing goes on when a zone is chosen: nobody needs to ask for it again. */
  readonly isAll?: true
}

/** Asks by a card. Who has chosen, or wrote /zone, is not asked again: their zone is known everywhere. */
export function askForZone(language: Language, asked: Asked): Extract<StepEffect<never>, { kind: 'ask' }> {
  const why = asked.text ?? (language === 'zh' ? '为此我需要知道你的时区。' : 'For this I need to know your time zone.')
  const how =
    language === 'zh'
      ? `请选择一个；没有列出的，写 \`/zone Asia/Shanghai\` 这样的名称${asked.isAll ? '' : '，然后再说一遍'}。`
      : `Choose one; for another write its name, such as \`/zone Europe/Berlin\`${asked.isAll ? '' : ', and then ask again'}.`
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
    topic: `zone ${asked.principal}`,
  }
}

/** The zone of a choice on that card. */
export const findChosenZone = (choice: string): string | undefined =>
  namedZones.find(({ zone }) => toId(zone) === choice)?.zone
