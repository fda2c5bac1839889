// What the executor itself says to people, in both languages; the words are in texts.json. Plain, short, saying what to do next.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { TurnFailure } from '#shared/model/model-port.ts'
import type { TurnEnding } from '#shared/run/journal.ts'
import words from './texts.json' with { type: 'json' }

export const texts: Readonly<Record<keyof typeof words.said, Localised>> = words.said
const endings: Readonly<Record<keyof typeof words.endings, Localised>> = words.endings
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

/** Courtesies that want an answer in words, also in a group; the first that fits. */
const asking: readonly (readonly [RegExp, Localised])[] = [
  [
    /\bhow(?:'?s| are| is| have| do| ya| you|'?ve)\b|\bwh?at'?s (?:up|new|good|happening)|\bwassup|^\W*sup\b|\b(?:are |r )?(?:you|u) (?:ok|okay|good|well|alright|doing)\b|[你您]好(?:吗|不好)|怎么样|咋样|[还都得近天]好吗|近来|最近(?:如何|忙)|没事[吧吗]|新鲜事|吃了[吗没]/iu,
    texts.well,
  ],
  [/\byou there\b|\bany(?:one|body) (?:there|here|home)|\bstill there\b|在[吗么不]|有人(?:在)?吗/iu, texts.here],
  [/\b(?:love|luv) (?:you|u|ya)\b|\bily\b|爱(?:死|上)?[你您]|么么|520|崇拜|❤/iu, texts.loved],
]

const replies: readonly (readonly [RegExp, Localised])[] = [
  [/谢|thank|thx|感恩|感激/iu, texts.thanks],
  [/再见|拜拜|^拜|晚安|bye|good ?night|see you/iu, texts.bye],
  [/祝|(?:新年|生日|节日?|圣诞|周末|假期)快乐|happy (?!to)|merry |have an? |congrat|good luck/iu, texts.sameToYou],
  [/抱歉|不好意思|对不[起住]|sorry|my bad|apolog/iu, texts.noHarm],
  [
    /你好|您好|嗨|哈[喽啰]|早|(?:上午|中午|下午|晚上)好|hello|\bhiy?a?\b|hey|good (?:morning|evening|afternoon)/iu,
    texts.hello,
  ],
]

const replyOf = (text: string, among: typeof replies): Localised | undefined =>
  among.find(([said]) => said.test(text))?.[1]

/** Whether a courtesy wants words: a thumb is no answer to "how are you?". */
export const wantsWords = (text: string): boolean => replyOf(text, asking) !== undefined

/** A short reply to a courtesy, chosen by its words. */
export const courtesy = (text: string, language: Language): string =>
  (replyOf(text, [...asking, ...replies]) ?? texts.ack)[language]
