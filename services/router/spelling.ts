// Reads chat spelling as it was meant: configured slang ("gimme"), and an English verb of work with one slip of the
// fingers ("tranlsate") when it is no word of the router's own. Pure; the cost of a word does not depend on the lists.
import type { RoutingConfig } from './patterns.ts'

const minSlipChars = 6

/** Builds the reader; its input and output are lower case, and punctuation stays where it is. */
export function createSpelling(config: RoutingConfig): (text: string) => string {
  const slang = new Map(Object.entries(config.slang))
  const han = [...slang].filter(([word]) => /[\u3400-\u9fff]/u.test(word))
  const known = new Set(Object.values(config).flatMap((list) => (Array.isArray(list) ? list : [])))
  const verbs = [config.deepKeywords, config.produce, config.act, config.inform].flat()
  const slips = new Map(
    verbs
      .filter((verb) => /^[a-z]+$/u.test(verb) && verb.length >= minSlipChars)
      .flatMap((verb) => shortened(verb).map((form) => [form, verb] as const)),
  )
  const meant = (word: string): string => {
    if (word.length < minSlipChars || known.has(word)) return slang.get(word) ?? word
    const near = shortened(word).map((form) => slips.get(form))
    return slang.get(word) ?? near.find((verb) => verb !== undefined && isSlip(word, verb)) ?? word
  }
  return (text) =>
    han
      .reduce((so, [word, plain]) => so.replaceAll(word, plain), text)
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
  if (word.length > verb.length) return word.replace(/(.)\1/u, '$1') === verb
  if (word.length < verb.length) return word.at(-1) === verb.at(-1)
  return Array.from(word).toSorted().join() === Array.from(verb).toSorted().join()
}
