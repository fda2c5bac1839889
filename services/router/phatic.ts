// Reads a message as a run of courtesies: words of thanks, agreement, greeting, laughter, known addresses, emoji, in any order.
// Says what kinds it found, or that the message holds something else. Pure and linear.
import { formsOf } from './grammar.ts'
import { fold } from './normalise.ts'
import { anyOf } from './pattern-source.ts'
import type { NormalText } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'

type PhaticKind = 'social' | 'acknowledge' | 'proceed' | 'refusal'
/** `whole`: nothing but courtesies. `asks`: with a question mark that no greeting explains. */
export type PhaticReading = {
  readonly whole: boolean
  readonly asks: boolean
  readonly kinds: ReadonlySet<PhaticKind>
}

const forms = formsOf('courtesy', 'uy')
const grammar = formsOf('phatic')
/** Builds the reader once from the configured lists. */
export function createPhaticReader(config: RoutingConfig): (message: NormalText) => PhaticReading {
  const lists = new Map<string, PhaticKind | 'filler'>()
  for (const kind of ['filler', 'social', 'acknowledge', 'proceed', 'refusal'] as const)
    for (const word of config[kind].map((entry) => fold(entry).toLowerCase())) {
      lists.set(word, kind)
      if (word.endsWith('了')) for (const end of '啦咯喽噜') lists.set(word.slice(0, -1) + end, kind)
    }
  const lexicon = new RegExp(anyOf([...lists.keys()]), 'uy')

  return ({ text, clauses }) => {
    const kinds = new Set<PhaticKind>()
    let at = 0
    let nameable = false
    let thanked = false
    let filled = false
    const take = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at
      const match = pattern.exec(text)?.[0]
      if (match !== undefined) at += match.length
      return match
    }
    while (at < text.length) {
      if (take(forms.mention) !== undefined || (thanked && take(forms.thanksFor) !== undefined)) continue
      if ((kinds.size > 0 || grammar.courteous.test(text)) && take(forms.beside) !== undefined) continue
      const saying = take(forms.saying) ?? take(forms.hanSaying)
      const word = saying ?? take(lexicon)
      const kind = saying === undefined && word !== undefined ? lists.get(word) : 'social'
      const pause = word === undefined && (take(forms.sign) ?? take(forms.laugh)) === undefined ? take(forms.gap) : ''
      if (word !== undefined) {
        if (kind === 'filler') filled = true
        else kinds.add(kind ?? 'social')
        thanked = grammar.thanks.test(word) || (thanked && kind === 'filler' && word !== '的')
        nameable = !grammar.leadsOn.test(word)
      } else if (pause === '') kinds.add('social')
      else if (pause !== undefined) {
        if (kinds.size > 0 && /[,，。.!~…;\n]/u.test(pause)) thanked = false
        // A sentence that ends takes its name along: "Great. Trivia please" names nobody.
        if (/[。.!…;]/u.test(pause)) nameable = false
      } else if (nameable && take(forms.hanName) !== undefined) nameable = false
      else return { whole: false, asks: false, kinds }
    }
    // What is grave, corrects or asks for more is no courtesy, whatever it is made of.
    const isMore = clauses.some((clause) => grammar.wantsMore.test(clause.text))
    if (isMore || grammar.grave.test(text) || grammar.corrects.test(text)) return { whole: false, asks: false, kinds }
    const asks = grammar.questioning.test(text) && !grammar.greetQuestion.test(text)
    return { whole: kinds.size > 0 || (text !== '' && !filled && !asks), asks, kinds }
  }
}
