// Tells a clause about the bot itself, its memory, its settings or its current work. By structure: "you" or "your" with a
// noun of the bot's own state, or "why" with what it did; for the rest by configured patterns. General knowledge is none.
import { formsOf } from './grammar.ts'
import { anyOf, compilePatterns } from './pattern-source.ts'
import type { NormalText } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'

const grammar = formsOf('meta')
// Time and emphasis behind "you", and what makes "you" a mere address: a request, a guess, an opinion.
const emphasis = new RegExp(grammar.bare, 'gu')
const address = new RegExp(grammar.address, 'gu')

/** Builds the test for one message. */
export function createMetaFinder(config: RoutingConfig): (message: NormalText) => boolean {
  const fits = compilePatterns(config.meta)
  const structures = Object.values(formsOf('self', 'u', { noun: anyOf(config.selfNouns) }))
  return ({ clauses }) =>
    clauses.some(({ text, question }) => {
      const plain = text.replace(emphasis, '你')
      if (fits(plain) || (plain !== text && fits(text))) return true
      if (question && grammar.enAsked.test(plain)) return true
      if (question && grammar.zhAsked.test(plain) && !grammar.supposed.test(plain)) return true
      const own = plain.replace(address, '')
      return (
        (grammar.secondPerson.test(own) && grammar.why.test(own)) || structures.some((structure) => structure.test(own))
      )
    })
}
