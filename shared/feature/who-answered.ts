// Who answered a card, as the card says it once it has ended. Pure.
import type { Language, Localised } from '#shared/chat/message.ts'
import { toSafeName } from '#shared/chat/people.ts'
import type { AnswerContext } from './feature.ts'
import { toInertLine } from './inert.ts'

const mostChars = 64
export const you: Localised = { zh: '你', en: 'you' }

/** In a group by name; alone it is "you", also where a group had it asked. */
export function toWho({ event, state, language }: Pick<AnswerContext, 'event' | 'state' | 'language'>): string {
  if (event.from !== undefined) return you[language]
  const known = state.nameOf(event.principal)
  if (known !== undefined) return toInertLine(known, mostChars)
  if (event.principal === event.asker) return you[language]
  return toInertLine(event.name === undefined ? event.principal : toSafeName(event.name), mostChars)
}

/** The line below it, of a choice. */
export const toChosen = (who: string, what: string, language: Language): string =>
  language === 'zh' ? `✓ ${who}选择了：${what}` : `✓ Chosen by ${who}: ${what}`
