// Finds the verb of a request: at its head, or, when it opens with a preposition, a time or a condition, further on. Pure.
import { formsOf } from './grammar.ts'
import { anyOf } from './pattern-source.ts'
import type { RoutingConfig } from './patterns.ts'

/** `after`: what follows the verb. `moved`: its object stands before it, behind 把 or the like. */
export type FoundVerb = { readonly verb: string; readonly after: string; readonly kind: Kind; readonly moved: boolean }
type Kind = 'deep' | 'work' | 'inform'
type FindVerb = (text: string, question: boolean, framed: boolean) => FoundVerb | undefined
type Verbs = ReturnType<typeof compileVerbs>

const grammar = formsOf('work')
/** No verb is looked for further on in a request. */
const headChars = 80

/** Builds the finder. `framed`: what stands before the text makes it a request. */
export function createVerbFinder(config: RoutingConfig): FindVerb {
  const verbs = compileVerbs(config)
  return (text, question, framed) => {
    const rest = framed ? withoutIng(verbs, text) : text
    const verb = verbs.atHead.exec(rest)?.[0]
    if (verb === undefined) return findBehind(verbs, rest, question)
    return { verb, after: rest.slice(verb.length), kind: kindOf(verbs, verb), moved: false }
  }
}

function compileVerbs(config: RoutingConfig) {
  const deep = config.deepKeywords.filter((word) => !config.deepObjects.includes(word))
  const work = [...config.produce, ...config.act, ...config.build]
  return {
    deep: new Set(deep),
    work: new Set(work),
    atHead: new RegExp(`^${anyOf([...deep, ...work, ...config.inform])}`, 'u'),
    anywhere: new RegExp(anyOf([...deep, ...work]), 'gu'),
  }
}

function kindOf({ deep, work }: Verbs, verb: string): Kind {
  return deep.has(verb) ? 'deep' : work.has(verb) ? 'work' : 'inform'
}

/** "Would you mind translating": the verb behind its -ing. */
function withoutIng(verbs: Verbs, text: string): string {
  return text.replace(/^([a-z]{2,})ing(?![a-z])/u, (whole, stem: string) => {
    const forms = [stem, `${stem}e`, stem.slice(0, -1)]
    return forms.find((verb) => kindOf(verbs, verb) !== 'inform') ?? whole
  })
}

/** The verb behind a preposition and its object, rather one that has an object or an end behind it. */
function findBehind(verbs: Verbs, text: string, question: boolean): FoundVerb | undefined {
  const lead = grammar.preposition.exec(text)
  const isLatin = /^[a-z]/u.test(text)
  if (lead === null || (question && isLatin)) return undefined
  const moved = grammar.movesObject.test(lead[1] ?? '')
  const behind = [...text.matchAll(verbs.anywhere)]
    .filter(({ index }) => index > lead[0].length && index < headChars)
    .map(({ index, 0: verb }) => ({ verb, at: index, after: text.slice(index + verb.length) }))
  const isComplete = ({ after }: { after: string }): boolean =>
    grammar.closes.test(after) || grammar.measure.test(after)
  const found = moved ? (behind.findLast(isComplete) ?? behind.at(-1)) : (behind.find(isComplete) ?? behind[0])
  if (found === undefined || grammar.infoQuestion.test(text.slice(0, found.at))) return undefined
  if (isLatin && !grammar.measure.test(found.after)) return undefined
  return { verb: found.verb, after: found.after, kind: kindOf(verbs, found.verb), moved }
}
