// Decides whether a clause asks for work: an optional request frame, then a verb of work at its head, or behind 把/对/用….
// A question about the work ("怎么写", "who wrote") and a noun that looks like its verb ("设计师", "plan B") are none. Pure.
import { formsOf } from './grammar.ts'
import { anyOf } from './pattern-source.ts'
import { createUnframe, innerRequest } from './request-frame.ts'
import type { Clause, NormalText } from './normalise.ts'
import type { RoutingConfig } from './patterns.ts'

type Work = { readonly deep: boolean; readonly rule: string }
/** `inform` wants to be told something: a step among others, never work by itself. */
type Action = Work & { readonly kind: 'task' | 'inform' }
type Head = {
  readonly verb: string
  readonly after: string
  readonly kind: 'deep' | 'work' | 'inform'
  readonly moved: boolean
}

const grammar = formsOf('work')
const connectors = new RegExp(grammar.connectors, 'u')
const headChars = 80
const manySteps = 3
const inform: Action = { kind: 'inform', deep: false, rule: 'query' }
const task = (deep: boolean, rule: string): Action => ({ kind: 'task', deep, rule })

/** Builds the reader of work; undefined when no clause asks for any. */
export function createWorkFinder(config: RoutingConfig): (message: NormalText) => Work | undefined {
  const unframe = createUnframe(config)
  const findHead = createHeadFinder(config)
  const has = (words: readonly string[], tail = ''): RegExp => new RegExp(`${anyOf(words)}${tail}`, 'u')
  const deep = formsOf('deep', 'u', { deepKeywords: anyOf(config.deepKeywords) })
  const built = new RegExp(`^.{0,60}?${anyOf(config.buildObjects)}`, 'u')
  const workObject = has(config.workObjects)
  const informs = has(config.inform)
  const symptom = has(config.symptoms)
  const product = has(config.products)
  const productLast = has(config.products, '(?:吧|呗|吗)?$')
  const startsBuild = new RegExp(`^${anyOf(config.build)}`, 'u')

  const ofInform = ({ verb, after }: Head, asked: boolean, whole: string): Action => {
    if (grammar.lookAt.test(verb) && workObject.test(after) && !grammar.wonders.test(after))
      return task(false, 'task.inspect')
    if (symptom.test(whole) && grammar.lookInto.test(verb) && !grammar.asksWho.test(after))
      return task(true, 'task.symptom')
    return asked && grammar.needsProduct.test(verb) && productLast.test(after) ? task(false, 'task.verb') : inform
  }

  const ofWork = ({ verb, after }: Head, rest: string, strong: boolean): Action | undefined => {
    if (deep.act.test(rest) && !grammar.carrier.test(after)) return task(true, 'task.deep-object')
    if ((startsBuild.test(rest) || config.build.includes(verb)) && built.test(after) && !grammar.smallBuild.test(after))
      return task(true, 'task.build')
    if (!config.produce.includes(verb)) return task(false, 'task.verb')
    const object = deep.noun.exec(after)
    const isDeepObject = object !== null && !/^[a-z]/u.test(verb) && !grammar.carrier.test(object[1] ?? '')
    if (isDeepObject || deep.head.test(after.trim())) return task(true, 'task.deep-object')
    if (grammar.needsProduct.test(verb)) {
      const isProduct = product.test(after) && !/^ ?to (?:know|learn|understand)/u.test(after)
      return verb === 'do' || isProduct || grammar.several.test(after) ? task(false, 'task.verb') : inform
    }
    return /^(?:做|画|编|make)$/u.test(verb) && !strong && after === '' ? undefined : task(false, 'task.verb')
  }

  const actionOf = (text: string, clause: Clause, follows: boolean, whole: string): Action | undefined => {
    const { rest, gives, strong: framed, from } = unframe(text, clause.question)
    const asked = framed || (follows && !clause.question)
    if (gives && (grammar.classifier.test(rest) || framed)) {
      if (deep.noun.test(rest) && !grammar.carrier.test(rest) && !grammar.infoQuestion.test(rest))
        return task(true, 'task.deep-object')
      if (productLast.test(rest)) return task(false, 'task.object')
    }
    const head =
      findHead(rest, clause.question, framed) ??
      (from === undefined ? undefined : findHead(from, clause.question, false))
    if (head === undefined) {
      const isOrder = grammar.orders.test(text) && !grammar.infoQuestion.test(rest) && !informs.test(rest)
      return isOrder && rest.length > 1 ? task(false, 'task.order') : undefined
    }
    const { verb, after, kind, moved } = head
    if ((grammar.statement.test(after) && !(moved && after.startsWith('了'))) || grammar.copula.test(after))
      return undefined
    if (after.trim() === '' && !asked && grammar.nounLike.test(verb)) return undefined
    const isWilled = asked || /^(.)\1$/u.test(verb) || grammar.requestTail.test(text)
    const strong = isWilled || moved || grammar.measure.test(after)
    if (!strong && (clause.question || grammar.vague.test(verb) || grammar.sigh.test(after))) return undefined
    if (clause.question && grammar.infoQuestion.test(text) && !isWilled) {
      if (!grammar.measure.test(after) || /^[到给为出掉入进去好成]/u.test(after)) return undefined
    }
    if (kind === 'inform') return ofInform(head, asked, whole)
    if (symptom.test(whole) && grammar.solve.test(verb)) return task(true, 'task.symptom')
    return kind === 'deep' ? task(true, 'task.deep-keyword') : ofWork(head, rest, strong)
  }

  const read = (clause: Clause, whole: string): readonly Action[] => {
    const found: Action[] = []
    for (const text of clause.text.split(connectors).map((piece) => piece.trim())) {
      const follows = found.length > 0
      if (text === '' || (follows && (grammar.delivery.test(text) || /^[a-z]+$/u.test(text)))) continue
      const inside = innerRequest(text)
      const action =
        actionOf(text, clause, follows, whole) ??
        (inside === undefined ? undefined : actionOf(inside, clause, follows, whole))
      if (action !== undefined) found.push(action)
      else if (!follows && clause.question && grammar.infoQuestion.test(text)) return found
    }
    return found
  }

  return ({ clauses, bare }) => {
    const actions = clauses.flatMap((clause) => read(clause, bare))
    const tasks = actions.filter((action) => action.kind === 'task')
    const found = tasks.find((action) => action.deep) ?? tasks[0]
    if (found?.deep === true) return found
    const isChained = actions.length >= 2 && grammar.chained.test(bare)
    if (actions.length >= manySteps || (found !== undefined && (isChained || grammar.ordered.test(bare))))
      return { deep: true, rule: 'task.steps' }
    return found
  }
}

function createHeadFinder(
  config: RoutingConfig,
): (rest: string, question: boolean, framed: boolean) => Head | undefined {
  const deepVerbs = config.deepKeywords.filter((word) => !config.deepObjects.includes(word))
  const workVerbs = [...config.produce, ...config.act, ...config.build]
  const isDeep = new Set(deepVerbs)
  const isWork = new Set(workVerbs)
  const atHead = new RegExp(`^${anyOf([...deepVerbs, ...workVerbs, ...config.inform])}`, 'u')
  const anyVerb = new RegExp(anyOf([...deepVerbs, ...workVerbs]), 'gu')
  const kindOf = (verb: string): Head['kind'] => (isDeep.has(verb) ? 'deep' : isWork.has(verb) ? 'work' : 'inform')

  return (given, question, framed) => {
    // "would you mind translating": the verb behind its -ing.
    const rest = !framed
      ? given
      : given.replace(
          /^([a-z]{2,})ing(?![a-z])/u,
          (whole, stem: string) =>
            [stem, `${stem}e`, stem.slice(0, -1)].find((verb) => isDeep.has(verb) || isWork.has(verb)) ?? whole,
        )
    const verb = atHead.exec(rest)?.[0]
    if (verb !== undefined) return { verb, after: rest.slice(verb.length), kind: kindOf(verb), moved: false }
    const lead = grammar.preposition.exec(rest)
    if (lead === null || (question && /^[a-z]/u.test(rest))) return undefined
    const moved = /^(?:把|将|对|针对|给)$/u.test(lead[1] ?? '')
    const inside = [...rest.matchAll(anyVerb)]
      .filter((match) => match.index > lead[0].length && match.index < headChars)
      .map((match) => ({ verb: match[0], at: match.index, after: rest.slice(match.index + match[0].length) }))
    const isComplete = ({ after }: { after: string }): boolean =>
      grammar.closes.test(after) || grammar.measure.test(after)
    const found = moved ? (inside.findLast(isComplete) ?? inside.at(-1)) : (inside.find(isComplete) ?? inside[0])
    if (found === undefined || grammar.infoQuestion.test(rest.slice(0, found.at))) return undefined
    if (/^[a-z]/u.test(rest) && !grammar.measure.test(found.after)) return undefined
    return { verb: found.verb, after: found.after, kind: kindOf(found.verb), moved }
  }
}
