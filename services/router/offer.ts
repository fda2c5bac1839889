// Finds what the bot's previous message, or an open question card, offers or asks: "要我帮你重构整个模块吗？" offers the
// refactoring. A general closing line ("let me know if you need anything else") offers nothing. Pure.
import { formsOf } from './grammar.ts'

const grammar = formsOf('offer')
const lastSentences = 4

/** The offered action as a request in lower case; undefined when nothing is offered or asked. */
export function findOffer(lowered: string, isCard: boolean): string | undefined {
  const sentences = (lowered.match(/[^。！!?？\n]{1,400}?(?:[。！!?？\n]|\.(?=\s|$)|$)/gu) ?? [])
    .slice(-lastSentences)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  const open = sentences
    .slice(-3)
    .toReversed()
    .filter((sentence) => !grammar.closing.test(sentence))
  const last =
    open.find((sentence, at) => /[?？]$/u.test(sentence) && (at < 1 || offers(sentence))) ??
    open.find((sentence, at) => at < 2 && offers(sentence) && grammar.conditional.test(sentence))
  if (last === undefined) return isCard ? lowered : undefined
  const bare = strip(last)
  const before = sentences[sentences.indexOf(last) - 1]
  if (grammar.generic.test(bare) && before !== undefined && grammar.planned.test(before))
    return `${before.replace(grammar.planned, '')}。${bare}`
  if (bare.length > 3) return bare
  if (before !== undefined && offers(before)) return strip(before)
  return isCard || bare !== '' ? `${strip(before ?? '')}。${bare}` : last
}

function offers(sentence: string): boolean {
  return grammar.zhOffer.test(sentence) || grammar.enOffer.test(sentence)
}

function strip(sentence: string): string {
  const text = sentence
    .replace(/(?<![。.!！?？\s])[。.!！?？\s]+$/u, '')
    .replace(grammar.tail, '')
    .replace(grammar.frame, '')
  return text
    .replace(grammar.assent, (found) => (found.length === text.length ? found : ''))
    .replace(/^[\s,，]+|[\s,，]+$/gu, '')
}
