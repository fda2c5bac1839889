// Finds what the bot's previous message, or an open question card, offers or asks: "要我帮你重构整个模块吗？" offers the
import { formsOf } from './grammar.ts'

const grammar = formsOf('offer')

/** The offered action as a request in lower case; undefined when nothing is offered or asked. */
export function findOffer(lowered: string, isCard: boolean): string | undefined {
  const sentences = (lowered.match(/[^。！!?？\n]{1,400}?(?:[。！!?？\n]|\.(?=\s|$)|$)/gu) ?? [])
    .slice(-4)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  const recent = sentences.slice(-3).toReversed()
  const open = recent.filter((sentence) => !grammar.closing.test(sentence))
  const last =
    open.find((sentence, at) => /[?？]$/u.test(sentence) && (at < 1 || offers(sentence))) ??
    open.find(
      (sentence, at) =>
        at < 2 &&
        offers(sentence) &&
        /我(?:可以|能)|要的话|需要的话|如果|i can|i could|let me know|if you|吗|happy to|i'll/u.test(sentence) &&
        (/[吗]/u.test(sentence) ||
          /如果|要的话|需要的话|if you|let me know|can also|could also|可以帮|可以(?:继续|再|把|给|为)|能帮/u.test(
            sentence,
          )),
    )
  if (last === undefined) return isCard ? lowered : undefined
  const bare = strip(last)
  const before = sentences[sentences.indexOf(last) - 1]
  if (grammar.generic.test(bare) && before !== undefined && grammar.planned.test(before))
    return `${before.replace(grammar.planned, '')}。${bare}`
  if (bare.length > 3) return bare
  return before !== undefined && offers(before)
    ? strip(before)
    : isCard || bare !== ''
      ? `${strip(before ?? '')}。${bare}`
      : last
}

function offers(sentence: string): boolean {
  return grammar.zhOffer.test(sentence) || grammar.enOffer.test(sentence)
}

function strip(sentence: string): string {
  let text = sentence.replace(/[。.!！?？\s]+$/u, '').replace(grammar.tail, '')
  const found = grammar.frame.exec(text)
  if (found !== null) text = text.slice(found[0].length)
  return text
    .replace(grammar.assent, (found) => (found.length === text.length ? found : ''))
    .replace(/^[\s,，]+|[\s,，]+$/gu, '')
}
