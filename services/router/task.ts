// Decides whether a clause asks for work: an optional request frame, then a verb of work at its head, or behind 把/对/用….
// A question about the work ("怎么写", "who wrote") and a noun that looks like its verb ("设计师", "plan B") are none. Pure.
import { anyOf } from './pattern-source.ts'
import { createUnframe, innerRequest } from './request-frame.ts'
import type { RoutingConfig } from './patterns.ts'
import type { Clause, NormalText } from './normalise.ts'
import { formsOf } from './grammar.ts'

const grammar = formsOf('work')

type Work = { readonly deep: boolean; readonly rule: string }
type Action = { readonly kind: 'task' | 'inform'; readonly deep: boolean; readonly rule: string }

const enHead =
  '(?: (?:doc|document|report|diagram|plan|proposal|strategy|concept|spec|brief|roadmap|system|schedule|chart|mockup|paper|session))?(?= (?:for|to|of|on|that|which|with|based|using|and|in|about|before|from|by|covering|including|so|as|please|by|this|between|around|regarding)(?![a-z])|$)'
const connectors =
  /(?:然后|接着|最后|随后|之后|以后|并且|顺便|同时|(?<!谁|高|合)并(?!发|行|列|没|不|非|购)|(?<!一|不|别|要|勿)再(?!见|次|生|也|说|三)|(?<![a-z])and then(?![a-z])|(?<![a-z])and also(?![a-z])|(?<![a-z])after that(?![a-z])|(?<![a-z])(?:and|then|finally)(?![a-z])|&)/gu

/** Builds the reader of work; undefined when no clause asks for any. */
export function createWorkFinder(config: RoutingConfig): (message: NormalText) => Work | undefined {
  const unframe = createUnframe(config)
  const deepVerbs = config.deepKeywords.filter((word) => !config.deepObjects.includes(word))
  const verbs = {
    deep: at(deepVerbs),
    produce: at(config.produce),
    act: at(config.act),
    inform: at(config.inform),
    build: at(config.build),
  }
  const isVerb = (word: string): boolean => [verbs.deep, verbs.act, verbs.produce].some((find) => find(word) === word)
  const anyVerb = new RegExp(anyOf([...deepVerbs, ...config.act, ...config.produce, ...config.build]), 'gu')
  const deepNoun = new RegExp(
    `^(.{0,40}?)(?:${anyOf(config.deepKeywords)})(?:书|图|文档|报告|稿|表)?(?:和[^和]{1,8}|与.{1,8})?(?:吧|呗|啊|呀|给我|给我们|出来|一下|来|吗|可以吗|好吗|看看|谢谢)*$`,
    'u',
  )
  const deepHead = new RegExp(
    `^(?:(?:up|out|me|us|together|with|an?|some|my|our|one|the|another|two|three) )*(?:(?!for |of |about |to |on |email |message |letter |in )[a-z0-9-]+,? ){0,5}?(?:${anyOf(config.deepKeywords)})${enHead}`,
    'u',
  )
  const deepAct = new RegExp(
    `(?:做|进行|作)(?:一?[下个次些份轮]|个)?(?:[^的]{0,12}?)${anyOf(config.deepKeywords)}`,
    'u',
  )
  const built = new RegExp(`^.{0,60}?${anyOf(config.buildObjects)}`, 'u')
  const smallBuild = /简单|小(?!程序|游戏)|simple|small|tiny|name|名|页面|logo|图标|文案|介绍|script|脚本/u
  const workObject = new RegExp(anyOf(config.workObjects), 'u')
  const informs = new RegExp(anyOf(config.inform), 'u')
  const product = new RegExp(anyOf(config.products), 'u')
  const productLast = new RegExp(`${anyOf(config.products)}(?:吧|呗|吗)?$`, 'u')
  const isProduct = (after: string, verb: string): boolean =>
    verb === 'do' ||
    /^ ?(?:\d+|two|three|four|five|six|ten|a few|some) [a-z -]*(?:ideas|names|options|examples|tips|questions|titles|ways|suggestions)/u.test(
      after,
    ) ||
    (/^[想列出提]/u.test(verb) && /^[一两二三四五六七八九十几\d]+[个条句种]/u.test(after)) ||
    (product.test(after) && !/^ ?to (?:know|learn|understand)/u.test(after))
  const symptom = new RegExp(anyOf(config.symptoms), 'u')

  const actionOf = (text: string, question: boolean, follows: boolean, whole: string): Action | undefined => {
    const frame = unframe(text, question)
    const { rest, gives } = frame
    const asked = frame.strong || (follows && !question)
    const task = (deep: boolean, rule: string): Action => ({ kind: 'task', deep, rule })
    if (gives && (grammar.classifier.test(rest) || frame.strong)) {
      if (deepNoun.test(rest) && !grammar.carrier.test(rest) && !grammar.infoQuestion.test(rest))
        return task(true, 'task.deep-object')
      if (productLast.test(rest)) return task(false, 'task.object')
    }
    const head =
      leading(frame.strong ? ungerund(rest, isVerb) : rest, question) ??
      (frame.from === undefined ? undefined : leading(frame.from, question))
    if (head === undefined)
      return grammar.orders.test(text) && !grammar.infoQuestion.test(rest) && !informs.test(rest) && rest.length > 1
        ? task(false, 'task.order')
        : undefined
    const { verb, after, kind, moved } = head
    if (grammar.statement.test(after) && !(moved && after.startsWith('了'))) return undefined
    if (grammar.copula.test(after)) return undefined
    const latin = /^[a-z]/u.test(verb)
    if (after.trim() === '' && !asked && grammar.nounLike.test(verb)) return undefined
    const doubled = /^(.)\1$/u.test(verb)
    const strong = asked || moved || doubled || grammar.measure.test(after) || grammar.requestTail.test(text)
    if (!strong && (question || grammar.vague.test(verb) || grammar.sigh.test(after))) return undefined
    if (
      question &&
      grammar.infoQuestion.test(text) &&
      !asked &&
      !doubled &&
      !grammar.requestTail.test(text) &&
      (!grammar.measure.test(after) || /^[到给为出掉入进去好成]/u.test(after))
    )
      return undefined
    if (kind === 'inform') {
      if (
        /^(?:查|看|检查|check|look|read|review|search|find|figure|show|get|see|确认|读)/u.test(verb) &&
        workObject.test(after) &&
        !/为什么|原因|怎么回事|why|cause|什么|怎么|谁|哪/u.test(after)
      )
        return task(false, 'task.inspect')
      if (
        symptom.test(whole) &&
        grammar.lookInto.test(verb) &&
        !/谁|哪(?!里出|儿出|出|里有|块|一步出|里不对)|几点|who|when/u.test(after)
      )
        return task(true, 'task.symptom')
      return { kind: 'inform', deep: false, rule: 'query' }
    }
    if (symptom.test(whole) && /^(?:定位|处理|解决|检查|搞定)$/u.test(verb)) return task(true, 'task.symptom')
    if (kind === 'deep') return task(true, 'task.deep-keyword')
    if (deepAct.test(rest) && !grammar.carrier.test(after)) return task(true, 'task.deep-object')
    const builds = verbs.build(rest) !== undefined || config.build.includes(verb)
    if (
      builds &&
      built.test(after) &&
      !smallBuild.test(after) &&
      !/^[^]{0,20}(?:email|message|邮件|文章|article|poem|诗|essay|关于|about|review)/u.test(after)
    )
      return task(true, 'task.build')
    if (config.produce.includes(verb)) {
      if (deepHead.test(after.trim())) return task(true, 'task.deep-object')
      const object = deepNoun.exec(after)
      if (object !== null && !latin && !grammar.carrier.test(object[1] ?? '')) return task(true, 'task.deep-object')
      if (/^(?:i need|i want|give me|find|do|provide|suggest|想|出|列|提供|给出|想出)$/u.test(verb))
        return isProduct(after, verb) ? task(false, 'task.verb') : { kind: 'inform', deep: false, rule: 'query' }
      if (/^(?:做|画|编|make)$/u.test(verb) && !strong && after === '') return undefined
    }
    return task(false, 'task.verb')
  }

  const leading = (
    rest: string,
    question: boolean,
  ): { verb: string; after: string; kind: 'deep' | 'work' | 'inform'; moved: boolean } | undefined => {
    const sticky = [
      ['deep', verbs.deep],
      ['work', verbs.produce],
      ['work', verbs.act],
      ['work', verbs.build],
      ['inform', verbs.inform],
    ] as const
    let best: { verb: string; after: string; kind: 'deep' | 'work' | 'inform'; moved: boolean } | undefined
    for (const [kind, find] of sticky) {
      const verb = find(rest)
      if (verb !== undefined && verb.length > (best?.verb.length ?? 0))
        best = { verb, after: rest.slice(verb.length), kind, moved: false }
    }
    if (best !== undefined) return best
    const lead = grammar.preposition.exec(rest)
    if (lead === null || (question && /^[a-z]/u.test(rest))) return undefined
    const moved = /^(?:把|将|对|针对)$/u.test(lead[1] ?? '')
    const inside = [...rest.matchAll(anyVerb)].filter((match) => match.index > lead[0].length && match.index < 80)
    const behind = (match: RegExpExecArray): string => rest.slice(match.index + match[0].length)
    const complete = (match: RegExpExecArray): boolean =>
      grammar.closes.test(behind(match)) || grammar.measure.test(behind(match))
    const found = (moved ? inside.findLast(complete) : inside.find(complete)) ?? (moved ? inside.at(-1) : inside[0])
    if (found === undefined || grammar.infoQuestion.test(rest.slice(0, found.index))) return undefined
    if (/^[a-z]/u.test(rest) && !grammar.measure.test(behind(found))) return undefined
    return { verb: found[0], after: behind(found), kind: verbs.deep(found[0]) === found[0] ? 'deep' : 'work', moved }
  }

  return (message) => {
    const actions: Action[] = []
    for (const clause of message.clauses)
      actions.push(...read(clause, (text, question, follows) => actionOf(text, question, follows, message.bare)))
    const tasks = actions.filter((action) => action.kind === 'task')
    const first = tasks[0]
    if (first === undefined) return actions.length >= 3 ? { deep: true, rule: 'task.steps' } : undefined
    const deep = tasks.find((action) => action.deep)
    if (deep !== undefined) return { deep: true, rule: deep.rule }
    const steps = actions.length
    if (grammar.ordered.test(message.bare) && /[^]{6}/u.test(message.bare)) return { deep: true, rule: 'task.steps' }
    if (steps >= 3 || (steps >= 2 && grammar.chained.test(message.bare))) return { deep: true, rule: 'task.steps' }
    return { deep: false, rule: first.rule }
  }
}

function read(
  clause: Clause,
  actionOf: (text: string, question: boolean, follows: boolean) => Action | undefined,
): Action[] {
  const found: Action[] = []
  for (const piece of clause.text.split(connectors)) {
    const text = piece.trim()
    if (text === '' || (found.length > 0 && (grammar.delivery.test(text) || /^[a-z]+$/u.test(text)))) continue
    const inside = innerRequest(text)
    const action =
      actionOf(text, clause.question, found.length > 0) ??
      (inside === undefined ? undefined : actionOf(inside, clause.question, found.length > 0))
    if (action !== undefined) found.push(action)
    else if (found.length === 0 && clause.question && grammar.infoQuestion.test(text)) return found
  }
  return found
}

function ungerund(rest: string, isVerb: (word: string) => boolean): string {
  const found = /^([a-z]{2,})ing(?![a-z])/u.exec(rest)
  const stem = found?.[1]
  if (found === null || stem === undefined) return rest
  const verb = [stem, `${stem}e`, stem.slice(0, -1)].find(isVerb)
  return verb === undefined ? rest : verb + rest.slice(found[0].length)
}

function at(words: readonly string[]): (text: string) => string | undefined {
  const pattern = new RegExp(`^${anyOf(words)}`, 'u')
  return (text) => pattern.exec(text)?.[0]
}
