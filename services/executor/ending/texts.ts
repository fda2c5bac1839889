// What the executor itself says to people, in both languages; the words are in texts.json. Plain, short, saying what to do next.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { TurnFailure } from '#shared/model/model-port.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import words from './texts.json' with { type: 'json' }

export const texts: Readonly<Record<keyof typeof words.said, Localised>> = words.said
export const endings: Readonly<Record<keyof typeof words.endings, Localised>> = words.endings
const refusals: Readonly<Record<string, Localised>> = words.refusals

/** How a turn ended; a refusal by the model endpoint says what would help. */
export function endingText(
  ending: TurnEnding | 'set-aside' | 'unasked' | 'awaiting' | 'midway' | 'failing-calls',
  language: Language,
  failure?: TurnFailure,
): string {
  const named: Readonly<Record<string, Localised>> = { ...endings, 'set-aside': texts.setAside }
  return ((failure && refusals[failure]) ?? named[ending])?.[language] ?? ending
}

/** A short reply to a courtesy, chosen by its words. */
export function courtesy(text: string, language: Language): string {
  if (/谢|thank|thx|感恩/i.test(text)) return texts.thanks[language]
  if (/再见|拜|晚安|bye|good ?night|see you/i.test(text)) return texts.bye[language]
  if (/你好|您好|嗨|早|hello|\bhi\b|hey|good (morning|evening|afternoon)/i.test(text)) return texts.hello[language]
  return texts.ack[language]
}
