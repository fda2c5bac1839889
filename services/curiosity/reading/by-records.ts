// What records say of a question: one that is confirmed closes it; one that nobody confirmed, or that ends soon, is what it may be about.
import { bot, type Dialogue, type KnownRecord } from '#services/curiosity/gaps/dialogue.ts'
import { endsSoon } from '#services/curiosity/gaps/records.ts'
import { sharedWords, wordsOf } from '#services/curiosity/gaps/words.ts'
import { toSentences } from './sentence.ts'
import { showsUnknown } from './signs.ts'

type Used = { readonly memory: readonly KnownRecord[]; readonly at: string }

/** Whether any sentence of the bot's, from this turn on, may rest on something unknown. */
export function hasUnknown({ turns, memory }: Pick<Dialogue, 'turns' | 'memory'>, from: number): boolean {
  return turns
    .slice(from)
    .some(
      ({ who, text, at }) => who === bot && toSentences(text).some(({ said }) => restsOnUnknown(said, { memory, at })),
    )
}

/** By its words, or since it has words of a record that is unconfirmed or about to end. */
export function restsOnUnknown(sentence: string, { memory, at }: Used): boolean {
  if (showsUnknown(sentence)) return true
  const words = wordsOf(sentence)
  return memory.some(
    ({ content, status }) =>
      (status === 'unconfirmed' || endsSoon(content, at)) && sharedWords(wordsOf(content), words).length > 0,
  )
}

const contrast =
  /\b(?:but|although|though|even|despite|against|unlike|contrary|exception|than|still|not what|isn['’]t what)\b|虽然|尽管|不过|但|却|破(?:个)?例|例外|比你|向来|一向|超(?:过|出)/iu

type Closing = Used & { readonly people: readonly string[] }

/** A confirmed record has half of its words, or most of the record stands in it, and the sentence does not go against it. */
export function isClosedByRecord(question: string, sentence: string, { memory, at, people }: Closing): boolean {
  const words = wordsOf(question, people)
  const said = wordsOf(sentence, people)
  return memory.some(({ content, status }) => {
    if (status !== 'confirmed' || endsSoon(content, at)) return false
    const own = wordsOf(content, people)
    const common = sharedWords(words, own)
    const isAgainst = contrast.test(sentence) && sharedWords(own, said).length > 0
    if (isAgainst || common.length === 0) return false
    const [asked, recorded] = [common.length / words.size, common.length / own.size]
    return (common.length >= 2 && asked >= 0.5) || recorded >= 0.6 || (words.size <= 2 && asked >= 0.5)
  })
}
