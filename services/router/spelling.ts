// Reads chat spelling as it was meant: configured slang ("gimme"), and an English verb of work with one slip of the
// fingers ("tranlsate") when it is no word of the router's own. Pure; the cost of a word does not depend on the lists.
import type { RoutingConfig } from './patterns.ts'

const minSlipChars = 6

/** Builds the reader; its input and output are lower case, and punctuation stays where it is. */
export function createSpelling(config: RoutingConfig): (text: string) => string {
  const slang = new Map(Object.entries(config.slang))
  const han = [...slang.keys()].filter((word) => /[\u3400-\u9fff]/u.test(word))
  const verbs = [config.deepKeywords, config.produce, config.act, config.inform].flat()
  const known = new Set([...verbs, ...Object.values(config).flatMap((list) => (Array.isArray(list) ? list : []))])
  const slips = new Map<string, string>()
  for (const verb of verbs.filter((word) => /^[a-z]+$/u.test(word) && word.length >= minSlipChars))
    for (const form of shortened(verb)) slips.set(form, verb)

  const meant = (word: string): string => {
    const plain = slang.get(word)
    if (plain !== undefined) return plain
    if (word.length < minSlipChars || known.has(word)) return word
    for (const form of shortened(word)) {
      const verb = slips.get(form)
      if (verb !== undefined && isSlip(word, verb)) return verb
    }
    return word
  }
  return (text) =>
    han
      .reduce((so, word) => so.replaceAll(word, slang.get(word) ?? word), text)
      .replace(/(?<![\p{L}\p{N}_'@/.-])[a-z0-9]{1,20}(?![\p{L}\p{N}_'@/-]|\.[a-z])/gu, meant)
}

// The word itself and the word with any one letter left out: two words one slip apart share such a form.
function shortened(word: string): readonly string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]
}

// A neighbour swapped, a letter left out between the ends, or one doubled. Any other change makes a word of its own
// ("contract" is no "contact", "updates" no "update").
function isSlip(word: string, verb: string): boolean {
  if (word[0] !== verb[0]) return false
  const isDoubled = word.length > verb.length && word.replace(/(.)\1/u, '$1') === verb
  const isSwapped =
    word.length === verb.length && Array.from(word).toSorted().join() === Array.from(verb).toSorted().join()
  return isDoubled || isSwapped || (word.length < verb.length && word.at(-1) === verb.at(-1))
}
