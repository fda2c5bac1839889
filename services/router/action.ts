// Reads what one piece of a clause asks for: an optional request frame, then a verb of work at its head, or behind 把/对/用….
// A question about the work ("怎么写", "who wrote") and a noun that looks like its verb ("设计师", "plan B") are none. Pure.
import { formsOf } from './grammar.ts'
import { anyOf } from './pattern-source.ts'
import { createUnframe } from './request-frame.ts'
import { createVerbFinder } from './verb.ts'
import type { Frame } from './request-frame.ts'
import type { RoutingConfig } from './patterns.ts'
import type { FoundVerb } from './verb.ts'

/** `inform` wants to be told something: a step among others, never work by itself. `rule` names what decided it. */
export type Action = { readonly kind: 'task' | 'inform'; readonly deep: boolean; readonly rule: string }
/** `question`: the clause is one. `follows`: it has asked for something before. `message`: all of it, as `bare`. */
export type Piece = { readonly text: string; readonly message: string } & Flags<'question' | 'follows'>
/** A piece read up to its verb. `willed`: words around the verb make it an order; `firm`: those, or what follows it. */
type Reading = Flags<'asked' | 'willed' | 'firm'> & {
  readonly piece: Piece
  readonly rest: string
  readonly found: FoundVerb
}
type Flags<Names extends string> = Readonly<Record<Names, boolean>>
type Lists = ReturnType<typeof compileLists>

const grammar = formsOf('work')
const inform: Action = { kind: 'inform', deep: false, rule: 'query' }
const task = (rule: string): Action => ({ kind: 'task', deep: false, rule })
const deepTask = (rule: string): Action => ({ kind: 'task', deep: true, rule })

/** Builds the reader; undefined for a piece that asks for nothing. */
export function createActionReader(config: RoutingConfig): (piece: Piece) => Action | undefined {
  const lists = compileLists(config)
  const unframe = createUnframe(config)
  const findVerb = createVerbFinder(config)
  return (piece) => {
    const { text, question } = piece
    const frame = unframe(text, question)
    const { rest, strong, from } = frame
    const thing = readThing(lists, frame)
    if (thing !== undefined) return thing
    const found = findVerb(rest, question, strong) ?? (from === undefined ? undefined : findVerb(from, question, false))
    if (found === undefined) return isOrder(lists, text, rest) ? task('task.order') : undefined
    const asked = strong || (piece.follows && !question)
    const willed = asked || grammar.doubled.test(found.verb) || grammar.requestTail.test(text)
    const firm = willed || found.moved || grammar.measure.test(found.after)
    const reading = { piece, rest, found, asked, willed, firm }
    return isNoVerb(reading) || isOnlyMentioned(reading) ? undefined : readVerb(lists, reading)
  }
}

function compileLists(config: RoutingConfig) {
  const has = (words: readonly string[], before = '', after = ''): RegExp =>
    new RegExp(`${before}${anyOf(words)}${after}`, 'u')
  return {
    deep: formsOf('deep', 'u', { deepKeywords: anyOf(config.deepKeywords) }),
    produce: new Set(config.produce),
    build: new Set(config.build),
    startsBuild: has(config.build, '^'),
    built: has(config.buildObjects, '^.{0,60}?'),
    workObject: has(config.workObjects),
    informs: has(config.inform),
    symptom: has(config.symptoms),
    product: has(config.products),
    productLast: has(config.products, '', '(?:吧|呗|吗)?$'),
  }
}

/** A thing that is asked for without a verb of work: "a report, please", 给我一份方案. */
function readThing(lists: Lists, { rest, gives, strong }: Frame): Action | undefined {
  if (!gives || !(strong || grammar.classifier.test(rest))) return undefined
  const isDeep = lists.deep.noun.test(rest) && !grammar.carrier.test(rest) && !grammar.infoQuestion.test(rest)
  if (isDeep) return deepTask('task.deep-object')
  return lists.productLast.test(rest) ? task('task.object') : undefined
}

/** An order by its form, with a verb that stands in no list. */
function isOrder(lists: Lists, text: string, rest: string): boolean {
  const isTold = grammar.infoQuestion.test(rest) || lists.informs.test(rest)
  return grammar.orders.test(text) && !isTold && rest.length > 1
}

/** The verb is none in truth: it is part of a noun, the subject of a statement, or tells what is done. */
function isNoVerb({ found: { verb, after, moved }, asked }: Reading): boolean {
  if (grammar.statement.test(after) && !(moved && after.startsWith('了'))) return true
  return grammar.copula.test(after) || (after.trim() === '' && !asked && grammar.nounLike.test(verb))
}

/** The verb is only spoken of: in a question, in a sigh, or too short to tell. */
function isOnlyMentioned({ piece, found: { verb, after }, willed, firm }: Reading): boolean {
  if (!firm && (piece.question || grammar.vague.test(verb) || grammar.sigh.test(after))) return true
  const isAsked = piece.question && grammar.infoQuestion.test(piece.text) && !willed
  return isAsked && (!grammar.measure.test(after) || grammar.outcome.test(after))
}

function readVerb(lists: Lists, reading: Reading): Action | undefined {
  const { verb, kind } = reading.found
  if (kind === 'inform') return readInform(lists, reading)
  if (lists.symptom.test(reading.piece.message) && grammar.solve.test(verb)) return deepTask('task.symptom')
  return kind === 'deep' ? deepTask('task.deep-keyword') : readWork(lists, reading)
}

/** A verb of telling or looking: work when it looks at a machine, into a trouble, or for a product. */
function readInform(lists: Lists, { piece, found: { verb, after }, asked }: Reading): Action {
  if (grammar.lookAt.test(verb) && lists.workObject.test(after) && !grammar.wonders.test(after))
    return task('task.inspect')
  if (lists.symptom.test(piece.message) && grammar.lookInto.test(verb) && !grammar.asksWho.test(after))
    return deepTask('task.symptom')
  return asked && grammar.needsProduct.test(verb) && lists.productLast.test(after) ? task('task.verb') : inform
}

/** A verb of work: how deep it is lies in its object. */
function readWork(lists: Lists, { found: { verb, after }, rest, firm }: Reading): Action | undefined {
  if (lists.deep.act.test(rest) && !grammar.carrier.test(after)) return deepTask('task.deep-object')
  const builds = lists.startsBuild.test(rest) || lists.build.has(verb)
  if (builds && lists.built.test(after) && !grammar.smallBuild.test(after)) return deepTask('task.build')
  if (!lists.produce.has(verb)) return task('task.verb')
  if (hasDeepObject(lists, verb, after)) return deepTask('task.deep-object')
  if (grammar.needsProduct.test(verb)) return wantsProduct(lists, verb, after) ? task('task.verb') : inform
  return grammar.making.test(verb) && !firm && after === '' ? undefined : task('task.verb')
}

function hasDeepObject(lists: Lists, verb: string, after: string): boolean {
  const object = /^[a-z]/u.test(verb) ? null : lists.deep.noun.exec(after)
  return (object !== null && !grammar.carrier.test(object[1] ?? '')) || lists.deep.head.test(after.trim())
}

function wantsProduct(lists: Lists, verb: string, after: string): boolean {
  const isProduct = lists.product.test(after) && !grammar.toKnow.test(after)
  return verb === 'do' || isProduct || grammar.several.test(after)
}
