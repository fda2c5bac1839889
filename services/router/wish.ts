// Finds an explicit wish for brevity or detail, and what negation makes of it: "不要太详细" wishes brevity, "别太简单"
// detail, both at once nothing. The same words as plain adjectives ("快速排序", "a full-time job") are no wish. Pure.
import { formsOf, wishWords } from './grammar.ts'
import { anyOf } from './pattern-source.ts'
import type { NormalText } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'

type Wish = 'brief' | 'detailed'
type Sighting = { readonly wish: Wish; readonly at: number; readonly negated: boolean }
/** `any` is true of every text that one of `framed` or `noun` could fit: a quick look first. */
type Forms = Record<'phrase' | 'noun' | 'any', RegExp> & { readonly wish: Wish; readonly framed: readonly RegExp[] }

const grammar = formsOf('wish')
const beforeChars = 40

/** Builds the finder; the last wish of a message holds, and opposite negated ones cancel each other. */
export function createWishFinder(config: RoutingConfig): (message: NormalText) => Wish | undefined {
  const forms = [
    build('brief', config.brief, config.briefPhrases),
    build('detailed', config.detailed, config.detailedPhrases),
  ]
  return ({ bare, clauses }) => {
    const sightings = forms.flatMap((form) => sight(bare, form.phrase, form.wish))
    const limit = grammar.lengthLimit.exec(bare)
    if (limit !== null) sightings.push({ wish: 'brief', at: limit.index, negated: false })
    let offset = 0
    for (const { text } of clauses) {
      offset = Math.max(offset, bare.indexOf(text, offset))
      const complaint = grammar.excess.exec(text)?.[0]
      const found = complaint === undefined ? forms.flatMap((form) => inClause(text, form)) : [answerTo(complaint)]
      for (const one of found) sightings.push({ ...one, at: one.at + offset })
    }
    const isBoth = new Set(sightings.map((found) => found.wish)).size === 2
    if (isBoth && sightings.every((found) => found.negated)) return undefined
    return sightings.toSorted((a, b) => a.at - b.at).at(-1)?.wish
  }
}

/** Who complains wants the contrary of what was. */
function answerTo(complaint: string): Sighting {
  return { wish: grammar.tooLittle.test(complaint) ? 'detailed' : 'brief', at: 0, negated: false }
}

function build(wish: Wish, words: readonly string[], phrases: readonly string[]): Forms {
  const { phrase, noun, any, ...framed } = formsOf('wishForms', 'gu', {
    ...wishWords[wish],
    phrases: anyOf(phrases),
    han: anyOf(words.filter((word) => /[\u3400-\u9fff]/u.test(word))),
    latin: anyOf(words.filter((word) => /^[a-z]/u.test(word))),
  })
  return { wish, phrase, noun, any, framed: Object.values(framed) }
}

function inClause(clause: string, form: Forms): readonly Sighting[] {
  if (clause.search(form.any) < 0) return []
  const isQuestion = grammar.plainQuestion.test(clause)
  const found = form.framed
    .flatMap((pattern) => sight(clause, pattern, form.wish))
    .filter((hit) => !grammar.othersSpeak.test(clause.slice(0, hit.at)) && (!isQuestion || hit.negated))
  return asksForThing(clause, isQuestion) ? [...found, ...sight(clause, form.noun, form.wish)] : found
}

function asksForThing(clause: string, isQuestion: boolean): boolean {
  if (/[\u3400-\u9fff]/u.test(clause))
    return grammar.wanted.test(clause) && !grammar.about.test(clause.replace(/(?:可以|行|好|能.{0,100})吗$/u, ''))
  if (isQuestion) return false
  return (
    grammar.asks.test(clause) ||
    (/^(?:a |the )?[a-z-]+ /u.test(clause) && !/(?<![a-z])(?:is|are|was|were|will|has)(?![a-z])/u.test(clause))
  )
}

function sight(text: string, pattern: RegExp, wish: Wish): Sighting[] {
  // `matchAll` copies its expression; most texts have nothing to see.
  if (text.search(pattern) < 0) return []
  return [...text.matchAll(pattern)].flatMap((match) => {
    const before = text
      .slice(Math.max(0, match.index - beforeChars), match.index)
      .replace(/^.*[，。,.;；!！?？:：\n]/u, '')
    if (grammar.reported.test(before)) return []
    const negated = grammar.negation.test(before) && !grammar.rhetorical.test(before)
    return [{ wish: negated === (wish === 'brief') ? 'detailed' : 'brief', at: match.index, negated }]
  })
}
